"""``for``: a loop of the Program over tensors, traced ranges and lists of the Program; Python's own over anything else."""

from __future__ import annotations

import builtins
import contextlib
import functools
import inspect
import itertools
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from to_static.compiler.frontend.jst import protocol
from to_static.compiler.frontend.jst.control.block import EffectProbe
from to_static.compiler.frontend.jst.control.branch import if_
from to_static.compiler.frontend.jst.control.dynamic_index import LIMIT, picked
from to_static.compiler.frontend.jst.control.logic import and_, not_
from to_static.compiler.frontend.jst.control.variable_names import receivers
from to_static.compiler.frontend.jst.control.while_loop import graph_while, pack, unpack
from to_static.compiler.frontend.jst.iteration.indexed import IndexedIterable
from to_static.compiler.frontend.jst.iteration.outside_iterators import check_iterators
from to_static.compiler.frontend.jst.tracer_queries import is_number, is_tensor, is_traced, is_union
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.side_effects import POISON
from to_static.compiler.frontend.tracing.trace_context import building, current, inside_block
from to_static.compiler.ir.symbolic.sym_number import SymNumber, as_sym_number
from to_static.compiler.ir.trace_errors.unroll_warning import Unrolled
from to_static.compiler.ops import functions as F
from to_static.core.diagnostics.source_expressions import in_expression
from to_static.nn.layer_tree import LayerTree

UNROLLED = 256  # iterations that are traced one by one once a tensor may have ended the loop
_ONCE: tuple[Any, ...] = (
    type(iter([])), type(iter(())), type(iter(range(0))), type(iter("")), type(iter({})), types.GeneratorType,
    builtins.map, builtins.filter, builtins.zip,
    builtins.enumerate, builtins.reversed, itertools.chain, itertools.islice, itertools.count, itertools.cycle, itertools.repeat,
)  # fmt: skip


def counted_of(iterable: Any) -> IndexedIterable | None:
    """Return a traced iterable as an `IndexedIterable`; None for a Python iterable."""
    if isinstance(iterable, IndexedIterable):
        return iterable
    if not building():
        return None
    if type(iterable) is list:
        iterable = current().effects.resolved(iterable)
    counted = protocol.INDEXABLE.get(type(iterable))
    if counted is not None:
        return counted(iterable)  # type: ignore[no-any-return]
    if not is_traced(iterable) or is_union(iterable):
        return None
    if not iterable.spec.shape:
        raise TypeError("iteration over a 0-D tensor")
    return IndexedIterable(iterable.shape[0], lambda i: iterable[i], type(iter([])))


def for_(iterable: Any, body: Callable[..., Any], *values: object, breaks: bool = False) -> Any:
    """Run ``values = body(item, *values)`` for each item; returns the last values.

    With ``breaks`` the first value is a flag that ends the loop once it is true.
    """
    take(iterable)
    counted = counted_of(iterable)
    if counted is not None:
        return _graph_for(counted, body, values, breaks)
    if is_union(iterable):
        raise broken(f"a loop{in_expression()} over one of several values, which a tensor selects", "a loop in each branch")
    if not building():
        return _python_for(iterable, body, values, breaks)
    iterating = current().effects.iterating
    started = iterating.pop(id(iterable), None) or (iterable, [iterable])  # not to be done by who loops over it inside
    iterating[id(started)] = started
    try:
        return _python_for(iterable, body, values, breaks)
    except BaseException as error:
        generators = [x for x in current().iterator_chain(iterable) if _is_generator(x)]
        for generator in generators:  # what it does at its end belongs to this trace
            with contextlib.suppress(Exception):
                generator.close()
        if generators and current().catching and isinstance(error, Exception):
            raise broken(
                f"an error leaves a loop over a generator{in_expression()} and is caught: the code at the "
                "end of the generator cannot be traced",
                "a list of its items: `for item in list(items):`",
            ) from None
        raise
    finally:
        del iterating[id(started)]


def _python_for(iterable: Iterable[Any], body: Callable[..., Any], values: tuple[Any, ...], breaks: bool) -> Any:
    """Run a Python loop, whose iterations are traced one by one."""
    count = len(values)
    items = iter(iterable)
    unrolled, index, unrolled_loop = 0, 0, Unrolled()
    while (item := _next(items, breaks and is_traced(values[0]))) is not END:
        index += 1
        unrolled_loop.iteration()
        if breaks and is_traced(values[0]):
            unrolled += 1
            leave(iterable)
            if isinstance(iterable, range) and len(iterable) - index > UNROLLED // 4:
                items_left = iterable[index - 1 :]
                return _graph_for(IndexedIterable(len(items_left), _from(items_left)), body, values, breaks)
            if unrolled > UNROLLED:
                raise broken(
                    f"a loop{in_expression()} that a tensor may end has more than {UNROLLED} iterations, "
                    f"which are traced one by one",
                    "a loop over a tensor or a range: `for i in range(n): item = items[i]`",
                )
            values = unpack(if_(values[0], None, functools.partial(body, item), *values), count)
            continue
        values = unpack(body(item, *values), count)
        if breaks and not is_traced(values[0]) and values[0]:
            break
    return pack(values)


