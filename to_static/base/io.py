"""Readers that feed Programs, by their old names; others are found around it."""

from __future__ import annotations

from to_static.core.importing.paddle_module_aliases import names_around
from to_static.static.readers import DataLoader, GeneratorLoader, PyReader

__all__ = ["DataLoader", "GeneratorLoader", "PyReader"]

__getattr__ = names_around(__name__)
