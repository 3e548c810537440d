"""The functions of ``paddle.fft``: rows of a table over the three operators of `fourier`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.compiler.ops import shape_rules
from to_static.compiler.ops.shapes.create import zeros
from to_static.compiler.ops.spectral.fourier import WIDE, c2c, c2r, r2c
from to_static.core.dtypes import as_dtype, default_dtype
from to_static.core.errors import ArgumentError, DTypeError, ShapeError

_NORMS = ("forward", "backward", "ortho")


def _float(x: Any) -> Tensor:
    return F.cast(x, default_dtype()) if x.dtype.kind in "iub" else x


def _complex(x: Any) -> Tensor:
    return x if x.dtype.kind == "c" else F.cast(x, WIDE.get(x.dtype, x.dtype))


def _fit(x: Any, axis: int, n: int) -> Tensor:
    """``x`` cut, or filled with zeros, to ``n`` elements along an axis."""
    have = x.shape[axis]
    if have == n:
        return x
    if n < have:
        part = (*[slice(None)] * axis, slice(n))
        return x[part]
    shape = list(x.shape)
    shape[axis] = n - have
    return F.concat([x, zeros(shape, x.dtype)], axis)


def _transform(name: str, x: Any, sizes: Any, axes: Any, norm: str, transform_type: str, forward: bool) -> Tensor:
    """One call: ``transform_type`` is 'full', 'to half' or 'from half' of the last axis; ``sizes`` by axis, None: as it is."""
    if norm not in _NORMS:
        raise ArgumentError(f"{name}: norm must be 'forward', 'backward' or 'ortho', got {norm!r}")
    x = _float(x)
    if (transform_type == "to half" or name.endswith("_r2c")) and x.dtype.kind == "c":
        raise DTypeError(f"{name}: expected real numbers, got {x.dtype.name}")
    x = _complex(x) if transform_type == "from half" or name.endswith("_c2c") else x
    if axes is None:
        axes = list(range(x.ndim)) if sizes is None else list(range(x.ndim - len(sizes), x.ndim))
    axes = [shape_rules.axis_index(axis, x.ndim, name) for axis in axes]
    if len(set(axes)) != len(axes) or not axes:
        raise ShapeError(f"{name}: axes must be distinct dimensions, got {axes}")
    sizes = [None] * len(axes) if sizes is None else list(sizes)
    if len(sizes) != len(axes):
        raise ShapeError(f"{name}: expected a size for each of the axes {axes}, got {sizes}")
    for axis, n in zip(axes, sizes, strict=True):
        if n is not None and n < 1:
            raise ArgumentError(f"{name}: the number of elements must be positive, got {n}")
        if n is not None:
            x = _fit(x, axis, n // 2 + 1 if transform_type == "from half" and axis == axes[-1] else n)
    if transform_type == "from half":
        return c2r(x, axes, norm, forward, sizes[-1] or 0)
    if x.dtype.kind == "c":
        return c2c(x, axes, norm, forward)
    return r2c(x, axes, norm, forward, transform_type == "to half")


# name: (what becomes of what, whether the exponent is negative, in words)
_TABLE = {
    "fft": ("full", True, "The Fourier transform"),
    "ifft": ("full", False, "The inverse of the Fourier transform"),
    "rfft": ("to half", True, "The first half of the Fourier transform of real numbers, from which the other follows"),
    "irfft": ("from half", False, "The real numbers of which this is the first half of the Fourier transform"),
    "hfft": ("from half", True, "The Fourier transform, which is real, of numbers of which this is the first half"),
    "ihfft": ("to half", False, "The first half of the inverse of the Fourier transform of real numbers"),
}


def _declare(name: str, transform_type: str, forward: bool, words: str) -> None:
    """The three functions of a row: along one axis, two and any number."""

    def one(x: Any, n: int | None = None, axis: int = -1, norm: str = "backward", name: str | None = None) -> Tensor:
        return _transform(one.__name__, x, None if n is None else [n], [axis], norm, transform_type, forward)

    def two(x: Any, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None) -> Tensor:
        if len(axes) != 2 or (s is not None and len(s) != 2):
            raise ArgumentError(f"{two.__name__}: expected two axes and sizes, got axes {axes} and s {s}")
        return _transform(two.__name__, x, s, axes, norm, transform_type, forward)

    def several(x: Any, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None) -> Tensor:
        return _transform(several.__name__, x, s, axes, norm, transform_type, forward)

    axis_note = " along the last of them" if transform_type != "full" else ""
    sizes = {"full": "as many", "to half": "``n // 2 + 1``", "from half": "``n``, by default ``2 * (size - 1)``"}[transform_type]
    for function, suffix, along, count in (
        (one, "", "``axis``", "It is cut, or filled with zeros, to ``n``"),
        (two, "2", "two ``axes``", "It is cut, or filled with zeros, along each axis to ``s``"),
        (several, "n", "``axes`` (None: all, or the last of ``s``)", "It is cut, or filled with zeros, along each axis to ``s``"),
    ):
        function.__name__ = function.__qualname__ = f"{name}{suffix}"
        shape = [4, {"full": 4, "to half": 3, "from half": 6}[transform_type]]  # of the result, for the example
        function.__doc__ = f"""{words}, along {along}.

    ``x``: a tensor of numbers, at least {2 if suffix == "2" else 1}-D. {count} elements first. The result has {sizes}{axis_note}.
    ``norm``: 'backward' (the inverse is divided by the number of elements), 'forward' (the transform is) or 'ortho' (both are, by
    its root). Raises ValueError for another ``norm`` or size, ShapeError for an axis that is not there, DTypeError for a dtype
    without a transform.

    Example:
        >>> paddle.fft.{name}{suffix}(paddle.ones([4, 4])).shape
        {shape}
    """
        FAMILY[f"{name}{suffix}"] = function


FAMILY: dict[str, Any] = {}
for _name, _row in _TABLE.items():
    _declare(_name, *_row)


def _declare_kernels(suffix: str, transform_type: str) -> None:
    """Paddle's functions behind those: ``fft_<suffix>`` along one axis, ``fftn_<suffix>`` along several."""

    def along_one(x: Tensor, n: int | None, axis: int | None, norm: str, forward: bool, name: str | None = None) -> Any:
        axes = [-1 if axis is None else axis]
        return _transform(f"fft_{suffix}", x, None if n is None else [n], axes, norm, transform_type, forward)

    def along_several(
        x: Tensor, s: Sequence[int] | None, axes: Sequence[int] | None, norm: str, forward: bool, name: str | None = None
    ) -> Any:
        return _transform(f"fftn_{suffix}", x, s, axes, norm, transform_type, forward)

    def of_real(
        x: Tensor, n: int | None, axis: int | None, norm: str, forward: bool, onesided: bool, name: str | None = None
    ) -> Any:
        axes = [-1 if axis is None else axis]
        return _transform("fft_r2c", x, None if n is None else [n], axes, norm, "to half" if onesided else "full", forward)

    def several_of_real(
        x: Tensor,
        s: Sequence[int] | None,
        axes: Sequence[int] | None,
        norm: str,
        forward: bool,
        onesided: bool,
        name: str | None = None,
    ) -> Any:
        return _transform("fftn_r2c", x, s, axes, norm, "to half" if onesided else "full", forward)

    pair = (of_real, several_of_real) if suffix == "r2c" else (along_one, along_several)
    for function, prefix in zip(pair, ("fft", "fftn"), strict=True):
        function.__name__ = function.__qualname__ = f"{prefix}_{suffix}"
        function.__doc__ = (
            f"What `{prefix}` and its like of Paddle call: {_KERNELS[suffix]}. ``forward``: with a negative exponent; sizes, axes "
            "and ``norm`` as there. Raises ValueError, ShapeError, DTypeError."
        )
        KERNELS[f"{prefix}_{suffix}"] = function


