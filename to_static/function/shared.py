"""What the parts of `StaticFunction` have of each other: its attributes, and methods that another part defines."""

from __future__ import annotations

from typing import Any


class Shared:
    """The names; `StaticFunction.__init__` says what they are."""

    _breaks: Any
    _cache: Any
    _concrete_for: Any
    _declared_specs: Any
    _epoch: int
    _forget: Any
    _full_graph: bool
    _function: Any
    _guards: Any
    _input_spec: Any
    _instance: Any
    _is_part: bool
    _key: Any
    _key_of: Any
    _mode_flags: Any
    _parts: Any
    _ran: Any
    _signature: Any
    _sizes: Any
    _trace: Any
    _traced: Any
    concrete_program_specify_input_spec: Any
    may_break: Any
    __name__: str
