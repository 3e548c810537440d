"""Parses and checks the JSON document of a program of Paddle 3: operations, blocks, attributes and types as named tuples."""

from __future__ import annotations

import json
import reprlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from to_static.compiler.formats.paddle.programs.program_reader import MAX_LOOPS, MAX_NAMES, MAX_NESTING, MAX_OPS
from to_static.compiler.formats.unsupported_formats import foreign
from to_static.compiler.ir.spec import UNKNOWN, ListSpec, TensorSpec
from to_static.core.dtypes import BY_CODE, DType
from to_static.core.errors import FormatError

MAX_DOCUMENT = 1 << 27  # bytes; a parsed document takes up to some twenty times as much memory
MAX_RANK = 32
MAX_VERSION = 4  # what PaddlePaddle 3.3 writes
_DIALECTS = {"0": "builtin", "1": "pd_op", "2": "cf", "3": "custom_op", "4": "pd_dist"}
_DTYPES = {
    "0.t_bool": "bool", "0.t_i8": "int8", "0.t_ui8": "uint8", "0.t_i16": "int16", "0.t_i32": "int32", "0.t_i64": "int64",
    "0.t_f16": "float16", "0.t_bf16": "bfloat16", "0.t_f32": "float32", "0.t_f64": "float64", "0.t_c64": "complex64",
    "0.t_c128": "complex128", "0.t_index": "int64",
}  # fmt: skip
DTYPES: dict[str, DType] = {dtype.name: dtype for dtype in BY_CODE.values()}
DTYPES["bfloat16"] = DTYPES["float32"]  # which computes with the same numbers, and more digits
TYPE_CODES = {name: code for code, name in reversed(_DTYPES.items())}
UNDEFINED = "Undefined(ALL_DTYPE)"  # of a dtype that is not said
_NUMBERS = {"NaN": float("nan"), "INF": float("inf"), "-INF": float("-inf")}

Type = Any  # a TensorSpec, a ListSpec, a list of types, or None: a result that is not made


class Operation(NamedTuple):
    """An operation: ``operands`` are numbers of values (0: not there), ``results`` pairs of a number and a type."""

    name: str
    attrs: dict[str, Any]
    operands: tuple[int, ...]
    results: tuple[tuple[int, Type], ...]
    regions: tuple[DocumentBlock, ...]


class Document(NamedTuple):
    """A program: its block, and the version that it is written in."""

    version: int
    block: DocumentBlock


class DocumentBlock(NamedTuple):
    """The one block of a region: ``args`` are pairs of a (negative) number and a type."""

    args: tuple[tuple[int, Type], ...]
    ops: tuple[Operation, ...]


class ParameterFields(NamedTuple):
    """The attributes of an operation ``builtin.parameter``."""

    name: str
    is_parameter: bool
    persistable: bool
    stop_gradient: bool
    trainable: bool


