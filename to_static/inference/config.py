"""`Config`: which model a predictor runs, and where."""

from __future__ import annotations

import os

from to_static.core.errors import DeviceError
from to_static.formats.paddle.model import MODEL
from to_static.formats.snapshot import is_there


class PrecisionType:
    """Arithmetic of a predictor. Only Float32 (the model's own dtypes) is there."""

    Float32 = 0


class XpuConfig:
    """Settings for devices that are not here. Nothing reads them."""


class Config:
    """A model and where to run it.

    Args:
        model: the ``.pdmodel`` file, or its prefix.
        params: the ``.pdiparams`` file; default: the one beside the model.

    Example:
        >>> config = Config('model/net.pdmodel', 'model/net.pdiparams')
        >>> config.enable_use_gpu(100, 0)
    """

    def __init__(self, model: str | os.PathLike[str] | None = None, params: str | os.PathLike[str] | None = None) -> None:
        self._device = "cpu"
        self._optimize = True
        self._model: str | None = None
        self._params: str | None = None
        if model is not None:
            self.set_model(model, params)

    def set_model(self, model: str | os.PathLike[str], params: str | os.PathLike[str] | None = None) -> None:
        """Choose the files. Raises FileNotFoundError when the model is not there."""
        path = os.fspath(model)
        if not is_there(path) and is_there(path + MODEL):
            path += MODEL
        if not is_there(path):
            raise FileNotFoundError(f"no saved model at {path!r}: expected a {MODEL} file or its prefix")
        self._model = path
        self._params = None if params is None else os.fspath(params)

    def prog_file(self) -> str:
        """Path of the ``.pdmodel`` file. Raises ValueError when none was chosen."""
        if self._model is None:
            raise ValueError("this Config has no model: call set_model(path)")
        return self._model

    def params_file(self) -> str | None:
        """Path of the ``.pdiparams`` file; None: beside the model."""
        return self._params

    def enable_use_gpu(self, memory_pool_init_size_mb: int = 0, device_id: int = 0, precision_mode: int = 0) -> None:
        """Run on GPU ``device_id``. Raises DeviceError for another precision than Float32."""
        if precision_mode != PrecisionType.Float32:
            raise DeviceError("enable_use_gpu: only PrecisionType.Float32 is supported")
        self._device = f"gpu:{device_id}"

    def set_device(self, device: str) -> None:
        """Run on a device by name: 'cpu' or 'gpu:0'."""
        self._device = device

    def disable_gpu(self) -> None:
        """Run on the CPU (the default)."""
        self._device = "cpu"

    def use_gpu(self) -> bool:
        """Whether a GPU was chosen."""
        return self._device != "cpu"

    def switch_ir_optim(self, x: bool = True) -> None:
        """Optimize the Program (the default), or run it as it was saved."""
        self._optimize = bool(x)

    def ir_optim(self) -> bool:
        """Whether the Program is optimized."""
        return self._optimize

    def enable_memory_optim(self, x: bool = True) -> None:
        """Accepted for Paddle's sake: buffers are always shared."""

    def disable_glog_info(self) -> None:
        """Accepted for Paddle's sake: nothing is logged unless TO_STATIC_DEBUG is set."""

    def switch_use_feed_fetch_ops(self, x: bool = True) -> None:
        """Accepted for Paddle's sake."""

    def set_cpu_math_library_num_threads(self, count: int) -> None:
        """Accepted for Paddle's sake: threads are those of NumPy's BLAS (OPENBLAS_NUM_THREADS)."""

    def summary(self) -> str:
        """The settings, a line each."""
        params = self._params or "beside the model"
        return f"model: {self._model}\nparams: {params}\ndevice: {self._device}\noptimize: {self._optimize}"
