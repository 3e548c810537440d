"""Operators called by the types that Paddle's files have, with tensors in their slots, as Paddle's own functions do it."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from to_static.compiler.formats.paddle.operators import op_resolver
from to_static.compiler.formats.paddle.operators.op_reader import OpReader
from to_static.core.dtypes import DType
from to_static.core.errors import ProgramError

# what Paddle's operators take for attributes that are not given, where our functions have another default or none (files have all)
_CONV2D = {"strides": [1] * 2, "paddings": [0] * 2, "dilations": [1] * 2, "padding_algorithm": "EXPLICIT"}
_CONV3D = {"strides": [1] * 3, "paddings": [0] * 3, "dilations": [1] * 3, "padding_algorithm": "EXPLICIT"}
_NO_SIZE: dict[str, Any] = {"output_padding": [], "output_size": []}
_DEFAULTS: dict[str, dict[str, Any]] = {
    "conv2d": _CONV2D,
    "depthwise_conv2d": _CONV2D,
    "conv3d": _CONV3D,
    "conv2d_transpose": _CONV2D | _NO_SIZE,
    "depthwise_conv2d_transpose": _CONV2D | _NO_SIZE,
    "conv3d_transpose": _CONV3D | _NO_SIZE,
    "argsort": {"axis": -1, "descending": False},
    "brelu": {"t_min": 0.0, "t_max": 24.0},
    "cummax": {"axis": -1},
    "cummin": {"axis": -1},
    "eigh": {"UPLO": "L"},
    "eye": {"num_columns": -1, "dtype": 5},
    "fill_any_like": {"value": 0.0},
    "hard_sigmoid": {"slope": 0.2},
    "kldiv_loss": {"reduction": "mean"},
    "label_smooth": {"epsilon": 0.0},
    "leaky_relu": {"alpha": 0.02},
    "lookup_table_v2": {"padding_idx": -1},
    "lstsq": {"rcond": 0.0, "driver": "gels"},
    "matmul_v2": {"trans_x": False, "trans_y": False},
    "matrix_rank": {"hermitian": False, "tol": 0.0, "use_default_tol": True},
    "one_hot_v2": {"dtype": 5},
    "pixel_shuffle": {"upscale_factor": 1},
    "pixel_unshuffle": {"downscale_factor": 1},
    "prelu": {"mode": "all"},
    "tril_triu": {"diagonal": 0, "lower": False},
}
# results that only Paddle's own backward pass reads: they need not be there
_FOR_BACKWARD = frozenset(("XShape", "ReserveSpace", "SavedMean", "SavedVariance", "InnerCache"))


class DirectOp(OpReader):
    """An operator whose slots hold tensors of the current mode, not names of a file."""

    def __init__(self, op_type: str, inputs: Mapping[str, Any], counts: Mapping[str, int], attrs: Mapping[str, Any]) -> None:
        self.reader: Any = SimpleNamespace(path=f"operator {op_type!r}")
        self.type = op_type
        self.ins: Any = {slot: _listed(value) for slot, value in inputs.items() if value is not None}
        self.outs: Any = {slot: [None] * count for slot, count in counts.items()}
        file_attrs = {name: _plain(value) for name, value in attrs.items() if value is not None}
        self.attrs = {**_DEFAULTS.get(op_type, {}), **file_attrs}

    def input(self, slot: str) -> Any:
        """The first tensor of a slot, or None."""
        tensors_in = self.ins.get(slot)
        return tensors_in[0] if tensors_in else None

    def inputs(self, slot: str) -> list[Any]:
        """All tensors of a slot."""
        return list(self.ins.get(slot, ()))

    def const(self, tensor: Any) -> np.ndarray | None:
        """The value of a tensor that is known: of one in dynamic mode, and of a constant of the Program."""
        return super().const(tensor) if hasattr(tensor, "ssa") else np.asarray(tensor.numpy())

    def check_pieces(self, source: str, target: str) -> None:
        """Refuse more names than there are pieces; who names none gets them all."""
        if self.outputs(target):
            super().check_pieces(source, target)

    def refuse(self, why: str) -> Any:
        """Raise the error that names this operator."""
        raise ProgramError(f"operator {self.type!r}: {why}")


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _plain(value: Any) -> Any:
    """An attribute as files have it."""
    if isinstance(value, DType):
        return value.code
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value.item() if isinstance(value, np.generic) else value


def call(
    op_type: str, inputs: Mapping[str, Any], attrs: Mapping[str, Any] | None = None, counts: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """The results of an operator by slot: a tensor, or a list of those, each.

    Args:
        op_type: the type of the operator in Paddle's files.
        inputs: by slot a tensor, a list of them, or None.
        attrs: attributes by Paddle's names; None as a value: the default.
        counts: by slot how many results are wanted, where attributes do not say it.

    Raises ProgramError when there is no such operator, or when it does not take what is given.

    Example:
        >>> call('elementwise_add', {'X': x, 'Y': y}, {'axis': -1})['Out']
    """
    return op_resolver.results(DirectOp(op_type, inputs, counts or {}, attrs or {}))


def append(
    op_type: str, inputs: Mapping[str, Any] | None, outputs: Mapping[str, Any] | None, attrs: Mapping[str, Any] | None
) -> None:
    """Call an operator and have the tensors in ``outputs`` hold its results, as ``append_op`` of a block does.

    Raises ProgramError as `call` does, and for a slot of results that the operator does not have.
    """
    wanted = {slot: _listed(value) for slot, value in (outputs or {}).items() if value is not None}
    results = call(op_type, inputs or {}, attrs, {slot: len(tensors) for slot, tensors in wanted.items()})
    for slot, tensors in wanted.items():
        if slot not in results and slot not in _FOR_BACKWARD:
            raise ProgramError(f"operator {op_type!r} has no results {slot!r}; it has {', '.join(results)}")
        values = _listed(results.get(slot, []))
        if values and len(values) != len(tensors):
            raise ProgramError(f"operator {op_type!r} has {len(values)} results {slot!r}, not {len(tensors)}")
        for tensor, value in zip(tensors, values, strict=False):
            if value is not None:
                tensor._become(value)
