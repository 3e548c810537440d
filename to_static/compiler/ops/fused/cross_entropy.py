"""The mean cross-entropy of integer labels together with its gradient: both need the same exponentials.

The pass `fuse_cross_entropy` inserts this operator; files and public functions do not contain it.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import Prepared, Sample, op
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ops import dtype_checks
from to_static.compiler.ops.fused import cross_entropy_prepared
from to_static.core.array_types import Array, ArrayModule


@op("label_loss(Logits, Label! -> Loss, DLogits) ignore_index", file=None, traits="nodiff")
def label_loss(logits: Any, label: Any, ignore_index: int) -> Any:
    """The mean of ``-log(softmax(logits)[label])`` over labels (int64, one for each row of ``logits``) that are not
    ``ignore_index``, and the derivative of that by the logits.
    """
    return label_loss.emit(logits, label, ignore_index=ignore_index)


@label_loss.infer
def _(logits: TensorSpec, label: TensorSpec, ignore_index: int) -> tuple[TensorSpec, TensorSpec]:
    dtype_checks.need_float(logits, "label_loss")
    return logits.with_shape(()), logits


@label_loss.kernel
def _(xp: ArrayModule, logits: Array, label: Array, ignore_index: int) -> tuple[Any, Any]:
    label = label.reshape(*logits.shape[:-1], 1)
    attrs = {"soft_label": False, "ignore_index": ignore_index, "axis": -1}
    losses = get("cross_entropy").kernel_for(xp.__name__)(xp, logits, label, use_softmax=True, **attrs)
    count = xp.maximum(xp.count_nonzero(label != ignore_index), 1).astype(logits.dtype)
    shares = xp.full(label.shape, 1 / count, logits.dtype)
    return xp.asarray(losses.sum() / count), get("cross_entropy_grad").kernel_for(xp.__name__)(xp, logits, label, shares, **attrs)


@label_loss.prepare
def _(specs: tuple[TensorSpec, ...], ignore_index: int) -> Prepared | None:
    return cross_entropy_prepared.prepared_mean(specs, label_loss.op.kernel_for("numpy"), ignore_index)


@label_loss.may_raise
def _(logits: Any, label: Any, ignore_index: int) -> bool:
    return True


def _f(*shape: int) -> np.ndarray:
    return np.random.default_rng(prod(shape)).uniform(-2, 2, shape).astype("float32")


label_loss.samples(lambda: [
    Sample(_f(5, 7), np.asarray([1, 0, 6, 3, 3]), ignore_index=-100, grad=(), file=False),
    Sample(_f(2, 3, 4), np.asarray([[[1], [0], [2]], [[3], [3], [0]]]), ignore_index=3, grad=(), file=False),
])  # fmt: skip
