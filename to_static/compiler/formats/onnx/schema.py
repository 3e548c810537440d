"""The messages of ``onnx.proto`` as a table (see `protobuf.schema`), and what its numbers mean.

Source: ONNX, "Open Neural Network Exchange Intermediate Representation", ``onnx/onnx.proto``.
"""

from __future__ import annotations

from to_static.compiler.formats.protobuf.schema import Schema
from to_static.compiler.formats.protobuf.wire import WireReader

DATA_TYPE = {
    "UNDEFINED": 0, "FLOAT": 1, "UINT8": 2, "INT8": 3, "UINT16": 4, "INT16": 5, "INT32": 6, "INT64": 7, "STRING": 8, "BOOL": 9,
    "FLOAT16": 10, "DOUBLE": 11, "UINT32": 12, "UINT64": 13, "COMPLEX64": 14, "COMPLEX128": 15, "BFLOAT16": 16,
    "FLOAT8E4M3FN": 17, "FLOAT8E4M3FNUZ": 18, "FLOAT8E5M2": 19, "FLOAT8E5M2FNUZ": 20, "UINT4": 21, "INT4": 22, "FLOAT4E2M1": 23,
}  # fmt: skip
ATTRIBUTE_TYPE = {
    "UNDEFINED": 0, "FLOAT": 1, "INT": 2, "STRING": 3, "TENSOR": 4, "GRAPH": 5, "FLOATS": 6, "INTS": 7, "STRINGS": 8, "TENSORS": 9,
    "GRAPHS": 10, "SPARSE_TENSOR": 11, "SPARSE_TENSORS": 12, "TYPE_PROTO": 13, "TYPE_PROTOS": 14,
}  # fmt: skip
EXTERNAL = 1  # `TensorProto.data_location`: the numbers are in another file
DATA_TYPE_OF = {  # by the name of our dtype
    "float32": 1, "uint8": 2, "int8": 3, "int16": 5, "int32": 6, "int64": 7, "bool": 9, "float16": 10, "float64": 11,
    "complex64": 14, "complex128": 15,
}  # fmt: skip

MESSAGES = {
    "AttributeProto": "1 name string, 2 f float, 3 i int64, 4 s bytes, 5 t TensorProto, 6 g GraphProto, 7 floats *float, "
    "8 ints *int64, 9 strings *bytes, 10 tensors *TensorProto, 11 graphs *GraphProto, 13 doc_string string, 14 tp TypeProto, "
    "15 type_protos *TypeProto, 20 type int32, 21 ref_attr_name string, 22 sparse_tensor SparseTensorProto, "
    "23 sparse_tensors *SparseTensorProto",
    "ValueInfoProto": "1 name string, 2 type TypeProto, 3 doc_string string",
    "NodeProto": "1 input *string, 2 output *string, 3 name string, 4 op_type string, 5 attribute *AttributeProto, "
    "6 doc_string string, 7 domain string, 8 overload string",
    "ModelProto": "1 ir_version int64, 2 producer_name string, 3 producer_version string, 4 domain string, 5 model_version int64, "
    "6 doc_string string, 7 graph GraphProto, 8 opset_import *OperatorSetIdProto, 14 metadata_props *StringStringEntryProto, "
    "25 functions *FunctionProto",
    "StringStringEntryProto": "1 key string, 2 value string",
    "TensorAnnotation": "1 tensor_name string, 2 quant_parameter_tensor_names *StringStringEntryProto",
    "GraphProto": "1 node *NodeProto, 2 name string, 5 initializer *TensorProto, 10 doc_string string, 11 input *ValueInfoProto, "
    "12 output *ValueInfoProto, 13 value_info *ValueInfoProto, 14 quantization_annotation *TensorAnnotation, "
    "15 sparse_initializer *SparseTensorProto",
    "TensorProto": "1 dims *int64, 2 data_type int32, 4 float_data +float, 5 int32_data +int32, 6 string_data *bytes, "
    "7 int64_data +int64, 8 name string, 9 raw_data bytes, 10 double_data +double, 11 uint64_data +uint64, 12 doc_string string, "
    "13 external_data *StringStringEntryProto, 14 data_location int32",
    "SparseTensorProto": "1 values TensorProto, 2 indices TensorProto, 3 dims *int64",
    "DimensionProto": "1 dim_value int64, 2 dim_param string, 3 denotation string",
    "TensorShapeProto": "1 dim *DimensionProto",
    "TensorTypeProto": "1 elem_type int32, 2 shape TensorShapeProto",
    "SequenceTypeProto": "1 elem_type TypeProto",
    "OptionalTypeProto": "1 elem_type TypeProto",
    "TypeProto": "1 tensor_type TensorTypeProto, 4 sequence_type SequenceTypeProto, 6 denotation string, "
    "9 optional_type OptionalTypeProto",
    "OperatorSetIdProto": "1 domain string, 2 version int64",
    "FunctionProto": "1 name string, 4 input *string, 5 output *string, 6 attribute *string, 7 node *NodeProto, "
    "8 doc_string string, 9 opset_import *OperatorSetIdProto, 10 domain string, 11 attribute_proto *AttributeProto, "
    "12 value_info *ValueInfoProto, 13 overload string",
}
SCHEMA = Schema("to_static.onnx", "to_static/onnx.proto", {}, MESSAGES)
new = SCHEMA.new
parse = WireReader(SCHEMA, owner="ONNX").parse
