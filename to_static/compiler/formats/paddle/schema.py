"""The messages of Paddle's framework.proto, and those that are written, made at run time with the protobuf library.

No generated code ties us to one protobuf version: descriptors are built from the table below in a pool of our own, so that
they do not clash with those of a Paddle imported in the same process. protobuf is imported when the first message is made;
reading (`wire`) does without.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from to_static.core.compile_lock import COMPILE_LOCK

PACKAGE = "paddle.framework.proto"
VERSION = 2006002  # major * 1000000 + minor * 1000 + patch: what PaddlePaddle 2.6.2 writes

ATTR_TYPE = {
    "INT": 0, "FLOAT": 1, "STRING": 2, "INTS": 3, "FLOATS": 4, "STRINGS": 5, "BOOLEAN": 6, "BOOLEANS": 7, "BLOCK": 8,
    "LONG": 9, "BLOCKS": 10, "LONGS": 11, "FLOAT64S": 12, "VAR": 13, "VARS": 14, "FLOAT64": 15, "SCALAR": 16, "SCALARS": 17,
}  # fmt: skip
VAR_TYPE = {
    "BOOL": 0, "INT16": 1, "INT32": 2, "INT64": 3, "FP16": 4, "FP32": 5, "FP64": 6, "LOD_TENSOR": 7, "SELECTED_ROWS": 8,
    "FEED_MINIBATCH": 9, "FETCH_LIST": 10, "STEP_SCOPES": 11, "LOD_RANK_TABLE": 12, "LOD_TENSOR_ARRAY": 13, "PLACE_LIST": 14,
    "READER": 15, "RAW": 17, "TUPLE": 18, "SIZE_T": 19, "UINT8": 20, "INT8": 21, "BF16": 22, "COMPLEX64": 23,
    "COMPLEX128": 24, "STRING": 25, "STRINGS": 26, "VOCAB": 27, "FEED_LIST": 28, "PSTRING": 29, "SPARSE_COO": 30,
    "SPARSE_CSR": 31,
}  # fmt: skip
SCALAR_TYPE = {"BOOLEAN": 1, "LONG": 2, "FLOAT64": 3, "COMPLEX128": 4}
ENUMS = {"AttrType": ATTR_TYPE, "Type": VAR_TYPE, "ScalarType": SCALAR_TYPE}

# message -> "number name type" of each field; ! required, * repeated, = default
MESSAGES = {
    "Version": "1 version int64=0",
    "Complex": "1 r !double, 2 i !double",
    "Scalar": "1 type !ScalarType, 2 b bool, 3 i int64, 4 r double, 5 c Complex",
    "Attr": "1 name !string, 2 type !AttrType, 3 i int32, 4 f float, 5 s string, 6 ints *int32, 7 floats *float, "
    "8 strings *string, 10 b bool, 11 bools *bool, 12 block_idx int32, 13 l int64, 14 blocks_idx *int32, 15 longs *int64, "
    "16 float64s *double, 17 var_name string, 18 vars_name *string, 19 float64 double, 20 scalar Scalar, 21 scalars *Scalar",
    "Var": "1 parameter !string, 2 arguments *string",
    "OpDesc": "1 inputs *Var, 2 outputs *Var, 3 type !string, 4 attrs *Attr, 5 is_target bool=false",
    "TensorDesc": "1 data_type !Type, 2 dims *int64",
    "LoDTensorDesc": "1 tensor !TensorDesc, 2 lod_level int32=0",
    "ReaderDesc": "1 lod_tensor *LoDTensorDesc",
    "Tuple": "1 element_type *Type",
    "VarType": "1 type !Type, 2 selected_rows TensorDesc, 3 lod_tensor LoDTensorDesc, 4 tensor_array LoDTensorDesc, "
    "5 reader ReaderDesc, 7 tuple Tuple, 8 string TensorDesc, 9 strings TensorDesc, 10 vocab TensorDesc, "
    "11 sparse_coo TensorDesc, 12 sparse_csr TensorDesc",
    "VarAttr": "1 name !string, 2 type !AttrType, 3 i int32, 4 s string, 5 ints *int32",
    "VarDesc": "1 name !string, 2 type !VarType, 3 persistable bool=false, 4 need_check_feed bool=false, "
    "5 is_parameter bool=false, 6 stop_gradient bool=false, 7 attrs *VarAttr",
    "BlockDesc": "1 idx !int32, 2 parent_idx !int32, 3 vars *VarDesc, 4 ops *OpDesc, 5 forward_block_idx int32=-1",
    "OpVersion": "1 version !int32",
    "OpVersionPair": "1 op_name !string, 2 op_version !OpVersion",
    "OpVersionMap": "1 pair *OpVersionPair",
    "ProgramDesc": "1 blocks *BlockDesc, 4 version Version, 5 op_version_map OpVersionMap",
}
_SCALARS = ("double", "float", "int64", "int32", "bool", "string")


class Field(NamedTuple):
    """A field of a message: ``label`` is '!' required, '*' repeated or ''; ``kind`` a scalar, an enumeration or a message."""

    number: int
    name: str
    label: str
    kind: str
    default: str


def fields_of(message: str) -> list[Field]:
    """The fields of the message of that name."""
    fields = []
    for line in MESSAGES[message].split(","):
        number, name, kind = line.split()
        kind, _, default = kind.partition("=")
        label = kind[0] if kind[0] in "!*" else ""
        fields.append(Field(int(number), name, label, kind.removeprefix(label), default))
    return fields


_made: dict[str, Any] = {}


def messages() -> dict[str, Any]:
    """Message classes by name: ``messages()['ProgramDesc']()`` is an empty program."""
    if not _made:
        with COMPILE_LOCK:  # one set for all threads: messages of two do not go together
            if not _made:
                _made.update(_make())
    return _made


def _make() -> dict[str, Any]:
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

    file = descriptor_pb2.FileDescriptorProto(name="to_static/framework.proto", package=PACKAGE, syntax="proto2")
    for name, values in ENUMS.items():
        enum = file.enum_type.add(name=name)
        for key, number in values.items():
            enum.value.add(name=f"{name}_{key}", number=number)  # enum values share one scope: keep them apart
    for name in MESSAGES:
        message = file.message_type.add(name=name)
        for field in fields_of(name):
            _add_field(message, field)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    get = getattr(message_factory, "GetMessageClass", None)
    if get is None:  # protobuf before 4.22
        get = message_factory.MessageFactory(pool).GetPrototype
    return {name: get(pool.FindMessageTypeByName(f"{PACKAGE}.{name}")) for name in MESSAGES}


def _add_field(message: Any, told: Field) -> None:
    field = message.field.add(name=told.name, number=told.number)
    field.label = getattr(type(field), {"*": "LABEL_REPEATED", "!": "LABEL_REQUIRED"}.get(told.label, "LABEL_OPTIONAL"))
    if told.kind in _SCALARS:
        field.type = getattr(type(field), f"TYPE_{told.kind.upper()}")
    else:
        field.type = type(field).TYPE_ENUM if told.kind in ENUMS else type(field).TYPE_MESSAGE
        field.type_name = f".{PACKAGE}.{told.kind}"
    if told.default:
        field.default_value = told.default


def new(message: str, /, **fields: Any) -> Any:
    """An instance of the message class of that name with these fields set."""
    return messages()[message](**fields)
