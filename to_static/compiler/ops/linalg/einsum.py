"""Einstein summation, composed of products, sums and transposes."""

from __future__ import annotations

import functools
import string
from typing import Any

from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dynamic_sizes, traced_values
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.shape_rules import show
from to_static.core.errors import ShapeError


def einsum(equation: str, *operands: Tensor) -> Tensor:
    """The sum of products that ``equation`` describes, as in NumPy: ``'ij,bjk->bik'``; ``...`` stands for batch dimensions.

    Raises ShapeError when the equation does not fit the operands.

    Example:
        >>> paddle.einsum('ij,jk->ik', paddle.ones([2, 3]), paddle.ones([3, 4])).shape
        [2, 4]
    """
    tensors = list(operands[0]) if len(operands) == 1 and isinstance(operands[0], (list, tuple)) else list(operands)
    terms, target = _terms(equation, equation.replace(" ", ""), tuple([t.ndim for t in tensors]))
    name, result = _diagonals(terms[0], tensors[0])
    fresh = len(tensors) > 1
    for k in range(1, len(tensors)):
        operand_name, operand = _diagonals(terms[k], tensors[k])
        name, result = _product(name, result, operand_name, operand, target + "".join(terms[k + 1 :]))
    gone = [i for i, c in enumerate(name) if c not in target]
    if gone:
        result = F.sum(result, gone)
        name, fresh = "".join(c for c in name if c in target), True
    if name != target:
        result = F.transpose(result, [name.index(c) for c in target])
    elif result is tensors[0]:
        return F.contiguous(result)
    return result if fresh else F.clone(result)


@functools.lru_cache(256)
def _terms(equation: str, text: str, ndims: tuple[int, ...]) -> tuple[tuple[str, ...], str]:
    """The indices of each operand and of the result, with letters for ``...``; ``text`` is the equation without blanks."""
    inputs_text, arrow, output_text = text.partition("->")
    terms = inputs_text.split(",")
    if len(terms) != len(ndims):
        raise ShapeError(f"einsum: {equation!r} has {len(terms)} terms for {len(ndims)} operands")
    spare = [c for c in string.ascii_letters if c not in text]
    batch_ndim = max(
        (ndim - len(term.replace("...", "")) for ndim, term in zip(ndims, terms, strict=True) if "..." in term),
        default=0,
    )
    batch = "".join(spare[:batch_ndim])
    terms = [_named(term, ndim, batch, equation) for term, ndim in zip(terms, ndims, strict=True)]
    if arrow:
        target = output_text.replace("...", batch)
    else:
        every = "".join(terms)
        target = batch + "".join(sorted(c for c in set(every) - set(batch) if every.count(c) == 1))
    if len(set(target)) != len(target) or not set(target) <= set("".join(terms)):
        raise ShapeError(
            f"einsum: the result {output_text!r} of {equation!r} must name each index at most once, from the operands"
        )
    return tuple(terms), target


def _named(term: str, ndim: int, batch: str, equation: str) -> str:
    count = ndim - len(term.replace("...", ""))
    if count < 0 or (count and "..." not in term):
        raise ShapeError(f"einsum: the term {term!r} of {equation!r} does not fit a tensor of {ndim} dimensions")
    return term.replace("...", batch[len(batch) - count :])


def _diagonals(name: str, x: Tensor) -> tuple[str, Any]:
    """A term that repeats an index reads a diagonal."""
    for c in dict.fromkeys(name) if len(set(name)) < len(name) else "":
        while name.count(c) > 1:
            i = name.index(c)
            j = name.index(c, i + 1)
            x = F.diagonal(x, 0, i, j)
            name = name[:i] + name[i + 1 : j] + name[j + 1 :] + c
    return name, x


@functools.lru_cache(256)
def _groups(a: str, b: str, result_and_later: str) -> tuple[str, str, str, str]:
    """The indices of two terms that the product keeps in both, has in one or the other alone, and sums over."""
    common = [c for c in a if c in b]
    both = "".join(c for c in common if c in result_and_later)
    rows = "".join(c for c in a if c not in b)
    columns = "".join(c for c in b if c not in a)
    return both, rows, columns, "".join(c for c in common if c not in result_and_later)


