"""Loops over ranges, tensors, lists of the Program, and Python iterables.

A loop of the Program counts an index, over an `indexed.IndexedIterable`. A type with items registers in `protocol.INDEXABLE`.
"""
