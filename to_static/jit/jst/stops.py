"""``stop_gradient`` and ``trainable`` of tensors from outside: a Program may have them built in, and changes none."""

from __future__ import annotations

from typing import Any

from to_static.core.errors import TranslationError
from to_static.core.expressions import shown
from to_static.eager.tensor import EagerTensor
from to_static.ir import mode
from to_static.jit.jst.choice import Choice
from to_static.jit.jst.traced import failure
from to_static.transpile.scopes import STOPS


def asked_stop(value: Any) -> Any:
    """``value``, which is about to be asked for one of them."""
    if mode.tracing():
        for option in value.options if type(value) is Choice else [value]:
            if isinstance(option, EagerTensor):
                mode.state.mode.reads_stop(option)
    return value


def sets_stop(owner: Any, attribute: str | None) -> None:
    """Called before an attribute is set: refuses these."""
    if attribute in STOPS and isinstance(owner, EagerTensor) and mode.tracing():
        raise failure(
            TranslationError,
            f"{attribute!r} of a tensor from outside is set{shown()}: that would happen once, while the Program is built, "
            "whichever branch is taken",
            f"set it outside of the static function, `w.{attribute} = ...`, or use `w.detach()` where no gradient is to flow",
        )
