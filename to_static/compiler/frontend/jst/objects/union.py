"""`UnionValue`: one of a few values of different types, such as ``None`` or a tensor; the Program computes which one.

It can be compared, tested for ``None``, returned, joined and carried. If exactly one of the values is a tensor, it can be used
as that tensor; a run raises Python's error if it is another value. Library code never gets one: `by_option` calls it with each
value.
"""

from __future__ import annotations

import enum
import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from to_static.compiler.frontend.jst import protocol
from to_static.compiler.frontend.jst.control.branch import if_
from to_static.compiler.frontend.jst.control.raising import check, raises
from to_static.compiler.frontend.jst.protocol import ConstantSpec, NotJoinable, ValueSpec, join
from to_static.compiler.frontend.jst.tracer_queries import constant, filler, is_tensor
from to_static.compiler.frontend.jst.values import text
from to_static.compiler.frontend.jst.values.container import Container
from to_static.compiler.frontend.jst.values.number import OneNumber, len_, protocol_truth
from to_static.compiler.frontend.jst.values.tensor import OneTensor
from to_static.compiler.frontend.jst.values.text import OneText
from to_static.compiler.frontend.jst.values.undefined import MaybeUndefinedSpec
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.untranslated_code import STAND_INS
from to_static.compiler.ir import mode
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.symbolic.sym_number import SymNumber, as_sym_number
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ir.tensor import _BINARY, _COMPARE, Tensor
from to_static.compiler.ops import functions as F
from to_static.core.diagnostics.source_expressions import in_expression
from to_static.core.dtypes import int64
from to_static.core.errors import NumberError, ToStaticError

_WORDS = 4  # tensors that a message names
LIMIT = 8  # values that one may be


class UnionSpec(ValueSpec):
    """The spec of one of several values; an int selects it."""

    __slots__ = ("options",)
    is_union = True

    def __init__(self, options: list[ValueSpec]) -> None:
        self.options = options

    def position(self, value: object) -> int:
        """Return the index of the option that a value is."""
        spec = protocol.value_spec_of(value)
        for i, option in enumerate(self.options):
            if fits(option, spec):
                return i
        raise NotJoinable(self, spec)

    def flatten(self, value: object) -> list[Any]:
        if type(value) is UnionValue:
            positions = [self.position(x) for x in value.options]
            table = mode.current().constant(np.asarray(positions, "int64"))
            which = F.reshape(F.gather(table, F.reshape(value.which, [1])), [])
            mine = {position: _chosen(value, [i for i, p in enumerate(positions) if p == position]) for position in positions}
        else:
            position = self.position(value)
            which, mine = constant(position, int64), {position: value}
        out = [which]
        for i, option in enumerate(self.options):
            out += option.flatten(mine[i]) if i in mine else list(map(filler, option.tensor_specs()))
        return out

    def unflatten(self, tensors: Iterator[Any]) -> Any:
        which = next(tensors)
        options = [option.unflatten(tensors) for option in self.options]
        return UnionValue(which, options) if mode.building() else options[int(which.item())]

    def tensor_specs(self) -> list[Any]:
        return [TensorSpec((), int64), *(spec for option in self.options for spec in option.tensor_specs())]

    def joined(self, other_spec: ValueSpec) -> ValueSpec | None:
        if isinstance(other_spec, MaybeUndefinedSpec):
            return None
        options = list(self.options)
        for more in other_spec.options if isinstance(other_spec, UnionSpec) else [other_spec]:
            for i, option in enumerate(options):
                if fits(option, more) or fits(more, option):
                    options[i] = join(option, more)
                    break
            else:
                options.append(more)
        if len(options) > LIMIT:
            raise NotJoinable(self, other_spec, f"more than {LIMIT} different values")
        return UnionSpec(options)

    def key(self) -> Any:
        return ("one of", tuple(option.key() for option in self.options))

    def describe(self) -> str:
        words = list(dict.fromkeys(option.describe() for option in self.options))
        many = len(words) > _WORDS and all(word.startswith("a tensor") for word in words)
        option_words = words if not many else [*words[: _WORDS - 1], f"{len(words) - _WORDS + 1} others"]
        return " or ".join(option_words)