END = object()


def _next(items: Iterator[Any], perhaps: bool) -> Any:
    """Return the next item, or `END`; ``perhaps``: a tensor decides whether Python takes it."""
    item = next_perhaps(items) if perhaps else next(items, END)
    if item is POISON or (type(item) is tuple and any(x is POISON for x in item)):  # it may only be counted
        raise POISON.error()
    return item


def next_perhaps(items: Iterator[Any]) -> Any:
    """Take the next item of an iterator, or `END`, under a tensor condition.

    Breaks the graph if other code could see that it was taken.
    """
    aside = EffectProbe()
    try:
        item = next(items, END)
    except Exception as error:
        raise _early_exit_error(f"which fails: {error}") from None
    if aside.has_side_effects(or_may_fail=True):
        raise _early_exit_error("which changes, prints or checks something")
    if any(map(_is_generator, current().iterator_chain(items))):
        raise _early_exit_error("a generator, which may do something at its end")
    return item


def _is_generator(value: object) -> bool:
    """True for a generator, which may have an effect at its end."""
    return type(value) is types.GeneratorType and value.__name__ != "<genexpr>"


def _early_exit_error(why: str) -> BaseException:
    """Return the graph break for a loop over an iterator that a tensor may end early, because the trace takes further items."""
    return broken(
        f"a tensor may end a loop over an iterator{in_expression()}, {why}",
        "a list of its items: `for item in list(items):`",
    )


def ask_items(*iterables: object) -> None:
    """Record that Python iterates over these, perhaps by methods of the user."""
    for x in iterables if building() else ():
        if type(getattr(type(x), "__iter__", None)) is types.FunctionType:
            current().effects.untranslated_reads.iterate(x)


def take(iterable: object) -> None:
    """Record that items of an iterable are taken. Breaks the graph if a trace cannot take them as Python would."""
    if not building():
        return
    if not isinstance(iterable, (*_ONCE, IndexedIterable)):
        ask_items(iterable)
        check_iterators([iterable])
        return
    if isinstance(iterable, _ONCE) and not isinstance(iterable, IndexedIterable) and current().outlives(iterable):
        raise broken(
            f"an iterator that existed before the call advances{in_expression()}: it would happen once, "
            f"during the trace, and not in every run",
            "a list in place of the iterator",
        )
    if any(x is iterable for x in current().abandoned):
        raise broken(
            f"an iterator is used again{in_expression()}, of which an earlier loop took a number of items that depends on tensors",
            "a list of its items, `items = list(iterator)`",
        )
    if isinstance(iterable, _ONCE) and inside_block() and not current().created_in_this_block(iterable):
        if type(iterable) is types.GeneratorType and inspect.getgeneratorstate(iterable) == inspect.GEN_CREATED:
            leave(iterable)  # it may well be made here, where a call stands; who meets it again breaks the graph
            return
        raise broken(
            f"an iterator advances under a tensor condition or in a tensor loop{in_expression()}",
            "a list of its items: `items = list(iterator)`",
        )
    if isinstance(iterable, IndexedIterable) and iterable.iterator_type is not builtins.range:
        leave(iterable)


def leave(iterable: object) -> None:
    """Record that a loop may have left this iterator before its end (`TraceContext.abandon`)."""
    if isinstance(iterable, (*_ONCE, IndexedIterable)):
        current().abandon(iterable)


def record_iterator(iterator: object, *iterables: object) -> Any:
    """Return a Python iterator that iterates over ``iterables``, recorded in the trace (`TraceContext.record_iterator`)."""
    ask_items(*iterables)
    if building():
        current().record_iterator(iterator, iterables)
        iterating = current().effects.iterating
        lists = [y for x in iterables for y in (iterating[id(x)][1] if id(x) in iterating else [x])]
        if any(type(x) is list for x in lists):
            iterating[id(iterator)] = iterator, lists
    return iterator


def _from(range_object: range) -> Callable[[Any], Any]:
    return lambda i: range_object.start + i * range_object.step


def _graph_for(counted: IndexedIterable, body: Callable[..., Any], values: tuple[Any, ...], breaks: bool) -> Any:
    count = len(values)
    length = counted.length
    if isinstance(length, int) and length <= 0:
        return pack(values)

    def test(index: int | SymNumber, *state: object) -> Any:
        more = index < (length if counted.length_now is None else counted.length_now())
        return and_(not_(state[0]), lambda: more) if breaks else more

    def step(index: int | SymNumber, *state: Any) -> tuple[Any, ...]:
        return (index + 1, *unpack(body(counted.item(index), *state), count))

    return pack(graph_while(test, step, (0, *values), lambda: ["the loop index", *receivers(body, count)])[1:])


