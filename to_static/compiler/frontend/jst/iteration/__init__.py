"""Loops over ranges, tensors, lists of the Program, and Python's own iterables.

A loop of the Program goes by index, over an `indexed.IndexedIterable`. A type with items of its own registers in
`protocol.INDEXABLE`.
"""
