"""The version of PaddlePaddle's interface that this package has, under Paddle's names (``paddle.version``)."""

from __future__ import annotations

from to_static.core.diagnostics.missing_names import names_missing

full_version = "2.6.2"
major, minor, patch = full_version.split(".")
rc = "0"
commit = ""  # of no use: this is another implementation
istaged = True
with_mkl = "OFF"
cuda_version = cudnn_version = xpu_version = xpu_xccl_version = cinn_version = "False"

__all__ = ["cinn", "cuda", "cudnn", "mkl", "show", "xpu", "xpu_xccl"]


def show() -> None:
    """Print the version and what it was built with, a line each."""
    for name in ("full_version", "major", "minor", "patch", "rc"):
        print(f"{name}: {globals()[name]}")
    for name in ("cuda", "cudnn", "xpu", "xpu_xccl", "cinn"):
        print(f"{name}: {globals()[name]()}")


def mkl() -> str:
    """'OFF': kernels are those of the array module."""
    return with_mkl


def cuda() -> str:
    """'False': of CUDA, what there is is CuPy's matter."""
    return cuda_version


def cudnn() -> str:
    """'False', see `cuda`."""
    return cudnn_version


def xpu() -> str:
    """'False': there are no XPUs."""
    return xpu_version


def xpu_xccl() -> str:
    """'False': there are no XPUs."""
    return xpu_xccl_version


def cinn() -> str:
    """'False': Paddle's compiler is not here."""
    return cinn_version


__getattr__ = names_missing(__name__)
