"""Optimizer updates of only those rows of a table that were looked up (see `passes/training/sparse_optimizer_updates.py`).

Each computes the update of `updates.py` with the gradient that `embedding_grad` makes of the same ids. It makes neither that
gradient nor a new table: with ``donated=True`` the parameter is overwritten too, by ``deferred_writes``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, Sample, op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ops.indexing.embedding import row_sums
from to_static.compiler.ops.optimizer.updates import ADAM_NUMBERS, ADAMW_NUMBERS, adam, adamw, not_zero, row_step, sgd
from to_static.core.array_types import Array, ArrayModule

_STATE = "Moment1, Moment2, Beta1Pow, Beta2Pow, LearningRate -> ParamOut, Moment1Out, Moment2Out, Beta1PowOut, Beta2PowOut"


@op("row_sgd(Param, Ids*, Grad*, LearningRate -> ParamOut) padding_idx:long", file=None, traits="nodiff")
def row_sgd(param: Any, ids: list[Any], g: list[Any], lr: Any, padding_idx: int) -> Any:
    """`sgd` of the rows of ``param`` that ``ids`` name, with the sums of those rows of ``g`` that have the same one."""
    return row_sgd.emit(param, ids, g, lr, padding_idx=padding_idx)


@row_sgd.infer
def _(param: TensorSpec, ids: list[TensorSpec], g: list[TensorSpec], lr: TensorSpec, padding_idx: int) -> TensorSpec:
    return param


@row_sgd.kernel
def _(
    xp: ArrayModule,
    param: Array,
    ids: list[Any],
    g: list[Any],
    lr: Array,
    padding_idx: int,
    donated: bool = False,
    deferred_writes: list[Any] | None = None,
) -> Array:
    row_grads = row_sums(xp, ids, g, param.shape[1], padding_idx)
    return row_step(xp, sgd.op.kernel_for("numpy"), row_grads, [param], (lr,), (donated,), deferred_writes)[0]


@op(f"row_adam(Param, Ids*, Grad*, {_STATE}) padding_idx:long {ADAM_NUMBERS}", file=None, traits="nodiff")
def row_adam(param: Any, ids: list[Any], g: list[Any], *state: Any, **attrs: AttrValue) -> Any:
    """`adam` in its lazy mode."""
    return row_adam.emit(param, ids, g, *state, **attrs)


@op(f"row_adamw(Param, Ids*, Grad*, {_STATE}) padding_idx:long {ADAMW_NUMBERS}", file=None, traits="nodiff")
def row_adamw(param: Any, ids: list[Any], g: list[Any], *state: Any, **attrs: AttrValue) -> Any:
    """`adamw` in its lazy mode."""
    return row_adamw.emit(param, ids, g, *state, **attrs)


def _declare_rules(rows: Any, update: Any) -> None:
    """Declare the shape rule and kernel of ``rows``: the step of ``update`` on the rows of the parameter that were looked up.

    ``donated`` and ``deferred_writes`` are those of every update (`row_step`); ``attrs`` are the settings that ``update`` reads.
    """
    @rows.infer
    def _(param: TensorSpec, ids: list[TensorSpec], g: list[TensorSpec], *state: TensorSpec, **attrs: Any) -> Any:
        return param, *state[:4]

    @rows.kernel
    def _(
        xp: Any, param: Any, ids: list[Any], g: list[Any], m1: Any, m2: Any, *scalars: Any,
        padding_idx: int, donated: bool = False, deferred_writes: Any = None, **attrs: Any,
    ) -> Any:  # fmt: skip
        row_grads = not_zero(xp, *row_sums(xp, ids, g, param.shape[1], padding_idx))
        step, in_place = update.op.kernel_for("numpy"), deferred_writes is not None
        return row_step(xp, step, row_grads, [param, m1, m2], scalars, (donated, in_place, in_place), deferred_writes, **attrs)


_declare_rules(row_adam, adam)
_declare_rules(row_adamw, adamw)


def _samples(state: int, **attrs: Any) -> list[Sample]:
    def uniform(seed: int, *shape: int) -> np.ndarray:
        return np.random.default_rng(seed).uniform(0.1, 1, shape).astype("float32")

    def one(value: float) -> np.ndarray:
        return np.asarray([value], "float32")

    state_arrays = [uniform(1, 6, 3), uniform(2, 6, 3), one(0.81), one(0.998)][:state]
    ids, more_ids = np.asarray([[1, 4, 1], [0, 2, 1]]), np.asarray([5, 4, 4])
    g, more_g = uniform(3, 2, 3, 3), uniform(4, 3, 3)
    return [
        Sample(uniform(0, 6, 3), [ids], [g], *state_arrays, one(0.1), padding_idx=-1, **attrs),
        Sample(uniform(0, 6, 3), [ids, more_ids], [g, more_g], *state_arrays, one(0.1), padding_idx=4, **attrs),
    ]


_ADAM: dict[str, Any] = {"beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8}
row_sgd.samples(lambda: _samples(0))
row_adam.samples(lambda: _samples(4, **_ADAM))
row_adamw.samples(lambda: _samples(4, **_ADAM, coeff=0.01, with_decay=True, lr_ratio=0.5))
