"""Shape checks at run time for operators with the trait ``check_shapes``, whose kernels accept shapes that the shape rule refuses.

If the shapes are unknown when a Program is built, the shape rule runs before the kernel. Plans and the interpreter use `kernel_of`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from to_static.compiler.ir.program import Op
from to_static.compiler.ir.spec import ListSpec, spec_of

if TYPE_CHECKING:

    from to_static.core.array_types import Array, ArrayModule


def kernel_of(op: Op, backend: str) -> Callable[..., Any]:
    """Return the kernel of an op. It runs the shape rule first if `is_asked`."""
    kernel = op.opdef.kernel_for(backend)
    if not is_asked(op):
        return kernel
    return functools.partial(_asking, op, kernel)


def is_asked(op: Op) -> bool:
    """True if the shape rule must run before the kernel in each run."""
    return "check_shapes" in op.opdef.traits and not all(isinstance(v.spec, ListSpec) or v.spec.is_static for v in op.operands())


def _asking(op: Op, kernel: Callable[..., Any], xp: ArrayModule, *arrays: Array | list[Array] | None, **attrs: Any) -> Any:
    specs = tuple(None if x is None else [spec_of(a) for a in x] if isinstance(x, list) else spec_of(x) for x in arrays)
    op.opdef.infer_specs(specs, op.attrs)
    return kernel(xp, *arrays, **attrs)
