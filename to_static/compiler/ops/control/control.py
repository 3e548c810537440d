"""Constants, copies, branches, loops, and operators with effects such as `print`.

`cond` and `while_loop` own blocks and have no kernel: the interpreter and the code generator execute them, and `autodiff`
differentiates them. Users write `if` and `while`.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ir.opdef import GradContext, Sample, method, op
from to_static.compiler.ir.program import Op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec, spec_of
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import operands
from to_static.compiler.ops.output_tracking import written
from to_static.core import errors
from to_static.core.array_types import Array, ArrayModule
from to_static.core.caching.weak_tables import WeakValues
from to_static.core.dtypes import default_dtype
from to_static.core.errors import DTypeError, ShapeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileWriter


@op("constant( -> Out) value", file=None)
def constant(value: np.ndarray) -> Tensor:
    """A constant array as a tensor of the current mode (``value`` must not be changed afterwards)."""
    return constant.emit(value=value)


@constant.infer
def _(value: Array) -> TensorSpec:
    return spec_of(value)


@constant.kernel
def _(xp: ArrayModule, value: Array) -> Array:
    return xp.asarray(value)


constant.samples(lambda: [Sample(value=np.arange(6, dtype="float32").reshape(2, 3)), Sample(value=np.asarray(True))])


@op("assign(X -> Out)", traits="integral elementwise")
def assign(x: Tensor, output: Any = None) -> Tensor:
    """A copy of ``x`` (a tensor, array, number or nested list); gradients flow through it.

    A number becomes a tensor of shape [1], and float64 arrays become float32, as in Paddle.
    With ``output``, that tensor holds the copy afterwards (in place) and is returned. It may be a leaf that needs a gradient (a
    parameter): it stays one where ``x`` needs none, else gradients flow through it to ``x``.

    Example:
        >>> y = paddle.assign(x)
    """
    if isinstance(x, (bool, int, float, np.generic)) and not isinstance(x, np.bool_):
        x = np.asarray([x])
        x = x.astype(default_dtype().np) if x.dtype == "float64" else x
    elif isinstance(x, np.ndarray) and x.dtype == "float64":
        x = x.astype("float32")
    result = assign.emit(operands.tensor(x))
    if output is None:
        return result
    if result.stop_gradient and not output.stop_gradient and output.is_leaf:
        with mode.grad_mode(False):  # a leaf stays one, as it does when it is set
            return output._take(result)
    return output._take(result)


@assign.infer
def _(x: TensorSpec) -> TensorSpec:
    return x


@assign.kernel
def _(xp: ArrayModule, x: Array, out: Array | None = None) -> Array:
    if out is None:
        return x.copy()
    out[...] = x
    return out


@assign.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return g


assign.op.reads_no_numbers_of("X", "Out")


assign.samples(lambda: [Sample(np.ones((2, 3), "float32")), Sample(np.asarray(3))])


@op("as_leaf(X, Leaf -> Out)", traits="integral forwards_inputs alias")
def as_leaf(x: Tensor, leaf: Any) -> Any:
    """``x``, which the tensor ``leaf`` holds from now on, changed outside of the graph: gradients are that tensor's, as before."""
    return as_leaf.emit(x, leaf)


@as_leaf.infer
def _(x: TensorSpec, leaf: TensorSpec) -> TensorSpec:
    return x


@as_leaf.kernel
def _(xp: ArrayModule, x: Array, leaf: Array) -> Array:
    return x


@as_leaf.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return None, g


@as_leaf.to_file
def _(w: FileWriter, op: Op) -> None:
    w.write("assign", {"X": op.inputs[0]}, {"Out": op.out}, {})


as_leaf.samples(lambda: [Sample(np.ones((2, 3), "float32"), np.zeros((2, 3), "float32"), grad=())])


@method()
def clone(x: Tensor, name: str | None = None) -> Tensor:
    """A copy of ``x`` through which gradients flow.

    Example:
        >>> x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        >>> paddle.clone(x).sum().backward()
        >>> x.grad.tolist()
        [1.0, 1.0]
    """
    return assign.emit(x)


# branches and loops --------------------------------------------------------------------------------------------------


