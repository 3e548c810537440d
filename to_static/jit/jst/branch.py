"""``if_``: a Python ``if`` for Python conditions, a ``cond`` op for traced ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.core.errors import ShapeError, TranslationError
from to_static.core.expressions import shown
from to_static.ir import mode
from to_static.jit.jst.attributes import changed_attributes, joined_attributes
from to_static.jit.jst.blocks import BlockRaises, Raised, assign, changes, in_block
from to_static.jit.jst.copies import Copies
from to_static.jit.jst.growth import growing
from to_static.jit.jst.merge import Merge
from to_static.jit.jst.names import receivers
from to_static.jit.jst.owners import has_other_names
from to_static.jit.jst.special import asked
from to_static.jit.jst.traced import failure, is_traced, truth
from to_static.jit.jst.trees import fill, targets
from to_static.jit.jst.unbound import Unbound


@growing
def if_(test: Any, true: Callable[..., Any] | None, false: Callable[..., Any] | None, *args: Any) -> Any:
    """The result of ``true(*args)`` or ``false(*args)``; a branch that is None gives ``args`` back.

    For a traced ``test`` both branches are traced into a ``cond`` and their results joined: tensors pair up (equal dtype
    and rank), Python values must agree, Python numbers that differ become numbers of the Program. Raises TranslationError
    naming the variable otherwise.
    """
    test = asked(test)
    if not is_traced(test):
        return _call(true if test else false, args)
    builder = mode.state.mode
    pred = truth(test)
    copies = (Copies(), Copies())
    traced = [_trace(builder, made, branch, args) for made, branch in zip(copies, (true, false), strict=True)]
    a, b = (t.value for t in traced)
    if type(a) is Raised and type(b) is Raised:
        builder.emit_cond(pred, *traced, [], [])
        raise BlockRaises(a.error)
    merge = Merge(builder, traced[0], traced[1], copies)
    changed = changed_attributes((copies[0].attributes, copies[1].attributes), (a, b))
    merge.pairing.begin([(a, b), *((x, y) for _, _, x, y in changed)])
    tree = _merge_results(merge, a, b, len(args))
    _check_changes(tree, copies)
    attributes = joined_attributes(merge, changed)
    merge.check_kept()
    try:
        results = builder.emit_cond(pred, *traced, [p[0] for p in merge.pairs], [p[1] for p in merge.pairs])
    except ShapeError as error:
        raise failure(
            TranslationError,
            f"the two branches of a tensor condition{shown()} leave different values: {error}",
            "bring both to one dtype and shape: `a.astype('float32')`, `a.reshape([-1])`",
        ) from None
    done: dict[int, Any] = {}
    final = fill(tree, results, done)
    for owner, name, joined in attributes:
        assign(owner, name, fill(joined, results, done))
    return final


def _trace(builder: Any, copies: Copies, branch: Callable[..., Any] | None, args: tuple[Any, ...]) -> Any:
    own = copies.take(args)
    return builder.trace_block(in_block(builder, copies, lambda: _call(branch, own), branch, args))


def _call(branch: Callable[..., Any] | None, args: tuple[Any, ...]) -> Any:
    if branch is not None:
        return branch(*args)
    return args if len(args) > 1 else args[0] if args else None


def _merge_results(merge: Merge, a: Any, b: Any, count: int) -> Any:
    """Join with the names of the variables at hand; they are looked up only for an error."""
    if type(a) is tuple and type(b) is tuple and len(a) == len(b):
        made = list(a)
        # what one branch leaves without value comes last: it may be another name of what both leave
        for i in sorted(range(len(a)), key=lambda i: Unbound in (type(a[i]), type(b[i]))):
            made[i] = merge.merge(a[i], b[i], _Name(i, len(a)))
        return tuple(made)
    return merge.merge(a, b, _Name(0, 1))


class _Name(str):
    """The name of result ``index`` of ``count``, found when it is printed."""

    _count: int
    _index: int

    def __new__(cls, index: int, count: int) -> _Name:
        made = super().__new__(cls)
        made._index, made._count = index, count
        return made

    def __format__(self, spec: str) -> str:
        return receivers(self._count)[self._index]


def _check_changes(tree: Any, copies: tuple[Copies, Copies]) -> None:
    """Containers from outside that a branch changes must be among the results, or the change would be lost."""
    noticed = [o for c in copies for o in c.noticed]
    changed = [o for c in copies for o in c.changed()]
    if noticed or changed:
        kept = {id(k) for k in targets(tree)}
        for container in [*noticed, *(o for o in changed if id(o) not in kept and has_other_names(o))]:
            if id(container) not in kept:
                raise changes(container, "in a branch that returns")
