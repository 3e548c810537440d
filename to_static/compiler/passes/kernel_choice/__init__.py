"""The same values from a cheaper kernel, layout or order of operators."""
