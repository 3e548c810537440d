"""The messages of the protocol over gRPC, made at run time: a ``tritonclient`` in the same process has its own.

Source: grpc_service.proto and model_config.proto of https://github.com/triton-inference-server/common.
"""

from __future__ import annotations

from typing import Any

from to_static.compiler.formats.protobuf.schema import Schema

PACKAGE = "inference"
SERVICE = f"{PACKAGE}.GRPCInferenceService"
DATA_TYPES = (
    "INVALID", "BOOL", "UINT8", "UINT16", "UINT32", "UINT64", "INT8", "INT16", "INT32", "INT64", "FP16", "FP32", "FP64", "STRING",
    "BF16",
)  # fmt: skip

_TENSOR_METADATA = "1 name string, 2 datatype string, 3 shape *int64"
_STATISTIC = "StatisticDuration"
# as `Schema` has them
MESSAGES = {
    "ServerLiveRequest": "",
    "ServerLiveResponse": "1 live bool",
    "ServerReadyRequest": "",
    "ServerReadyResponse": "1 ready bool",
    "ModelReadyRequest": "1 name string, 2 version string",
    "ModelReadyResponse": "1 ready bool",
    "ServerMetadataRequest": "",
    "ServerMetadataResponse": "1 name string, 2 version string, 3 extensions *string",
    "ModelMetadataRequest": "1 name string, 2 version string",
    "TensorMetadata": _TENSOR_METADATA,
    "ModelMetadataResponse": "1 name string, 2 versions *string, 3 platform string, "
    "4 inputs *TensorMetadata, 5 outputs *TensorMetadata",
    "InferParameter": "1 bool_param |bool, 2 int64_param |int64, 3 string_param |string, "
    "4 double_param |double, 5 uint64_param |uint64",
    "InferTensorContents": "1 bool_contents *bool, 2 int_contents *int32, 3 int64_contents *int64, 4 uint_contents *uint32, "
    "5 uint64_contents *uint64, 6 fp32_contents *float, 7 fp64_contents *double, 8 bytes_contents *bytes",
    "InferTensor": "1 name string, 2 datatype string, 3 shape *int64, 4 parameters {}InferParameter, "
    "5 contents InferTensorContents",
    "InferRequestedOutput": "1 name string, 2 parameters {}InferParameter",
    "ModelInferRequest": "1 model_name string, 2 model_version string, 3 id string, 4 parameters {}InferParameter, "
    "5 inputs *InferTensor, 6 outputs *InferRequestedOutput, 7 raw_input_contents *bytes",
    "ModelInferResponse": "1 model_name string, 2 model_version string, 3 id string, 4 parameters {}InferParameter, "
    "5 outputs *InferTensor, 6 raw_output_contents *bytes",
    "ModelStreamInferResponse": "1 error_message string, 2 infer_response ModelInferResponse",
    "ModelConfigRequest": "1 name string, 2 version string",
    "ModelInput": "1 name string, 2 data_type DataType, 4 dims *int64",
    "ModelOutput": "1 name string, 2 data_type DataType, 3 dims *int64",
    "ModelConfig": "1 name string, 2 platform string, 4 max_batch_size int32, 5 input *ModelInput, "
    "6 output *ModelOutput, 17 backend string",
    "ModelConfigResponse": "1 config ModelConfig",
    "ModelStatisticsRequest": "1 name string, 2 version string",
    "StatisticDuration": "1 count uint64, 2 ns uint64",
    "InferStatistics": ", ".join(
        f"{field} {name} {_STATISTIC}"
        for field, name in enumerate(
            ("success", "fail", "queue", "compute_input", "compute_infer", "compute_output", "cache_hit", "cache_miss"),
            1,
        )
    ),
    "InferBatchStatistics": f"1 batch_size uint64, 2 compute_input {_STATISTIC}, 3 compute_infer {_STATISTIC}, "
    f"4 compute_output {_STATISTIC}",
    "ModelStatistics": "1 name string, 2 version string, 3 last_inference uint64, 4 inference_count uint64, "
    "5 execution_count uint64, 6 inference_stats InferStatistics, 7 batch_stats *InferBatchStatistics",
    "ModelStatisticsResponse": "1 model_stats *ModelStatistics",
    "RepositoryIndexRequest": "1 repository_name string, 2 ready bool",
    "ModelIndex": "1 name string, 2 version string, 3 state string, 4 reason string",
    "RepositoryIndexResponse": "1 models *ModelIndex",
    "RepositoryModelLoadRequest": "1 repository_name string, 2 model_name string",
    "RepositoryModelLoadResponse": "",
    "RepositoryModelUnloadRequest": "1 repository_name string, 2 model_name string",
    "RepositoryModelUnloadResponse": "",
}
METHODS = (
    "ServerLive", "ServerReady", "ModelReady", "ServerMetadata", "ModelMetadata", "ModelInfer", "ModelConfig", "ModelStatistics",
    "RepositoryIndex", "RepositoryModelLoad", "RepositoryModelUnload",
)  # fmt: skip
SCHEMA = Schema(
    PACKAGE, "to_static/open_inference.proto", {"DataType": {name: i for i, name in enumerate(DATA_TYPES)}}, MESSAGES, "proto3"
)


def messages() -> dict[str, Any]:
    """Message classes by name."""
    return SCHEMA.messages()
