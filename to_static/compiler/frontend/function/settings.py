"""Global switches of static functions."""

from __future__ import annotations

from typing import Any


class Settings:
    """True if static functions run statically (`enable_to_static`), where translated code is shown (`set_code_level`), and a list
    that gets all that are made, where somebody wants them (``created``).
    """

    enabled = True
    code_level = 0
    code_to_stdout = False
    created: list[Any] | None = None
