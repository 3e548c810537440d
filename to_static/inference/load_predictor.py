"""`load_predictor`: a saved model as a function from arrays to arrays."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from typing import Any

import numpy as np

from to_static.core.diagnostics.printable import printable
from to_static.core.errors import ArgumentError
from to_static.inference.config import Config
from to_static.inference.predictor import Predictor, create_predictor


class PredictorFunction:
    """A saved model that is called like a function; `load_predictor` makes it. Threads may call it at the same time.

    Attributes: ``inputs`` and ``outputs``: names of the model's, in order.
    ``predictor``: for use by `load_predictor`.

    Example:
        >>> paddle.jit.save(net, "net", input_spec=[InputSpec([None, 4], "float32", "x")])
        >>> predict = paddle.inference.load_predictor("net")
        >>> predict.inputs
        ['x']
    """

    def __init__(self, predictor: Predictor) -> None:
        self._predictor = predictor
        self._of_thread = threading.local()
        self.inputs = predictor.get_input_names()
        self.outputs = predictor.get_output_names()

    def __call__(self, *arrays: Any, **named: Any) -> Any:
        """The outputs for some inputs.

        Args:
            arrays: the inputs in order; or one mapping from names to arrays.
            named: inputs by name.

        Returns an array for a model with one output, else a tuple; a dict by name where a mapping came in. Raises ArgumentError for
        names that do not fit, DTypeError and ShapeError, naming the input, for arrays that do not.
        """
        mapping = arrays[0] if len(arrays) == 1 and isinstance(arrays[0], Mapping) else None
        inputs = {**mapping, **named} if mapping is not None else {**dict(zip(self.inputs, arrays, strict=False)), **named}
        surplus = [name for name in inputs if name not in self.inputs]
        missing = [name for name in self.inputs if name not in inputs]
        positional = 0 if mapping is not None else len(arrays)
        if surplus or missing or positional + len(named) > len(self.inputs):
            expected = ", ".join(map(printable, self.inputs)) or "none"
            came = ", ".join(map(printable, inputs)) or "none"
            raise ArgumentError(f"the model's inputs are {expected}; got {positional + len(named) if mapping is None else came}")
        results = self._mine().run([np.asarray(inputs[name]) for name in self.inputs])
        assert isinstance(results, list)
        if mapping is not None:
            return dict(zip(self.outputs, results, strict=True))
        return results[0] if len(results) == 1 else tuple(results)

    def _mine(self) -> Predictor:
        """The predictor of this thread; all share weights and plans."""
        predictor: Predictor | None = getattr(self._of_thread, "predictor", None)
        if predictor is None:
            predictor = self._of_thread.predictor = self._predictor.clone()
        return predictor

    def __repr__(self) -> str:
        return f"PredictorFunction({', '.join(map(printable, self.inputs))} -> {', '.join(map(printable, self.outputs))})"


def load_predictor(model: str | os.PathLike[str], device: str = "cpu") -> PredictorFunction:
    """Load a saved model as a function from arrays to arrays.

    Args:
        model: prefix of the files, or one of them, of any format that is read.
        device: 'cpu' (default) or 'gpu:0'.

    Raises FormatError when the files are damaged, FileNotFoundError when they are not there, DeviceError without that device.

    Example:
        >>> predict = paddle.inference.load_predictor('model/net')
        >>> y = predict(x)
        >>> named = predict({'x': x})
    """
    return PredictorFunction(predictor_on(model, device))


def predictor_on(model: str | os.PathLike[str], device: str = "cpu") -> Predictor:
    """The `Predictor` of a saved model on a device. Raises what `load_predictor` does."""
    config = Config(model)
    config.set_device(device)
    return create_predictor(config)
