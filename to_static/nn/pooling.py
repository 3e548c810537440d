"""Pooling layers. Windows over ``[N, C, *size]`` (``[N, *size, C]`` with ``data_format='NHWC'``)."""

from __future__ import annotations

from typing import Any

from to_static.nn.functional_layer import REQUIRED, declare

_WINDOW = ("kernel_size", "stride", "padding")
_LAYOUT = {2: "NCHW", 3: "NCDHW"}


def _average(n: int) -> Any:
    options: dict[str, Any] = {"kernel_size": REQUIRED, "stride": None, "padding": 0}
    if n == 1:
        options.update(exclusive=True, ceil_mode=False)
    else:
        options.update(ceil_mode=False, exclusive=True, divisor_override=None, data_format=_LAYOUT[n])
    doc = f"""The mean of each window over {n} dimension(s).

    ``stride``: default ``kernel_size``; ``exclusive``: padding does not count; ``ceil_mode``: round sizes up.
    """
    names = {} if n == 1 else {"kernel_size": "ksize", "divisor_override": "divisor"}
    return declare(__name__, f"AvgPool{n}D", f"avg_pool{n}d", doc, _WINDOW, attributes=names, **options)


def _largest(n: int) -> Any:
    options: dict[str, Any] = {
        "kernel_size": REQUIRED, "stride": None, "padding": 0, "return_mask": False, "ceil_mode": False,
    }  # fmt: skip
    if n > 1:
        options["data_format"] = _LAYOUT[n]
    doc = f"""The largest element of each window over {n} dimension(s).

    ``stride``: default ``kernel_size``; ``return_mask``: also return where they are; ``ceil_mode``: round sizes up.
    """
    names: dict[str, Any] = {"inputs": "input"} if n == 1 else {"attributes": {"kernel_size": "ksize"}}
    return declare(__name__, f"MaxPool{n}D", f"max_pool{n}d", doc, _WINDOW, **names, **options)


def _adaptive_average(n: int) -> Any:
    options: dict[str, Any] = {"output_size": REQUIRED}
    if n > 1:
        options["data_format"] = _LAYOUT[n]
    doc = "The mean of each of ``output_size`` windows of nearly equal size."
    names: dict[str, Any] = {"inputs": "input"} if n == 1 else {"attributes": "_{}"}
    return declare(__name__, f"AdaptiveAvgPool{n}D", f"adaptive_avg_pool{n}d", doc, ("output_size",), **names, **options)


def _adaptive_largest(n: int) -> Any:
    doc = "The largest element of each of ``output_size`` windows of nearly equal size."
    name = f"AdaptiveMaxPool{n}D"
    names: dict[str, Any] = {"inputs": "input"} if n == 1 else {"attributes": "_{}"}
    return declare(__name__, name, f"adaptive_max_pool{n}d", doc, **names, output_size=REQUIRED, return_mask=False)


def _unpooled(n: int) -> Any:
    doc = f"""The inverse of ``MaxPool{n}D(return_mask=True)``: what is not the largest of its window is 0.

    Called with its result and the positions; ``output_size``: which of the possible sizes (default: the smallest).
    """
    layout = _LAYOUT.get(n, "NCL")
    return declare(
        __name__, f"MaxUnPool{n}D", f"max_unpool{n}d", doc, ("output_size",), inputs="x indices",
        attributes={"kernel_size": "ksize"}, kernel_size=REQUIRED, stride=None, padding=0, data_format=layout, output_size=None,
    )  # fmt: skip


AvgPool1D, AvgPool2D, AvgPool3D = (_average(n) for n in (1, 2, 3))
MaxPool1D, MaxPool2D, MaxPool3D = (_largest(n) for n in (1, 2, 3))
AdaptiveAvgPool1D, AdaptiveAvgPool2D, AdaptiveAvgPool3D = (_adaptive_average(n) for n in (1, 2, 3))
AdaptiveMaxPool1D, AdaptiveMaxPool2D, AdaptiveMaxPool3D = (_adaptive_largest(n) for n in (1, 2, 3))
MaxUnPool1D, MaxUnPool2D, MaxUnPool3D = (_unpooled(n) for n in (1, 2, 3))
