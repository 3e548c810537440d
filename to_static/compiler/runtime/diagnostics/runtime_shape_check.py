"""Shape rules asked at run time: of operators whose kernels take shapes that the rule refuses, where these were unknown before."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from to_static.compiler.ir.program import Op
from to_static.compiler.ir.spec import ListSpec, spec_of

if TYPE_CHECKING:

    from to_static.core.array_types import Array, ArrayModule


def kernel_of(op: Op, backend: str) -> Callable[..., Any]:
    """The kernel of an operation of a Program; one that asks the shape rule first where only the arrays have the shapes."""
    kernel = op.opdef.kernel_for(backend)
    if not is_asked(op):
        return kernel
    return functools.partial(_asking, op, kernel)


def is_asked(op: Op) -> bool:
    """True if the shape rule has to be asked when the Program runs."""
    return "check_shapes" in op.opdef.traits and not all(isinstance(v.spec, ListSpec) or v.spec.is_static for v in op.operands())


def _asking(op: Op, kernel: Callable[..., Any], xp: ArrayModule, *arrays: Array | list[Array] | None, **attrs: Any) -> Any:
    specs = tuple(None if x is None else [spec_of(a) for a in x] if isinstance(x, list) else spec_of(x) for x in arrays)
    op.opdef.infer_specs(specs, op.attrs)
    return kernel(xp, *arrays, **attrs)