def _summed_alone(name: str, x: Tensor, partner: str, result_and_later: str) -> tuple[str, Any]:
    """Sum a tensor over the indices that neither ``partner`` nor a later tensor nor the result has."""
    alone = [i for i, c in enumerate(name) if c not in partner and c not in result_and_later]
    if not alone:
        return name, x
    return "".join(c for i, c in enumerate(name) if i not in alone), F.sum(x, alone)


def _product(a: str, x: Tensor, b: str, y: Tensor, result_and_later: str) -> tuple[str, Any]:
    """Multiply two tensors, summed over the indices that no later tensor and not the result has: one matrix product."""
    a, x = _summed_alone(a, x, b, result_and_later)
    b, y = _summed_alone(b, y, a, result_and_later)
    both, rows, columns, summed = _groups(a, b, result_and_later)
    mine: dict[str, Any] = dict(zip(a, x.shape, strict=True))
    theirs: dict[str, Any] = dict(zip(b, y.shape, strict=True))
    if traced_values.same_traced_sizes(x, y):
        theirs |= {c: mine[c] for i, c in enumerate(b) if a[i : i + 1] == c}
    sizes = theirs | {c: _common(d, theirs[c]) if c in theirs else d for c, d in mine.items()}
    x = _ordered(a, x, mine, both + rows + summed, sizes, both, rows, summed)
    y = _ordered(b, y, theirs, both + summed + columns, sizes, both, summed, columns)
    product = F.matmul(x, y)
    shape = [sizes[c] for c in both + rows + columns]
    return both + rows + columns, _shaped(product, shape)


def _common(d: Any, e: Any) -> Any:
    """The size, an int or a 0-D tensor, of an index that has sizes ``d`` and ``e`` in two operands: that which is not 1."""
    if isinstance(d, int) and isinstance(e, int):
        return e if d == 1 else d
    for size, partner in ((d, e), (e, d)):
        if isinstance(size, int):
            return partner if size == 1 else size
    return F.where(d == 1, e, d)


def _ordered(
    name: str, x: Tensor, own_sizes: dict[str, Any], order: str, sizes: dict[str, Any], both: str, first: str, second: str
) -> Tensor:
    """Reshape a tensor of sizes ``own_sizes`` to matrices: ``both`` is the batch, ``first`` the rows, ``second`` the columns."""
    if name != order:
        x = F.transpose(x, [name.index(c) for c in order])
    unlike = [(own_sizes[c], sizes[c]) for c in order if own_sizes[c] is not sizes[c]]
    unlike = [(d, w) for d, w in unlike if dynamic_sizes.is_dynamic((d, w)) or d != w]
    if unlike:
        _check_broadcasts(x, unlike)
        x = F.expand(x, [sizes[c] for c in order])
    lead = [sizes[c] for c in both]
    return _shaped(x, [*lead, _size(first, sizes), _size(second, sizes)])


def _shaped(x: Tensor, shape: list[Any]) -> Tensor:
    """The tensor in a shape, as it is where it has that."""
    return x if not dynamic_sizes.is_dynamic(shape) and tuple(shape) == x.spec.shape else F.reshape(x, shape)


def _check_broadcasts(x: Tensor, sizes: list[tuple[Any, Any]]) -> None:
    """The error of sizes that are neither those wanted nor 1: now, or where the Program runs."""
    message = "einsum: index sizes of {} do not agree with those of another operand"
    if any(isinstance(d, int) and d != 1 for d, _ in sizes):
        raise ShapeError(message.format(show(x.spec.shape)))
    fits = [
        F.logical_or(F.equal(size, 1), F.equal(size, wanted))
        for size, wanted in (
            (dynamic_sizes.as_tensor_size(d), dynamic_sizes.as_tensor_size(w)) for d, w in sizes if dynamic_sizes.is_dynamic(d)
        )
    ]
    if fits:
        shape, holes = dynamic_sizes.shape_of(x)
        dynamic_sizes.check(dynamic_sizes.all_of(fits), "ShapeError", message.format(shape), *holes)


def _size(names: str, sizes: dict[str, Any]) -> int:
    total: Any = 1
    for c in names:
        total = total * sizes[c]
    return total


FUNCTIONS["einsum"] = einsum
