"""Paddle's static API: Programs built by calling operators, and their Executor. Names are looked up when first used."""

from to_static.core.importing.lazy_module import attach

_HOMES = {
    "to_static.compiler.autodiff.backward": "append_backward gradients",
    "to_static.core.backend": "CPUPlace CUDAPlace",
    "to_static.compiler.ir.input_spec": "InputSpec",
    "to_static.metric.accuracy": "accuracy",
    "to_static.nn.parameter": "create_parameter",
    "to_static.compiler.ops.indexing.subscript": "setitem",
    "to_static.static.ipu": "IpuCompiledProgram IpuStrategy ipu_shard_guard set_ipu_shard xpu_places",
    "to_static.static.inputs": "Print cpu_places create_global_var cuda_places data device_guard name_scope",
    "to_static.static.executor": "BuildStrategy CompiledProgram ExecutionStrategy Executor",
    "to_static.static.mode": "disable_static enable_static",
    # `paddle.framework.random` has `_manual_program_seed`, and tests of Paddle's call it
    "to_static.static.program": "_manual_program_seed Program default_main_program default_startup_program program_guard",
    "to_static.static.param_attr": "WeightNormParamAttr",
    "to_static.static.python_functions": "py_func",
    "to_static.static.averages": "ExponentialMovingAverage",
    "to_static.static.metrics": "auc ctr_metric_bundle",
    "to_static.static.saving": (
        "deserialize_persistables deserialize_program load load_from_file load_inference_model load_program_state "
        "normalize_program save save_inference_model save_to_file serialize_persistables serialize_program set_program_state"
    ),
    "to_static.static.scope": "Scope global_scope scope_guard",
    "to_static.static.variable": "Variable",
}
__getattr__, __dir__, __all__ = attach(__name__, _HOMES, "amp nn quantization")
