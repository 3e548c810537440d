"""The meaning of the operators of Paddle's files: readers by type, names of older versions, calls by type."""