def _chosen(value: UnionValue, options: list[int]) -> Any:
    """Return the value of options with one spec: the selected one, if it is among these."""
    first, *further = options
    option = value.options[first]
    if all(protocol.same(value.options[i], option) for i in further):
        return option
    return if_(value.is_one([first]), lambda: option, lambda: _chosen(value, further))


def fits(option: ValueSpec, value: ValueSpec) -> bool:
    """True if a value fits the spec of an option without changing it."""
    if isinstance(option, ConstantSpec) or isinstance(value, ConstantSpec):
        if isinstance(option, OneNumber):
            return type(value.value) is option.python_type if isinstance(value, ConstantSpec) else False
        return isinstance(option, ConstantSpec) and isinstance(value, ConstantSpec) and option.joined(value) is not None
    if isinstance(option, Container) and isinstance(value, Container):
        alike = option.python_type is value.python_type and option.keys == value.keys and len(option.parts) == len(value.parts)
        return alike and all(map(fits, option.parts, value.parts))
    if type(option) is not type(value):
        return False
    try:
        return option.joined(value) is not None
    except NotJoinable:
        return False


@protocol.SPEC_FUNCTIONS.append
def union_spec(value: object) -> ValueSpec | None:
    """Return the spec of a union."""
    return UnionSpec([protocol.value_spec_of(x) for x in value.options]) if type(value) is UnionValue else None


@protocol.JOINERS.append
def join_kinds(a: ValueSpec, b: ValueSpec) -> ValueSpec | None:
    """Return the common spec of two types, such as ``None`` and a value, a number and a tensor, two strings."""
    simple = (ConstantSpec, OneTensor, OneNumber, OneText, Container)
    for x, y in ((a, b), (b, a)):
        none = isinstance(x, ConstantSpec) and x.value is None
        if none and isinstance(y, ConstantSpec) and isinstance(y.value, BaseException) and text.may_hold(y.value):
            raise NotJoinable(a, b, "an error that holds tensors")
        if none and not isinstance(y, MaybeUndefinedSpec):
            return UnionSpec([x, y])
    lists = isinstance(a, Container) and isinstance(b, Container) and a.python_type is b.python_type is list
    both_literal = isinstance(a, simple) and isinstance(b, simple) and _is_plain(a) and _is_plain(b)
    return UnionSpec([a, b]) if both_literal and not lists else None


def _is_plain(spec: ValueSpec) -> bool:
    literal_types = (bool, int, float, str, bytes, tuple, enum.Enum)
    return not isinstance(spec, ConstantSpec) or isinstance(spec.value, literal_types) or callable(spec.value)


