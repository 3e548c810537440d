"""Functions of neural networks: what the layers call."""
