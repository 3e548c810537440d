"""Settings of engines that are not here: objects that PaddlePaddle's programs fill in, and nothing reads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class XpuConfig:
    """Settings for devices that are not here.

    Example:
        >>> config = paddle.inference.XpuConfig()
    """

    def __init__(self) -> None:
        self.context: Any = None
        self.context_gm_size = -1
        self.conv_autotune_file = ""
        self.conv_autotune_file_writeback = False
        self.conv_autotune_level = 0
        self.device_id = 0
        self.fc_autotune_file = ""
        self.fc_autotune_file_writeback = False
        self.fc_autotune_level = 0
        self.gemm_compute_precision = 1
        self.l3_autotune_size = 0
        self.l3_ptr: Any = None
        self.l3_size = 16777216
        self.quant_post_dynamic_activation_method = 0
        self.quant_post_dynamic_op_types: list[str] = []
        self.quant_post_dynamic_weight_precision = 1
        self.quant_post_static_gelu_out_threshold = 10.0
        self.stream: Any = None
        self.transformer_encoder_adaptive_seqlen = False
        self.transformer_softmax_optimize_level = 0


class DistConfig:
    """A model in several processes: which is not here."""

    def __init__(self) -> None:
        self._enabled = False
        self._carrier_id = "inference"
        self._comm_init_config = ""
        self._ranks = 1, 0
        self._endpoints: tuple[list[str], str] = [], ""

    def enable_dist_model(self, arg0: bool) -> None:
        """Accepted, does nothing but for `use_dist_model`."""
        self._enabled = bool(arg0)

    def use_dist_model(self) -> bool:
        """Return whether this was asked for."""
        return self._enabled

    def set_carrier_id(self, arg0: str) -> None:
        """Keep an id."""
        self._carrier_id = arg0

    def carrier_id(self) -> str:
        """The id that was set."""
        return self._carrier_id

    def set_comm_init_config(self, arg0: str) -> None:
        """Keep a path."""
        self._comm_init_config = arg0

    def comm_init_config(self) -> str:
        """The path that was set."""
        return self._comm_init_config

    def set_ranks(self, arg0: int, arg1: int) -> None:
        """Keep the number of processes, and the number of this one."""
        self._ranks = arg0, arg1

    def nranks(self) -> int:
        """The number of processes that was set; at first 1."""
        return self._ranks[0]

    def rank(self) -> int:
        """The number of this process that was set; at first 0."""
        return self._ranks[1]

    def set_endpoints(self, arg0: Iterable[str], arg1: str) -> None:
        """Keep the addresses of all processes, and the one of this."""
        self._endpoints = list(arg0), arg1

    def trainer_endpoints(self) -> list[str]:
        """The addresses that were set."""
        return list(self._endpoints[0])

    def current_endpoint(self) -> str:
        """The address of this process that was set."""
        return self._endpoints[1]


class LiteNNAdapterConfig:
    """Settings of Paddle Lite, which is not here. Each method returns the object."""

    def enable(self) -> LiteNNAdapterConfig:
        """Accepted, does nothing."""
        return self

    def disable(self) -> LiteNNAdapterConfig:
        """Accepted, does nothing."""
        return self

    def set_device_names(self, arg0: Iterable[str]) -> LiteNNAdapterConfig:
        """Accepted, does nothing."""
        return self

    def set_context_properties(self, arg0: str) -> LiteNNAdapterConfig:
        """Accepted, does nothing."""
        return self

    def set_model_cache_dir(self, arg0: str) -> LiteNNAdapterConfig:
        """Accepted, does nothing."""
        return self

    def set_model_cache_buffers(self, arg0: str, arg1: Iterable[str]) -> LiteNNAdapterConfig:
        """Accepted, does nothing."""
        return self

    def set_subgraph_partition_config_path(self, arg0: str) -> LiteNNAdapterConfig:
        """Accepted, does nothing."""
        return self

    def set_subgraph_partition_config_buffer(self, arg0: str) -> LiteNNAdapterConfig:
        """Accepted, does nothing."""
        return self


class MkldnnQuantizerConfig:
    """Settings of oneDNN's quantizer, which is not here."""

    def set_enabled_op_types(self, arg0: Iterable[str]) -> None:
        """Accepted, does nothing."""

    def set_quant_batch_size(self, arg0: int) -> None:
        """Accepted, does nothing."""

    def set_quant_data(self, arg0: Iterable[Any]) -> None:
        """Accepted, does nothing."""


class PassBuilder:
    """The list of rewrites that a predictor makes. ``names`` are those of this package."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = list(names)

    def all_passes(self) -> list[str]:
        """The names of the rewrites, in order; none with ``switch_ir_optim(False)``."""
        return list(self._names)

    def analysis_passes(self) -> list[str]:
        """An empty list: PaddlePaddle's analysis has no counterpart here."""
        return []

    def append_pass(self, arg0: str) -> None:
        """Accepted, does nothing: the rewrites of this package stay as they are."""

    def append_analysis_pass(self, arg0: str) -> None:
        """Accepted, does nothing: the rewrites of this package stay as they are."""

    def delete_pass(self, arg0: str) -> None:
        """Accepted, does nothing: the rewrites of this package stay as they are."""

    def insert_pass(self, arg0: int, arg1: str) -> None:
        """Accepted, does nothing: the rewrites of this package stay as they are."""

    def set_passes(self, arg0: Iterable[str]) -> None:
        """Accepted, does nothing: the rewrites of this package stay as they are."""

    def turn_on_debug(self) -> None:
        """Accepted, does nothing: `to_static` on the command line prints Programs."""

    def debug_string(self) -> str:
        """The names, a line each."""
        return "".join(f"- {name}\n" for name in self._names)


class NativeConfig:
    """The part of a `Config` that PaddlePaddle's engine without rewrites has: files and device."""

    def __init__(self, model_dir: str, prog_file: str, param_file: str, use_gpu: bool, device: int, threads: int) -> None:
        self.model_dir = model_dir
        self.prog_file = prog_file
        self.param_file = param_file
        self.use_gpu = use_gpu
        self.use_xpu = False
        self.device = device
        self.fraction_of_gpu_memory = 0.0
        self.specify_input_name = False
        self._threads = threads

    def cpu_math_library_num_threads(self) -> int:
        """The number that was set; at first 1."""
        return self._threads

    def set_cpu_math_library_num_threads(self, arg0: int) -> None:
        """Keep a number, for the getter."""
        self._threads = int(arg0)


class InternalUtils:
    """Hints about TensorRT, which is not here.

    Example:
        >>> utils = paddle.inference.InternalUtils()
    """

    @staticmethod
    def disable_tensorrt_half_ops(arg0: Any, arg1: Iterable[str]) -> None:
        """Accepted, does nothing."""

    @staticmethod
    def set_transformer_maskid(arg0: Any, arg1: str) -> None:
        """Accepted, does nothing."""

    @staticmethod
    def set_transformer_posid(arg0: Any, arg1: str) -> None:
        """Accepted, does nothing."""
