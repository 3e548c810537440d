"""`NodeView`: one node of an ONNX file, with its inputs and attributes, as the functions in `readers` get it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from to_static.compiler.formats.onnx.tensors import array_of
from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.core.diagnostics.printable import printable
from to_static.core.errors import FormatError

if TYPE_CHECKING:
    from to_static.compiler.formats.onnx.graph_reader import GraphReader, GraphScope

READERS: dict[str, Callable[[NodeView], Any]] = {}
# attributes that say what inputs say, or how precisely numbers are computed
_IGNORED = frozenset(("kernel_shape", "stash_type", "hidden_size", "softmax_precision", "saturate", "precision", "momentum", "mode",
                      "noop_with_empty_axes"))  # fmt: skip
DOMAINS = ("", "ai.onnx")
_FIELDS = ("f", "i", "s", "t", "g", "floats", "ints", "strings", "tensors", "graphs")
_BY_TYPE = dict(enumerate(_FIELDS, 1))


def reader_of(domain: str, op_type: str) -> Callable[[NodeView], Any] | None:
    """Return the reader of a node type, or None. Those of onnxruntime's quantizer are registered with their domain."""
    if domain in DOMAINS:
        return READERS.get(op_type)
    return READERS.get(f"{domain}.{op_type}")


def reads(*op_types: str) -> Callable[[Callable[[NodeView], Any]], Callable[[NodeView], Any]]:
    """Register what reads nodes: a function of a `NodeView` that gives the result, or a list of results."""

    def decorate(function: Callable[[NodeView], Any]) -> Callable[[NodeView], Any]:
        READERS.update(dict.fromkeys(op_types, function))
        return function

    return decorate


