"""`evaluate` for this package in a Program: inputs are feeds, gradients are appended ops, and the reference interpreter runs it."""

from __future__ import annotations

from typing import Any

import numpy as np

import to_static
from tests.numbers.evaluate import Inputs, dtype_name, flat
from to_static.compiler.autodiff.backward import gradients
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.spec import spec_of
from to_static.compiler.runtime.interpret import interpret
from to_static.core import backend

# what asks for numbers, or for layers' parameters (see tests/jit for these)
_VALUES = (
    "L(", ".item(", ".tolist(", "tolist(", "float(", "int(", "bool(", "list(", "len(", "element_size", "is_leaf", "is_contiguous",
    ".where(", "np.array(", ".rank()", "assert", "weight_norm", "fill_diagonal_", "is_empty",
)  # fmt: skip


def no_program(text: str) -> bool:
    """Whether a text needs numbers of its inputs at once."""
    return any(word in text for word in _VALUES)


def evaluate_in_a_program(text: str) -> dict[str, Any]:
    """Results and gradients of one call, as `evaluate` describes them."""
    builder, feeds = Builder(), []

    def feed(array: np.ndarray, stop: bool) -> Any:
        feeds.append(array)
        return builder.feed(spec_of(array), f"x{len(feeds)}", stop_gradient=stop)

    inputs = Inputs(feed)
    with mode.use(builder):
        value = eval(text, inputs.names(to_static))
        results = flat(value, to_static.Tensor)
        total = None
        for result in results:
            if (
                isinstance(result, to_static.Tensor)
                and not result.stop_gradient
                and result.dtype.name in ("float32", "float64")
            ):
                flat_result = result.astype("float64").reshape([-1])
                steps = to_static.arange(flat_result.shape[0]).astype(
                    "float64"
                )  # as many as perhaps only the run knows
                part = (flat_result * (to_static.cos(steps * 1.3 + 0.4) + 0.2)).sum()
                total = part if total is None else total + part
        found = [None] * len(inputs.made) if total is None else gradients([total], inputs.made)
        tensors = [r for r in results if isinstance(r, to_static.Tensor)]
        stops = [r.stop_gradient for r in tensors]
        program = builder.finish([*tensors, *(g for g in found if g is not None)])
    values = iter(interpret(program, feeds, backend.NUMPY))
    numbers = [next(values) for _ in tensors]
    described: list[Any] = []
    places = iter(range(len(tensors)))
    for result in results:
        if isinstance(result, to_static.Tensor):
            k = next(places)
            described.append([dtype_name(result), np.asarray(numbers[k]), stops[k]])
        else:
            described.append(repr(result))
    return {"results": described, "gradients": [None if g is None else np.asarray(next(values)) for g in found]}
