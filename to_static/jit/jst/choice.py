"""`Choice`: a value that is one of several Python values or tensors, and which one is known only when the Program runs.

It comes from branches that leave ``None`` and a tensor, two strings, an int and a float, tensors of different dtypes. What is done
with it is done with each option under a condition (`select`); where an option does not allow it, the Program raises what Python
would raise. A static function that returns one returns the Python value itself.
"""

from __future__ import annotations

import copy
import operator
import sys
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.core.dtypes import bool_, int64
from to_static.core.errors import TracedValueError
from to_static.core.expressions import quoted
from to_static.core.namespace import type_of
from to_static.core.site import is_internal
from to_static.ir import mode
from to_static.ir.edit import has
from to_static.ir.number import Number, number
from to_static.ir.registry import FUNCTIONS
from to_static.ir.tensor import _BINARY, _COMPARE, NotATensor, Tensor
from to_static.ir.variable import Variable
from to_static.jit.jst.catching import check
from to_static.jit.jst.changing import change
from to_static.jit.jst.levels import ask
from to_static.jit.jst.traced import NUMBERS, constant, failure, is_tensor
from to_static.transpile.scopes import MUTATORS

_ITERATED: Any = (list, tuple, dict, type({}.keys()), type({}.values()), type({}.items()))
_OWN = frozenset(["which", "options", "builder", "frame", "ssa", "spec", "sources", "python_type", "undecided", "several", "each"])


class Undecided(NotATensor, TracedValueError):
    """The type of a value is needed while tracing; an operator whose left side says so asks the right side."""


Undecided.__name__ = Undecided.__qualname__ = TracedValueError.__name__  # what users read and catch
Undecided.__module__ = TracedValueError.__module__


class Choice(Variable):
    """One of ``options`` (Python values, tensors, containers of them): ``options[which]``, where ``which`` is traced."""

    __slots__ = ("options", "which")
    undecided = True

    def __init__(self, which: Any, options: list[Any]) -> None:
        set_own = object.__setattr__
        set_own(self, "which", which)
        set_own(self, "options", options)
        set_own(self, "builder", which.builder)
        set_own(self, "frame", which.builder.frame)
        mode.state.mode.choices.append(weakref.ref(self))

    @property
    def ssa(self) -> Any:  # type: ignore[override]
        """The value of the one option that is a tensor; the Program checks that it is the one."""
        return self._tensor().ssa

    @property
    def spec(self) -> Any:
        return self._tensor().spec

    @property
    def python_type(self) -> Any:  # type: ignore[override]
        """None: it does not stand for a number."""
        return None

    @property
    def several(self) -> bool:  # type: ignore[override]
        """Whether an operator takes more than one of the options, perhaps."""
        return self._found() is None and not self._all_lists()

    def each(self, function: Callable[[Any], Any]) -> Any:
        """``function`` of the option that it is."""
        return select(self, function)

    def _found(self) -> Any:
        """The places of the one option that is a tensor, and the others; None when an operator may take others, too."""
        found = [i for i, option in enumerate(self.options) if isinstance(option, Tensor) and option.python_type is None]
        others = [option for i, option in enumerate(self.options) if i not in found]
        return None if len(found) != 1 or any(isinstance(x, (Number, *NUMBERS)) for x in others) else (found, others)

    def _all_lists(self) -> bool:
        return all(type(x) is list or (isinstance(x, Tensor) and not hasattr(x.spec, "shape")) for x in self.options)

    def _tensor(self) -> Any:
        if self._all_lists():
            from to_static.jit.jst.lists import TensorList

            return select(self, lambda option: TensorList.of(option) if type(option) is list else option.copy())
        ask()
        places = self._found()
        if places is None:
            raise self._undecided("an operator needs one kind of tensor here")
        found, others = places
        words = " or ".join(sorted({type(x).__name__ for x in others}))
        check(self._is(found[0]), TypeError(f"expected a Tensor, got {words}"))
        return self.options[found[0]]

    def _is(self, index: int) -> Any:
        return FUNCTIONS["equal"](Variable(self.which.ssa, self.which.builder), constant(index, int64))

    def _undecided(self, what: str) -> Exception:
        return failure(
            Undecided,
            f"{what}{quoted()}, but which of its values it has is known only when the Program runs: {options_text(self)}",
            "give it one type on all paths (a tensor, for instance `paddle.zeros([1])`, instead of None or a string), or use it "
            "under a condition that tells which it is (`if v is not None:`), in comparisons, calls and `return`",
        )

    def __getattribute__(self, name: str) -> Any:
        mine = name.startswith("_") and name not in ("__doc__", "__module__") and (name.endswith("__") or hasattr(Choice, name))
        if name in _OWN or mine:
            return object.__getattribute__(self, name)
        if is_internal(sys._getframe(1).f_code.co_filename):  # an operator that takes it for a tensor
            if name in ("ndim", "dtype") and all(map(is_tensor, self.options)):
                first, *rest = (getattr(option, name) for option in self.options)
                if all(other == first for other in rest):
                    return first
            return getattr(self._tensor(), name)
        return _attribute(self, name)

    def __getattr__(self, name: str) -> Any:
        if name in ("__name__", "__qualname__") or not is_internal(sys._getframe(1).f_code.co_filename):
            return _attribute(self, name)
        return super().__getattr__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        def put(option: Any) -> None:
            if option is not None:  # Python's error
                touch(option, name)
            setattr(option, name, value)

        from to_static.jit.jst.blocks import touch

        change(self, put)

    def __getitem__(self, index: Any) -> Any:
        return select(self, lambda option: option[index])

    def __setitem__(self, index: Any, value: Any) -> None:
        from to_static.jit.jst.items import at

        longer = not isinstance(index, Tensor) and any(type_of(x) is dict and index not in x for x in self.options)
        change(self, lambda option: operator.setitem(at(option), index, value), resizes=longer)

    def __delitem__(self, index: Any) -> None:
        change(self, lambda option: operator.delitem(option, index), resizes=True)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from to_static.jit.jst.convert import call

        return select(self, lambda option: call(option)(*args, **kwargs))

    def __round__(self, *digits: Any) -> Any:
        return select(self, lambda option: round(option, *digits))

    def __bool__(self) -> bool:
        raise self._undecided("Python asks for the truth of a value")

    def __iter__(self) -> Any:
        if not same_length(self):
            from to_static.jit.jst.unpacking import taken_apart_by

            return taken_apart_by(self, sys._getframe(1))
        return (self._item(i) for i in range(len(self)))

    def __len__(self) -> int:
        sizes = {None if isinstance(x, Tensor) or not hasattr(type(x), "__len__") else len(x) for x in self.options}
        if None in sizes or len(sizes) > 1:
            raise self._undecided("Python asks for the length of a value")
        return sizes.pop()  # type: ignore[return-value]

    def _item(self, index: int) -> Any:
        """The item at a place that all options have, in the order in which each is iterated over."""
        items = [list(option)[index] for option in self.options]
        if all(type_of(option) is dict for option in self.options) and len(set(items)) == 1:
            return items[0]
        return select(self, lambda option: list(option)[index])

    def __hash__(self) -> int:
        raise self._undecided("Python looks a value up")

    def __str__(self) -> str:
        raise self._undecided("Python makes a string of a value")

    def __format__(self, spec: str) -> str:
        raise self._undecided("Python makes a string of a value")

    def __deepcopy__(self, memo: Any) -> Any:
        return select(self, copy.deepcopy)

    def __reversed__(self) -> Any:
        return iter([self._item(i) for i in reversed(range(len(self)))])

    def __held__(self) -> Any:
        return None, list(self.options)

    def __repr__(self) -> str:
        return str(self) if mode.state.mode.spells is not None else f"<one of {options_text(self)}>"


