"""Handles that user code holds while a Program is built: tensors, Python numbers and views that stand for its values."""
