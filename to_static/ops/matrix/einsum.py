"""Einstein summation, as products, sums and transposes of what is there."""

from __future__ import annotations

import string
from typing import Any

from to_static.core.errors import ShapeError
from to_static.ir.registry import FUNCTIONS
from to_static.ops import late, rules


def einsum(equation: str, *operands: Any) -> Any:
    """The sum of products that ``equation`` describes, as in NumPy: ``'ij,bjk->bik'``; ``...`` stands for batch dimensions.

    Raises ShapeError when the equation does not fit the operands.

    Example:
        >>> paddle.einsum('ij,jk->ik', paddle.ones([2, 3]), paddle.ones([3, 4])).shape
        [2, 4]
    """
    tensors = list(operands[0]) if len(operands) == 1 and isinstance(operands[0], (list, tuple)) else list(operands)
    text = equation.replace(" ", "")
    left, arrow, right = text.partition("->")
    terms = left.split(",")
    if len(terms) != len(tensors):
        raise ShapeError(f"einsum: {equation!r} has {len(terms)} terms for {len(tensors)} operands")
    spare = [c for c in string.ascii_letters if c not in text]
    wide = max(
        (t.ndim - len(term.replace("...", "")) for t, term in zip(tensors, terms, strict=True) if "..." in term),
        default=0,
    )
    batch = "".join(spare[:wide])
    terms = [_named(term, t.ndim, batch, equation) for term, t in zip(terms, tensors, strict=True)]
    if arrow:
        target = right.replace("...", batch)
    else:
        every = "".join(terms)
        target = batch + "".join(sorted(c for c in set(every) - set(batch) if every.count(c) == 1))
    if len(set(target)) != len(target) or not set(target) <= set("".join(terms)):
        raise ShapeError(
            f"einsum: the result {right!r} of {equation!r} must name each index at most once, from the operands"
        )
    name, result = terms[0], tensors[0]
    name, result = _diagonals(name, result)
    for k in range(1, len(tensors)):
        later = set("".join(terms[k + 1 :])) | set(target)
        other_name, other = _diagonals(terms[k], tensors[k])
        name, result = _product(name, result, other_name, other, later)
    gone = [i for i, c in enumerate(name) if c not in target]
    if gone:
        result = FUNCTIONS["sum"](result, gone)
        name = "".join(c for c in name if c in target)
    return FUNCTIONS["transpose"](result, [name.index(c) for c in target]) if name != target else result


def _named(term: str, ndim: int, batch: str, equation: str) -> str:
    count = ndim - len(term.replace("...", ""))
    if count < 0 or (count and "..." not in term):
        raise ShapeError(f"einsum: the term {term!r} of {equation!r} does not fit a tensor of {ndim} dimensions")
    return term.replace("...", batch[len(batch) - count :])


def _diagonals(name: str, x: Any) -> tuple[str, Any]:
    """A term that repeats an index reads a diagonal."""
    for c in dict.fromkeys(name):
        while name.count(c) > 1:
            i = name.index(c)
            j = name.index(c, i + 1)
            x = FUNCTIONS["diagonal"](x, 0, i, j)
            name = name[:i] + name[i + 1 : j] + name[j + 1 :] + c
    return name, x


def _product(a: str, x: Any, b: str, y: Any, later: set[str]) -> tuple[str, Any]:
    """The product of two named tensors, summed over the indices that nobody needs later: one matrix product."""
    for name, other in ((a, b), (b, a)):
        alone = [i for i, c in enumerate(name) if c not in other and c not in later]
        if alone and name is a:
            x, a = FUNCTIONS["sum"](x, alone), "".join(c for i, c in enumerate(a) if i not in alone)
        elif alone:
            y, b = FUNCTIONS["sum"](y, alone), "".join(c for i, c in enumerate(b) if i not in alone)
    shared = [c for c in a if c in b]
    summed = "".join(c for c in shared if c not in later)
    both = "".join(c for c in shared if c in later)
    rows = "".join(c for c in a if c not in b)
    columns = "".join(c for c in b if c not in a)
    mine: dict[str, Any] = dict(zip(a, x.shape, strict=True))
    theirs: dict[str, Any] = dict(zip(b, y.shape, strict=True))
    if rules.sized_alike(x, y):
        theirs |= {c: mine[c] for i, c in enumerate(b) if a[i : i + 1] == c}
    sizes = theirs | {c: _common(d, theirs[c]) if c in theirs else d for c, d in mine.items()}
    x = _ordered(a, x, mine, both + rows + summed, sizes, both, rows, summed)
    y = _ordered(b, y, theirs, both + summed + columns, sizes, both, summed, columns)
    product = FUNCTIONS["matmul"](x, y)
    shape = [sizes[c] for c in both + rows + columns]
    return both + rows + columns, FUNCTIONS["reshape"](product, shape)


def _common(d: Any, e: Any) -> Any:
    """The size of an index that has sizes ``d`` and ``e`` in two operands: that which is not 1."""
    if isinstance(d, int) and isinstance(e, int):
        return e if d == 1 else d
    for size, other in ((d, e), (e, d)):
        if isinstance(size, int):
            return other if size == 1 else size
    return FUNCTIONS["where"](d == 1, e, d)


def _ordered(
    name: str, x: Any, own: dict[str, Any], order: str, sizes: dict[str, Any], both: str, first: str, second: str
) -> Any:
    """The tensor, of sizes ``own``, as a batch of matrices: the shared indices, then two groups merged into rows and columns."""
    x = FUNCTIONS["transpose"](x, [name.index(c) for c in order])
    unlike = [(own[c], sizes[c]) for c in order if own[c] is not sizes[c]]
    unlike = [(d, w) for d, w in unlike if late.late((d, w)) or d != w]
    if unlike:
        _check_broadcasts(x, unlike)
        x = FUNCTIONS["expand"](x, [sizes[c] for c in order])
    lead = [sizes[c] for c in both]
    return FUNCTIONS["reshape"](x, [*lead, _size(first, sizes), _size(second, sizes)])


def _check_broadcasts(x: Any, sizes: list[tuple[Any, Any]]) -> None:
    """The error of sizes that are neither those wanted nor 1: now, or where the Program runs."""
    message = "einsum: index sizes of {} do not agree with those of another operand"
    if any(isinstance(d, int) and d != 1 for d, _ in sizes):
        raise ShapeError(message.format(rules.show(x.spec.shape)))
    fits = [
        FUNCTIONS["logical_or"](FUNCTIONS["equal"](size, 1), FUNCTIONS["equal"](size, wanted))
        for size, wanted in ((late.whole(d), late.whole(w)) for d, w in sizes if late.late(d))
    ]
    if fits:
        shape, holes = late.shape_of(x)
        late.check(late.all_of(fits), "ShapeError", message.format(shape), *holes)


def _size(names: str, sizes: dict[str, Any]) -> Any:
    total: Any = 1
    for c in names:
        total = total * sizes[c]
    return total


FUNCTIONS["einsum"] = einsum
