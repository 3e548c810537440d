"""Pooling layers. Windows over ``[N, C, *size]`` (``[N, *size, C]`` with ``data_format='NHWC'``)."""

from __future__ import annotations

from typing import Any

from to_static.nn.functional_layer import REQUIRED, declare

_WINDOW = ("kernel_size", "stride", "padding")
_LAYOUT = {2: "NCHW", 3: "NCDHW"}


def _example(name: str, arguments: str, n: int) -> str:
    """The example of a layer on a tensor of size 4."""
    sizes = ", ".join(["4"] * n)
    return f">>> paddle.nn.{name}({arguments})(paddle.ones([1, 2, {sizes}])).shape\n[1, 2{', 2' * n}]"


def _average(n: int) -> Any:
    options: dict[str, Any] = {"kernel_size": REQUIRED, "stride": None, "padding": 0}
    if n == 1:
        options.update(exclusive=True, ceil_mode=False)
    else:
        options.update(ceil_mode=False, exclusive=True, divisor_override=None, data_format=_LAYOUT[n])
    doc = f"The mean of each window over {n} spatial dimension(s)."
    names = {} if n == 1 else {"kernel_size": "ksize", "divisor_override": "divisor"}
    example = _example(f"AvgPool{n}D", "2", n)
    return declare(__name__, f"AvgPool{n}D", f"avg_pool{n}d", doc, _WINDOW, attributes=names, example=example, **options)


def _largest(n: int) -> Any:
    options: dict[str, Any] = {
        "kernel_size": REQUIRED, "stride": None, "padding": 0, "return_mask": False, "ceil_mode": False,
    }  # fmt: skip
    if n > 1:
        options["data_format"] = _LAYOUT[n]
    doc = f"The largest element of each window over {n} spatial dimension(s)."
    names: dict[str, Any] = {"inputs": "input"} if n == 1 else {"attributes": {"kernel_size": "ksize"}}
    example = _example(f"MaxPool{n}D", "2", n)
    return declare(__name__, f"MaxPool{n}D", f"max_pool{n}d", doc, _WINDOW, example=example, **names, **options)


def _adaptive_average(n: int) -> Any:
    options: dict[str, Any] = {"output_size": REQUIRED}
    if n > 1:
        options["data_format"] = _LAYOUT[n]
    doc = "The mean of each of ``output_size`` windows of nearly equal size."
    names: dict[str, Any] = {"inputs": "input"} if n == 1 else {"attributes": "_{}"}
    names["example"] = _example(f"AdaptiveAvgPool{n}D", "2", n)
    return declare(__name__, f"AdaptiveAvgPool{n}D", f"adaptive_avg_pool{n}d", doc, ("output_size",), **names, **options)


def _adaptive_largest(n: int) -> Any:
    doc = "The largest element of each of ``output_size`` windows of nearly equal size."
    name = f"AdaptiveMaxPool{n}D"
    names: dict[str, Any] = {"inputs": "input"} if n == 1 else {"attributes": "_{}"}
    names["example"] = _example(name, "2", n)
    return declare(__name__, name, f"adaptive_max_pool{n}d", doc, **names, output_size=REQUIRED, return_mask=False)


def _unpooled(n: int) -> Any:
    doc = f"""The inverse of ``MaxPool{n}D(return_mask=True)``: elements that are not the largest of their window are 0.

    ``output_size``: which of the possible sizes (default: the smallest).
    """
    sizes = ", ".join(["4"] * n)
    example = (
        f">>> y, indices = paddle.nn.MaxPool{n}D(2, return_mask=True)(paddle.ones([1, 2, {sizes}]))\n"
        f">>> paddle.nn.MaxUnPool{n}D(2)(y, indices).shape\n[1, 2, {sizes}]"
    )
    layout = _LAYOUT.get(n, "NCL")
    return declare(
        __name__, f"MaxUnPool{n}D", f"max_unpool{n}d", doc, ("output_size",), inputs="x indices",
        attributes={"kernel_size": "ksize"}, kernel_size=REQUIRED, stride=None, padding=0, data_format=layout, output_size=None,
        example=example,
    )  # fmt: skip


AvgPool1D, AvgPool2D, AvgPool3D = (_average(n) for n in (1, 2, 3))
MaxPool1D, MaxPool2D, MaxPool3D = (_largest(n) for n in (1, 2, 3))
AdaptiveAvgPool1D, AdaptiveAvgPool2D, AdaptiveAvgPool3D = (_adaptive_average(n) for n in (1, 2, 3))
AdaptiveMaxPool1D, AdaptiveMaxPool2D, AdaptiveMaxPool3D = (_adaptive_largest(n) for n in (1, 2, 3))
MaxUnPool1D, MaxUnPool2D, MaxUnPool3D = (_unpooled(n) for n in (1, 2, 3))
