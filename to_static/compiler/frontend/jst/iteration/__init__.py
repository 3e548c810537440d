"""Loops over ranges, tensors, lists of the Program, and Python's own iterables.

A loop of the Program goes by index, over a `counted.Counted`. What has items of its own kind says so in `protocol.COUNTED`.
"""
