"""Convolutions of points: each meets the part of the filter that stands on it, and is added where the window goes."""

from __future__ import annotations

from typing import Any

from to_static.compiler.eager.sparse_tensor import SparseCooTensor, added, coordinates
from to_static.compiler.ops import arguments
from to_static.compiler.ops.indexing.gather import gather
from to_static.compiler.ops.indexing.sort import unique
from to_static.compiler.ops.layers import windows
from to_static.compiler.ops.linalg.matmul import matmul
from to_static.compiler.ops.shapes.concat_split import concat
from to_static.compiler.ops.shapes.reshape import reshape
from to_static.core.errors import ShapeError
from to_static.sparse.nn.functional.neighbours import around_points, points, under_windows

LAYOUTS = {2: "NHWC", 3: "NDHWC"}
_DOC = """{title} of points in {n} dimensions.

    Args:
        x: a sparse Tensor [N, {sizes}, C], by coordinates, with a dense last dimension: ``x.to_sparse_coo({sparse})``.
        weight: Tensor [{kernel}, C, M], the filter.
        bias: Tensor [M], added to the numbers that are there (default None).
        stride, dilation: an int or {n} of them (default 1).
        padding: an int, {n} or {twice} of them, pairs, 'SAME' or 'VALID' (default 0).
        groups: 1, there for compatibility.
        data_format: {layout!r}, there for compatibility.
        {key}name: not used; there for compatibility.

    Returns:
        {returns}

    Raises:
        ShapeError: the shapes do not fit, or no window fits.
        ValueError: ``groups`` or ``data_format`` is another.

    Example:
        >>> x = paddle.randn([1{ones}, 2]).to_sparse_coo({sparse})
        >>> paddle.sparse.nn.functional.{name}(x, paddle.randn([{threes}2, 5]), padding=1).shape
        [1{ones}, 5]
    """
_FREE = "A sparse Tensor [N, *new sizes, M] with a number wherever a window has a point."
_SUBM = """A sparse Tensor [N, *sizes, M] where ``x`` has numbers: the window stands around each point, whatever ``stride``
        and ``padding`` are."""


def _checked(name: str, x: Any, weight: Any, n: int, groups: int, data_format: str) -> SparseCooTensor:
    if groups != 1:
        raise ValueError(f"{name}: expected groups=1, got {groups}")
    if data_format != LAYOUTS[n]:
        raise ValueError(f"{name}: expected data_format={LAYOUTS[n]!r}, got {data_format!r}")
    coo = points(name, x, n)
    if weight.ndim != n + 2 or weight.shape[-2] != coo.shape[-1]:
        raise ShapeError(f"{name}: expected a weight [*kernel, {coo.shape[-1]}, M] for {coo.shape}, got {list(weight.shape)}")
    return coo


def _products(x: SparseCooTensor, weight: Any, meetings: list[tuple[Any, Any]]) -> tuple[Any, Any]:
    """Return the numbers, [meetings, M], that each meeting adds, and their positions, for each place of the window."""
    filters = reshape(weight, [-1, *weight.shape[-2:]])
    values = x.values()
    parts = [matmul(gather(values, chosen), filters[i]) for i, (chosen, _) in enumerate(meetings)]
    return concat(parts), concat([goal for _, goal in meetings])


def convolved(
    name: str, n: int, subm: bool, x: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: int,
    data_format: str,
) -> SparseCooTensor:  # fmt: skip
    """All convolutions: those of ``name``'s arguments over ``n`` dimensions."""
    coo = _checked(name, x, weight, n, groups, data_format)
    kernel, sizes = list(weight.shape[:n]), coo.shape[1:-1]
    stride, dilation = arguments.repeat_ints(stride, n, f"{name} stride"), arguments.repeat_ints(dilation, n, f"{name} dilation")
    pads, algorithm = windows.padding_attrs(padding, n, True, name)
    windows.check_window(name, (), kernel_size=kernel, stride=stride, dilation=dilation)
    if subm:
        products, goals = _products(coo, weight, list(around_points(coo, kernel, dilation)))
        values, indices = added(coo.nnz(), goals, products), coo.indices()
    else:
        outs = windows.output_sizes(sizes, kernel, stride, dilation, pads, algorithm)
        windows.check_window(name, outs)
        leading_pads = [first for first, _ in windows.resolve(pads, algorithm, sizes, kernel, stride)]
        products, goals = _products(coo, weight, list(under_windows(coo, kernel, stride, leading_pads, dilation, outs)))
        flat_indices, inverse = unique(goals, return_inverse=True)
        values, sizes = added(flat_indices.shape[0], inverse, products), outs
        indices = coordinates(flat_indices, [coo.shape[0], *outs], coo.indices().dtype)
    result = SparseCooTensor(indices, values, (coo.shape[0], *sizes, weight.shape[-1]))
    return result if bias is None else result.with_values(result.values() + bias)


def _described(function: Any, n: int, subm: bool) -> Any:
    """The public function of that many dimensions: its name and documents."""
    axes = ["D", "H", "W"][-n:]
    function.__name__ = function.__qualname__ = f"{'subm_' if subm else ''}conv{n}d"
    function.__doc__ = _DOC.format(
        title="Submanifold convolution" if subm else "Convolution", n=n, sizes=", ".join(axes), sparse=n + 1, twice=2 * n,
        kernel=", ".join(f"k{a}" for a in axes), layout=LAYOUTS[n], returns=_SUBM if subm else _FREE, ones=", 4" * n,
        threes="3, " * n, name=function.__name__, key="key: not used; there for compatibility.\n        " if subm else "",
    )  # fmt: skip
    return function


def _free(n: int) -> Any:
    def conv(
        x: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1,
        data_format: str = LAYOUTS[n], name: Any = None,
    ) -> SparseCooTensor:  # fmt: skip
        return convolved(conv.__name__, n, False, x, weight, bias, stride, padding, dilation, groups, data_format)

    return _described(conv, n, False)


def _submanifold(n: int) -> Any:
    def conv(
        x: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1,
        data_format: str = LAYOUTS[n], key: Any = None, name: Any = None,
    ) -> SparseCooTensor:  # fmt: skip
        return convolved(conv.__name__, n, True, x, weight, bias, stride, padding, dilation, groups, data_format)

    return _described(conv, n, True)


conv2d, conv3d = _free(2), _free(3)
subm_conv2d, subm_conv3d = _submanifold(2), _submanifold(3)
