"""Settings, each declared once. A flag is read from the environment at import and can be changed by `set_flags`."""

from __future__ import annotations

import os
from typing import Any


class Flag:
    """One setting: its environment variable, type, default and a line of help for the docs."""

    __slots__ = ("default", "help", "name", "value")

    def __init__(self, name: str, default: Any, help: str) -> None:
        self.name = name
        self.default = default
        self.help = help
        self.value = default

    def parse(self, text: str) -> Any:
        """Read the flag's value from text; raises ValueError naming the flag when it does not fit its type."""
        kind = type(self.default)
        if kind is bool:
            if text.lower() in ("1", "true", "yes", "on"):
                return True
            if text.lower() in ("0", "false", "no", "off", ""):
                return False
            raise ValueError(f"{self.name}={text!r}: expected a boolean (0 or 1)")
        try:
            return kind(text)
        except ValueError:
            raise ValueError(f"{self.name}={text!r}: expected a value of type {kind.__name__}") from None


FLAGS: dict[str, Flag] = {}


def declare(name: str, default: Any, help: str) -> Flag:
    """Declare a flag; its value comes from the environment variable of the same name when that is set."""
    flag = Flag(name, default, help)
    text = os.environ.get(name)
    flag.value = default if text is None else flag.parse(text)
    FLAGS[name] = flag
    return flag


def set_flags(flags: dict[str, Any]) -> None:
    """Set flags by name: ``set_flags({'TO_STATIC_DEBUG': 2})``. Raises KeyError for an unknown flag."""
    for name, value in flags.items():
        if name not in FLAGS:
            raise KeyError(f"unknown flag {name!r}; known flags: {', '.join(sorted(FLAGS))}")
        FLAGS[name].value = value


def get_flags(flags: str | list[str]) -> dict[str, Any]:
    """Values of the named flags."""
    return {name: FLAGS[name].value for name in ([flags] if isinstance(flags, str) else flags)}


debug = declare(
    "TO_STATIC_DEBUG",
    0,
    "How much to tell on standard error, each level with those below: 1 new Programs and graph breaks, and why, 2 what each pass "
    "changes and the memory of plans, 3 translated source and Programs, before and after the passes, verified after each of them, "
    "4 the source of plans, 5 the time of each operation, and where the first NaN is (docs/debugging.md)",
)
full_traceback = declare("TO_STATIC_FULL_TRACEBACK", False, "Keep to_static's own frames in tracebacks of user errors")
full_graph = declare(
    "TO_STATIC_FULL_GRAPH",
    False,
    "Refuse what has no Program, with the user's line and a rewrite, instead of running that call in Python (a graph break)",
)
program_cache = declare(
    "TO_STATIC_PROGRAM_CACHE", 64, "How many Programs a static function or a loaded model keeps, the last ones used"
)
program_cache_bytes = declare(
    "TO_STATIC_PROGRAM_CACHE_BYTES", 1 << 31, "How many bytes of buffers and constants the Programs of a static function hold"
)
