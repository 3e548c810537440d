"""``while_``: Python's loop while the condition is a Python value, a ``while_loop`` op from where it is traced.

The graph loop starts with everything taken as unchanged: tensors and objects are used as they are, Python numbers stay numbers.
The body is traced; what it gave back changed becomes a carried tensor, and it is traced again, until nothing new changes.
Where a variable becomes a value of another kind (None, then a tensor), the first trip is traced before the loop:
``while c: b`` is ``if c: b; while c: b``. What still changes its kind after that is carried as a `Choice`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.core.dtypes import bool_
from to_static.core.errors import TranslationError
from to_static.core.expressions import shown
from to_static.core.namespace import type_of
from to_static.ir import mode
from to_static.ir.loop import Loop
from to_static.ir.unrolled import Unrolled
from to_static.jit.jst.acting import acts, carrying
from to_static.jit.jst.blocks import Raised, in_block
from to_static.jit.jst.branch import if_
from to_static.jit.jst.carried_attributes import NewAttributes, check_carried, with_attributes
from to_static.jit.jst.carried_objects import Peel, begin, taken
from to_static.jit.jst.copies import Copies
from to_static.jit.jst.growth import growing
from to_static.jit.jst.joined import numbers
from to_static.jit.jst.loop_plan import Plan
from to_static.jit.jst.names import receivers
from to_static.jit.jst.special import asked
from to_static.jit.jst.traced import (
    constant,
    failure,
    is_traced,
    truth,
)
from to_static.jit.jst.trees import Into, fill, parts, rebuild

_ROUNDS = 100  # of tracing a loop until it is known how its values are carried; a few are enough, in nested structures some more


def pack(values: tuple[Any, ...]) -> Any:
    """Loop variables as translated code receives them: nothing, one value, or a tuple."""
    return values if len(values) > 1 else values[0] if values else None


def unpack(value: Any, count: int) -> tuple[Any, ...]:
    """The opposite of `pack`."""
    return () if count == 0 else (value,) if count == 1 else tuple(value)


def while_(test: Callable[..., Any], body: Callable[..., Any], *values: Any) -> Any:
    """Run ``values = body(*values)`` while ``test(*values)`` holds; returns the last values.

    Raises TranslationError naming the variable when a traced loop changes one in a way that a graph can't carry.
    """
    count, unrolled = len(values), Unrolled()
    while True:
        condition = asked(test(*values))
        if is_traced(condition):
            step, names = (lambda *v: unpack(body(*v), count)), (lambda: receivers(count))
            return pack(_from_here(condition, test, step, values, names))
        if not condition:
            return pack(values)
        unrolled.turn()
        values = unpack(body(*values), count)


@growing
def _from_here(
    condition: Any, test: Callable[..., Any], step: Callable[..., Any], values: tuple[Any, ...], names: Callable[[], list[str]]
) -> tuple[Any, ...]:
    """The loop in the Program, whose condition was evaluated once."""
    if acts(test, values):
        return carrying(graph_while, condition, test, step, values, names)
    return graph_while(test, step, values, names)


@growing
def graph_while(
    test: Callable[..., Any],
    body: Callable[..., Any],
    values: tuple[Any, ...],
    names: Callable[[], list[str]],
    peels: int = 2,
    carried: frozenset[Any] = frozenset(),
) -> tuple[Any, ...]:
    """A ``while_loop`` from ``values`` on; ``body`` returns a tuple. ``names`` gives the variables' names for errors."""
    try:
        return _loop(test, body, values, Plan(names, peels, values, carried), carried)
    except NewAttributes as found:
        return with_attributes(graph_while, test, body, values, names, peels, carried, found.attributes)
    except Peel:

        def more(*v: Any) -> tuple[Any, ...]:
            v = body(*v)
            again = asked(test(*v))
            return graph_while(test, body, v, names, peels - 1, carried) if is_traced(again) or again else v

        return unpack(if_(test(*values), more, lambda *v: v, *values), len(values)) if len(values) > 1 else (
            if_(test(*values), lambda v: more(v)[0], None, *values),
        )


def _loop(
    test: Callable[..., Any], body: Callable[..., Any], values: tuple[Any, ...], plan: Plan, carried: frozenset[Any]
) -> tuple[Any, ...]:
    loop = Loop(mode.state.mode)
    for _ in range(_ROUNDS):
        results = _attempt(loop, test, body, values, plan, carried)
        if results is not None:
            return results
    raise failure(
        TranslationError,
        f"what this tensor loop carries{shown()} is of yet another kind after every iteration",
        "keep the variables of the loop tensors of one dtype and number of dimensions, `x = x.astype('float32')`",
    )


def _attempt(
    loop: Loop, test: Callable[..., Any], body: Callable[..., Any], values: tuple[Any, ...], plan: Plan, carried: frozenset[Any]
) -> tuple[Any, ...] | None:
    """The loop as ``plan`` is now; None when an iteration shows that more has to be carried, which the plan knows then."""
    init: list[Any] = []
    trees = plan.begin(init)

    def run_test(*handles: Any) -> Any:
        copies = Copies()
        before = fill(trees, list(handles))
        answer = in_block(loop.builder, copies, lambda: asked(test(*begin(copies, trees, before, values))), test, values)()
        if isinstance(answer, Raised):
            raise answer.error
        return truth(answer) if is_traced(answer) else constant(bool(answer), bool_)

    def run_body(*handles: Any) -> list[Any] | None:
        copies = Copies()
        before = fill(trees, list(handles))  # compared with what comes back; the body gets copies of containers

        def run() -> tuple[Any, ...]:
            return taken(plan, body(*begin(copies, trees, before, values)), copies)

        after = in_block(loop.builder, copies, run, body, before)()
        if isinstance(after, Raised):
            after = before  # the Program raises before anything reads them
        more = after is not before and plan.grows(before, after, copies)
        check_carried(copies, carried)
        if more:
            return None
        out: list[Any] = []
        for i, (tree, value) in enumerate(zip(trees, after, strict=True)):
            plan.end(tree, value, (i,), out)
        numbers().next_trip()
        return out

    results = loop.traced(run_test, run_body, init, plan.specs)
    if results is None:
        return None
    done: dict[int, Any] = {}
    made: dict[int, Any] = {}
    final = [_into(v, t, made) for v, t in zip(values, trees, strict=True)]
    return tuple(fill(t, results, done) for t in final)


def _into(value: Any, tree: Any, made: dict[int, Any]) -> Any:
    """Lists and dicts of the start get their new contents in place, so that other names for them see it."""
    if type_of(value) in (list, dict) and type_of(tree) is type_of(value):
        if id(value) not in made:
            items = [_into(v, t, made) for v, t in zip(parts(value), parts(tree), strict=True)]
            made[id(value)] = Into(value, rebuild(tree, items))
        return made[id(value)]
    if type(value) is tuple and type(tree) is tuple:
        return tuple(_into(v, t, made) for v, t in zip(value, tree, strict=True))
    return tree
