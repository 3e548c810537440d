"""Rewriting Programs: small passes in one ordered list."""
