"""The passes, one for each construct. `transpile.pipeline` applies them in order, and has a reason for each.

A pass is a function of the tree of a function and a `Context`; it changes the tree in place. It uses the analyses of `analysis`.
"""