KERNELS: dict[str, Any] = {}  # not in `__all__` there either
_KERNELS = {
    "c2c": "complex numbers of complex numbers",
    "r2c": "complex numbers of real ones, the first half of them where ``onesided``",
    "c2r": "the real numbers of which these are the first half",
}
for _suffix, _transform_type in {"c2c": "full", "r2c": "to half", "c2r": "from half"}.items():
    _declare_kernels(_suffix, _transform_type)


def fftfreq(n: int, d: float = 1.0, dtype: Any = None, name: str | None = None) -> Tensor:
    """The frequencies of the elements of `fft` of ``n`` samples, one every ``d``: from 0 up, then the negative ones.

    ``dtype``: of the result (default: the default dtype). Raises ArgumentError for an ``n`` that is not positive, or
    a ``d`` of 0.

    Example:
        >>> paddle.fft.fftfreq(5, d=1.0).tolist()
        [0.0, 0.2, 0.4, -0.4, -0.2]
    """
    if not isinstance(n, int) or n < 1 or d == 0:
        raise ArgumentError(f"fftfreq: n must be a positive integer and d not 0, got {n!r} and {d!r}")
    return _frequencies(np.fft.fftfreq(n, d), dtype)


def rfftfreq(n: int, d: float = 1.0, dtype: Any = None, name: str | None = None) -> Any:
    """The frequencies of the elements of `rfft` of ``n`` samples, one every ``d``.

    ``dtype``: of the result (default: the default dtype). Raises ArgumentError for an ``n`` that is not positive, or
    a ``d`` of 0.

    Example:
        >>> paddle.fft.rfftfreq(5, d=0.5).tolist()
        [0.0, 0.4, 0.8]
    """
    if not isinstance(n, int) or n < 1 or d == 0:
        raise ArgumentError(f"rfftfreq: n must be a positive integer and d not 0, got {n!r} and {d!r}")
    return _frequencies(np.fft.rfftfreq(n, d), dtype)


def _frequencies(values: np.ndarray, dtype: Any) -> Tensor:
    return F.to_tensor(values.astype((default_dtype() if dtype is None else as_dtype(dtype)).np))


def _shift(x: Any, axes: Any, back: bool, name: str) -> Tensor:
    chosen = range(x.ndim) if axes is None else [axes] if isinstance(axes, int) else axes
    positions = [shape_rules.axis_index(axis, x.ndim, name) for axis in chosen]
    return F.roll(x, [-(x.shape[a] // 2) if back else x.shape[a] // 2 for a in positions], positions)


def fftshift(x: Tensor, axes: Any = None, name: str | None = None) -> Tensor:
    """The elements of `fft` with frequency 0 in the middle, along ``axes`` (an int, several, or None for all).

    ``x``: of any shape and dtype.

    Example:
        >>> paddle.fft.fftshift(paddle.fft.fftfreq(4)).tolist()
        [-0.5, -0.25, 0.0, 0.25]
    """
    return _shift(x, axes, False, "fftshift")


def ifftshift(x: Tensor, axes: Any = None, name: str | None = None) -> Any:
    """The inverse of `fftshift`.

    ``x``: of any shape and dtype; ``axes``: an int, several, or None for all.

    Example:
        >>> paddle.fft.ifftshift(paddle.fft.fftshift(paddle.arange(4))).tolist()
        [0, 1, 2, 3]
    """
    return _shift(x, axes, True, "ifftshift")
