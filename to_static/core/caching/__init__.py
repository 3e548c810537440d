"""Answers that are kept: per object, by identity, while the object lives, until a version moves."""
