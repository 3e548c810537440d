"""`OpDef`, the declaration of an operator. Every mode, file format and generic test derives its knowledge from it.

The decorator `op` declares the operator of a public function. Decorators that are attributes of this function attach the shape
rule, the kernels, the gradient, the file hooks and the samples::

    @op("scale(X -> Out) factor=scale:float")
    def scale(x, factor=1.0, name=None):
        return scale.emit(x, factor=factor)

    @scale.infer
    def _(x, factor):
        return x
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeAlias, TypeVar

from to_static.compiler.ir import mode
from to_static.compiler.ir.registry import FILE_TYPES, FUNCTIONS, REGISTRY, get
from to_static.compiler.ir.tensor import declare_method
from to_static.core.errors import ProgramError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from to_static.compiler.ir.op_function import OpFunction
    from to_static.compiler.ir.program import Block
    from to_static.compiler.ir.tensor import Tensor
    from to_static.core.dtypes import DType


P = ParamSpec("P")
R = TypeVar("R")
Rule: TypeAlias = Callable[..., Any]  # a part of a declaration: its parameters are the slots and attributes of the operator
# values of attributes: what the text form of a Program can write, blocks of control flow and constants
AttrValue: TypeAlias = "bool | int | float | complex | str | DType | list[Any] | tuple[Any, ...] | Block | np.ndarray | None"


class Slot(NamedTuple):
    """An input or output position: its name in files, and whether it is a list (``X*``) or may be absent (``X?``).

    An output that may be absent is auxiliary: files need not have it, and no gradient flows through it.
    ``constant`` (``Label!``): an input that never gets a gradient, though it may be floating (the labels of Paddle's losses).
    """

    name: str
    variadic: bool = False
    optional: bool = False
    constant: bool = False


class PaddedBuffer(NamedTuple):
    """A zero-initialised buffer whose border stays zero: operations write only the inner part, all of it before they read.

    Requests with equal fields share one buffer. ``inner``: (dimension, first, end) for each dimension that has a border.
    """

    spec: Any
    inner: tuple[tuple[int, ...], ...]


class Prepared(NamedTuple):
    """The prepared form of one operation of known shapes, with memory and views that are made once.

    ``work``: specs of scratch memory, which other operations use at other times. ``persistent``: specs of memory that only this
    operation uses and that starts as zeros, and `PaddedBuffer`s. ``bind(inputs, out, work, persistent, empty)`` returns
    ``run(*inputs)``, which returns the result. ``inputs`` has the arrays that are the same in every run (None for others). ``out``
    is the array to write into (None: a new one in each run); for operators with several results it is a list, and ``run`` returns
    a tuple.
    """

    work: list[Any]
    persistent: list[Any]
    bind: Callable[..., Callable[..., Any]]


class PrecisionBound(NamedTuple):
    """The bound on the error of a pointwise operator's results, over the whole range of a dtype.

    ``single``, ``double``: the bound for float32 and float64, in units in the last place (ulp). ``unit``: the number whose ulp is
    meant: 'y', the result; 'x', the larger of argument and result; '1', the larger of 1 and the result; 'small', the result, but at
    least 256 times the smallest normal number. ``why``: the reason for a unit other than 'y'.
    """

    single: float = 4
    double: float = 4
    unit: str = "y"
    why: str = ""


class Attr(NamedTuple):
    """An attribute: its name here, its name in files and its type there ('' = never written to a file).

    ``is_number``: True for a number that no shape rule reads.
    """

    name: str
    file_name: str
    type: str
    is_number: bool


ATTR_TYPES = frozenset(
    ("int", "float", "str", "bool", "long", "float64", "ints", "floats", "strs", "bools", "longs", "float64s", "dtype")
)
_EXACT = frozenset(("int", "str", "bool", "long", "ints", "strs", "bools", "longs", "dtype"))  # of equal values the same is true
TRAITS = frozenset((
    "alias", "check_shapes", "commutative", "complex_gradient", "dynamic", "effect", "elementwise", "forwards_inputs", "integral",
    "may_raise", "nodiff", "random", "view",
))  # fmt: skip


class FrozenAttrs(dict):  # type: ignore[type-arg]
    """Attributes that are computed once and passed in many calls (see `OpDef.call`). They are never changed.

    Eager mode compares them by identity instead of by value.
    """

    __slots__ = ()
    __hash__ = object.__hash__  # type: ignore[assignment]


class NumberedAttrs(dict):  # type: ignore[type-arg]
    """`FrozenAttrs` with further attributes that change from call to call: numbers, which no shape rule reads."""

    __slots__ = ("frozen",)

    def __init__(self, frozen: FrozenAttrs, **number_attrs: float) -> None:
        dict.__init__(self, frozen, **number_attrs)
        self.frozen = frozen


class OpDef:
    """One operator.

    From the signature:
        name: the operator's name.
        function: the public function that declares it.
        inputs, outputs: `Slot`s. ``more``: whether the last input is a list. ``multi``: whether results are a tuple.
        attrs: `Attr`s. ``spec_attrs``: names of the attributes that the shape rule reads, which are all but numbers (of type
            ``float``, or marked ``!``); None if it reads all. ``exact``: True if equal values of these mean the same to the rule,
            which 1 and 1.0 may not. ``number_names``: names of the numbers, in order. ``number_values``: returns the values of
            the numbers in a dict of attributes; None if there are no numbers.
        auxiliary: indices of outputs through which no gradient flows. ``constants``: indices of inputs that never get one.
        file: op type in Paddle files, or None.
        traits: see ops/README.md. ``view``, ``integral``, ``dynamic``: whether it has these.
        ufunc: name of the array-module function that *is* the kernel, so that a plan may call it directly.

    From decorators:
        infer_rule: computes the specs of the outputs from the specs of the inputs.
        kernels: kernels by backend name, '*' for any. ``takes_out``: True if the kernel can write its result into ``out=``.
            ``defers_state``: True if it can overwrite its state, with ``deferred_writes=``. ``accepts_donation``: True if it can
            overwrite an input, with ``donated=``; ``donated_input``: the index of this input.
        specialize_rule: makes a NumPy kernel for calls with equal specs. ``(out, *inputs, **attrs)`` gets the specs (without a list
            at the end, which is empty) and the attributes that the shape rule reads; it returns a function, or None. The function
            gets the arrays, then the numbers among the attributes. If ``fixes_lists``, the operator's only input is a list, and
            the function gets its arrays one by one.
        prepare_rule: makes a `Prepared` from specs and attributes, for NumPy. It is also the kernel if there is no other.
        grad_rule: the gradient. ``unread``: slots (inputs, and from ``len(inputs)`` on outputs) of which the rule reads only shapes
            and dtypes, for attributes of which ``unread_where`` is true (None: for all).
        grad_kernel: the gradient of the first input as a new array, from NumPy's arrays: those of the inputs, of the outputs and
            of the first output's gradient, ``(*inputs, *outputs, g, **attrs)``. The tape calls it for floats instead of the rule
            if no other input and no gradient of the gradient is wanted. If it returns None, the tape calls the rule.
        view_inverse_rule: of a view, computes its base: ``(ctx, value, k)`` from the new ``value`` of result ``k``.
        may_raise_rule: True for inputs and attributes with which the kernel may raise.
        to_file_hook, from_file_hook: write the operation to a file and read it.
        composition_rule: computes the same with other operators; files without such an operator hold these.
        precision: the `PrecisionBound`, which a test checks.

    Of eager mode:
        eager: the function that calls the operator, from the first call on.
        spec_cache: results of the shape rule, and specialized kernels, by the specs of calls; None if these do not decide shapes.
    """

    def __init__(
        self,
        signature: str,
        function: Any,
        file: str | None,
        traits: str,
        ufunc: str | None,
        defaults: dict[str, Any],
        file_attrs: dict[str, tuple[str, Any]],
    ) -> None:
        self.name, self.inputs, self.outputs, self.attrs = parse_signature(signature)
        self.function = function
        self.__module__ = function.__module__  # the one that declares it, see `registry`
        self.file = file
        self.traits = frozenset(traits.split())
        if self.traits - TRAITS:
            raise ProgramError(f"{self.name}: unknown traits {sorted(self.traits - TRAITS)}")
        self.view = "view" in self.traits
        self.integral = "integral" in self.traits
        self.dynamic = "dynamic" in self.traits
        self.ufunc = ufunc
        self.defaults = defaults
        self.file_attrs = file_attrs
        self.auxiliary = frozenset(i for i, slot in enumerate(self.outputs) if slot.optional)
        self.constants = frozenset(i for i, slot in enumerate(self.inputs) if slot.constant)
        self.multi = len(self.outputs) != 1 or self.outputs[0].variadic
        self.precision = PrecisionBound()
        self.more = bool(self.inputs) and self.inputs[-1].variadic
        self.eager: Callable[[tuple[Any, ...], dict[str, Any]], Any] | None = None
        self.spec_cache: dict[Any, Any] | None = None if "effect" in self.traits else {}
        asked = [attr for attr in self.attrs if not attr.is_number]
        self.spec_attrs = tuple(attr.name for attr in asked) if len(asked) < len(self.attrs) else None
        self.number_names = tuple(attr.name for attr in self.attrs if attr.is_number)
        self.number_values = _numbers_of(self.number_names)
        self.exact = all(attr.type in _EXACT for attr in asked)
        self.infer_rule: Callable[..., Any] | None = None
        self.kernels: dict[str, Callable[..., Any]] = {}
        self.takes_out = self.defers_state = self.accepts_donation = False
        self.donated_input = 0
        self.unread: frozenset[int] = frozenset()
        self.unread_where: Callable[[dict[str, Any]], bool] | None = None
        self.prepare_rule: Callable[..., Prepared] | None = None
        self.specialize_rule: Callable[..., Callable[..., Any] | None] | None = None
        self.fixes_lists = False
        self.grad_rule: Callable[..., Any] | None = None
        self.grad_kernel: Callable[..., Any] | None = None
        self.may_raise_rule: Callable[..., bool] | None = None
        self.view_inverse_rule: Callable[..., Any] | None = None
        self.to_file_hook: Callable[..., Any] | None = None
        self.from_file_hook: Callable[..., Any] | None = None
        self.composition_rule: Callable[..., Any] | None = None
        self._samples: Callable[[], list[Any]] | None = None

    def emit(self, *inputs: Any, **attrs: Any) -> Any:
        """Call the operator in the current mode: positional inputs (one per slot), keyword attributes (all of them)."""
        current, call = mode.current(), self.eager
        return current.apply(self, inputs, attrs) if call is None or not current.direct else call(inputs, attrs)

    def call(self, inputs: tuple[Any, ...], attrs: FrozenAttrs | NumberedAttrs) -> Any:
        """`emit`, with attributes that the caller computed once."""
        current, call = mode.current(), self.eager
        if call is not None and current.direct:
            return call(inputs, attrs)
        return current.apply(self, inputs, dict(attrs) if current.building else attrs)

    def kernel_for(self, backend: str) -> Callable[..., Any]:
        """The kernel that a backend uses."""
        kernel = self.kernels.get(backend) or self.kernels.get("*")
        if kernel is None:
            raise ProgramError(f"operator {self.name!r} has no kernel for backend {backend!r}")
        return kernel

    def infer_specs(self, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> tuple[Any, ...]:
        """Specs of the outputs from specs of the inputs (a list for a variadic slot, None for an absent one)."""
        if self.infer_rule is None:
            raise ProgramError(f"operator {self.name!r} has no shape rule")
        specs = self.infer_rule(*inputs, **attrs)
        return tuple(specs) if self.multi else (specs,)

    def samples(self) -> list[Any]:
        """Return the `Sample`s with which tests and documentation call the operator."""
        return self._samples() if self._samples is not None else []

    def __repr__(self) -> str:
        return f"OpDef({self.name})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (get, (self.name,))

    @property
    def writes_a_part(self) -> bool:
        """True if the kernel changes a part of its first input, in place with ``donated=`` (True, or a log of the old values)."""
        return self.accepts_donation and not self.defers_state and self.donated_input == 0

    def reads_no_numbers_of(self, *names: str, where: Callable[[dict[str, Any]], bool] | None = None) -> None:
        """Declare that the gradient rule reads only shapes and dtypes of these slots: their arrays need not be saved for it.

        ``where``: a predicate of the attributes for which that is true; None: for all.
        """
        slots = [slot.name for slot in (*self.inputs, *self.outputs)]
        self.unread = frozenset(slots.index(name) for name in names)
        self.unread_where = where

    # -- decorators that attach the parts -----------------------------------------------------------------------------

    def _named(self, part: str, rule: Rule) -> Any:
        """Give ``rule`` a name such as ``softmax_infer``, which tracebacks and profiles show; returns it.

        Module-level functions that have a name keep it, because several operators may share one.
        """
        if rule.__name__ in ("_", "<lambda>") or "<locals>" in rule.__qualname__:
            name = rule.__name__ = rule.__qualname__ = f"{self.name}_{part}"
            names: Any = {"co_name": name, **({"co_qualname": name} if sys.version_info >= (3, 11) else {})}
            rule.__code__ = rule.__code__.replace(**names)
        return rule

    def _set_infer(self, rule: Rule) -> Any:
        self.infer_rule = self._named("infer", rule)
        return rule

    def _set_kernel(self, kernel: str | Rule) -> Any:
        if isinstance(kernel, str):  # @f.kernel("cupy"): only for one backend

            def attach(function: Rule) -> Any:
                self.kernels[kernel] = self._named(f"kernel_{kernel}", function)
                return function

            return attach
        self.kernels["*"] = self._named("kernel", kernel)
        code = kernel.__code__
        named = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        self.takes_out, self.defers_state, self.accepts_donation = "out" in named, "deferred_writes" in named, "donated" in named
        return kernel

    def _set_prepare(self, rule: Rule) -> Any:
        self.prepare_rule = self._named("prepare", rule)
        return rule

    def _set_specialize(self, rule: Rule) -> Any:
        self.specialize_rule = self._named("specialize", rule)
        return rule

    def _set_fixed_of_list(self, rule: Rule) -> Any:
        self.specialize_rule, self.fixes_lists = self._named("specialize", rule), True
        return rule

    def _set_grad(self, rule: Rule) -> Any:
        self.grad_rule = self._named("grad", rule)
        return rule

    def _set_grad_kernel(self, kernel: Rule) -> Any:
        self.grad_kernel = self._named("grad_kernel", kernel)
        return kernel

    def _set_may_raise(self, rule: Rule) -> Any:
        self.traits |= {"may_raise"}
        self.may_raise_rule = self._named("may_raise", rule)
        return rule

    def _set_view_inverse(self, rule: Rule) -> Any:
        self.view_inverse_rule = self._named("view_inverse", rule)
        return rule

    def _set_to_file(self, hook: Rule) -> Any:
        self.to_file_hook = self._named("to_file", hook)
        return hook

    def _set_from_file(self, hook: Rule) -> Any:
        self.from_file_hook = self._named("from_file", hook)
        return hook

    def _set_composition(self, rule: Rule) -> Any:
        self.composition_rule = self._named("composition", rule)
        return rule

    def _set_precision(self, single: float, double: float, unit: str = "y", why: str = "") -> None:
        self.precision = PrecisionBound(single, double, unit, why)

    def _set_samples(self, maker: Rule) -> Any:
        self._samples = maker
        return maker


def _numbers_of(names: tuple[str, ...]) -> Callable[[dict[str, Any]], tuple[Any, ...]] | None:
    """Return a function of a dict of attributes that returns the values of these ``names``; None if there are no names."""
    if len(names) == 1:
        name = names[0]
        return lambda attrs: (attrs[name],)
    return itemgetter(*names) if names else None


class GradContext:
    """The context of a gradient rule: the call that it differentiates.

    ``inputs`` and ``outputs`` by slot (tensors of the current mode), ``out`` = the first output, ``attrs``
    (also as attributes: ``ctx.axis``), ``needs`` = which inputs want a gradient (a list of flags for a variadic slot).
    """

    __slots__ = ("attrs", "inputs", "needs", "outputs")

    def __init__(
        self,
        inputs: tuple[Any, ...],
        outputs: tuple[Any, ...],
        attrs: dict[str, Any],
        needs: Sequence[bool | Sequence[bool]],
    ) -> None:
        self.inputs = inputs
        self.outputs = outputs
        self.attrs = attrs
        self.needs = needs

    @property
    def x(self) -> Any:
        """The first input."""
        return self.inputs[0]

    @property
    def out(self) -> Any:
        """The first output."""
        return self.outputs[0]

    def __getattr__(self, name: str) -> Any:
        try:
            return self.attrs[name]
        except KeyError:
            raise AttributeError(f"this operator has no attribute {name!r}") from None


class Sample:
    """One call for the generic tests: array inputs by slot, attributes, and how the call may be checked.

    ``grad``: which input slots to check gradients of (None: all floating ones; (): none); ``second``: also check second
    derivatives; ``rtol``: tolerance of numeric comparison;
    ``file``: whether a Program of this call can be saved to a Paddle file.
    """

    def __init__(
        self,
        *inputs: Any,
        grad: tuple[int, ...] | None = None,
        second: bool = True,
        rtol: float = 1e-5,
        file: bool = True,
        **attrs: Any,
    ) -> None:
        self.inputs = inputs
        self.attrs = attrs
        self.grad = grad
        self.second = second
        self.rtol = rtol
        self.file = file


def op(
    signature: str,
    *,
    file: str | None = "",
    traits: str = "",
    method: bool | str = False,
    inplace: bool = False,
    ufunc: str | None = None,
    file_attrs: dict[str, tuple[str, Any]] | None = None,
) -> Callable[[Callable[P, R]], OpFunction[P, R]]:
    """Declare an operator (see the module's example).

    ``file``: op type in Paddle files: by default the operator's name, None when it is in no file.
    ``file_attrs``: attributes that files have beside ours, ``{'axis': ('int', -1)}``, always written with that value.
    ``ufunc``: see `OpDef`.
    ``method``: also a method of `Tensor` (under this name).  ``inplace``: also declare ``name_`` (function attribute
    ``function.inplace`` and method), which rebinds its first argument.
    """

    def decorate(function: Any) -> Any:
        code = function.__code__
        names = code.co_varnames[: code.co_argcount]
        values = function.__defaults__ or ()
        defaults = dict(zip(names[len(names) - len(values) :], values, strict=True))
        opdef = OpDef(signature, function, None, traits, ufunc, defaults, file_attrs or {})
        opdef.file = opdef.name if file == "" else file
        if REGISTRY.declared(opdef.name):
            raise ProgramError(f"operator {opdef.name!r} is declared twice")
        REGISTRY[opdef.name] = opdef
        FUNCTIONS[opdef.name] = function
        if opdef.file is not None and not FILE_TYPES.declared(opdef.file):
            FILE_TYPES[opdef.file] = opdef
        function.op = opdef
        function.emit = opdef.emit
        function.call = opdef.call
        function.infer = opdef._set_infer
        function.kernel = opdef._set_kernel
        function.prepare = opdef._set_prepare
        function.specialize = opdef._set_specialize
        function.fixed_of_list = opdef._set_fixed_of_list
        function.grad = opdef._set_grad
        function.grad_kernel = opdef._set_grad_kernel
        function.may_raise = opdef._set_may_raise
        function.view_inverse = opdef._set_view_inverse
        function.to_file = opdef._set_to_file
        function.from_file = opdef._set_from_file
        function.composition = opdef._set_composition
        function.samples = opdef._set_samples
        function.precision = opdef._set_precision
        if method:
            name = method if isinstance(method, str) else opdef.name
            declare_method(name, function, function.__module__)
            if inplace:
                function.inplace = in_place(function, name + "_")
        return function

    return decorate


def method(name: str | None = None, inplace: bool = False) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a public function (not an operator itself) a method of `Tensor`, and perhaps also ``name_``."""

    def decorate(function: Any) -> Any:
        chosen = name or function.__name__
        FUNCTIONS[chosen] = function
        declare_method(chosen, function, function.__module__)
        if inplace:
            function.inplace = in_place(function, chosen + "_")
        return function

    return decorate


def in_place(function: Callable[..., Any], name: str) -> Any:
    """Return the in-place form of a function: it computes the new value, and makes its first argument hold this value."""

    def rebind(x: Tensor, *args: Any, **kwargs: Any) -> Any:
        return x._change(function, *args, **kwargs)

    rebind.__name__ = rebind.__qualname__ = name
    rebind.__doc__ = (
        f"In-place form of `{function.__name__}`, with the same arguments and errors: ``x`` holds the result and is returned."
    )
    declare_method(name, rebind, function.__module__)
    return rebind


_SIGNATURE = re.compile(r"^(\w+)\(\s*(.*?)\s*->\s*(.*?)\s*\)\s*(.*)$")


def parse_signature(text: str) -> tuple[str, tuple[Slot, ...], tuple[Slot, ...], tuple[Attr, ...]]:
    """Split ``name(X, Y?, Z! -> Out*) axis=dim:ints`` into its parts; raises ProgramError when malformed."""
    match = _SIGNATURE.match(text)
    if match is None:
        raise ProgramError(f"malformed operator signature: {text!r}")
    name, ins, outs, attrs = match.groups()
    return name, _slots(ins), _slots(outs), tuple(_attr(word, text) for word in attrs.split())


def _slots(text: str) -> tuple[Slot, ...]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    return tuple(Slot(word.rstrip("?*!"), "*" in word, "?" in word, "!" in word) for word in words)


def _attr(word: str, signature: str) -> Attr:
    names, _, attr_type = word.rstrip("!").partition(":")
    ours, _, theirs = names.partition("=")
    if attr_type and attr_type not in ATTR_TYPES:
        raise ProgramError(f"attribute {word!r} in {signature!r}: unknown type {attr_type!r}")
    return Attr(ours, theirs or ours, attr_type, attr_type == "float" or word.endswith("!"))
