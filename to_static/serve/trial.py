"""Runs of a model, and trials whether its rows may run together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from to_static.inference import Predictor
from to_static.serve.row_independence import Finding, TensorInfo, find_batch_axes


def run(predictor: Predictor, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The outputs for arrays in the order of the inputs."""
    results = predictor.run(list(arrays))
    assert isinstance(results, list)  # (True would be the answer of handles)
    return results


def tensors_of(predictor: Predictor) -> tuple[list[TensorInfo], list[TensorInfo]]:
    """The inputs and the outputs of a predictor."""
    inputs = [(name, predictor.get_input_handle(name)) for name in predictor.get_input_names()]
    outputs = [(name, predictor.get_output_handle(name)) for name in predictor.get_output_names()]
    of_inputs, of_outputs = (
        [TensorInfo(name, handle._spec.dtype.name, tuple(handle._spec.shape)) for name, handle in pairs]
        for pairs in (inputs, outputs)
    )
    return of_inputs, of_outputs


def try_out(predictor: Predictor) -> Finding:
    """Run a model on test rows to see how its rows depend on each other; this makes its plans, too."""
    if predictor.keeps_state():
        return Finding(None, "the model changes its own state")
    inputs, _ = tensors_of(predictor)
    return find_batch_axes(lambda arrays: run(predictor, arrays), inputs, predictor.has_control_flow())
