"""The vocabulary: operator families. Importing this package registers every operator."""

from to_static.ops import control, create, elementwise, update  # noqa: F401
