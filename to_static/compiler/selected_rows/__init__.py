"""Gradients of tables that were looked up with ``sparse=True``: rows in place of a tensor of the table's shape."""
