"""The switches of all static functions."""

from __future__ import annotations

from typing import Any


class Switch:
    """Whether static functions run statically (`enable_to_static`), and where translated code is shown (`set_code_level`)."""

    enabled = True
    show_code: Any = None
