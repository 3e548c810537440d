"""Operators that make tensors, or give the elements that there are another shape."""
