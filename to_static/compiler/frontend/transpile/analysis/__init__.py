"""Analyses of the source of a function: names and scopes, liveness, values that are certainly no tensors.

The passes call them; they change no tree. An analysis may always answer "not known": the translation is then correct, too.
"""
