"""From a live function to the tree of the text that it was compiled from, or that there is none (`source`, `freshness`).

`interactive` has the text of functions that no file holds. A text is believed only where it compiles to the function's own code.
"""
