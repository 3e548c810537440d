"""AdaRound: whether each number of a weight is rounded down or up is learned, so that its operator's outputs stay near.

Source: Nagel et al., "Up or Down? Adaptive Rounding for Post-Training Quantization", ICML 2020 (arXiv:2004.10568).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.compiler.autodiff.backward import gradients
from to_static.compiler.formats.paddle.editing import FileOp, FileProgram
from to_static.compiler.ops import functions
from to_static.static.file_program import program_of
from to_static.static.inputs import data
from to_static.static.program import program_guard
from to_static.static.quantization import scaling
from to_static.static.scope import Scope

GAMMA, ZETA = -0.1, 1.1  # a sigmoid is stretched to these bounds, so that it reaches 0 and 1
STEPS = 1000
WARM_START = 0.1  # the share of the steps in which only the outputs count
REGULARIZATION = 0.01
FIRST_BETA, LAST_BETA = 20.0, 2.0
EXACT = 1e-3  # a number that is nearer to an integer stays there


def learned_rounding(
    executor: Any,
    op: FileOp,
    name: str,
    scale: Any,
    batches: Sequence[dict[str, np.ndarray]],
    learning_rate: float,
    bits: int = 8,
    steps: int = STEPS,
) -> np.ndarray:
    """The weight of an operator, each number at the multiple of its step that was learned.

    Args:
        executor: runs the operator.
        op: the operator that reads the weight.
        name: the name of the weight.
        scale: the largest magnitude, or a list of those of the channels.
        batches: for each batch of calibration data the values of all that the operator reads and writes, by name.
        learning_rate: of Adam, which moves what the sigmoids are taken of.
        bits: how many bits an integer has.
        steps: how many batches are taken, in turn; default: 1000.

    Returns a float array of the weight's shape and dtype.
    """
    axis = scaling.weight_axis(scaling.op_type_of(op))
    original = batches[0][name]
    scaled = scaling.quant_tensor(original, scale, axis, bits).astype(np.float64)
    step = scaling.dequant_tensor(np.ones_like(original), scale, axis, bits)
    floor = np.floor(scaled)
    fraction = scaled - floor
    free = (fraction > EXACT) & (fraction < 1 - EXACT)
    alpha = np.where(free, -np.log((ZETA - GAMMA) / (fraction - GAMMA) - 1), 0.0)
    layer = _Layer(executor, op, name, batches[0])
    adam = _Adam(alpha.shape, learning_rate)
    for step_index in range(steps):
        values = batches[step_index % len(batches)]
        sigmoid = scaling.stable_sigmoid(alpha)
        stretched = sigmoid * (ZETA - GAMMA) + GAMMA
        share = np.clip(stretched, 0, 1)
        weight = ((floor + np.where(free, share, np.round(fraction))) * step).astype(original.dtype)
        slope = layer.gradient(values, weight) * step
        if step_index >= steps * WARM_START:
            slope = slope + REGULARIZATION * _regularization_slope(share, _beta(step_index, steps))
        inside = free & (stretched > 0) & (stretched < 1)
        adam.move(alpha, np.where(inside, slope * (ZETA - GAMMA) * sigmoid * (1 - sigmoid), 0.0))
    rounds_up = np.where(free, alpha >= 0, fraction >= 0.5)
    return ((floor + rounds_up) * step).astype(original.dtype)


def _beta(step_index: int, steps: int) -> float:
    """The exponent of the regularization, which falls, so that shares go to 0 and 1 at last."""
    warm = steps * WARM_START
    return float(LAST_BETA + 0.5 * (FIRST_BETA - LAST_BETA) * (1 + np.cos((step_index - warm) / (steps - warm) * np.pi)))


def _regularization_slope(share: np.ndarray, beta: float) -> np.ndarray:
    """The derivative of ``1 - |2 share - 1| ** beta``."""
    distance = 2 * share - 1
    return np.asarray(-2 * beta * np.sign(distance) * np.abs(distance) ** (beta - 1))


class _Layer:
    """One operator alone, and the gradient of the mean squared difference that another weight makes to its outputs."""

    def __init__(self, executor: Any, op: FileOp, name: str, values: dict[str, np.ndarray]) -> None:
        self.executor, self.name = executor, name
        self.read = [each for each in op.input_arg_names if each != name]
        self.written = next(each for each in op.output_arg_names if each in values)
        form = FileProgram()
        block = form.blocks[0]
        for each in (*self.read, name, *op.output_arg_names):
            variable, array = op.block.var(each), values.get(each)
            shape = variable.shape if array is None else array.shape
            block.add(each, dtype=variable.dtype.code, shape=[-1, *shape[1:]] if each != name and len(shape) > 1 else list(shape))
            block.vars[each].need_check_feed = each in op.input_arg_names
        block.ops = [FileOp(block, op.type, op.inputs, op.outputs, op.attrs)]
        self.program = program_of(form, Scope(), {})
        with program_guard(self.program):
            main = self.program.global_block()
            written, weight = main.var(self.written), main.var(name)
            weight.stop_gradient = False
            shape = [-1, *values[self.written].shape[1:]]
            original = data("adaround.original", shape, str(values[self.written].dtype))
            loss = functions.mean(functions.sum((written - original) ** 2, axis=-1))
            [self.slope] = gradients([loss], [weight])

    def gradient(self, values: dict[str, np.ndarray], weight: np.ndarray) -> np.ndarray:
        """The gradient of that difference by the weight, for one batch."""
        feed = {**{each: values[each] for each in self.read}, self.name: weight, "adaround.original": values[self.written]}
        [slope] = self.executor.run(self.program, feed=feed, fetch_list=[self.slope])
        return np.asarray(slope, np.float64)


class _Adam:
    """Adam on an array. Source: Kingma and Ba, "Adam: A Method for Stochastic Optimization", ICLR 2015."""

    def __init__(self, shape: tuple[int, ...], learning_rate: float) -> None:
        self.first, self.second = np.zeros(shape), np.zeros(shape)
        self.learning_rate, self.steps = learning_rate, 0

    def move(self, values: np.ndarray, slope: np.ndarray) -> None:
        """Take one step, in place."""
        self.steps += 1
        self.first += 0.1 * (slope - self.first)
        self.second += 0.001 * (slope**2 - self.second)
        first, second = self.first / (1 - 0.9**self.steps), self.second / (1 - 0.999**self.steps)
        values -= self.learning_rate * first / (np.sqrt(second) + 1e-8)