class NodeView:
    """One node: inputs by position, attributes by name, and the opset."""

    def __init__(self, reader: GraphReader, scope: GraphScope, message: Any, opset: int) -> None:
        self.reader = reader
        self.scope = scope
        self.message = message
        self.op_type: str = message.op_type
        self.names: list[str] = list(message.input)
        self.outputs: list[str] = list(message.output)
        self.opset = opset
        self._attrs = {attr.name: attr for attr in message.attribute}
        self.read_attrs: set[str] = set()  # attributes that its reader looked at
        self.last = -1  # the last input that it looked at

    # inputs --------------------------------------------------------------------------------------------------------------

    def has(self, i: int) -> bool:
        """True if there is an input at that position."""
        self.last = max(self.last, i)
        return i < len(self.names) and bool(self.names[i])

    def value(self, i: int) -> Any:
        """Return the input at a position, a tensor or a list of tensors; None if the node leaves it out."""
        return self.scope.read(self.names[i]) if self.has(i) else None

    def x(self, i: int = 0) -> Tensor:
        """Return the tensor at an input position. Raises FormatError if the node leaves it out."""
        value = self.value(i)
        if not isinstance(value, Tensor):
            self.refuse(f"input {i} to be a tensor", "none" if value is None else "another value")
        return value

    def optional(self, i: int) -> Tensor | None:
        """Return the tensor at an input position, or None if the node leaves it out."""
        return self.x(i) if self.has(i) else None

    def all(self) -> list[Tensor]:
        """All inputs."""
        self.last = len(self.names)
        return [self.x(i) for i in range(len(self.names))]

    def const(self, i: int) -> np.ndarray | None:
        """Return the array of an input that is a constant, else None."""
        return self.scope.constant(self.names[i]) if self.has(i) else None

    def constant_array(self, i: int) -> np.ndarray:
        """Return the array of an input that must be a constant. Raises FormatError if it is not."""
        array = self.const(i)
        if array is None:
            what = f"input {i}, {printable(self.names[i])!r}, to be a constant" if self.has(i) else f"an input {i}"
            self.refuse(what, "a value that is known only at run time: name it among those that are fixed when the model is loaded")
        return array

    def integers(self, i: int, name: str = "") -> list[int] | None:
        """Return integers that newer opsets have as input ``i``, and older ones as the attribute ``name``; None if there are none.
        """
        if name in self._attrs:
            return self.ints(name)
        return [int(v) for v in self.constant_array(i).reshape(-1)] if self.has(i) else None

    def sizes(self, i: int) -> list[Any]:
        """Return the elements of a shape: ints, and tensors for those that are known only at run time."""
        self.last = max(self.last, i)
        elements = self.scope.elements(self.names[i])
        if elements is not None:
            return list(elements)
        x = self.x(i)
        if x.ndim != 1 or x.spec.shape[0] == UNKNOWN:
            self.refuse(f"a shape of known length as input {i}", str(x.spec))
        return [x[k] for k in range(x.spec.shape[0])]

    # attributes ------------------------------------------------------------------------------------------------------------

    def attr(self, name: str, default: Any = None) -> Any:
        """An attribute: an int, float, str, array, graph message, or a list of these."""
        message = self._attrs.get(name)
        self.read_attrs.add(name)
        if message is None:
            return default
        if message.ref_attr_name:
            return self.scope.attr(message.ref_attr_name, default)
        field = _BY_TYPE.get(message.type) or next((f for f in _FIELDS if f in vars(message)), "ints")
        value = getattr(message, field)
        if field == "s":
            return value.decode("utf-8", "replace")
        if field == "strings":
            return [item.decode("utf-8", "replace") for item in value]
        if field == "t":
            return array_of(value, self.reader.path, self.reader.folder)
        return list(value) if isinstance(value, (list, tuple)) else value

    def integer(self, name: str, default: int = 0) -> int:
        """An attribute that is an integer."""
        value = self.attr(name, default)
        return value if isinstance(value, int) else self.refuse(f"an integer as {name}", printable(repr(value)))

    def flag(self, name: str, default: bool = False) -> bool:
        """An attribute that is 0 or 1."""
        return bool(self.integer(name, default))

    def real(self, name: str, default: float = 0.0) -> float:
        """An attribute that is a number."""
        value = self.attr(name, default)
        return float(value) if isinstance(value, (int, float)) else self.refuse(f"a number as {name}", printable(repr(value)))

    def text(self, name: str, default: str = "") -> str:
        """An attribute that is a string."""
        value = self.attr(name, default)
        return value if isinstance(value, str) else self.refuse(f"a string as {name}", printable(repr(value)))

    def ints(self, name: str, default: Any = ()) -> list[int]:
        """An attribute that is a list of integers."""
        value = self.attr(name, default)
        if not isinstance(value, (list, tuple)) or not all(isinstance(v, int) for v in value):
            self.refuse(f"integers as {name}", printable(repr(value)))
        return list(value)

    def graph(self, name: str) -> Any:
        """Return an attribute that is a graph. Raises FormatError if it is none."""
        value = self.attr(name)
        if value is None or not hasattr(value, "node"):
            self.refuse(f"a graph as {name}", "none")
        return value

    # results ---------------------------------------------------------------------------------------------------------------

    def wants(self, i: int) -> bool:
        """Return whether result ``i`` is used."""
        return i < len(self.outputs) and bool(self.outputs[i])

    def check_all_was_read(self) -> None:
        """Refuse where the node has an attribute or input that its reader does not know: newer opsets have some."""
        unread = sorted(set(self._attrs) - self.read_attrs - _IGNORED)
        if unread:
            self.refuse("attributes that are supported", printable(", ".join(unread)))
        if any(name for name in self.names[self.last + 1 :]):
            self.refuse(f"at most {self.last + 1} inputs", str(len(self.names)))

    def refuse(self, expected: str, actual: str) -> NoReturn:
        """Raise the error that names the node and the file."""
        label = next((name for name in (self.message.name, *self.outputs) if name), "")
        raise FormatError(self.reader.path, f"{expected}, of {self.op_type} {printable(label)!r}", actual)


def call(name: str, *args: Any, **kwargs: Any) -> Any:
    """A public function of operators whose name is worked out."""
    return FUNCTIONS[name](*args, **kwargs)


def constant(array: Any) -> Tensor:
    """A constant of the Program."""
    return F.constant(np.asarray(array))  # type: ignore[no-any-return]


def scalar_like(value: float, like: Tensor) -> Tensor:
    """A 0-D constant of the dtype of a tensor."""
    return constant(np.asarray(value).astype(like.dtype.np))


def half_even(x: Tensor) -> Tensor:
    """The nearest whole number, of two the even one."""
    lower = F.floor(x)
    fraction = x - lower
    odd = lower - F.floor(lower * 0.5) * 2
    up = F.logical_or(fraction > 0.5, F.logical_and(F.equal(fraction, scalar_like(0.5, x)), F.equal(odd, scalar_like(1, x))))
    return F.where(F.equal(fraction, scalar_like(0, x)), x, lower + F.cast(up, x.dtype))  # type: ignore[no-any-return]
