"""Generators of the user's functions: Python runs them, with translated bodies. What they yield, tensors can't decide."""

from __future__ import annotations

import contextlib
import weakref
from typing import Any

from to_static.core.conditions import condition
from to_static.core.errors import TranslationError
from to_static.ir import mode
from to_static.jit.jst.levels import Back
from to_static.jit.jst.traced import failure, is_traced


def start(translated: Any, *args: Any, **kwargs: Any) -> Any:
    """Call a generator function; the trace knows the generator."""
    made = translated(*args, **kwargs)
    if mode.building():
        mode.state.mode.started.append(weakref.ref(made))
    return made


def close_all(builder: Any) -> None:
    """Close the generators of a trace that has failed: what they do then is no more than part of it."""
    with mode.use(builder):
        for generator in (made() for made in builder.started):
            with contextlib.suppress(Exception, Back):
                if generator is not None:
                    generator.close()


def decided(test: Any) -> Any:
    """The test of a construct that yields."""
    if is_traced(test):
        text = condition()
        raise failure(
            TranslationError,
            f"what this generator yields depends on a tensor{f' (`{text}`)' if text else ''}",
            "a function that returns a list: `items.append(value)` in place of `yield value`",
        )
    return test
