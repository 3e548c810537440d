"""Element types: Paddle's names, NumPy's types and the codes that Paddle's files use."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from to_static.core.caching.version_counter import epoch
from to_static.core.errors import ArgumentTypeError, DTypeError


class DType:
    """One element type. ``str(float32)`` is ``'paddle.float32'``, as Paddle prints it.

    Attributes: ``name`` ('float32'), ``np`` (numpy dtype), ``short`` ('f32', used by the Program text),
    ``code`` (VarType code in files), ``kind`` ('b', 'i', 'u', 'f' or 'c'), ``itemsize`` in bytes, ``is_floating`` (also true of
    complex types: those that can carry a gradient), ``is_integer`` (signed or not; not bool).

    Example:
        >>> paddle.float32, paddle.float32.itemsize, paddle.float32.is_floating
        (paddle.float32, 4, True)
    """

    __slots__ = ("code", "is_floating", "is_integer", "itemsize", "kind", "name", "np", "rank", "short")

    def __init__(self, name: str, short: str, code: int) -> None:
        self.name = name
        self.short = short
        self.code = code
        self.np = np.dtype(name)
        self.kind = self.np.kind
        self.itemsize = self.np.itemsize
        self.is_floating, self.is_integer = self.kind in "fc", self.kind in "iu"

    @property
    def value(self) -> int:
        """Return ``code``, the number of the dtype in files."""
        return self.code

    def __int__(self) -> int:
        return self.code

    def __repr__(self) -> str:
        return f"paddle.{self.name}"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DType):
            return self is other
        if isinstance(other, (str, np.dtype, type)):
            return _BY_KEY.get(_key(other)) is self
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        return (as_dtype, (self.name,))


class _Absent(DType):
    """A type that Paddle has and NumPy has not: it can be asked for and compared with, no tensor has it."""

    __slots__ = ()

    def __init__(self, name: str, code: int, itemsize: int) -> None:
        self.name, self.code, self.itemsize, self.kind = name, code, itemsize, "f"
        self.is_floating, self.is_integer = True, False

    def __eq__(self, other: object) -> bool:
        return other is self or (isinstance(other, str) and other in (self.name, f"paddle.{self.name}"))

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_absent, (self.name,))


def _absent(name: str) -> DType:
    return {"bfloat16": bfloat16}[name]


bool_ = DType("bool", "bool", 0)
int16 = DType("int16", "i16", 1)
int32 = DType("int32", "i32", 2)
int64 = DType("int64", "i64", 3)
float16 = DType("float16", "f16", 4)
float32 = DType("float32", "f32", 5)
float64 = DType("float64", "f64", 6)
uint8 = DType("uint8", "u8", 20)
int8 = DType("int8", "i8", 21)
complex64 = DType("complex64", "c64", 23)
complex128 = DType("complex128", "c128", 24)
bfloat16 = _Absent("bfloat16", 22, 2)

ALL = (bool_, int16, int32, int64, float16, float32, float64, uint8, int8, complex64, complex128)
BY_SHORT = {d.short: d for d in ALL}
BY_CODE = {d.code: d for d in ALL}
_BY_KEY: dict[Any, DType] = {}
for _d in ALL:
    _BY_KEY.update({_d.name: _d, f"paddle.{_d.name}": _d, _d.np: _d, _d.np.type: _d})
_BY_KEY.update({bool: bool_, int: int64, float: float64, complex: complex128, "float": float64, "int": int64})


def _key(value: object) -> Any:
    return value if not isinstance(value, np.dtype) else value.newbyteorder("=")


def as_dtype(value: Any) -> DType:
    """The DType for a DType, a name ('float32', 'paddle.float32'), a numpy dtype or a Python type.

    Raises DTypeError for anything else.
    """
    if type(value) is DType:
        return value
    try:
        resolved = _BY_KEY.get(value) or _BY_KEY.get(_key(value))
    except TypeError:
        resolved = None
    if resolved is None:
        try:
            resolved = _BY_KEY.get(_key(np.dtype(value)))
        except TypeError:
            resolved = None
    if resolved is None:
        names = ", ".join(d.name for d in ALL)
        advice = "; NumPy has no bfloat16, use float32" if "bfloat16" in str(value) else ""
        if "uint16" in str(value):
            advice = "; to Paddle it is another name of bfloat16, which NumPy has not: use float32, or int32 for numbers of 16 bits"
        if isinstance(value, str) and not advice:
            from to_static.core.diagnostics.error_hints import closest  # only for errors: it costs start-up time

            meant = closest(value, [d.name for d in ALL])
            advice = f"; did you mean {meant!r}?" if meant else ""
        if isinstance(value, bool):
            advice = f"; keepdim is given by its name, `keepdim={value}`"
        if type(value) in (int, float):
            from to_static.core.diagnostics.error_hints import in_one_list  # as above

            advice = in_one_list()
        raise ArgumentTypeError(f"unknown or unsupported dtype {value!r}; supported: {names}{advice}")
    return resolved


DTypeLike: TypeAlias = "DType | str | type | np.dtype"  # what `as_dtype` takes

_default = float32


def set_default_dtype(dtype: DTypeLike) -> None:
    """Set the dtype given to Python floats and to parameters: float16, float32 (initially) or float64."""
    global _default
    resolved = as_dtype(dtype)
    if resolved.kind != "f":
        raise DTypeError(f"the default dtype must be float16, float32 or float64, not {resolved.name}")
    _default = resolved
    epoch[0] += 1


def default_dtype() -> DType:
    """The DType that Python floats and parameters get."""
    return _default


def get_default_dtype() -> str:
    """Name of the default dtype, as Paddle returns it: ``'float32'``.

    Example:
        >>> paddle.get_default_dtype()
        'float32'
    """
    return _default.name


def scalar_dtype(value: object) -> DType:
    """DType of a Python or NumPy scalar: bool, int64, the default float or the matching complex."""
    if isinstance(value, (np.generic, np.ndarray)):
        return as_dtype(value.dtype)
    if isinstance(value, bool):
        return bool_
    if isinstance(value, int):
        return int64
    if isinstance(value, float):
        return _default
    if isinstance(value, complex):
        return complex128 if _default is float64 else complex64
    raise DTypeError(f"expected a number, got {type(value).__name__}: {value!r}")


_RANK = {d: i for i, d in enumerate((bool_, uint8, int8, int16, int32, int64, float16, float32, float64))}


def promote(a: DType, b: DType) -> DType:
    """The smallest of our types that holds both, with floats always winning over integers."""
    if a is b:
        return a
    if a.kind == "c" or b.kind == "c":
        has_double = any(d in (complex128, float64) for d in (a, b))
        return complex128 if has_double else complex64
    if {a, b} == {uint8, int8}:
        return int16
    return a if _RANK[a] >= _RANK[b] else b
