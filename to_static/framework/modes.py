"""Which mode is on, as code written for Paddle asks for it."""

from __future__ import annotations

from to_static.ir import mode


def in_dynamic_mode() -> bool:
    """True while operators run at once."""
    return not mode.building()


def in_declarative_mode() -> bool:
    """True while ``to_static`` traces a function."""
    return mode.tracing()


def in_pir_mode() -> bool:
    """False: Paddle's new intermediate representation is not used here."""
    return False


def use_pir_api() -> bool:
    """False: Paddle's new intermediate representation is not used here."""
    return False


in_dynamic_or_pir_mode = in_dynamic_mode
in_to_static_mode = in_declarative_mode
