"""The messages of Paddle's framework.proto as a table (see `protobuf.schema`)."""

from __future__ import annotations

from to_static.compiler.formats.protobuf.schema import Schema

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
SCHEMA = Schema(PACKAGE, "to_static/framework.proto", ENUMS, MESSAGES)
fields_of, messages, new = SCHEMA.fields_of, SCHEMA.messages, SCHEMA.new