class UnionValue(Variable):
    """``options[which]``, where ``which`` is a number of the Program."""

    __slots__ = ("options", "which")
    data_dependent = True
    is_union = True

    def __init__(self, which: Any, options: list[Any]) -> None:
        object.__setattr__(self, "which", which)
        object.__setattr__(self, "options", options)
        object.__setattr__(self, "builder", which.builder)
        object.__setattr__(self, "frame", which.builder.frame)

    @property
    def ssa(self) -> Any:  # type: ignore[override]
        raise self._data_dependent_error("an operator")

    @property
    def spec(self) -> Any:
        raise self._data_dependent_error("an operator")

    @property
    def python_type(self) -> Any:  # type: ignore[override]
        return None

    def is_one(self, positions: list[int]) -> Any:
        """Return whether the selected option is one of these: a bool, or a boolean tensor."""
        if len(positions) in (0, len(self.options)):
            return bool(positions)
        is_any = None
        for position in positions:
            one = F.equal(Variable(self.which.ssa, self.which.builder), constant(position, int64))
            is_any = one if is_any is None else F.logical_or(is_any, one)
        return is_any

    def test(self, question: Callable[[Any], bool]) -> Any:
        """Return the result of a test of the selected option, for a test that Python can do of each option."""
        answer = self.is_one([i for i, option in enumerate(self.options) if question(option)])
        return answer if isinstance(answer, bool) else as_sym_number(answer)

    def each(self, function: Callable[[Any], Any]) -> Any:
        """Return ``function`` of the selected option."""
        def one(position: int) -> Any:
            option = self.options[position]
            try:
                return function(option)
            except (TypeError, AttributeError) as error:
                if isinstance(option, Tensor) or isinstance(error, ToStaticError):
                    raise
                raise raises(error) from None

        def from_place(position: int) -> Any:
            if position == len(self.options) - 1:
                return one(position)
            return if_(self.is_one([position]), lambda: one(position), lambda: from_place(position + 1))

        return from_place(0)

    def assumed(self, fits: Callable[[Any], bool]) -> Any:
        """Return the only option for which ``fits`` is true, else itself. Python repeats a run with another option."""
        fitting = [i for i, option in enumerate(self.options) if fits(option)]
        if len(fitting) != 1:
            return self
        check(self.is_one(fitting), NumberError(f"a value is no {protocol.describe_value(self.options[fitting[0]])} here"))
        return self.options[fitting[0]]

    def _data_dependent_error(self, what: str) -> BaseException:
        names = " or ".join(protocol.describe_value(option) for option in self.options)
        return broken(
            f"{what}{in_expression()} needs to know which value it has, and that depends on a tensor: {names}",
            "give it one type on all paths (a tensor in place of None or a string), or use it in a branch where "
            "its type is certain",
        )

    def __getattribute__(self, name: str) -> Any:
        if name in _OWN or (name.startswith("__") and name.endswith("__")):
            return object.__getattribute__(self, name)
        present = [i for i, option in enumerate(self.options) if option is not None]
        if len(present) == 1 and name not in _ASKED:
            check(self.is_one(present), AttributeError(f"'NoneType' object has no attribute {name!r}"))
            return getattr(self.options[present[0]], name)
        if all(map(is_tensor, self.options)):
            if callable(getattr(Variable, name, None)) and not name.endswith("_"):
                return lambda *args, **kwargs: self.each(lambda option: getattr(option, name)(*args, **kwargs))
            values = [getattr(option, name) for option in self.options if name in ("dtype", "ndim")]
            if values and all(value == values[0] for value in values):
                return values[0]
        if name in _ASKED or any(isinstance(option, Tensor) for option in self.options):
            raise self._data_dependent_error(f"attribute {name!r}")
        return self.each(lambda option: getattr(option, name))

    def __setattr__(self, name: str, value: object) -> None:
        raise self._data_dependent_error(f"setting {name!r}")

    def __getitem__(self, index: object) -> Any:
        return self.each(lambda option: option[index])

    def __setitem__(self, index: object, value: object) -> None:
        raise self._data_dependent_error("setting an item")

    def __call__(self, *args: object, **kwargs: object) -> Any:
        return self.each(lambda option: mode.current().translate(option)(*args, **kwargs))

    def _python(self, *args: object, **kwargs: object) -> Any:
        raise self._data_dependent_error("Python")

    def __iter__(self) -> Any:
        """Iterate over the option that is a tuple, if the other options are not containers.

        A run with another option is left to Python.
        """
        positions = [i for i, option in enumerate(self.options) if isinstance(option, tuple)]
        not_iterable = [
            x
            for x in self.options
            if not isinstance(x, tuple) and x is not None and not isinstance(x, (bool, int, float))
        ]
        if not_iterable or len({len(self.options[i]) for i in positions}) != 1:
            raise self._data_dependent_error("Python")
        check(self.is_one(positions), NumberError("a value is no tuple here"))
        return iter(_chosen(self, positions))

    def __len__(self) -> int:
        return self._python()  # type: ignore[no-any-return]

    def __contains__(self, item: object) -> bool:
        return self._python()  # type: ignore[no-any-return]

    __bool__ = __hash__ = __str__ = __repr__ = __format__ = _python  # type: ignore[assignment]
    __int__ = __float__ = __index__ = __array__ = _python  # type: ignore[assignment]

    def __iadd__(self, other: object) -> Any:  # type: ignore[misc]
        if any(isinstance(option, (list, dict, set)) for option in self.options):
            raise self._data_dependent_error("`+=`")
        return self + other

    def __neg__(self) -> Any:
        return self.each(lambda option: -option)

    def __abs__(self) -> Any:
        return self.each(abs)

    def __invert__(self) -> Any:
        return self.each(operator.invert)