@op("cond(pred, operands* -> Out*)", file=None)
def cond() -> Any:
    """Two closed blocks over the same operands, one of which runs. Built by `Builder.emit_cond`."""
    raise DTypeError("cond is built from Python's `if`, or by static.nn.cond")


@op("while_loop(operands* -> Out*) carried", file=None)
def while_loop() -> Any:
    """A condition block and a body block over the same operands. Built by `Builder.while_loop`."""
    raise DTypeError("while_loop is built from Python's `while` and `for`, or by static.nn.while_loop")


# effects -------------------------------------------------------------------------------------------------------------


@op("print(X* -> ) template end", file=None, traits="effect nodiff")
def print_op(tensors: Any, template: str, end: str = "\n") -> Any:
    """Print ``template`` with its holes filled by the tensors, every time the Program runs.

    A hole is ``{0}`` for a tensor, ``{0:grad}`` for one that a gradient flows through, ``{0:number}`` for a Python number,
    ``{0:tensors}`` and ``{0:numbers}`` for lists; ``{0:number::.2f}`` and ``{0:tensor:r:>9}`` add what an f-string has behind ``!``
    and ``:``; ``{0:words:...}`` is for numbers that stand for strings, see `spelled`.
    """
    return print_op.emit(list(tensors), template=template, end=end)


@print_op.infer
def _(tensors: Any, template: str, end: str) -> Any:
    return ()


@print_op.kernel
def _(xp: ArrayModule, tensors: Any, template: str, end: str) -> Any:
    text = template.format(*map(_Shown, tensors)) + end
    sys.stdout.write(text)
    written.much["stdout"] += len(text)
    return ()


class _Shown:
    """An array in a hole of a printed template."""

    def __init__(self, array: Array) -> None:
        self.array = array

    def __format__(self, form: str) -> str:
        """Format by the text in a hole, ``KIND:CONVERSION:SPEC``, as the docstring of the operator describes it."""
        hole_type, _, conversion_and_spec = form.partition(":")
        if hole_type == "words":
            return spelled(self.array, conversion_and_spec)
        conversion, _, spec = conversion_and_spec.partition(":")
        if hole_type in ("numbers", "tensors"):
            texts = [repr(x.item()) if hole_type == "numbers" else tensor_text(x, True) for x in self.array]
            return format(f"[{', '.join(texts)}]", spec)
        is_number = hole_type == "number" or (spec and not conversion and self.array.ndim == 0)
        value = self.array.item() if is_number else tensor_text(self.array, hole_type != "grad")
        if conversion:
            value = repr(value) if is_number and conversion == "r" else str(value)
        return format(value, spec)


def words(separator: str | None, pieces: list[Any]) -> str:
    """The code of numbers that stand for strings (`spelled`). ``pieces``: strings, (before, conversion, specification, after, type)
    for what is made of a number of that type, and lists of strings of which a number says which.
    """
    import json  # only for strings with numbers in them: it costs start-up time

    return json.dumps([separator, pieces]).encode().hex()


def one_word(encoding: str, prefix: str, suffix: str) -> list[Any] | None:
    """Return the possible strings of an encoding, each between ``prefix`` and ``suffix``; None if it is several strings joined."""
    separator, pieces = kinds_of_words(encoding)
    return None if separator is not None else [[f"{prefix}{piece}{suffix}" for piece in pieces]]


def kinds_of_words(encoding: str) -> Any:
    """The separator and the kinds that `words` gave ``encoding`` for."""
    import json

    return json.loads(bytes.fromhex(encoding))


def spelled(array: Any, encoding: str) -> str:
    """Return the string that ``array`` encodes.

    Without a separator ``array`` is one number, the index of a kind of string. With a separator each row encodes one string: the
    index of its kind, and the number from which a string of this kind is formatted. If that number may be an int or a float, the
    row has three numbers instead: the upper and lower half of the int, and the float.
    ``encoding``: the result of `words`.
    """
    separator, pieces = kinds_of_words(encoding)
    rows = [[array.item(), 0]] if separator is None else array.tolist()
    return (separator or "").join(_spell_one(pieces[int(which)], *values) for which, *values in rows)


