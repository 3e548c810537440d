"""The text of a Tensor, exactly as Paddle 2.6 writes it: functions of arrays, which `EagerTensor.__str__` calls.

The layout rules were recorded from Paddle 2.6.2. Each element is padded to the width of the widest one *among the first and last
``edgeitems`` of each dimension*. Floats without a fraction end in a bare point. An item as wide as that gets no room for a sign.
More than ``threshold`` elements are summarised.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from to_static.compiler.eager.tensor import EagerTensor


@dataclass
class PrintOptions:
    """The settings of `set_printoptions`."""

    precision: int = 8
    threshold: int = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool = False


options = PrintOptions()


def set_printoptions(
    precision: int | None = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    sci_mode: bool | None = None,
    linewidth: int | None = None,
) -> None:
    """Set how tensors are printed; an argument left at None keeps its value.

    Args:
        precision: digits after the point of a float (at first 8).
        threshold: tensors with more elements than this are summarised (at first 1000).
        edgeitems: elements shown at each end of a summarised dimension (at first 3).
        sci_mode: write floats as ``1.5e+00`` (at first False).
        linewidth: characters of a line (at first 80).

    Raises:
        TypeError: an argument is not an int (``sci_mode``: not a bool).
        ValueError: a number is negative.

    Example:
        >>> set_printoptions(precision=3)
        >>> to_tensor([0.5, 0.25])
        Tensor(shape=[2], dtype=float32, place=Place(cpu), stop_gradient=True,
               [0.500, 0.250])
    """
    settings = {
        "precision": precision,
        "threshold": threshold,
        "edgeitems": edgeitems,
        "sci_mode": sci_mode,
        "linewidth": linewidth,
    }
    chosen = {name: value for name, value in settings.items() if value is not None}
    for name, value in chosen.items():
        want = bool if name == "sci_mode" else int
        if type(value) is not want:
            raise TypeError(f"set_printoptions: {name} should be of type {want.__name__}, got {value!r}")
        if value < 0:
            raise ValueError(f"set_printoptions: {name} should not be negative, got {value!r}")
    for field in fields(options):
        setattr(options, field.name, chosen.get(field.name, getattr(options, field.name)))


def tensor_text(array: np.ndarray, dtype: str, device: object, stop_gradient: bool, prefix: str = "Tensor") -> str:
    """The text of a tensor: a header line, then the elements.

    Args:
        array: the elements on the host.
        dtype: the name to show, such as ``'float32'``.
        device: shown by its ``str``, such as ``Place(cpu)``.
        stop_gradient: shown as it is.
        prefix: the word before the parenthesis; the elements are indented one column further than it is long.

    Example:
        >>> print(tensor_text(np.float32([1, 2.5]), "float32", "Place(cpu)", True))
        Tensor(shape=[2], dtype=float32, place=Place(cpu), stop_gradient=True,
               [1.        , 2.50000000])
    """
    indent = len(prefix) + 1
    head = f"{prefix}(shape={list(array.shape)}, dtype={dtype}, place={device}, stop_gradient={stop_gradient},"
    return f"{head}\n{' ' * indent}{data_text(array, indent)})"


def tensor_repr(tensor: EagerTensor) -> str:
    """The text of an eager Tensor or Parameter."""
    text = tensor_text(tensor.numpy(), tensor.dtype.name, tensor.place, tensor.stop_gradient)
    return f"Parameter containing:\n{text}" if tensor.is_parameter else text


def data_text(array: np.ndarray, indent: int = 0) -> str:
    """The elements alone; lines after the first are indented by ``indent`` columns."""
    corner = _corner(array)
    width = max((len(_item(value)) for value in corner), default=0)
    signed = any(value < 0 for value in corner)
    return _nested(array, array.size > options.threshold and array.ndim > 0, indent, width, signed)


def _corner(array: np.ndarray) -> list[Any]:
    # The elements that decide the width: both ends of each dimension, also where nothing will be left out.
    for axis, size in enumerate(array.shape):
        if size > 2 * options.edgeitems:
            ends = [*range(options.edgeitems), *range(size - options.edgeitems, size)]
            array = array.take(ends, axis)
    return list(array.reshape(-1))


def _nested(array: np.ndarray, summary: bool, indent: int, width: int, signed: bool) -> str:
    if array.ndim == 0:
        return _padded(array[()], width, signed)
    edge = options.edgeitems
    cut = summary and len(array) > 2 * edge
    visible = [*array[:edge], *array[len(array) - edge :]] if cut else list(array)
    if array.ndim == 1:
        parts = [_padded(value, width, signed) for value in visible]
    else:
        parts = [_nested(row, summary, indent + 1, width, signed) for row in visible]
    if cut:
        parts.insert(edge, "...")
    margin = " " * (indent + 1)
    if array.ndim == 1:
        per_line = max(1, (options.linewidth - indent) // (width + 2))
        lines = [", ".join(parts[i : i + per_line]) for i in range(0, len(parts), per_line)]
        return "[" + f",\n{margin}".join(lines) + "]"
    blank = "\n" * (array.ndim - 1)
    return "[" + f",{blank}{margin}".join(parts) + "]"


def _padded(value: Any, width: int, signed: bool) -> str:
    text = _item(value)
    if signed and len(text) < width and not value < 0:
        text = " " + text
    return text.ljust(width)


def _item(value: Any) -> str:
    if value.dtype.kind != "f":
        return str(value)
    if options.sci_mode:
        return f"{value:.{options.precision}e}"
    if np.ceil(value) == value:  # also infinities, which so become 'inf.'
        return f"{value:.0f}."
    return f"{value:.{options.precision}f}"
