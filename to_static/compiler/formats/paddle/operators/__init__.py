"""What the operators of Paddle's files mean: readers by type, names of older versions, calls by type."""
