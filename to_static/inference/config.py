"""`Config`: which model a predictor runs, and where."""

from __future__ import annotations

import os
import warnings

from to_static.compiler.formats.hub import find_model, path_text
from to_static.compiler.passes.pipeline import EXPORT, inference_passes
from to_static.core.backend import get_backend
from to_static.core.errors import DeviceError
from to_static.inference.config_hints import Hints
from to_static.inference.engines import (
    DistConfig,
    LiteNNAdapterConfig,
    MkldnnQuantizerConfig,
    NativeConfig,
    PassBuilder,
    XpuConfig,
)
from to_static.inference.precision import PrecisionType


class Config(Hints):
    """A model and where to run it.

    Args:
        model: the file of the model, whichever format it has, or its prefix; another `Config`, which is copied; or a folder of
            Paddle 1, with ``__model__``.
        params: the ``.pdiparams`` file; default: the one beside the model.

    Raises FileNotFoundError, naming what is there instead, when there is no such model.

    Example:
        >>> config = Config('model/net.pdmodel', 'model/net.pdiparams')
        >>> config.enable_use_gpu(100, 0)
    """

    Precision = PrecisionType
    Float32, Int8, Half, Bfloat16 = PrecisionType

    def __init__(self, model: str | os.PathLike[str] | Config | None = None, params: str | os.PathLike[str] | None = None) -> None:
        super().__init__()
        self._device = "cpu"
        self._memory_mb = 100
        self._optimize = True
        self._model = self._params = self._folder = ""
        self._buffers: tuple[bytes, bytes] | None = None
        self._xpu, self._dist, self._lite = XpuConfig(), DistConfig(), LiteNNAdapterConfig()
        self._quantizer = MkldnnQuantizerConfig()
        if isinstance(model, Config):
            self.__dict__.update(model.__dict__, _asked=dict(model._asked))
        elif model is not None:
            self.set_model(model, params)

    def set_model(self, model: str | os.PathLike[str], params: str | os.PathLike[str] | None = None) -> None:
        """Choose the files. Raises FileNotFoundError, naming what is there instead, when the model is not there."""
        path = path_text(model)
        self._folder = path if os.path.isdir(path) else ""
        self._model = find_model(path)
        self._buffers = None
        self._params = "" if params is None else os.fspath(params)

    def set_prog_file(self, arg0: str | os.PathLike[str]) -> None:
        """Choose the ``.pdmodel`` file; it is looked for when a predictor is made."""
        self._buffers, self._model, self._folder = None, os.fspath(arg0), ""

    def set_params_file(self, arg0: str | os.PathLike[str]) -> None:
        """Choose the ``.pdiparams`` file; it is looked for when a predictor is made."""
        self._buffers, self._params = None, os.fspath(arg0)

    def set_model_buffer(self, arg0: bytes, arg1: int, arg2: bytes, arg3: int) -> None:
        """Take the model from memory: the bytes of the ``.pdmodel`` file and their number, then those of the ``.pdiparams`` file.

        Raises TypeError for anything else than bytes, ValueError for a number that is larger than what is there.
        """
        parts = []
        for role, data, size in (("model", arg0, arg1), ("parameters", arg2, arg3)):
            if not isinstance(data, (bytes, bytearray, memoryview)):
                advice = "read the file with open(path, 'rb')"
                raise TypeError(f"set_model_buffer: expected the {role} as bytes, got {type(data).__name__}: {advice}")
            if not 0 <= size <= len(data):
                raise ValueError(f"set_model_buffer: the {role} have {len(data)} bytes, got the size {size}")
            parts.append(bytes(data[:size]))
        self._model = self._params = self._folder = ""
        self._buffers = parts[0], parts[1]

    def model_from_memory(self) -> bool:
        """Return whether `set_model_buffer` gave the model."""
        return self._buffers is not None

    def model_dir(self) -> str:
        """The folder that the Config was made of; '' for one of files."""
        return self._folder

    def prog_file(self) -> str:
        """Path of the ``.pdmodel`` file; '' when none was chosen."""
        return "" if self._folder else self._model

    def params_file(self) -> str:
        """Path of the ``.pdiparams`` file; '' for the one beside the model."""
        return "" if self._folder else self._params

    def enable_use_gpu(self, memory_pool_init_size_mb: int, device_id: int = 0, precision_mode: int = 0) -> None:
        """Run on GPU ``device_id``, or, with a warning, on the CPU where there is none.

        Models are computed in their own dtypes, whatever the precision.
        """
        device = f"gpu:{device_id}"
        try:
            get_backend(device)
        except DeviceError as error:
            warnings.warn(f"enable_use_gpu: {error} The model runs on the CPU.", stacklevel=2)
            return
        self._device, self._memory_mb = device, int(memory_pool_init_size_mb)

    def set_device(self, device: str) -> None:
        """Run on a device by name: 'cpu' or 'gpu:0'."""
        self._device = device

    def disable_gpu(self) -> None:
        """Run on the CPU (the default)."""
        self._device = "cpu"

    def use_gpu(self) -> bool:
        """Return whether a GPU was chosen."""
        return self._device != "cpu"

    def gpu_device_id(self) -> int:
        """The number of the GPU that was chosen; 0 without one."""
        return int(self._device.partition(":")[2] or 0)

    def memory_pool_init_size_mb(self) -> int:
        """The number that `enable_use_gpu` was given, at first 100: CuPy's pool grows as it is needed."""
        return self._memory_mb

    def fraction_of_gpu_memory_for_pool(self) -> float:
        """0.0: CuPy's pool grows as it is needed."""
        return 0.0

    def switch_ir_optim(self, x: int = True) -> None:
        """Optimize the Program (the default), or run it as it was saved."""
        self._optimize = bool(x)

    def ir_optim(self) -> bool:
        """Return whether the Program is optimized."""
        return self._optimize

    def pass_builder(self) -> PassBuilder:
        """The rewrites that the predictor makes."""
        backend = get_backend(self._device).name
        return PassBuilder(each.name for each in (inference_passes(backend, frozen=True) if self._optimize else EXPORT))

    def set_xpu_config(self, arg0: XpuConfig) -> None:
        """Accepted, does nothing but for `xpu_config`."""
        self._xpu = arg0

    def xpu_config(self) -> XpuConfig:
        """The settings that were set."""
        return self._xpu

    def set_dist_config(self, arg0: DistConfig) -> None:
        """Accepted, does nothing but for `dist_config`: a predictor is in one process."""
        self._dist = arg0

    def dist_config(self) -> DistConfig:
        """The settings that were set."""
        return self._dist

    def nnadapter(self) -> LiteNNAdapterConfig:
        """Settings of an engine that is not here."""
        return self._lite

    def quantizer_config(self) -> MkldnnQuantizerConfig:
        """Settings of an engine that is not here. Raises RuntimeError before `enable_quantizer`, as in PaddlePaddle."""
        if not self._asked["quantizer"]:
            raise RuntimeError("quantizer_config: call enable_quantizer() first")
        return self._quantizer

    def to_native_config(self) -> NativeConfig:
        """Files and device as an object of its own."""
        threads = self.cpu_math_library_num_threads()
        return NativeConfig(self._folder, self.prog_file(), self.params_file(), self.use_gpu(), self.gpu_device_id(), threads)

    def summary(self) -> str:
        """The settings as a table of two columns, as PaddlePaddle prints them; hints do not stand in it."""
        location_text = "in memory" if self._buffers is not None else "beside the model"
        files = {
            "model_file": "in memory" if self._buffers is not None else self._model or "none",
            "params_file": (self._params or location_text) if self._model or self._buffers is not None else "none",
        }
        device = {"use_gpu": self.use_gpu(), **({"gpu_device_id": self.gpu_device_id()} if self.use_gpu() else {})}
        groups = ({"Option": "Value"}, files, device, {"ir_optim": self._optimize})
        texts = [{name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in g.items()} for g in groups]
        width = max(len(name) for group in texts for name in group)
        width_of_values = max(len(value) for group in texts for value in group.values())
        rule = f"+-{'-' * width}-+-{'-' * width_of_values}-+\n"
        rows = ["".join(f"| {n:{width}} | {v:{width_of_values}} |\n" for n, v in group.items()) for group in texts]
        return rule + rule.join(rows) + rule
