"""`packed_rows`: consecutive linear layers on one row, in plans. The bias is the last row of the weight; a trailing 1 multiplies
it.

The time of such layers is call overhead, and a separate addition of the bias is one more call. The order of sums differs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import Prepared, Sample, op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks
from to_static.compiler.ops.clamp import MOST, full
from to_static.core.code_generation import define

ACTIVATIONS = ("", "relu", "tanh")


@op("packed_rows(X, W* -> Y) activations:strs", file=None, traits="nodiff")
def packed_rows(x: Tensor, w: Any, activations: Any) -> Any:
    """``x`` ``[1, K]`` through linear layers; ``w``: each ``[K + 1, N]``, the bias last; ``activations``: what is behind each."""
    return packed_rows.emit(x, w, activations=activations)


@packed_rows.infer
def _(x: TensorSpec, w: Any, activations: Any) -> TensorSpec:
    return dtype_checks.need_float(x, "packed_rows").with_shape((1, w[-1].shape[1]))


@packed_rows.kernel
def _(xp: Any, x: Any, w: Any, activations: Any) -> Any:
    for weight, act in zip(w, activations, strict=True):
        x = xp.matmul(x, weight[:-1]) + weight[-1]
        x = xp.maximum(x, x.dtype.type(0)) if act == "relu" else xp.tanh(x) if act == "tanh" else x
    return x


@packed_rows.prepare
def _(specs: Any, activations: Any) -> Prepared:
    x, weights = specs
    shape, dtype = (1, weights[-1].shape[1]), x.dtype.np

    def bind(inputs: Any, out: Any, work: list[Any], persistent: list[Any], empty: Any = np.empty) -> Any:
        maximum, tanh, copyto = np.maximum, np.tanh, np.copyto
        zeros = [full((1, w.shape[1]), 0, dtype) if w.shape[1] <= MOST else np.zeros((), dtype) for w in weights]
        for row in persistent:
            row[0, -1] = 1
        space: dict[str, Any] = {"copyto": copyto, "maximum": maximum, "tanh": tanh, "empty": empty, "shape": shape, "dtype": dtype}
        for i, row in enumerate(persistent):  # the method of the array: the function would look for other array types first
            space |= {f"t{i}": row[:, :-1], f"dot{i}": row.dot, f"zero{i}": zeros[i]}
        last = len(persistent)
        space[f"t{last}"] = out
        lines = ["def run(x, weights):", f"{''.join(f'w{i}, ' for i in range(last))}= weights", "copyto(t0, x)"]
        for i, act in enumerate(activations, 1):
            if i == last and out is None:
                lines.append(f"t{i} = empty(shape, dtype)")
            lines.append(f"dot{i - 1}(w{i - 1}, t{i})")
            if act:
                lines.append(f"maximum(t{i}, zero{i - 1}, out=t{i})" if act == "relu" else f"tanh(t{i}, t{i})")
        return define("\n    ".join([*lines, f"return t{last}"]), space)["run"]

    return Prepared([], [x.with_shape((1, w.shape[0])) for w in weights], bind)


def _f(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype("float32")


packed_rows.samples(lambda: [
    Sample(_f(1, 8), [_f(9, 6, seed=1), _f(7, 4, seed=2)], activations=["relu", ""], grad=(), file=False, rtol=1e-5),
    Sample(_f(1, 3), [_f(4, 5, seed=1), _f(6, 5, seed=2), _f(6, 1, seed=3)], activations=["tanh", "", "relu"], grad=(), file=False),
])  # fmt: skip
