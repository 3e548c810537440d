"""Operators as plans run them: with buffers, views and packed weights of their own."""
