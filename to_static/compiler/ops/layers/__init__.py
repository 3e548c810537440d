"""Operators that layers are made of: convolutions, pooling, norms, recurrent cells."""
