"""The text around errors: the user's line and expression, hints, tracebacks, and text that is not ours made fit to show."""
