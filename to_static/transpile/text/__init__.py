"""Translated trees as text that people read: with the user's comments and line numbers (`printing`), lines broken as people do."""
