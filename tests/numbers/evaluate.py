"""Evaluate one call, written as text, with real Paddle or with this package: values, dtypes, shapes, `stop_gradient` and gradients.

Names in a text: `paddle`, `F`, `nn`, `np`, the makers of inputs below, and `L(layer)`, which gives a layer's parameters fixed
numbers and lets its buffers count as results, `parts(sparse tensor)`. Floating inputs want a gradient, except those in `n(...)`.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def drawn(index: int, shape: tuple[int, ...], lo: float, hi: float) -> np.ndarray:
    """The numbers of the input with this place in the text."""
    return np.random.RandomState(1000 + 7 * index + len(shape)).uniform(lo, hi, shape)


def weight(array: np.ndarray) -> np.ndarray:
    """The gradient that is sent into a result."""
    return (np.cos(np.arange(array.size) * 1.3 + 0.4) + 0.2).reshape(array.shape).astype(array.dtype)


class Inputs:
    """The makers of inputs of one evaluation, and the tensors that they made."""

    def __init__(self, tensor: Any) -> None:
        self.tensor = tensor
        self.made: list[Any] = []
        self.layers: list[Any] = []
        self.draw_count = 0
        self.wanted = True

    def make(self, array: np.ndarray) -> Any:
        wants = self.wanted and array.dtype.kind == "f"
        made = self.tensor(array, not wants)
        if wants:
            self.made.append(made)
        return made

    def draw(self, dtype: str, shape: tuple[int, ...], lo: float, hi: float) -> Any:
        self.draw_count += 1
        values = drawn(self.draw_count, shape, lo, hi)
        return self.make((np.floor(values) if dtype[0] in "ui" else values).astype(dtype))

    def f(self, *shape: int, lo: float = -2, hi: float = 2) -> Any:
        return self.draw("float32", shape, lo, hi)

    def d(self, *shape: int, lo: float = -2, hi: float = 2) -> Any:
        return self.draw("float64", shape, lo, hi)

    def p(self, *shape: int) -> Any:
        return self.draw("float32", shape, 0.1, 2)

    def u(self, *shape: int) -> Any:
        return self.draw("float32", shape, 0.05, 0.95)

    def i(self, *shape: int, lo: int = -4, hi: int = 5) -> Any:
        return self.draw("int64", shape, lo, hi)

    def j(self, *shape: int, lo: int = -4, hi: int = 5) -> Any:
        return self.draw("int32", shape, lo, hi)

    def b(self, *shape: int) -> Any:
        self.draw_count += 1
        return self.make(drawn(self.draw_count, shape, -1, 1) > 0)

    def c(self, values: Any, dtype: str = "float32") -> Any:
        self.draw_count += 1
        return self.make(np.asarray(values, dtype))

    def z(self, dtype: str, *shape: int) -> Any:
        """Numbers of any dtype, not negative in unsigned ones."""
        self.draw_count += 1
        values = drawn(self.draw_count, shape, 0 if dtype[0] == "u" else -3, 3)
        if dtype[0] == "c":
            return self.make((values + 1j * values[::-1] if shape else values + 0.5j).astype(dtype))
        return self.make(values > 0 if dtype == "bool" else (np.floor(values) if dtype[0] in "ui" else values).astype(dtype))

    def x(self, dtype: str, *shape: int) -> Any:
        """The extremes of a dtype, in turn."""
        kind = np.dtype(dtype)
        if kind.kind == "f":
            limits = np.finfo(kind)
            ends = [np.inf, limits.max, limits.smallest_subnormal, np.nan, -limits.max, -0.0, -np.inf, 1.5, -limits.tiny]
        else:
            ends = [np.iinfo(kind).max, np.iinfo(kind).min, 0, 1] if kind.kind in "ui" else [True, False]
        self.draw_count += 1
        return self.make(np.resize(np.array(ends, kind), shape))

    def n(self, maker: Any, *args: Any, **keywords: Any) -> Any:
        self.wanted = False
        try:
            return maker(*args, **keywords)
        finally:
            self.wanted = True

    def L(self, layer: Any) -> Any:
        for parameter in layer.parameters():
            self.draw_count += 1
            parameter.set_value(drawn(self.draw_count, tuple(parameter.shape), -0.6, 0.6).astype("float32"))
            if not parameter.stop_gradient:
                self.made.append(parameter)
        self.layers.append(layer)
        return layer

    def names(self, paddle: Any) -> dict[str, Any]:
        """What texts may use."""
        makers = {m: getattr(self, m) for m in ("f", "d", "p", "u", "i", "j", "b", "c", "z", "x", "n", "L")}
        return {
            "paddle": paddle,
            "F": paddle.nn.functional,
            "nn": paddle.nn,
            "np": np,
            "inf": np.inf,
            "nan": np.nan,
            "parts": parts,
            **makers,
        }


def parts(x: Any) -> list[Any]:
    """Places and numbers of a sparse tensor."""
    return [x.indices(), x.values(), x.to_dense()] if x.is_sparse_coo() else [x.crows(), x.cols(), x.values()]


def flat(value: Any, kind: type) -> list[Any]:
    """Results in order; tensors and Python values."""
    if isinstance(value, (list, tuple)) and not isinstance(value, kind):
        return [x for v in value for x in flat(v, kind)]
    if isinstance(value, dict):
        return [x for v in value.values() for x in flat(v, kind)]
    return [value]


def dtype_name(tensor: Any) -> str:
    """'float32', of either package."""
    return str(tensor.dtype).replace("paddle.", "")


def evaluate(text: str, paddle: Any) -> dict[str, Any]:
    """Results (dtype, array, stop_gradient) and the gradients of the inputs: those of the sum of all floating results, weighted."""
    inputs = Inputs(lambda array, stop: paddle.to_tensor(array, stop_gradient=stop))
    results = flat(eval(text, inputs.names(paddle)), paddle.Tensor)
    for layer in inputs.layers:
        results.extend(b for n, b in layer.named_buffers() if n.endswith(("_mean", "_variance")))
    described: list[Any] = []
    total = None
    for result in results:
        if isinstance(result, paddle.Tensor):
            described.append([dtype_name(result), result.numpy(), bool(result.stop_gradient)])
            if not result.stop_gradient and result.dtype in (paddle.float32, paddle.float64):
                part = (result.astype("float64") * paddle.to_tensor(weight(result.numpy().astype("float64")))).sum()
                total = part if total is None else total + part
        else:
            described.append(repr(result))
    gradients: list[Any] = []
    if total is not None:
        total.backward()
    for made in inputs.made:
        gradients.append(None if made.grad is None else made.grad.numpy())
    return {"results": described, "gradients": gradients}
