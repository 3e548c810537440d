"""What ``for`` goes through: ranges, tensors, lists of the Program, and Python's own iterables."""