def enumerate_(iterable: Iterable[Any], start: Any = 0) -> Any:
    """``enumerate``, also over tensors, and there with a traced start."""
    counted = counted_of(iterable)
    if counted is None:
        return record_iterator(builtins.enumerate(iterable, start), iterable)
    take(iterable)
    zero = type(start) is int and start == 0
    item = lambda i: (i if zero else i + start, counted.item(i))  # noqa: E731
    return IndexedIterable(counted.length, item, builtins.enumerate, calls=counted.calls)


def zip_(*iterables: object, strict: bool = False) -> Any:
    """``zip``, also over tensors; the shortest decides, unless ``strict``."""
    members = [counted_of(x) for x in iterables]
    if not any(member is not None for member in members):
        return record_iterator(builtins.zip(*iterables, strict=strict), *iterables)
    for x in iterables:
        take(x)
    counted = [_drained(x) if member is None else member for member, x in zip(members, iterables, strict=True)]
    lengths = [c.length for c in counted]
    if strict and not (all(isinstance(n, int) for n in lengths) and len(set(lengths)) == 1):
        raise broken(f"zip(strict=True) needs lengths that are known and equal{in_expression()}", "`zip(a, b)`")
    static_lengths = [n for n in lengths if isinstance(n, int)]
    length: Any = min(static_lengths) if static_lengths else None
    for n in lengths:
        if not isinstance(n, int):
            length = n if length is None else as_sym_number(F.minimum(n, length))
    longer = [c.calls and any(not _is_within(c.length, n) for n in lengths[k + 1 :]) for k, c in enumerate(counted)]

    def item(i: object) -> tuple[Any, ...]:
        aside = EffectProbe()
        items = []
        for more, c in zip(longer, counted, strict=True):
            items.append(c.item(i))
            if more and aside.has_side_effects():
                raise broken(
                    f"zip() takes an item before it finds another iterator exhausted{in_expression()}, and taking it "
                    f"changes something",
                    "lists of one length",
                )
        return tuple(items)

    python_iterables = [x for x, member in zip(iterables, members, strict=True) if member is None and isinstance(x, _PLAIN)]
    if isinstance(length, int) and length <= LIMIT and not all(is_tensor(v) or is_number(v) for x in python_iterables for v in x):
        # objects and strings: each iteration of the loop is traced with its own
        return record_iterator(builtins.map(item, builtins.range(length)), *iterables)
    return IndexedIterable(length, item, builtins.zip, calls=any(c.calls for c in counted))


def _is_within(n: object, length: object) -> bool:
    return isinstance(n, int) and isinstance(length, int) and n <= length


def _drained(iterable: Any) -> IndexedIterable:
    """The items of a Python iterable, by index. Breaks the graph if taking all of them would have an effect."""
    if isinstance(iterable, range):
        return IndexedIterable(len(iterable), _from(iterable))
    if isinstance(iterable, _PLAIN):
        return by_index(list(iterable))
    aside = EffectProbe()
    inner = current().iterator_chain(iterable)
    endless = any(type(x).__module__ == "itertools" or type(x) is types.GeneratorType for x in inner)
    items = [] if endless else list(iterable)
    if endless or aside.has_side_effects(or_may_fail=True):
        raise broken(
            f"zip() of an iterator and a value that depends on tensors{in_expression()}",
            "a list of its items, or `for i, v in enumerate(x):`",
        )
    current().abandon(iterable)
    return by_index(items)


_PLAIN: tuple[Any, ...] = (
    list, tuple, dict, str, set, frozenset, type({}.keys()), type({}.values()), type({}.items()), LayerTree,
)  # fmt: skip


def reversed_(sequence: Sequence[Any]) -> Any:
    """``reversed``, also over tensors and traced ranges."""
    counted = counted_of(sequence)
    if counted is None:
        return record_iterator(builtins.reversed(sequence), sequence)
    length = counted.length
    return IndexedIterable(length, lambda i: counted.item(length - 1 - i), builtins.reversed)


def by_index(items: list[Any]) -> IndexedIterable:
    """Return the items of a Python list by index, which may be a number of the Program."""
    return IndexedIterable(len(items), lambda i: items[i] if isinstance(i, int) else picked(items, i))


def iter_of(items: Any, *until: Any) -> Any:
    """``iter`` of a list."""
    if until:
        if building():
            raise broken(f"iter() of a function{in_expression()}", "`while True:` with an `if ...: break` in it")
        return iter(items, *until)
    take(items)
    counted = counted_of(items)
    return record_iterator(iter(items), items) if counted is None else counted