def parse_document(data: bytes, path: object) -> Document:
    """A program, checked. Raises FormatError for anything that is none, or that is larger than the bounds."""
    if len(data) > MAX_DOCUMENT:
        raise FormatError(path, f"a program of at most {MAX_DOCUMENT} bytes", f"one of {len(data)} bytes")
    try:
        content = json.loads(data, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        what = foreign(data[:64], path) if data[:1] != b"{" else None
        raise FormatError(path, "a program of Paddle 3 (JSON)", what or f"text that is no JSON: {error}") from None
    try:
        return _Checker(path).program(content)
    except RecursionError:
        raise FormatError(path, "a program whose parts are not as deep inside each other", "more than Python can follow") from None


def _refuse_constant(text: str) -> Any:
    raise ValueError(f"{text} is no number of JSON")


class _Checker:
    """Converts parsed JSON to the named tuples of this module. Raises FormatError for anything unexpected."""

    def __init__(self, path: object) -> None:
        self.path = path
        self.count = 0
        self.value_ids: set[int] = set()

    def fail(self, expected: str, value: Any) -> FormatError:
        return FormatError(self.path, expected, reprlib.repr(value))

    def take(self, owner: Any, key: str, cls: type | tuple[type, ...], what: str, default: Any = ...) -> Any:
        """``owner[key]``, of that type."""
        if not isinstance(owner, dict):
            raise self.fail(f"an object as {what}", owner)
        value = owner.get(key, default)
        if value is ...:
            raise self.fail(f"{key!r} in {what}", sorted(map(str, owner))[:8])
        if value is not default and (not isinstance(value, cls) or (cls is int and isinstance(value, bool))):
            raise self.fail(f"{_spelled(cls)} as {key!r} in {what}", value)
        return value

    def program(self, content: Any) -> Document:
        code = self.take(content, "base_code", dict, "a program of Paddle 3")
        if code.get("magic") != "pir":
            raise self.fail("a program of Paddle 3, whose magic is 'pir'", code.get("magic"))
        version = self.take(code, "version", int, "base_code")
        if not 0 <= version <= MAX_VERSION:
            raise self.fail(f"a program of version 0 to {MAX_VERSION}, as PaddlePaddle 3.0 to 3.3 write it", version)
        regions = self.take(self.take(content, "program", dict, "the file"), "regions", list, "the program")
        return Document(version, self.region(self.one(regions, "region of the program"), 0, 0))

    def one(self, items: list[Any], what: str) -> Any:
        if len(items) != 1:
            raise self.fail(f"one {what}", f"{len(items)}")
        return items[0]

    def region(self, region: Any, nesting: int, loops: int) -> DocumentBlock:
        block = self.one(self.take(region, "blocks", list, "a region"), "block in a region")
        if nesting > MAX_NESTING or loops > MAX_LOOPS:
            raise FormatError(self.path, f"at most {MAX_NESTING} blocks and {MAX_LOOPS} loops inside each other", "more")
        if self.take(block, "kwargs", list, "a block", []):
            raise self.fail("a block without named arguments", block["kwargs"])
        args = [
            (self.new_value_id(self.take(arg, "#", int, "a block's argument"), "a block's argument"), self.type(arg.get("TT")))
            for arg in self.take(block, "args", list, "a block", [])
        ]
        ops = self.take(block, "ops", list, "a block")
        self.count += len(ops)
        if self.count > MAX_OPS:
            raise FormatError(self.path, f"at most {MAX_OPS} operators in a program", "more")
        return DocumentBlock(tuple(args), tuple(self.operation(op, nesting, loops) for op in ops))

    def new_value_id(self, value_id: int, what: str) -> int:
        """The number of a new value."""
        if value_id == 0 or value_id in self.value_ids:
            raise self.fail(f"a number of its own for {what}", value_id)
        self.value_ids.add(value_id)
        return value_id

    def operation(self, op: Any, nesting: int, loops: int) -> Operation:
        code = self.take(op, "#", str, "an operation")
        if code == "p":
            return self.parameter(op)
        dialect, _, name = code.partition(".")
        if dialect not in _DIALECTS or not name:
            raise self.fail("an operation of a known dialect", code)
        name = name if dialect == "1" else f"{_DIALECTS[dialect]}.{name}"
        what = f"operation {code!r}"
        inputs, outputs = self.take(op, "I", list, what, []), self.take(op, "O", list, what, [])
        if max(len(inputs), len(outputs)) > MAX_NAMES:
            raise FormatError(self.path, f"at most {MAX_NAMES} values of one operator", f"more in {what}")
        operands = tuple(self.take(value, "%", int, f"an operand of {what}") for value in inputs)
        regions = self.take(op, "regions", list, what, [])
        inner_loops = loops + (name == "while")
        results = tuple(self.result(value, what) for value in outputs)
        return Operation(
            name,
            self.attributes(op, what),
            operands,
            results,
            tuple(self.region(region, nesting + 1, inner_loops) for region in regions),
        )

    def result(self, value: Any, what: str) -> tuple[int, Type]:
        value_id = self.new_value_id(self.take(value, "%", int, f"a result of {what}"), f"a result of {what}")
        return value_id, self.type(self.take(value, "TT", dict, f"a result of {what}"))

    def parameter(self, op: dict[str, Any]) -> Operation:
        what = "a parameter"
        fields = self.take(op, "A", list, what)
        if len(fields) != 4 or not isinstance(fields[3], str):
            raise self.fail("[is_distributed, is_parameter, need_clip, name] of a parameter", fields)
        flags = self.take(op, "OA", list, what, [1, 0, 1])
        if len(flags) != 3 or not all(isinstance(flag, int) for flag in [*flags, *fields[:3]]):
            raise self.fail("[persistable, stop_gradient, trainable] of a parameter", flags)
        parameter = ParameterFields(fields[3], bool(fields[1]), *map(bool, flags))
        return Operation("builtin.parameter", {"": parameter}, (), (self.result(op.get("O"), what),), ())

    # attributes and types ------------------------------------------------------------------------------------------------

    def attributes(self, op: dict[str, Any], what: str) -> dict[str, Any]:
        attrs = {}
        for entry in self.take(op, "A", list, what, []):
            name = self.take(entry, "N", str, f"an attribute of {what}")
            named = f"attribute {name!r} of {what}"
            attrs[name] = self.attribute(self.take(entry, "AT", dict, named), named)
        return attrs

    def attribute(self, entry: Any, what: str) -> Any:
        """The value of an attribute; None for a kind that says nothing here (places and the like)."""
        code = self.take(entry, "#", str, what)
        if "VD" in entry:
            if code not in ("0.a_f32", "0.a_f64") or entry["VD"] not in _NUMBERS:
                raise self.fail(f"NaN, INF or -INF as {what}", entry["VD"])
            return _NUMBERS[entry["VD"]]
        read = _ATTRIBUTES.get(code)
        return None if read is None else read(self, entry.get("D"), what)

    def boolean(self, value: Any, what: str) -> bool:
        if not isinstance(value, bool):
            raise self.fail(f"true or false as {what}", value)
        return value

    def integer(self, value: Any, what: str) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.fail(f"an integer as {what}", value)
        return value

    def real(self, value: Any, what: str) -> float:
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            raise self.fail(f"a number as {what}", value)
        try:
            return float(value)
        except OverflowError:
            raise self.fail(f"a number that a double can hold as {what}", value) from None

    def text(self, value: Any, what: str) -> str:
        if not isinstance(value, str):
            raise self.fail(f"a text as {what}", value)
        return value

    def array(self, value: Any, what: str) -> list[Any]:
        return [self.attribute(entry, what) for entry in self.items(value, what)]

    def integers(self, value: Any, what: str) -> list[int]:
        return [self.integer(entry, what) for entry in self.items(value, what)]

    def items(self, value: Any, what: str) -> list[Any]:
        if not isinstance(value, list):
            raise self.fail(f"a list as {what}", value)
        return value

    def dtype(self, value: Any, what: str) -> int:
        """The code of a dtype; -1: not said."""
        if value == UNDEFINED:
            return -1
        if not isinstance(value, str) or value not in DTYPES:
            raise self.fail(f"a dtype among {', '.join(DTYPES)} as {what}", value)
        return DTYPES[value].code

    def scalar(self, value: Any, what: str) -> Any:
        """``["float32", 1.5]``; complex numbers have two parts."""
        if not isinstance(value, list) or len(value) not in (2, 3) or not isinstance(value[0], str):
            raise self.fail(f"a dtype and a number as {what}", value)
        parts = [part if isinstance(part, bool) else self.real(part, what) for part in value[1:]]
        return complex(*parts) if len(parts) == 2 else value[1]

    def complex(self, value: Any, what: str) -> complex:
        parts = self.items(value, what)
        if len(parts) != 2:
            raise self.fail(f"a real and an imaginary part as {what}", value)
        return complex(*(self.real(part, what) for part in parts))

    def type(self, entry: Any) -> Type:
        code = self.take(entry, "#", str, "a type")
        if code == "NULL":
            return None
        data = entry.get("D")
        if code == "0.t_vec":
            return [self.type(item) for item in self.items(data, "the types of a list")]
        if code not in ("0.t_dtensor", "1.t_dense_tensor_array"):
            raise self.fail("a value that is a tensor, or a list or array of tensors", code)
        parts = self.items(data, "a tensor's type")
        if len(parts) < 2:
            raise self.fail("a dtype and dimensions of a tensor", data)
        name = self.take(parts[0], "#", str, "a dtype")
        if _DTYPES.get(name) not in DTYPES:
            raise self.fail(f"a dtype among {', '.join(DTYPES)}", name)
        shape = tuple(max(dim, UNKNOWN) for dim in self.integers(parts[1], "dimensions"))  # Paddle computes with unknown ones
        if len(shape) > MAX_RANK or any(dim >= 1 << 62 for dim in shape):
            raise self.fail(f"at most {MAX_RANK} dimensions of a tensor", list(shape[: MAX_RANK + 1]))
        spec = TensorSpec(shape, DTYPES[_DTYPES[name]])
        return ListSpec(spec) if code != "0.t_dtensor" else spec


_ATTRIBUTES: dict[str, Callable[[_Checker, Any, str], Any]] = {
    "0.a_bool": _Checker.boolean, "0.a_i32": _Checker.integer, "0.a_i64": _Checker.integer, "0.a_index": _Checker.integer,
    "0.a_f32": _Checker.real, "0.a_f64": _Checker.real, "0.a_str": _Checker.text, "0.a_array": _Checker.array,
    "1.a_intarray": _Checker.integers, "1.a_dtype": _Checker.dtype, "1.a_scalar": _Checker.scalar, "0.a_c64": _Checker.complex,
    "0.a_c128": _Checker.complex, "0.a_tensorname": _Checker.text, "1.a_layout": _Checker.text,
}  # fmt: skip


def _spelled(cls: type | tuple[type, ...]) -> str:
    words = {dict: "an object", list: "a list", str: "a text", int: "an integer"}
    return words[cls] if isinstance(cls, type) else "something else"


def walk(block: DocumentBlock) -> Iterator[Operation]:
    """Iterate over all operations of a block and of its nested blocks."""
    waiting = [block]
    while waiting:
        for op in waiting.pop().ops:
            yield op
            waiting.extend(op.regions)