_ASKED = frozenset(["dtype", "shape", "ndim", "stop_gradient", "size"])  # by functions of the library, which may take None
_OWN = frozenset(
    ["options", "which", "builder", "frame", "is_one", "test", "each", "assumed",
     "_data_dependent_error", "_python", "ssa", "spec",
     "python_type", "data_dependent", "is_union"]
)  # fmt: skip


def _operator(function: Callable[[Any, Any], Any], reflected: bool) -> Any:
    def method(self: UnionValue, other: object) -> Any:
        without_tensors = not isinstance(other, Tensor) and not any(isinstance(x, Tensor) for x in self.options)
        if without_tensors and function in (operator.eq, operator.ne):
            return self.test(lambda option: function(option, other))
        if type(other) is UnionValue:
            return NotImplemented if reflected else other.each(lambda y: self.each(lambda x: function(x, y)))
        return self.each(lambda option: function(other, option) if reflected else function(option, other))

    return method


for _short in [*_BINARY, *_COMPARE]:
    _function = getattr(operator, f"__{_short}__")
    setattr(UnionValue, f"__{_short}__", _operator(_function, False))
    if _short not in _COMPARE:
        setattr(UnionValue, f"__r{_short}__", _operator(_function, True))


def _truth(value: UnionValue) -> Any:
    answers = [None if isinstance(option, Tensor) else protocol_truth(option) for option in value.options]
    if all(isinstance(answer, bool) for answer in answers):
        return value.is_one([i for i, answer in enumerate(answers) if answer])

    def truth(option: object) -> Any:
        answer = protocol_truth(option)
        return as_sym_number(answer) if isinstance(answer, Tensor) else answer

    truth_value = value.each(truth)
    return Variable(truth_value.ssa, truth_value.builder) if isinstance(truth_value, SymNumber) else truth_value


def by_option(function: Callable[..., Any], *args: object, **kwargs: object) -> Any:
    """``function(*args, **kwargs)`` of library code, in a branch for each value that an argument, or an item of one, may be."""
    for position, value in [*enumerate(args), *kwargs.items()]:
        for item, argument in _option_pairs(value):
            if type(argument) is UnionValue:

                def call(option: Any, position: Any = position, item: Any = item, value: Any = value) -> Any:
                    new = _with(value, item, option)
                    if isinstance(position, str):
                        return by_option(function, *args, **{**kwargs, position: new})
                    return by_option(function, *args[:position], new, *args[position + 1 :], **kwargs)

                return argument.each(call)
    return function(*args, **kwargs)


def _option_pairs(value: Any) -> Iterable[tuple[Any, Any]]:
    """Return an argument, or the items of a list, tuple or dict."""
    if type(value) in (list, tuple):
        return enumerate(value)
    return value.items() if type(value) is dict else ((None, value),)


def _with(value: Any, item: Any, option: Any) -> Any:
    """Return an argument with an option in place of one of its items, or of itself."""
    if item is None:
        return option
    copied = dict(value) if type(value) is dict else list(value)
    copied[item] = option
    return tuple(copied) if type(value) is tuple else copied


STAND_INS[UnionValue] = True
protocol.TRUTHS[UnionValue] = _truth
protocol.LENGTHS[UnionValue] = lambda value: value.each(len_)
text.EACH[UnionValue] = UnionValue.each
