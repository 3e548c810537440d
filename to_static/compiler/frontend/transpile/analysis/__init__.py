"""What the text of a function says, without changing it: names and scopes, liveness, what is known to be no tensor.

Being wrong here must be safe: saying "not known" is always right. Passes ask these; nothing here knows a pass that rewrites.
"""
