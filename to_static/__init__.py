"""to_static: ordinary Python models as static Programs, on NumPy or CuPy."""

from to_static import eager, ops  # noqa: F401
