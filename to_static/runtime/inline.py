"""Operators that a plan writes as array-module expressions of their own instead of kernel calls.

A rule gets the generator, the call, the expressions of its inputs and of its buffer ('' for new memory), and returns an
expression, or None to call the kernel after all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

# ops whose kernels read their input before they write, so that the result may take over the input's memory
IN_PLACE = frozenset(("relu", "sigmoid", "softmax", "log_softmax"))


def ufunc(generator: Any, name: str, args: list[str], out: str) -> str:
    """A call of an array-module function. NumPy wants `out` by keyword where a third operand could be meant."""
    words = [*args, f"out={out}" if name in ("maximum", "minimum") else out] if out else args
    return f"{generator.bind(getattr(generator.backend.xp, name), name)}({', '.join(words)})"


def _matmul(generator: Any, call: Any, args: list[str], out: str) -> str | None:
    """Matrices only: `dot` has less to decide than `matmul`."""
    x, y = call.inputs
    if len(x.spec.shape) != 2 or len(y.spec.shape) != 2:
        return None
    attrs = call.op.attrs
    right = args[1] + ".T" * attrs["trans_y"]
    if y.array is not None and x.spec.shape[0] == 1 and not attrs["trans_x"]:
        # one row times constant columns: each column contiguous is the fastest layout, and for other batches the slowest
        right = generator.bind(generator.backend.xp.asfortranarray(y.array.T if attrs["trans_y"] else y.array), "columns")
    words = [args[0] + ".T" * attrs["trans_x"], right, *([out] if out else [])]
    return f"{generator.bind(generator.backend.xp.dot, 'dot')}({', '.join(words)})"


def _relu(generator: Any, call: Any, args: list[str], out: str) -> str | None:
    """With a zero made beforehand, which saves converting a Python number each time."""
    zero = generator.constant(np.zeros((), call.outputs[0].spec.dtype.np), "zero")
    return ufunc(generator, "maximum", [args[0], zero], out)


def _reshape(generator: Any, call: Any, args: list[str], out: str) -> str | None:
    """A method call when the shape is known."""
    spec = call.outputs[0].spec
    return f"{args[0]}.reshape({spec.shape})" if spec.is_static else None


def _transpose(generator: Any, call: Any, args: list[str], out: str) -> str | None:
    return f"{args[0]}.transpose({tuple(call.op.attrs['perm'])})"


RULES: dict[str, Callable[[Any, Any, list[str], str], str | None]] = {
    "matmul": _matmul,
    "relu": _relu,
    "reshape": _reshape,
    "reshape_as": _reshape,
    "squeeze": _reshape,
    "unsqueeze": _reshape,
    "transpose": _transpose,
}
