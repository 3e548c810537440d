"""Numbers of few bits, as files of quantized models have them."""
