"""Analyses of the text of a function, which change nothing: names and scopes, liveness, values that are no tensors for certain.

Being wrong here must be safe: saying "not known" is always right. Passes ask these; nothing here knows a pass that rewrites.
"""
