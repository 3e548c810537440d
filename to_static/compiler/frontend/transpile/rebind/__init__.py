"""Functions like others, of other code: compiled around the original's cells (`rebuild`), with its names (`qualnames`).

`intercept` makes the form of a function whose calls are handed over, which a call that was split at its calls runs. No tree changes
here but for that form: rewriting is for `passes`.
"""