def _operator(function: Callable[[Any, Any], Any], reflected: bool) -> Any:
    def method(self: Choice, other: Any) -> Any:
        if function is operator.add:
            from to_static.jit.jst.text import too_many

            made = too_many(*((other, self) if reflected else (self, other)))
            if made is not None:
                return made
        if function in _COMPARISONS and isinstance(other, str) and all(type(x) is str for x in self.options):
            return test(self, lambda option: function(option, other))
        if isinstance(other, Choice):
            if reflected:
                return NotImplemented
            return select(self, lambda a: function(a, other) if _is_text(a) else select(other, lambda b: function(a, b)))
        return select(self, lambda option: function(other, option) if reflected else function(option, other))

    return method


_COMPARISONS = [getattr(operator, f"__{short}__") for short in _COMPARE]
for _short in [*_BINARY, "divmod", "lshift", "rshift", *_COMPARE]:
    _function = getattr(operator, f"__{_short}__", divmod)
    setattr(Choice, f"__{_short}__", _operator(_function, False))
    if _short not in _COMPARE:
        setattr(Choice, f"__r{_short}__", _operator(_function, True))


def _is_text(option: Any) -> bool:
    return getattr(type(option), "stands_for", type_of(option)) is str


def _unary(function: Callable[[Any], Any]) -> Any:
    return lambda self: select(self, function)


for _function in (operator.neg, operator.pos, operator.invert, abs, copy.copy):
    setattr(Choice, f"__{_function.__name__}__", _unary(_function))


def _in_place(name: str, function: Callable[[Any, Any], Any]) -> Any:
    def method(self: Choice, other: Any) -> Any:
        changing = [hasattr(type(x), name) and not (isinstance(x, Tensor) and hasattr(x.spec, "shape")) for x in self.options]
        if not any(changing):
            return NotImplemented
        if not all(changing):
            raise self._undecided("a value is changed in place or replaced")
        change(self, lambda option: (function(option, other), None)[1], resizes=True)
        return self

    return method


for _short in ("add", "or", "mul", "and", "sub", "xor"):
    setattr(Choice, f"__i{_short}__", _in_place(f"__i{_short}__", getattr(operator, f"i{_short}")))


