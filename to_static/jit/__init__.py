"""Dynamic to static, the public names: `to_static`, saving and loading of static models.

Nothing but names and their documents is in here: `function` has static functions, `saved` what is saved and loaded.
"""

from __future__ import annotations

import importlib
from typing import Any

from to_static.core.missing import of_module

_HOMES = {
    "to_static.jit.api": (
        "to_static not_to_static enable_to_static ignore_module set_code_level set_verbosity ProgramTranslator"
    ),
    "to_static.function.static_function": "StaticFunction",
    "to_static.saved.save": "save",
    "to_static.saved.traced_layer": "TracedLayer",
    "to_static.saved.load": "load TranslatedLayer",
}
_WHERE = {name: home for home, names in _HOMES.items() for name in names.split()}
__all__ = sorted(_WHERE)


def __getattr__(name: str) -> Any:
    home = _WHERE.get(name)
    if home is None:
        raise of_module(__name__, name)
    value = globals()[name] = getattr(importlib.import_module(home), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_WHERE})
