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
    """Print the version and what it was built with, a line each.

    Example:
        >>> paddle.version.show()
        full_version: 2.6.2
        major: 2
        minor: 6
        patch: 2
        rc: 0
        cuda: False
        cudnn: False
        xpu: False
        xpu_xccl: False
        cinn: False
    """
    for name in ("full_version", "major", "minor", "patch", "rc"):
        print(f"{name}: {globals()[name]}")
    for name in ("cuda", "cudnn", "xpu", "xpu_xccl", "cinn"):
        print(f"{name}: {globals()[name]()}")


def mkl() -> str:
    """'OFF': kernels are those of the array module.

    Example:
        >>> paddle.version.mkl()
        'OFF'
    """
    return with_mkl


def cuda() -> str:
    """'False': of CUDA, what there is is CuPy's matter.

    Example:
        >>> paddle.version.cuda()
        'False'
    """
    return cuda_version


def cudnn() -> str:
    """'False', see `cuda`.

    Example:
        >>> paddle.version.cudnn()
        'False'
    """
    return cudnn_version


def xpu() -> str:
    """'False': there are no XPUs.

    Example:
        >>> paddle.version.xpu()
        'False'
    """
    return xpu_version


def xpu_xccl() -> str:
    """'False': there are no XPUs.

    Example:
        >>> paddle.version.xpu_xccl()
        'False'
    """
    return xpu_xccl_version


def cinn() -> str:
    """'False': Paddle's compiler is not here.

    Example:
        >>> paddle.version.cinn()
        'False'
    """
    return cinn_version


__getattr__ = names_missing(__name__)
