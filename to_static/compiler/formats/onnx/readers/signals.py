"""Reads windows and Fourier transforms. Complex numbers are pairs in the last dimension."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.formats.onnx.node_view import NodeView, constant, reads
from to_static.compiler.formats.onnx.tensors import dtype_of
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F

_WINDOWS = {"HannWindow": (0.5, 0.5, 0.0), "HammingWindow": (25 / 46, 21 / 46, 0.0), "BlackmanWindow": (0.42, 0.5, 0.08)}


@reads(*_WINDOWS)
def _(n: NodeView) -> Any:
    size = int(n.constant_array(0).reshape(-1)[0])
    turns = np.arange(size) * 2 * np.pi / (size if n.flag("periodic", True) else size - 1)
    a, b, c = _WINDOWS[n.op_type]
    window = a - b * np.cos(turns) + c * np.cos(2 * turns)
    return constant(window.astype(dtype_of(n.integer("output_datatype", 1), n.reader.path)))


def _transformed(x: Tensor, axis: int, size: int, inverse: bool, onesided: bool) -> Tensor:
    """The transform of pairs, or of real numbers, along an axis whose length is ``size``."""
    have = x.spec.shape[axis]
    if have > size:
        x = x[(slice(None),) * axis + (slice(0, size),)]
    elif have < size:
        pads = [0, 0] * x.ndim
        pads[2 * axis + 1] = size - have
        x = F.pad(x, pads)
    pairs = x if x.spec.shape[-1] == 2 else F.concat([x, F.zeros_like(x)], -1)
    result = F.as_real(F.fft_c2c(F.as_complex(pairs), (axis,), "backward", not inverse))
    return result[(slice(None),) * axis + (slice(0, size // 2 + 1),)] if onesided else result  # type: ignore[no-any-return]


@reads("DFT")
def _(n: NodeView) -> Any:
    x = n.x()
    axis = n.integer("axis", 1) if n.opset < 20 else int(n.constant_array(2).reshape(-1)[0]) if n.has(2) else -2
    axis = axis % x.ndim
    size = int(n.constant_array(1).reshape(-1)[0]) if n.has(1) else x.spec.shape[axis]
    if UNKNOWN in (size, x.spec.shape[axis]):
        n.refuse("a signal of known length", str(x.spec))
    inverse, onesided = n.flag("inverse"), n.flag("onesided")
    if inverse and onesided:
        whole_size = size if n.has(1) else 2 * (x.spec.shape[axis] - 1)
        signal = F.fft_c2r(F.as_complex(x), (axis,), "backward", False, whole_size)
        return F.unsqueeze(signal, -1)
    return _transformed(x, axis, size, inverse, onesided)


@reads("STFT")
def _(n: NodeView) -> Any:
    x, step = n.x(0), int(n.constant_array(1).reshape(-1)[0])
    window = n.optional(2)
    length = int(n.constant_array(3).reshape(-1)[0]) if n.has(3) else window.spec.shape[0] if window is not None else UNKNOWN
    size = x.spec.shape[1]
    if UNKNOWN in (size, length):
        n.refuse("a signal of known length", str(x.spec))
    count = (size - length) // step + 1
    rows = constant(np.arange(count)[:, None] * step + np.arange(length)[None])
    signal = x if x.ndim == 3 else F.unsqueeze(x, -1)
    frames = F.reshape(F.index_select(signal, F.reshape(rows, [-1]), 1), [0, count, length, signal.spec.shape[-1]])
    if window is not None:
        frames = frames * F.reshape(window, [1, 1, -1, 1])
    return _transformed(frames, 2, length, False, n.flag("onesided", True))


@reads("MelWeightMatrix")
def _(n: NodeView) -> Any:
    bins, size, rate = (int(n.constant_array(i).reshape(-1)[0]) for i in range(3))
    low, high = (float(n.constant_array(i).reshape(-1)[0]) for i in (3, 4))
    count = size // 2 + 1
    points = np.arange(bins + 2, dtype="float64")
    first, last = 2595 * np.log10(1 + low / 700), 2595 * np.log10(1 + high / 700)
    points = points * ((last - first) / (bins + 2)) + first
    positions = ((size + 1) * (700 * (10 ** (points / 2595) - 1)) // rate).astype("int64")
    table = np.zeros((count, bins))
    for i in range(bins):
        left, middle, right = positions[i : i + 3]
        if middle == left:
            table[middle, i] = 1
        for j in range(left, middle + 1):
            if middle != left:
                table[j, i] = (j - left) / (middle - left)
        for j in range(middle, right):
            table[j, i] = (right - j) / (right - middle)
    return constant(table.astype(dtype_of(n.integer("output_datatype", 1), n.reader.path)))
