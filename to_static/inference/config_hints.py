"""Settings of a `Config` that are accepted for Paddle's sake: hints about engines, devices and passes that are not here.

A hint changes no number and no speed: the model runs as it would without. Those that PaddlePaddle can be asked for are kept, and
the getters answer as PaddlePaddle for CPUs does after the same calls; engines that it refuses there (TensorRT, XPU, ONNX Runtime)
are accepted, and stay off.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from to_static.inference.precision import PrecisionType

_DEFAULTS: dict[str, bool | int | str] = {
    "cpu_math_library_num_threads": 1,
    "glog_info_disabled": False,
    "specify_input_name": False,
    "shape_range_info_collected": False,
    "shape_range_info_path": "",
    "use_feed_fetch_ops_enabled": False,
    "mkldnn_enabled": True,
    "mkldnn_int8_enabled": False,
    "tensorrt_engine_enabled": False,
    "tensorrt_dla_enabled": False,
    "tensorrt_dynamic_shape_enabled": False,
    "tensorrt_explicit_quantization_enabled": False,
    "tensorrt_inspector_enabled": False,
    "tensorrt_varseqlen_enabled": False,
    "tensorrt_optimization_level": 3,
    "tuned_tensorrt_dynamic_shape": False,
    "trt_allow_build_at_runtime": False,
    "use_xpu": False,
    "xpu_device_id": 0,
    "lite_engine_enabled": False,
    "use_opencl": False,
    "onnxruntime_enabled": False,
    "quantizer": False,
}


class Hints:
    """The hints of a `Config` and what it answers about them."""

    def __init__(self) -> None:
        self._asked = dict(_DEFAULTS)

    def enable_memory_optim(self, x: bool = True) -> None:
        """Accepted, does nothing. Buffers are always shared."""

    def disable_glog_info(self) -> None:
        """Accepted, does nothing. Nothing is logged unless TO_STATIC_DEBUG is set."""
        self._asked.update(glog_info_disabled=True)

    def switch_use_feed_fetch_ops(self, x: int = True) -> None:
        """Accepted, does nothing. Inputs and outputs are always handles."""

    def switch_specify_input_names(self, x: bool = True) -> None:
        """Accepted, does nothing. Inputs always have names."""
        self._asked.update(specify_input_name=bool(x))

    def switch_ir_debug(self, x: int = True) -> None:
        """Accepted, does nothing. Programs are printed by `to_static` on the command line."""

    def enable_profile(self) -> None:
        """Accepted, does nothing. `paddle.profiler` measures."""

    def enable_new_executor(self, x: bool = True) -> None:
        """Accepted, does nothing. There is one executor."""

    def enable_new_ir(self, x: bool = True) -> None:
        """Accepted, does nothing. There is one representation of Programs."""

    def enable_low_precision_io(self, x: bool = True) -> None:
        """Accepted, does nothing. Inputs and outputs have the dtypes of the model."""

    def enable_save_optim_model(self, save_optimized_model: bool = False) -> None:
        """Accepted, does nothing. Optimized Programs stay in memory."""

    def set_optim_cache_dir(self, arg0: str) -> None:
        """Accepted, does nothing. Optimized Programs stay in memory."""

    def set_cpu_math_library_num_threads(self, arg0: int) -> None:
        """Accepted, does nothing. Threads are those of NumPy's BLAS (OPENBLAS_NUM_THREADS)."""
        self._asked.update(cpu_math_library_num_threads=int(arg0))

    def collect_shape_range_info(self, arg0: str) -> None:
        """Accepted, does nothing. Plans are made for the shapes that come."""
        self._asked.update(shape_range_info_collected=True, shape_range_info_path=os.fspath(arg0))

    def delete_pass(self, arg0: str) -> None:
        """Accepted, does nothing. PaddlePaddle's passes are not those of this package."""

    def exp_disable_mixed_precision_ops(self, arg0: Iterable[str]) -> None:
        """Accepted, does nothing. Everything is computed in the dtypes of the model."""

    def exp_enable_mixed_precision_ops(self, arg0: Iterable[str]) -> None:
        """Accepted, does nothing. Everything is computed in the dtypes of the model."""

    def exp_enable_use_cutlass(self) -> None:
        """Accepted, does nothing. For GPUs of PaddlePaddle."""

    def enable_mkldnn(self) -> None:
        """Accepted, does nothing. Kernels are NumPy's."""
        self._asked.update(mkldnn_enabled=True)

    def disable_mkldnn(self) -> None:
        """Accepted, does nothing. Kernels are NumPy's."""
        self._asked.update(mkldnn_enabled=False)

    def disable_mkldnn_fc_passes(self) -> None:
        """Accepted, does nothing. Kernels are NumPy's."""

    def enable_mkldnn_bfloat16(self) -> None:
        """Accepted, does nothing. Everything is computed in the dtypes of the model."""

    def enable_mkldnn_int8(self, mkldnn_int8_enabled_op_types: Iterable[str] = frozenset()) -> None:
        """Accepted, does nothing. Everything is computed in the dtypes of the model."""
        self._asked.update(mkldnn_int8_enabled=True)

    def set_mkldnn_cache_capacity(self, capacity: int = 0) -> None:
        """Accepted, does nothing. Plans are kept as TO_STATIC_PLAN_CACHE says."""

    def set_mkldnn_op(self, arg0: Iterable[str]) -> None:
        """Accepted, does nothing. Kernels are NumPy's."""

    def set_bfloat16_op(self, arg0: Iterable[str]) -> None:
        """Accepted, does nothing. Everything is computed in the dtypes of the model."""

    def enable_quantizer(self) -> None:
        """Accepted, does nothing. Everything is computed in the dtypes of the model."""
        self._asked.update(quantizer=True)

    def enable_tensorrt_engine(
        self,
        workspace_size: int = 1 << 30,
        max_batch_size: int = 1,
        min_subgraph_size: int = 3,
        precision_mode: int = 0,
        use_static: bool = False,
        use_calib_mode: bool = True,
        use_cuda_graph: bool = False,
    ) -> None:
        """Accepted, does nothing. There is no TensorRT: `tensorrt_engine_enabled` stays False."""

    def enable_tensorrt_dla(self, dla_core: int = 0) -> None:
        """Accepted, does nothing. There is no TensorRT."""
        self._asked.update(tensorrt_dla_enabled=True)

    def enable_tensorrt_explicit_quantization(self) -> None:
        """Accepted, does nothing. There is no TensorRT."""
        self._asked.update(tensorrt_explicit_quantization_enabled=True)

    def enable_tensorrt_inspector(self, inspector_serialize: bool = False) -> None:
        """Accepted, does nothing. There is no TensorRT."""
        self._asked.update(tensorrt_inspector_enabled=True)

    def enable_tensorrt_memory_optim(self, engine_memory_sharing: bool = True, sharing_identifier: int = 0) -> None:
        """Accepted, does nothing. There is no TensorRT."""

    def enable_tensorrt_varseqlen(self) -> None:
        """Accepted, does nothing. There is no TensorRT."""
        self._asked.update(tensorrt_varseqlen_enabled=True)

    def enable_tuned_tensorrt_dynamic_shape(self, shape_range_info_path: str = "", allow_build_at_runtime: bool = True) -> None:
        """Accepted, does nothing. There is no TensorRT."""
        self._asked.update(
            tuned_tensorrt_dynamic_shape=True,
            shape_range_info_path=os.fspath(shape_range_info_path),
            trt_allow_build_at_runtime=bool(allow_build_at_runtime),
        )

    def exp_disable_tensorrt_ops(self, arg0: Iterable[str]) -> None:
        """Accepted, does nothing. There is no TensorRT."""

    def mark_trt_engine_outputs(self, output_tensor_names: Iterable[str] = ()) -> None:
        """Accepted, does nothing. There is no TensorRT."""

    def set_tensorrt_optimization_level(self, arg0: int) -> None:
        """Accepted, does nothing. There is no TensorRT."""
        self._asked.update(tensorrt_optimization_level=int(arg0))

    def set_trt_dynamic_shape_info(
        self,
        min_input_shape: Mapping[str, Iterable[int]] = MappingProxyType({}),
        max_input_shape: Mapping[str, Iterable[int]] = MappingProxyType({}),
        optim_input_shape: Mapping[str, Iterable[int]] = MappingProxyType({}),
        disable_trt_plugin_fp16: bool = False,
    ) -> None:
        """Accepted, does nothing. There is no TensorRT; inputs may have any size that the model takes."""
        self._asked.update(tensorrt_dynamic_shape_enabled=bool(min_input_shape))

    def enable_xpu(
        self,
        l3_size: int = 16777216,
        l3_locked: bool = False,
        conv_autotune: bool = False,
        conv_autotune_file: str = "",
        transformer_encoder_precision: str = "int16",
        transformer_encoder_adaptive_seqlen: bool = False,
        enable_multi_stream: bool = False,
    ) -> None:
        """Accepted, does nothing. There are no such devices: `use_xpu` stays False."""

    def set_xpu_device_id(self, device_id: int = 0) -> None:
        """Accepted, does nothing. There are no such devices."""
        self._asked.update(xpu_device_id=int(device_id))

    def enable_ipu(
        self,
        ipu_device_num: int = 1,
        ipu_micro_batch_size: int = 1,
        ipu_enable_pipelining: bool = False,
        ipu_batches_per_step: int = 1,
    ) -> None:
        """Accepted, does nothing. There are no such devices."""

    def set_ipu_config(
        self,
        ipu_enable_fp16: bool = False,
        ipu_replica_num: int = 1,
        ipu_available_memory_proportion: float = 1.0,
        ipu_enable_half_partial: bool = False,
        ipu_enable_model_runtime_executor: bool = False,
    ) -> None:
        """Accepted, does nothing. There are no such devices."""

    def set_ipu_custom_info(
        self,
        ipu_custom_ops_info: Iterable[Iterable[str]] = (),
        ipu_custom_patterns: Mapping[str, bool] = MappingProxyType({}),
    ) -> None:
        """Accepted, does nothing. There are no such devices."""

    def load_ipu_config(self, config_path: str) -> None:
        """Accepted, does nothing. There are no such devices."""

    def enable_custom_device(self, device_type: str, device_id: int = 0, precision: int = 0) -> None:
        """Accepted, does nothing. There are no such devices."""

    def enable_dlnne(
        self,
        min_subgraph_size: int = 3,
        max_batch_size: int = 1,
        use_static_batch: bool = False,
        weight_share_mode: str = "0",
        disable_nodes_by_outputs: Iterable[str] = frozenset(),
        input_shape_dict: Mapping[str, Iterable[int]] = MappingProxyType({}),
        use_calib_mode: bool = False,
        precision_mode: int = 0,
    ) -> None:
        """Accepted, does nothing. There is no such engine."""

    def enable_lite_engine(
        self,
        precision_mode: int = 0,
        zero_copy: bool = False,
        passes_filter: Iterable[str] = (),
        ops_filter: Iterable[str] = (),
    ) -> None:
        """Accepted, does nothing. There is no such engine."""
        self._asked.update(lite_engine_enabled=True)

    def enable_opencl(self) -> None:
        """Accepted, does nothing. There are no such devices."""
        self._asked.update(use_opencl=True)

    def enable_onnxruntime(self) -> None:
        """Accepted, does nothing. There is no such engine: `onnxruntime_enabled` stays False."""

    def disable_onnxruntime(self) -> None:
        """Accepted, does nothing. There is no such engine."""

    def enable_ort_optimization(self) -> None:
        """Accepted, does nothing. There is no such engine."""

    def cpu_math_library_num_threads(self) -> int:
        """The number that was set; at first 1."""
        return int(self._asked["cpu_math_library_num_threads"])

    def glog_info_disabled(self) -> bool:
        """Return whether this was asked for (default False)."""
        return bool(self._asked["glog_info_disabled"])

    def specify_input_name(self) -> bool:
        """Return whether this was asked for (default False)."""
        return bool(self._asked["specify_input_name"])

    def shape_range_info_collected(self) -> bool:
        """Return whether this was asked for (default False)."""
        return bool(self._asked["shape_range_info_collected"])

    def shape_range_info_path(self) -> str:
        """The path that was set; at first ''."""
        return str(self._asked["shape_range_info_path"])

    def use_feed_fetch_ops_enabled(self) -> bool:
        """False: that is not here."""
        return bool(self._asked["use_feed_fetch_ops_enabled"])

    def mkldnn_enabled(self) -> bool:
        """Return whether this was asked for (default True)."""
        return bool(self._asked["mkldnn_enabled"])

    def mkldnn_int8_enabled(self) -> bool:
        """Return whether this was asked for (default False)."""
        return bool(self._asked["mkldnn_int8_enabled"])

    def tensorrt_engine_enabled(self) -> bool:
        """False: that is not here."""
        return bool(self._asked["tensorrt_engine_enabled"])

    def tensorrt_dla_enabled(self) -> bool:
        """Return whether this was asked for (default False)."""
        return bool(self._asked["tensorrt_dla_enabled"])

    def tensorrt_dynamic_shape_enabled(self) -> bool:
        """Return whether this was asked for (default False)."""
        return bool(self._asked["tensorrt_dynamic_shape_enabled"])

    def tensorrt_explicit_quantization_enabled(self) -> bool:
        """Return whether this was asked for (default False)."""
        return bool(self._asked["tensorrt_explicit_quantization_enabled"])

    def tensorrt_inspector_enabled(self) -> bool:
        """Return whether this was asked for (default False)."""
        return bool(self._asked["tensorrt_inspector_enabled"])

    def tensorrt_varseqlen_enabled(self) -> bool:
        """Return whether this was asked for (default False)."""
        return bool(self._asked["tensorrt_varseqlen_enabled"])

    def tensorrt_optimization_level(self) -> int:
        """The number that was set; at first 3."""
        return int(self._asked["tensorrt_optimization_level"])

    def tuned_tensorrt_dynamic_shape(self) -> bool:
        """Return whether this was asked for (default False)."""
        return bool(self._asked["tuned_tensorrt_dynamic_shape"])

    def trt_allow_build_at_runtime(self) -> bool:
        """Return whether this was asked for (default False)."""
        return bool(self._asked["trt_allow_build_at_runtime"])

    def use_xpu(self) -> bool:
        """False: that is not here."""
        return bool(self._asked["use_xpu"])

    def xpu_device_id(self) -> int:
        """The number that was set; at first 0."""
        return int(self._asked["xpu_device_id"])

    def lite_engine_enabled(self) -> bool:
        """Return whether this was asked for (default False)."""
        return bool(self._asked["lite_engine_enabled"])

    def use_opencl(self) -> bool:
        """Return whether this was asked for (default False)."""
        return bool(self._asked["use_opencl"])

    def onnxruntime_enabled(self) -> bool:
        """False: that is not here."""
        return bool(self._asked["onnxruntime_enabled"])

    def tensorrt_precision_mode(self) -> PrecisionType:
        """PrecisionType.Float32: there is no TensorRT."""
        return PrecisionType.Float32
