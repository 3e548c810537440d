"""What comes of calls whose tensors are of another dtype than the functions expect: one input in turn, each dtype in turn.

The calls are lines of ``dtype_calls.txt`` (see `evaluate`), one or two for each public function, method and layer.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.numbers.evaluate import Inputs, dtype_name, flat

DTYPES = ("float16", "float32", "float64", "int32", "int64", "bool", "complex64")


class Wrong(Inputs):
    """Makers of inputs, of which the one at the place ``place`` is made of another dtype; ``kinds`` are the dtypes of all."""

    def __init__(self, tensor: Any, place: int, dtype: str) -> None:
        super().__init__(tensor)
        self.place, self.dtype = place, dtype
        self.kinds: list[str] = []

    def make(self, array: np.ndarray) -> Any:
        if len(self.kinds) == self.place:
            array = array.astype(self.dtype)
        self.kinds.append(array.dtype.name)
        return super().make(array)


def outcome(text: str, place: int, dtype: str, paddle: Any) -> str:
    """The dtypes of the results, with a space between them; 'refused' where the call raises an error."""
    inputs = Wrong(lambda array, stop: paddle.to_tensor(array, stop_gradient=stop), place, dtype)
    try:
        results = flat(eval(text, inputs.names(paddle)), paddle.Tensor)
        for result in results:
            if isinstance(result, paddle.Tensor):
                result.numpy()
    except Exception:
        return "refused"
    return " ".join(dtype_name(r) if isinstance(r, paddle.Tensor) else type(r).__name__ for r in results)


def kinds(text: str, paddle: Any) -> list[str]:
    """The dtypes of the inputs of a call as it is written."""
    inputs = Wrong(lambda array, stop: paddle.to_tensor(array, stop_gradient=stop), -1, "")
    eval(text, inputs.names(paddle))
    return inputs.kinds
