"""Attributes and types in the JSON form of Paddle 3's files."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.compiler.formats.pir.document import TYPE_CODES, UNDEFINED
from to_static.compiler.ir.spec import ListSpec, TensorSpec
from to_static.core.dtypes import as_dtype

PLACE = {"#": "1.a_place", "D": [0, 0, ""]}
_NUMBER_CODES = {"bool": "0.a_bool", "i32": "0.a_i32", "i64": "0.a_i64", "f32": "0.a_f32", "f64": "0.a_f64", "str": "0.a_str"}
_PYTHON: dict[str, Any] = {"bool": bool, "i32": int, "i64": int, "f32": lambda v: float(np.float32(v)), "f64": float, "str": str}


def shortest(value: float) -> float:
    """Return the shortest decimal number with the value of a float32: 0.9 instead of 0.8999999761581421."""
    return float(str(np.float32(value)))


def number_of(type_code: str, value: Any) -> dict[str, Any]:
    """An attribute that is a number, a text, true or false."""
    value = _PYTHON[type_code](value)
    if isinstance(value, float) and not math.isfinite(value):
        return {"#": _NUMBER_CODES[type_code], "VD": "NaN" if value != value else "INF" if value > 0 else "-INF"}
    return {"#": _NUMBER_CODES[type_code], "D": value}


def array_of(type_code: str, values: Sequence[Any]) -> dict[str, Any]:
    """An attribute that is a list."""
    return {"#": "0.a_array", "D": [number_of(type_code, value) for value in values]}


def intarray(values: Sequence[int]) -> dict[str, Any]:
    """An attribute that is a shape."""
    return {"#": "1.a_intarray", "D": [int(value) for value in values]}


def dtype_of(dtype: Any) -> dict[str, Any]:
    """An attribute that is a dtype; None: not said."""
    return {"#": "1.a_dtype", "D": UNDEFINED if dtype is None else dtype.name}


def type_of(spec: Any) -> dict[str, Any]:
    """The type of a value; None: of one that is not there."""
    if spec is None:
        return {"#": "NULL"}
    if isinstance(spec, list):
        return {"#": "0.t_vec", "D": [type_of(item) for item in spec]}
    if isinstance(spec, ListSpec):
        element = spec.element or TensorSpec((), as_dtype("float32"))
        return {"#": "1.t_dense_tensor_array", "D": [{"#": TYPE_CODES[element.dtype.name]}, list(element.shape), "NCHW"]}
    return {"#": "0.t_dtensor", "D": [{"#": TYPE_CODES[spec.dtype.name]}, list(spec.shape), "NCHW", [], 0]}
