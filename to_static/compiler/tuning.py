"""`tune` measures which kernels are fastest for a network and its sizes, and writes the choices to a file."""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np

from to_static.compiler.eager.grad_mode import no_grad
from to_static.compiler.frontend.function.static_function import StaticFunction
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.program import Stored
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.var_kinds import CONST
from to_static.compiler.passes.kernel_choice import tuned_kernels
from to_static.compiler.runtime.plan import Plan, compile_plan
from to_static.core.backend import NUMPY
from to_static.nn.layer import Layer

ROUNDS = 7


def tune(function: Any, *inputs: Any, path: str | os.PathLike[str]) -> dict[str, str]:
    """Measure the kernels among which ``function(*inputs)`` has a choice, and use the fastest from now on.

    Args:
        function: a Layer, or a function of tensors, as `to_static` takes them (one without graph breaks).
        inputs: tensors of the sizes that matter.
        path: the file that keeps the choices, which are added to those in it. Other processes follow them where
            ``TO_STATIC_TUNED`` names it; files of other machines or NumPy versions, and damaged ones, are ignored.

    Returns the choices by question. Plans that exist stay as they are. Raises OSError when the file can't be written.

    Example:
        >>> paddle.tune(resnet, paddle.randn([1, 3, 224, 224]), path="net.tuned.json")
    """
    called = function.forward if isinstance(function, Layer) else function
    if isinstance(called, StaticFunction):
        called = called.dygraph_function
    with tuned_kernels.recorded_choices() as questions, no_grad():
        StaticFunction(called)(*inputs)
    choices = {key: _quickest(options, about) for key, (options, about) in questions.items()}
    tuned_kernels.write(os.fspath(path), choices)
    tuned_kernels.tuned.value = os.fspath(path)
    return choices


def _quickest(options: tuple[str, ...], about: Any) -> str:
    """Return the option with the fastest round; rounds are interleaved."""
    x = np.random.default_rng(0).normal(size=about[0].shape).astype(about[0].dtype.np)
    plans = {option: _plan(option, *about) for option in options}
    best = dict.fromkeys(options, float("inf"))
    for _ in range(ROUNDS):
        for option, plan in plans.items():
            plan(x)  # warm the cache again after the other options
            start = time.perf_counter()
            plan(x)
            best[option] = min(best[option], time.perf_counter() - start)
    return min(best, key=best.__getitem__)


def _plan(method: str, x: TensorSpec, w: TensorSpec, settings: dict[str, Any], parts: dict[str, int]) -> Plan:
    """Compile a Program of one convolution with this ``method``, in the layout that it will have."""
    builder = Builder()
    weight = np.random.default_rng(1).normal(size=w.shape).astype(w.dtype.np)
    with mode.use(builder):
        fed = builder.feed(x)
        weight_handle = builder._handle(builder.program.add_param(w, CONST, Stored(weight, "w"), "w"), builder.root)
        packed = get("pack_filter").emit(weight_handle, None, layout=settings["layout"], method=method, **parts)
        result = get("packed_conv").emit(fed, packed, None, None, **settings, method=method, act="")
        program = builder.finish([result])
    return compile_plan(program, NUMPY, weights_frozen=True)
