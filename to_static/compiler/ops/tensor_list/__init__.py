"""Lists and arrays of tensors as values of a Program."""
