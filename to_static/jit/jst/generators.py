"""Generators of the user's functions: handed the loop over them where one loop takes all their items, Python's own otherwise.

Calling a generator function gives a generator of Python's, which has not begun. ``for_`` that gets such a generator runs the
*pushed* form of the function instead (see `transpile/passes/generators`), where tensors may decide what is yielded. Who takes items
one by one (``zip``, ``next``, an unpacking) goes on with Python's generator.
"""

from __future__ import annotations

import builtins
import contextlib
import inspect
import sys
import types
import weakref
from collections.abc import Callable
from typing import Any

from to_static.core.conditions import condition
from to_static.core.errors import TranslationError
from to_static.core.expressions import quoted, shown
from to_static.ir import mode
from to_static.jit.jst.iterating import iterating
from to_static.jit.jst.levels import Back, push, ways
from to_static.jit.jst.traced import failure, is_traced

State = tuple[Any, ...]


class _Record(list[Any]):
    """A function, arguments and keywords; ``running``: a loop runs it in its other form, or left it half-way."""

    __slots__ = ("running",)  # which is no change that a block would have to join
    running: bool


_records: weakref.WeakKeyDictionary[Any, _Record] = weakref.WeakKeyDictionary()  # of generators that `start` made


class Each:
    """The loop over a generator: ``give(state, item)`` is the state after its body, ``left(state)`` whether the loop ends.

    ``named``: others may see the generator after the loop.
    """

    def __init__(self, give: Callable[[State, Any], State], left: Callable[[State], Any], named: bool = False) -> None:
        self.give = give
        self.left = left
        self.named = named

    def __held__(self) -> Any:
        return None, [self.give, self.left]


class Pushes:
    """An iterator that runs an `Each`; ``plain()`` gives Python's, a ``kind``, for who takes items one by one.

    ``lazy``: the difference to Python's is that a loop that tensors end early runs nothing for the items after that.
    ``steps``: how to take the items one by one, computed where they are asked for (see `turns`); ``by_steps``: so it is run.
    ``indexed()``: the items by index, or None.
    """

    steps: Any = None
    by_steps = False
    indexed: Callable[[], Any] = staticmethod(lambda: None)

    def __init__(self, run: Callable[[Each, State], State], plain: Callable[[], Any], kind: type, lazy: bool = False) -> None:
        self.stands_for = kind
        self.lazy = lazy
        self._run = run
        self._plain = plain
        self._iterator: Any = None

    def run(self, each: Each, state: State) -> State:
        """Run the loop that takes all items; who asks for another afterwards finds none, if it is known that it took them all."""
        self.leave()
        try:
            state = self._run(each, state)
        except BaseException:
            self._iterator = None  # the loop may be traced again
            raise
        if each.left(state) is False:
            self._iterator = iter(())
        return state

    def begin(self) -> Callable[[Each, State], State]:
        """How to run a loop that tensors may end, which may be traced again."""
        self.leave()
        return self._run

    def leave(self) -> None:
        """A loop that tensors may end takes the items."""
        self._iterator = _over(self.stands_for.__name__)

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        if self._iterator is None:
            self._iterator = self._plain()
        return next(self._iterator)

    def __held__(self) -> Any:
        return self.begun, [self._run, self._iterator]

    def __repr__(self) -> str:
        return f"<{self.stands_for.__name__} object at {id(self):#x}>"

    @property
    def begun(self) -> bool:
        """True when somebody took an item."""
        return self._iterator is not None


def start(function: Any, pulled: Any, *args: Any, **kwargs: Any) -> Any:
    """Call a generator function whose form for Python is ``pulled``."""
    plain = pulled(*args, **kwargs)
    if not mode.building():
        return plain
    record = _Record([function, args, kwargs])
    record.running = False
    made = _drive(plain, record)
    made.__name__, made.__qualname__ = plain.__name__, plain.__qualname__
    _records[made] = record
    mode.state.mode.started.append(weakref.ref(made))
    return made


def close_all(builder: Any) -> None:
    """Close the generators of a trace that has failed: what they do then is no more than part of it."""
    with mode.use(builder):
        for generator in (made() for made in builder.started):
            with contextlib.suppress(Exception, Back):
                if generator is not None:
                    generator.close()


def _drive(plain: Any, record: _Record) -> Any:
    if record.running:
        raise failure(
            TranslationError,
            f"the generator `{plain.__name__}()` was left by a loop that ended early, and is used again",
            f"loop over it once, or take its items as a list before: `items = list({plain.__name__}(...))`",
        )
    return (yield from plain)


def _over(name: str) -> Any:
    """In place of an iterator that a loop runs, or left where tensors decide: nobody knows which items it has still."""
    raise failure(
        TranslationError,
        f"a {name} is used by a loop that may end early, and elsewhere{quoted()}",
        "a list and its iterator, `it = iter(list(...))`, or loop over it once",
    )
    yield


def pushed(function: Any, form: Any) -> None:
    """Note the pushed form of a generator function that is defined in translated code."""
    function.__pushed__ = form


def give(each: Each, state: State, item: Any) -> State:
    """``yield item``: the loop's variables after its body ran for ``item``."""
    return each.give(state, item)


def give_all(each: Each, state: State, items: Any) -> tuple[State, Any]:
    """``yield from items``: the loop's variables, and what a generator returned."""
    form = _form(items) if type(items) is types.GeneratorType else None
    if form is not None:
        return _push(items, form, each, state)
    from to_static.jit.jst.iterate import for_
    from to_static.jit.jst.loops import unpack

    count = len(state)
    flag = each.left(state)
    values = for_(items, lambda item, _, *v: _after(each, each.give(v, item)), flag, *state, breaks=True)
    return unpack(values, count + 1)[1:], None


