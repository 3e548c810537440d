"""Conversions between ProgramDesc messages and Python values: attributes, slots and variable specs."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.formats.paddle.messages.schema import ATTR_TYPE, SCALAR_TYPE, VAR_TYPE, new
from to_static.compiler.ir.spec import ListSpec, Spec, TensorSpec
from to_static.core.dtypes import BY_CODE, DType, as_dtype
from to_static.core.errors import FormatError

# our attribute type -> (type in the file, field of the message)
_FIELDS = {
    "int": ("INT", "i"), "float": ("FLOAT", "f"), "str": ("STRING", "s"), "ints": ("INTS", "ints"),
    "floats": ("FLOATS", "floats"), "strs": ("STRINGS", "strings"), "bool": ("BOOLEAN", "b"),
    "bools": ("BOOLEANS", "bools"), "block": ("BLOCK", "block_idx"), "long": ("LONG", "l"), "longs": ("LONGS", "longs"),
    "float64s": ("FLOAT64S", "float64s"), "float64": ("FLOAT64", "float64"), "dtype": ("INT", "i"),
    "blocks": ("BLOCKS", "blocks_idx"), "var": ("VAR", "var_name"), "vars": ("VARS", "vars_name"),
    "scalar": ("SCALAR", "scalar"), "scalars": ("SCALARS", "scalars"),
}  # fmt: skip
_READ = {ATTR_TYPE[type_name]: field for type_name, field in _FIELDS.values()}
_CONVERT: dict[str, Any] = {
    "int": int, "float": float, "str": str, "bool": bool, "long": int, "float64": float, "block": int,
    "ints": lambda v: [int(x) for x in v], "longs": lambda v: [int(x) for x in v], "bools": lambda v: [bool(x) for x in v],
    "floats": lambda v: [float(x) for x in v], "float64s": lambda v: [float(x) for x in v],
    "strs": lambda v: [str(x) for x in v], "scalars": list, "dtype": lambda v: as_dtype(v).code,
}  # fmt: skip
_REPEATED = frozenset(field for _, field in _FIELDS.values() if field.endswith("s") and field != "s")


def attr_message(name: str, attr_type: str, value: Any) -> Any:
    """An attribute message; ``attr_type`` is one of our attribute types ('int', 'ints', 'dtype', ...).

    Raises OverflowError or ValueError when the value does not fit.
    """
    file_kind, field = _FIELDS[attr_type]
    if field == "f":
        value = float(np.float32(value))  # protobuf refuses doubles that a float can't hold
    return new("Attr", name=name, type=ATTR_TYPE[file_kind], **{field: _CONVERT[attr_type](value)})


def attr_value(attr: Any) -> Any:
    """The Python value of an attribute message; None for a type this version does not know."""
    field = _READ.get(attr.type)
    if field is None:
        return None
    value = getattr(attr, field)
    if field == "scalar":
        return _scalar(value)
    if field == "scalars":
        return [_scalar(v) for v in value]
    return list(value) if field in _REPEATED else value


def _scalar(message: Any) -> Any:
    scalar_type = message.type
    if scalar_type == SCALAR_TYPE["BOOLEAN"]:
        return message.b
    if scalar_type == SCALAR_TYPE["LONG"]:
        return message.i
    return message.r if scalar_type == SCALAR_TYPE["FLOAT64"] else complex(message.c.r, message.c.i)


def dtype_of(code: int, path: object, what: str) -> DType:
    """The DType of a VarType code; raises FormatError for one that is no number type or not supported."""
    dtype = BY_CODE.get(code)
    if code == VAR_TYPE["BF16"]:
        return as_dtype("float32")  # which computes with the same numbers, and more digits
    if dtype is None:
        name = next((k for k, v in VAR_TYPE.items() if v == code), str(code))
        supported = ", ".join(d.name for d in BY_CODE.values())
        raise FormatError(path, f"a dtype among {supported} for {what}", name)
    return dtype


def var_spec(var: Any, path: object) -> Spec | None:
    """Spec of a variable message; None for variables that hold no tensors (feed lists, scopes)."""
    var_type = var.type.type
    if var_type == VAR_TYPE["LOD_TENSOR"]:
        tensor = var.type.lod_tensor.tensor
    elif var_type == VAR_TYPE["LOD_TENSOR_ARRAY"]:
        return ListSpec(None)
    else:
        return None
    shape = tuple(int(d) for d in tensor.dims)
    if any(d < -1 for d in shape) or len(shape) > 32:
        raise FormatError(path, f"a shape for variable {var.name!r}", str(list(shape[:33])))
    return TensorSpec(shape, dtype_of(tensor.data_type, path, f"variable {var.name!r}"))


def var_message(name: str, spec: Spec | str, persistable: bool = False) -> Any:
    """A variable message for a tensor, a list of tensors, or (given its name) a type without a shape such as STEP_SCOPES."""
    if isinstance(spec, str):
        var_type = new("VarType", type=VAR_TYPE[spec])
    elif isinstance(spec, ListSpec):
        element = spec.element or TensorSpec((), as_dtype("float32"))
        var_type = new("VarType", type=VAR_TYPE["LOD_TENSOR_ARRAY"], tensor_array=_lod(element))
    else:
        var_type = new("VarType", type=VAR_TYPE["LOD_TENSOR"], lod_tensor=_lod(spec))
    message = new("VarDesc", name=name, type=var_type)
    if persistable:
        message.persistable = True
    return message


def _lod(spec: TensorSpec) -> Any:
    tensor = new("TensorDesc", data_type=spec.dtype.code, dims=spec.shape)
    return new("LoDTensorDesc", tensor=tensor, lod_level=0)


def slots(entries: Any) -> dict[str, list[str]]:
    """``{slot: [names]}`` of an op's inputs or outputs."""
    return {entry.parameter: list(entry.arguments) for entry in entries}
