"""Paddle's ``utils.cpp_extension``, which compiles operators written in C++ or CUDA: those are Paddle's inside, and refused.

Code of model collections imports the names, and asks for such operators only where there is a GPU.
"""

from __future__ import annotations

import os
from typing import Any, NoReturn

from to_static.core.errors import ModeError
from to_static.core.importing.paddle_module_aliases import names_around

__all__ = ["BuildExtension", "CUDAExtension", "CppExtension", "get_build_directory", "load", "setup"]

CUDA_HOME = os.environ.get("CUDA_HOME", "/usr/local/cuda")  # where Paddle looks for a compiler for CUDA


def _refuse(*args: Any, **kwargs: Any) -> NoReturn:
    """Always raises ModeError: write the operator in Python, as a function of tensors or an `autograd.PyLayer`."""
    words = "operators in C++ run only in PaddlePaddle; write it in Python, as a function or an autograd.PyLayer"
    raise ModeError(f"cpp_extension: {words}")


CppExtension = CUDAExtension = load = setup = get_build_directory = _refuse
load_op_meta_info_and_register_op = parse_op_info = _import_module_from_library = _jit_compile = _refuse


class BuildExtension:
    """Paddle's command of setuptools that compiles; see `setup`."""

    __init__ = with_options = _refuse


__getattr__ = names_around(__name__)