def _after(each: Each, state: State) -> State:
    return each.left(state), *state


def left(each: Each, state: State, cleans: bool = False) -> Any:
    """Whether the loop that got an item has ended; ``cleans``: the generator then runs a ``finally`` or leaves a ``with``."""
    answer = each.left(state)
    if cleans and each.named and answer is not False:
        raise failure(
            TranslationError,
            f"a loop over a generator that has a name ends early{shown()}, inside of the generator's `with` or `try` / `finally`, "
            "which Python would run when the last name goes",
            "loop over the call itself: `for item in generator(...):`",
        )
    return answer


def decided(test: Any) -> Any:
    """The test of a construct that yields, in a generator whose items are taken one by one."""
    if is_traced(test):
        push()
        raise failure(
            TranslationError,
            f"what this generator yields depends on a tensor{_test()}, and its items are taken one by one (by zip(), "
            "next(), an unpacking, a loop that may be left while the generator has a name, ...)",
            "loop over the call itself, `for item in generator(...):`, or take all items with `list(generator(...))`",
        )
    return test


def _test() -> str:
    text = condition()
    return f" (`{text}`)" if text else ""


def _references(iterable: Any, body: Any, *values: Any, breaks: bool = False) -> int:
    return sys.getrefcount(iterable)


def named(references: int) -> bool:
    """Whether an argument with so many references, counted where it was handed in, has a name elsewhere."""
    return references > _references(object(), None, breaks=True)


def pushable(iterable: Any, breaks: bool = False) -> Callable[[Each, State], State] | None:
    """How to run a loop's body, which may end the loop, for the items of ``iterable`` from inside of it, or None."""
    kind = type(iterable)
    if kind is Pushes:
        return None if iterable.begun or (iterable.lazy and not breaks) else iterable.run  # type: ignore[no-any-return]
    form = _form(iterable) if kind is types.GeneratorType and mode.building() else None
    return None if form is None else lambda each, state: _push(iterable, form, each, state)[0]


def _form(generator: Any) -> Any:
    """The pushed form of the function that ``generator`` comes from; None when there is none or the generator has begun."""
    known = _records.get(generator)
    if known is None or known.running or inspect.getgeneratorstate(generator) != inspect.GEN_CREATED:
        return None
    function = known[0]
    if not hasattr(function, "__pushed__"):
        from to_static.jit import jst
        from to_static.transpile import is_translated, transpile_function

        if is_translated(function.__code__):
            return None
        try:
            return transpile_function(function, jst, entry=False, form="pushed", **ways())[0]
        except TranslationError:
            return None
    return function.__pushed__


def _push(generator: Any, form: Any, each: Each, state: State) -> tuple[State, Any]:
    record = _records[generator]
    _, args, kwargs = record
    record.running = True
    try:
        state, value = form(each, state, *args, **kwargs)
    except BaseException:
        record.running = False  # the loop may be traced again
        raise
    if each.left(state) is False:
        generator.close()
    return state, value


def mapped(function: Callable[..., Any], iterable: Any, kind: type = builtins.map) -> Pushes:
    """``map(function, iterable)`` while a Program is built: the function runs where the loop over it gets an item."""

    def through(each: Each, state: State) -> State:
        give = lambda state, item: each.give(state, function(item))  # noqa: E731
        return run_over(iterable, Each(give, each.left, each.named), state)

    return Pushes(through, lambda: builtins.map(*iterating(function, iterable)), kind, not pushable(iterable))


def filtered(function: Callable[[Any], Any] | None, iterable: Any) -> Pushes:
    """``filter(function, iterable)`` while a Program is built."""
    from to_static.jit.jst.branch import if_

    def through(each: Each, state: State) -> State:
        def give(state: State, item: Any) -> State:
            test = item if function is None else function(item)
            return if_(test, lambda *s: each.give(s, item), lambda *s: s, *state)  # type: ignore[no-any-return]

        return run_over(iterable, Each(give, each.left, each.named), state)

    return Pushes(through, lambda: builtins.filter(function, iterable), builtins.filter)


def run_over(iterable: Any, each: Each, state: State) -> State:
    run = pushable(iterable, True)
    return give_all(each, state, iterable)[0] if run is None else run(each, state)


def numbered(iterable: Any, first: Any) -> Pushes | None:
    """``enumerate(iterable, first)`` over a generator that can be run, else None."""
    if pushable(iterable, True) is None:
        return None

    def through(each: Each, state: State) -> State:
        def give(state: State, item: Any) -> State:
            index, *rest = state
            return index + 1, *each.give(tuple(rest), (index, item))

        return run_over(iterable, Each(give, lambda state: each.left(state[1:]), each.named), (first, *state))[1:]

    return Pushes(through, lambda: builtins.enumerate(iterable, first), builtins.enumerate, not pushable(iterable))


def run_loop(
    run: Callable[[Each, State], State], body: Callable[..., State], values: State, breaks: bool, names: Callable[[], list[str]],
    named: bool = False,
) -> State:  # fmt: skip
    """``values = body(item, *values)`` for each item."""
    each = Each(lambda state, item: body(item, *state), (lambda state: state[0]) if breaks else (lambda state: False), named)
    try:
        return run(each, values)
    except TranslationError as error:
        raise _renamed(error, names()) from None


def _renamed(error: TranslationError, names: list[str]) -> TranslationError:
    """The error with the names of the loop's variables in place of ``state[0]``."""
    text = str(error)
    for i, name in enumerate(names):
        text = text.replace(f"state[{i}]", name)
    error.args = (text, *error.args[1:])
    return error
