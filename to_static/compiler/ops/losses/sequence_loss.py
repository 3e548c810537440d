"""Losses over all alignments of two sequences: CTC, and the transducer (RNN-T).

Both kernels run the forward-backward algorithm in log space and double precision, one time step for the whole batch at once. They
return the gradient with the loss, as Paddle's operators do: the log-probability of a path through a node is ``forward + backward -
total``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import AutogradError, DTypeError, ShapeError

NEVER = -1e30  # the logarithm of a chance of 0, with which sums are still numbers


def _lengths(name: str, what: str, spec: TensorSpec | None, batch: int) -> None:
    if spec is None:
        return
    if not spec.dtype.is_integer:
        raise DTypeError(f"{name}: {what} must be integers, got {spec.dtype.name}")
    if spec.ndim != 1 or (UNKNOWN not in (spec.shape[0], batch) and spec.shape[0] != batch):
        raise ShapeError(f"{name}: {what} must be [batch] = [{batch}], got {show(spec.shape)}")


def _labels(name: str, spec: TensorSpec) -> None:
    if not spec.dtype.is_integer:
        raise DTypeError(f"{name}: labels must be integers, got {spec.dtype.name}")
    if spec.ndim != 2:
        raise ShapeError(f"{name}: labels must be [batch, longest], got {show(spec.shape)}")


def _checked(name: str, what: str, values: Array, upper: int) -> Array:
    if values.size and (int(values.min()) < 0 or int(values.max()) > upper):
        raise ShapeError(f"{name}: {what} must be in [0, {upper}], got {int(values.min())} to {int(values.max())}")
    return values


def _log_sum(xp: ArrayModule, logs: Array) -> Array:
    largest = logs.max(-1)
    return largest + xp.log(xp.exp(logs - largest[:, None]).sum(-1))


@op("alignment_gradient(Gradient, Gout -> Out) axis", file=None)
def alignment_gradient(gradient: Tensor, gout: Tensor, axis: int) -> Tensor:
    """``gradient``, of which dimension ``axis`` is the batch, times ``gout`` [batch]. It has no gradient of its own."""
    return alignment_gradient.emit(gradient, gout, axis=axis)


@alignment_gradient.infer
def _(gradient: TensorSpec, gout: TensorSpec, axis: int) -> TensorSpec:
    return gradient


@alignment_gradient.kernel
def _(xp: ArrayModule, gradient: Array, gout: Array, axis: int) -> Array:
    return gradient * gout.reshape([-1 if d == axis else 1 for d in range(gradient.ndim)])


@alignment_gradient.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    raise AutogradError("the gradients of ctc_loss and rnnt_loss cannot be differentiated again, as in Paddle")


alignment_gradient.samples(
    lambda: [Sample(np.ones((3, 2, 4), np.float32), np.asarray([1.0, 2.0], np.float32), axis=1, grad=())]
)


@op(
    "warpctc(Logits, Label, LogitsLength?, LabelLength? -> Loss, WarpCTCGrad?) blank:int norm_by_times:bool",
    traits="may_raise check_shapes",
)
def warpctc(
    logits: Tensor,
    label: Tensor,
    logits_length: Tensor,
    label_length: Tensor,
    blank: int = 0,
    norm_by_times: bool = False,
) -> tuple[Tensor, ...]:
    """The CTC loss of logits [time, batch, classes], [batch, 1], and its gradient; see `F.ctc_loss`."""
    return warpctc.emit(logits, label, logits_length, label_length, blank=int(blank), norm_by_times=bool(norm_by_times))


@warpctc.infer
def _(
    logits: TensorSpec,
    label: TensorSpec,
    logits_length: TensorSpec | None,
    label_length: TensorSpec | None,
    blank: int,
    norm_by_times: bool,
) -> tuple[TensorSpec, ...]:
    dtype_checks.need_float(logits, "ctc_loss")
    if logits.ndim != 3:
        raise ShapeError(f"ctc_loss: log_probs must be [time, batch, classes], got {show(logits.shape)}")
    _labels("ctc_loss", label)
    _, batch, classes = logits.shape
    if classes != UNKNOWN and not 0 <= blank < classes:
        raise ShapeError(f"ctc_loss: blank must be one of {classes} classes, got {blank}")
    if UNKNOWN not in (batch, label.shape[0]) and batch != label.shape[0]:
        raise ShapeError(f"ctc_loss: labels and log_probs must have one batch size, got {label.shape[0]} and {batch}")
    _lengths("ctc_loss", "input_lengths", logits_length, batch)
    _lengths("ctc_loss", "label_lengths", label_length, batch)
    return logits.with_shape((batch, 1)), logits


@warpctc.kernel
def _(
    xp: ArrayModule,
    logits: Array,
    label: Array,
    logits_length: Array | None,
    label_length: Array | None,
    blank: int,
    norm_by_times: bool,
) -> tuple[Array, ...]:
    steps, batch, classes = logits.shape
    longest = label.shape[1]
    times = (
        xp.full(batch, steps) if logits_length is None else _checked("ctc_loss", "input_lengths", logits_length, steps)
    )
    counts = (
        xp.full(batch, longest)
        if label_length is None
        else _checked("ctc_loss", "label_lengths", label_length, longest)
    )
    label = xp.where(xp.arange(longest) < counts[:, None], label, blank)
    _checked("ctc_loss", "labels", label, classes - 1)

    shifted = logits.astype(np.float64) - logits.max(-1, keepdims=True)
    logs = shifted - xp.log(xp.exp(shifted).sum(-1, keepdims=True))
    # the labels with a blank before, between and after them; a blank may be left out between two that differ
    positions = 2 * longest + 1
    extended = xp.full((batch, positions), blank)
    extended[:, 1::2] = label
    rows = xp.arange(batch)
    leap = xp.full((batch, positions), NEVER)
    leap[:, 2:][(extended[:, 2:] != blank) & (extended[:, 2:] != extended[:, :-2])] = 0.0
    emitted = logs[:, rows[:, None], extended]  # [time, batch, places]
    last = 2 * counts.astype(np.int64)

    forward = xp.full((steps, batch, positions), NEVER)
    if steps:
        forward[0, :, 0] = emitted[0, :, 0]
        forward[0, :, 1:2] = xp.where(counts[:, None] > 0, emitted[0, :, 1:2], NEVER)
    for t in range(1, steps):
        previous, current = forward[t - 1], forward[t]
        current[:] = previous
        current[:, 1:] = xp.logaddexp(current[:, 1:], previous[:, :-1])
        current[:, 2:] = xp.logaddexp(current[:, 2:], previous[:, :-2] + leap[:, 2:])
        current += emitted[t]

    # the chance of the rest of the labels in the time that is left
    ends = xp.full((batch, positions), NEVER)
    ends[rows, last] = 0.0
    ends[rows, xp.maximum(last - 1, 0)] = 0.0
    backward = xp.full((steps, batch, positions), NEVER)
    for t in range(steps - 1, -1, -1):
        current = backward[t]
        if t + 1 < steps:
            following = backward[t + 1] + emitted[t + 1]
            current[:] = following
            current[:, :-1] = xp.logaddexp(current[:, :-1], following[:, 1:])
            current[:, :-2] = xp.logaddexp(current[:, :-2], following[:, 2:] + leap[:, 2:])
        current[times == t + 1] = ends[times == t + 1]

    total = _log_sum(xp, forward[0] + backward[0]) if steps else xp.full(batch, NEVER)
    possible = (total > NEVER / 2) & (times > 0)  # fewer steps than labels: Paddle gives 0, and no gradient
    total = xp.where(possible, total, 0.0)
    counted = possible & (xp.arange(steps)[:, None] < times)  # [time, batch]
    passed = xp.where(counted[:, :, None], xp.exp(xp.minimum(forward + backward - total[:, None], 0.0)), 0.0)
    gradient = xp.where(counted[:, :, None], xp.exp(logs), 0.0)
    for s in range(positions):
        gradient[:, rows, extended[:, s]] -= passed[:, :, s]
    return (-total[:, None]).astype(logits.dtype), gradient.astype(logits.dtype)


@warpctc.grad
def _(ctx: GradContext, g: Tensor, unused: Any) -> Any:
    g = g.reshape([-1])
    if ctx.norm_by_times:
        times = ctx.inputs[2]
        g = g / (ctx.inputs[0].shape[0] if times is None else times.astype(g.dtype))
    return alignment_gradient(ctx.outputs[1], g, 1), None, None, None


def _f(*shape: int) -> np.ndarray:
    return np.random.default_rng(3).uniform(-2, 2, shape).astype("float32")


warpctc.samples(
    lambda: [
        Sample(
            _f(5, 2, 4), np.asarray([[1, 1, 2], [3, 0, 0]], np.int32), np.asarray([5, 3]), np.asarray([3, 1]), blank=0,
            norm_by_times=False, second=False,
        ),
        Sample(_f(3, 1, 3), np.asarray([[0]], np.int32), None, None, blank=2, norm_by_times=False, second=False),
    ]
)  # fmt: skip


@op(
    "warprnnt(input, label, input_lengths, label_lengths -> loss, warprnntgrad?) blank:int fastemit_lambda:float",
    traits="may_raise check_shapes",
)
def warprnnt(
    input: Tensor,
    label: Tensor,
    input_lengths: Tensor,
    label_lengths: Tensor,
    blank: int = 0,
    fastemit_lambda: float = 0.0,
) -> tuple[Tensor, ...]:
    """The transducer loss of log-probabilities [batch, time, places, classes], [batch], and its gradient; see `F.rnnt_loss`."""
    return warprnnt.emit(
        input, label, input_lengths, label_lengths, blank=int(blank), fastemit_lambda=float(np.float32(fastemit_lambda))
    )


@warprnnt.infer
def _(
    x: TensorSpec, label: TensorSpec, times: TensorSpec, counts: TensorSpec, blank: int, fastemit_lambda: float
) -> tuple[TensorSpec, ...]:
    dtype_checks.need_float(x, "rnnt_loss")
    if x.ndim != 4:
        raise ShapeError(
            f"rnnt_loss: the input must be [batch, time, longest label + 1, classes], got {show(x.shape)}"
        )
    _labels("rnnt_loss", label)
    batch, _, positions, classes = x.shape
    if classes != UNKNOWN and not 0 <= blank < classes:
        raise ShapeError(f"rnnt_loss: blank must be one of {classes} classes, got {blank}")
    if UNKNOWN not in (batch, label.shape[0]) and batch != label.shape[0]:
        raise ShapeError(f"rnnt_loss: labels and input must have one batch size, got {label.shape[0]} and {batch}")
    if UNKNOWN not in (positions, label.shape[1]) and positions != label.shape[1] + 1:
        raise ShapeError(
            f"rnnt_loss: labels of {label.shape[1]} need {label.shape[1] + 1} places in dimension 2, got {positions}"
        )
    _lengths("rnnt_loss", "input_lengths", times, batch)
    _lengths("rnnt_loss", "label_lengths", counts, batch)
    return x.with_shape((batch,)), x


@warprnnt.kernel
def _(
    xp: ArrayModule, x: Array, label: Array, times: Array, counts: Array, blank: int, fastemit_lambda: float
) -> tuple[Array, ...]:
    batch, steps, positions, classes = x.shape
    _checked("rnnt_loss", "input_lengths", times - 1, steps - 1)
    _checked("rnnt_loss", "label_lengths", counts, positions - 1)
    label = xp.where(xp.arange(positions - 1) < counts[:, None], label, blank)
    _checked("rnnt_loss", "labels", label, classes - 1)
    logs, rows = x.astype(np.float64), xp.arange(batch)
    waits = logs[..., blank].copy()  # the next step of time
    waits[xp.arange(steps)[None, :, None] >= times[:, None, None] + xp.zeros((1, 1, positions), int)] = NEVER
    emits = xp.take_along_axis(
        logs[:, :, :-1], xp.broadcast_to(label[:, None, :, None], (batch, steps, positions - 1, 1)), -1
    )[..., 0]
    beyond = xp.arange(positions - 1)[None, None] >= counts[:, None, None]
    emits[beyond | (xp.arange(steps)[None, :, None] >= times[:, None, None])] = NEVER

    forward = xp.full((batch, steps + 1, positions), NEVER)
    forward[:, 0, 0] = 0.0
    for t in range(steps):
        if t:
            forward[:, t] = forward[:, t - 1] + waits[:, t - 1]
        for u in range(1, positions):
            forward[:, t, u] = xp.logaddexp(forward[:, t, u], forward[:, t, u - 1] + emits[:, t, u - 1])
    # from each place to the end, which is one wait after the last label
    backward = xp.full((batch, steps + 1, positions), NEVER)
    backward[rows, times, counts] = 0.0
    for t in range(steps - 1, -1, -1):
        now = xp.where((times > t)[:, None], waits[:, t] + backward[:, t + 1], backward[:, t])
        for u in range(positions - 2, -1, -1):
            now[:, u] = xp.where(times > t, xp.logaddexp(now[:, u], emits[:, t, u] + now[:, u + 1]), now[:, u])
        backward[:, t] = now
    total = backward[:, 0, 0]
    scale = total[:, None, None]
    waited = xp.exp(xp.minimum(forward[:, :-1] + waits + backward[:, 1:] - scale, 0.0))
    emitted = xp.exp(xp.minimum(forward[:, :-1, :-1] + emits + backward[:, :-1, 1:] - scale, 0.0))
    gradient = xp.zeros(x.shape, np.float64)
    gradient[..., blank] -= waited
    # FastEmit (Yu et al., 2021): more weight on emissions, in the gradient only
    for u in range(positions - 1):
        gradient[rows, :, u, label[:, u]] -= (1.0 + fastemit_lambda) * emitted[:, :, u]
    return (-total).astype(x.dtype), gradient.astype(x.dtype)


@warprnnt.grad
def _(ctx: GradContext, g: Tensor, unused: Any) -> Any:
    return alignment_gradient(ctx.outputs[1], g, 0), None, None, None


warprnnt.samples(
    lambda: [
        Sample(
            _f(2, 4, 3, 5), np.asarray([[1, 2], [3, 0]], np.int32), np.asarray([4, 3], np.int32), np.asarray([2, 1], np.int32),
            blank=0, fastemit_lambda=0.0, second=False,
        )
    ]
)  # fmt: skip
