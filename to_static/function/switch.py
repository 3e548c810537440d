"""The switches of all static functions."""

from __future__ import annotations


class Switch:
    """Whether static functions run statically (`enable_to_static`), and where translated code is shown (`set_code_level`)."""

    enabled = True
    code_level = 0
    code_to_stdout = False