def _spell_one(piece: Any, value: Any, *parts: Any) -> str:
    if isinstance(piece, str):
        return piece
    if len(piece) == 1:
        return str(piece[0][int(parts[0] if parts else value)])
    prefix, conversion, spec, suffix, name = piece
    if parts:
        value = parts[1] if name == "float" else (int(value) << 32) + int(parts[0])
    value = {"bool": bool, "int": int, "float": float}[name](value)
    return f"{prefix}{format(str(value) if conversion else value, spec)}{suffix}"


def _plain_text(array: Any, stop_gradient: bool) -> str:
    return str(array)


tensor_text: Any = _plain_text  # how `print` shows an array; the eager package puts its tensors' form here


_classes: WeakValues[str, type] = WeakValues()  # the user's own, met while tracing


def error_name(cls: type) -> str:
    """The name under which `assert_op` raises a class of error: its own, with the module for a class of the user's."""
    if getattr(builtins, cls.__name__, None) is cls or getattr(errors, cls.__name__, None) is cls:
        return cls.__name__
    name = f"{cls.__module__}.{cls.__qualname__}"
    _classes[name] = cls
    return name


def literal(value: Any) -> bool:
    """True for a value that its repr() gives back: what `assert_op` can be told of an error's arguments and attributes."""
    if type(value) in (list, tuple):
        return all(map(literal, value))
    if type(value) is dict:
        return all(literal(x) for item in value.items() for x in item)
    return value is None or type(value) in (bool, int, str, bytes) or (type(value) is float and value - value == 0)


@op("assert(Cond, Data* -> ) message error", file=None, traits="effect nodiff")
def assert_op(
    condition: Tensor, data: Sequence[Tensor] = (), message: str = "", error: str = "AssertionError"
) -> tuple[Any, ...]:
    """Raise an error (message, with its ``{}`` holes filled by ``data``) when the one-element condition is false.

    ``error`` names a built-in exception or one of to_static's; anything else is raised as an AssertionError that tells the name.
    With ``()`` behind the name the message is the tuple of the error's arguments: ``(3,)`` for ``KeyError(3)``. Behind ``|`` follow
    attributes that the error has: ``MyError|{'code': 3}``.
    """
    return assert_op.emit(condition, list(data), message=message, error=error)


def _arguments(text: str) -> tuple[Any, ...]:
    try:
        parsed = ast.literal_eval(text)
    except (SyntaxError, ValueError):  # nan, for instance
        return (text[1:-2],)
    return parsed if isinstance(parsed, tuple) else (parsed,)


def made_of(recipe: Any, args: tuple[Any, ...]) -> Any:
    """An error that was made before, from its arguments: ``__init__`` of the user's ran then, and may want others."""
    error = recipe.__new__(recipe, *args)
    base: Any = next(k for k in recipe.__mro__ if k.__module__ == "builtins")
    base.__init__(error, *args)
    return error


def _new_error(cls: type[BaseException], args: tuple[Any, ...], fields: str) -> BaseException:
    try:
        error: BaseException = made_of(cls, args)
    except TypeError:  # of those few that can't be made of a text
        return AssertionError(f"{cls.__name__}: {', '.join(map(str, args))}")
    for name, value in ast.literal_eval(fields or "{}").items():
        setattr(error, name, value)
    return error


@assert_op.infer
def _(condition: TensorSpec, data: list[TensorSpec], message: str, error: str) -> tuple[Any, ...]:
    if condition.size not in (1, UNKNOWN):
        raise ShapeError(f"assert needs a condition of one element, got {condition}; use all() or any()")
    return ()


@assert_op.kernel
def _(xp: ArrayModule, condition: Array, data: list[Array], message: str, error: str) -> tuple[Any, ...]:
    if not bool(condition):
        text = message.format(*map(_Shown, data)) if data else message
        error, _, fields = error.partition("|")
        error, literal, _ = error.partition("()")
        error_class = getattr(builtins, error, None) or getattr(errors, error, None) or _classes.get(error)
        if not (isinstance(error_class, type) and issubclass(error_class, BaseException)):
            raise AssertionError(f"{error}: {text}" if text else error)
        raise _new_error(error_class, _arguments(text) if literal else (text,) if text else (), fields)
    return ()

