"""`current_number`: reads a Python number, such as a learning rate, in each run of a Program."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.opdef import op
from to_static.compiler.ir.spec import TensorSpec
from to_static.core.array_types import ArrayModule


@op("current_number(-> Out) source dtype", file=None, traits="effect nodiff")
def current_number(source: Any, dtype: Any) -> Any:
    """``source()`` as a 0-D tensor of ``dtype``. It is asked in its place among the effects of the Program, which may change it."""
    return current_number.emit(source=source, dtype=dtype)


@current_number.infer
def _(source: Any, dtype: Any) -> Any:
    return TensorSpec((), dtype)


@current_number.kernel
def _(xp: ArrayModule, source: Any, dtype: Any) -> Any:
    return xp.asarray(source(), dtype.np)
