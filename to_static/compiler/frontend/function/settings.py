"""Global switches of static functions."""

from __future__ import annotations

from typing import Any


class Settings:
    """Attributes: ``enabled``: whether static functions run statically (`enable_to_static`); ``code_level``, ``code_to_stdout``:
    whether and where translated code is shown (`set_code_level`); ``created``: a list to which new static functions are added,
    or None.
    """

    enabled = True
    code_level = 0
    code_to_stdout = False
    created: list[Any] | None = None