def same_length(choice: Choice) -> bool:
    """Whether it can be iterated over place by place."""
    return all(isinstance(x, _ITERATED) for x in choice.options) and len({len(x) for x in choice.options}) == 1


def options_text(choice: Choice) -> str:
    """The options in words."""
    from to_static.jit.jst.trees import alternatives_text

    return alternatives_text(choice.options)


def any_of(choice: Choice, indices: list[int]) -> Any:
    """True (traced) when one of the options ``indices`` is the one; a Python bool where that is clear."""
    if len(indices) in (0, len(choice.options)):
        return bool(indices)
    table = np.isin(np.arange(len(choice.options)), indices)
    if len(indices) == 1:
        return choice._is(indices[0])
    return mode.state.mode.constant(table)[Variable(choice.which.ssa, choice.which.builder)]


def test(choice: Choice, question: Callable[[Any], bool]) -> Any:
    """The answer to a question about Python values whose answer for each option is known now."""
    answer = any_of(choice, [i for i, option in enumerate(choice.options) if question(option)])
    return answer if isinstance(answer, bool) else number(answer)


def select(choice: Choice, function: Callable[[Any], Any]) -> Any:
    """``function(option)`` for the option that is the one; where an option makes it fail, the Program raises that error."""
    from to_static.jit.jst.growth import growing

    return growing(_select)(choice, function)


def _select(choice: Choice, function: Callable[[Any], Any]) -> Any:
    from to_static.jit.jst.blocks import Raised, in_block, raises
    from to_static.jit.jst.copies import Copies

    builder = mode.state.mode
    alive: list[int] = []
    results: list[Any] = []
    acts = False
    for index, option in enumerate(choice.options):
        if isinstance(option, Tensor):
            alive.append(index)
            results.append(option)
            continue
        # a Python value: either Python refuses it at once, or the result may be known
        copies = Copies()
        trial = builder.trace_block(in_block(builder, copies, lambda option=option: function(option), function, option))
        result = trial.value
        acts |= bool(trial.rebound or copies.attributes.before) or any(has(op, "effect") for op in trial.block.walk())
        if type(result) is Raised:
            ask()
            failing = any_of(choice, [i for i in range(len(choice.options)) if i != index])
            check(failing if not isinstance(failing, bool) else constant(failing, bool_), result.error)
        else:
            results.append(result)
            alive.append(index)
    if not alive:
        raise raises(result.error)  # the one that it is raised its own before
    if not acts and all(isinstance(r, bool) for r in results):
        answer = any_of(choice, [i for i, r in zip(alive, results, strict=True) if r])
        return answer if isinstance(answer, bool) else number(answer)
    return arms(choice, alive, function)


def arms(choice: Choice, alive: list[int], function: Callable[[Any], Any]) -> Any:
    """``function(option)`` of the one that it is among those ``alive``."""
    from to_static.jit.jst.branch import if_

    first, *rest = alive
    own = function(choice.options[first]) if not rest else None
    return if_(choice._is(first), lambda: _arm(choice, first, function), lambda: arms(choice, rest, function)) if rest else own


def _arm(choice: Choice, index: int, function: Callable[[Any], Any]) -> Any:
    return function(choice.options[index])


def _attribute(choice: Choice, name: str) -> Any:
    """``choice.name``: options without it make the Program raise AttributeError."""
    if not mode.building() or mode.state.mode is not choice.builder:
        raise choice._undecided("a value of a finished trace is used")
    having = [i for i, option in enumerate(choice.options) if hasattr(type(option), name) or _has(option, name)]
    for index, option in enumerate(choice.options):
        if index not in having:
            others = any_of(choice, [i for i in range(len(choice.options)) if i != index])
            text = f"{type(option).__name__!r} object has no attribute {name!r}"
            check(others if not isinstance(others, bool) else constant(others, bool_), AttributeError(text))
    if not having:
        raise AttributeError(f"{type(choice.options[0]).__name__!r} object has no attribute {name!r}")
    if len(having) == 1:
        return getattr(choice.options[having[0]], name)
    if callable(getattr(type(choice.options[having[0]]), name, None)):
        if name in MUTATORS and len(having) == len(choice.options) and all(_is_container(x) for x in choice.options):
            return lambda *args, **kwargs: change(choice, lambda option: getattr(option, name)(*args, **kwargs), resizes=True)
        return lambda *args, **kwargs: arms(choice, having, lambda option: _method(option, name)(*args, **kwargs))
    return arms(choice, having, lambda option: getattr(option, name))


def _is_container(option: Any) -> bool:
    return type_of(option) in (list, dict) or (isinstance(option, Tensor) and not hasattr(option.spec, "shape"))


def _method(option: Any, name: str) -> Any:
    from to_static.jit.jst.convert import call

    return call(getattr(option, name))


def _has(option: Any, name: str) -> bool:
    from to_static.jit.jst.lacking import lacks

    return not isinstance(option, Tensor) and (lacks(option, name) is not None or hasattr(option, name))
