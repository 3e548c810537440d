"""The front end: Python source to Python source (`transpile`), what that calls (`jst`), one trace (`tracing`), static functions."""
