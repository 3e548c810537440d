"""The passes, one construct each; `to_static.compiler.frontend.transpile.pipeline` says in which order they run and why.

A pass has a function `run(function, ctx)` that changes the tree. What it has to know about the text is for `analysis`.
"""
