"""Paddle's numbers for kinds of values and dtypes (``paddle.base.core.VarDesc.VarType``)."""

from __future__ import annotations

from to_static.core import dtypes


class TypeDescriptor:
    """A kind of value: a tensor, a list of them, ..."""

    def __init__(self, name: str, code: int) -> None:
        self.name, self.value = name, code

    def __str__(self) -> str:
        return f"VarType.{self.name}"

    def __repr__(self) -> str:
        return f"<VarType.{self.name}: {self.value}>"


class VarType:
    """Dtypes by the names that they have in files, and kinds of values.

    Example:
        >>> paddle.framework.VarType.FP32
        paddle.float32
    """

    BOOL, INT8, INT16, INT32, INT64 = dtypes.bool_, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64
    UINT8, FP16, BF16, FP32, FP64 = dtypes.uint8, dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64
    COMPLEX64, COMPLEX128 = dtypes.complex64, dtypes.complex128
    LOD_TENSOR, SELECTED_ROWS, LOD_TENSOR_ARRAY = (
        TypeDescriptor("LOD_TENSOR", 7),
        TypeDescriptor("SELECTED_ROWS", 8),
        TypeDescriptor("LOD_TENSOR_ARRAY", 13),
    )
    FEED_MINIBATCH, FETCH_LIST, STEP_SCOPES = (
        TypeDescriptor("FEED_MINIBATCH", 9),
        TypeDescriptor("FETCH_LIST", 10),
        TypeDescriptor("STEP_SCOPES", 11),
    )
    LOD_RANK_TABLE, PLACE_LIST = TypeDescriptor("LOD_RANK_TABLE", 12), TypeDescriptor("PLACE_LIST", 14)
    READER, RAW = TypeDescriptor("READER", 15), TypeDescriptor("RAW", 17)
    STRING, STRINGS, VOCAB, SPARSE_COO = (
        TypeDescriptor("STRING", 25),
        TypeDescriptor("STRINGS", 26),
        TypeDescriptor("VOCAB", 27),
        TypeDescriptor("SPARSE_COO", 30),
    )


for _name, _value in list(vars(VarType).items()):
    if not _name.startswith("_"):
        setattr(dtypes.DType, _name, _value)  # `paddle.dtype` is that class in Paddle: `paddle.dtype.FP32`


class VarDesc:
    """Paddle's holder of `VarType`.

    Example:
        >>> paddle.framework.VarDesc.VarType.FP32
        paddle.float32
    """

    VarType = VarType
