"""Functions with new code: `rebuild` compiles them with the cells of the original, `qualnames` gives them its names.

`intercept` makes the form of a function whose calls are handed over, which a call that was split at its calls runs. No tree changes
here but for that form: rewriting is for `passes`.
"""
