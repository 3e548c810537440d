"""Translated trees as text that people read: with the user's comments and lines (`printing`), broken as people do (`wrapping`).

It may change how a translation looks, never what it does: a text that does not parse to the same tree again is not used.
"""
