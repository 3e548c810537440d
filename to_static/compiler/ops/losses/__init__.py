"""Losses, and what decodes the sequences that they score."""
