"""Global switches of static functions, which public functions such as `enable_to_static` and `set_code_level` set."""

from __future__ import annotations

from typing import Any


class Settings:
    """The switches.

    Attributes:
        enabled: whether static functions run statically (`enable_to_static`).
        code_level, code_to_stdout: whether and where translated code is printed (`set_code_level`).
        created: a list to which new static functions are appended, or None.
    """

    enabled = True
    code_level = 0
    code_to_stdout = False
    created: list[Any] | None = None
