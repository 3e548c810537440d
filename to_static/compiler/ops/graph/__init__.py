"""Operators of graphs: segments of rows, messages along edges, neighbours."""
