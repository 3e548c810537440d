"""What a pickled static function is restored from: its name, and the object it belongs to. Programs are traced again."""

from __future__ import annotations

import importlib
from typing import Any


def restore_function(module: str, qualname: str) -> Any:
    """The static function of that name in a module."""
    found: Any = importlib.import_module(module)
    for part in qualname.split("."):
        found = getattr(found, part)
    return found


def restore_method(kind: Any, owner: type, name: str, input_spec: Any, instance: Any, full_graph: bool) -> Any:
    """The static method of that name, of class ``kind`` and bound to ``instance``."""
    found = getattr(owner, name)
    return kind(found._function if isinstance(found, kind) else found, input_spec, instance, full_graph)
