"""From a live function to the tree of the text that it was compiled from, or that there is none (`source`, `freshness`).

A text is believed only where it compiles to the function's own code.
"""
