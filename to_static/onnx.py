"""``paddle.onnx``: models as files of ONNX, written and read without further packages."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from to_static.core.diagnostics.missing_names import names_missing
from to_static.core.diagnostics.printable import printable
from to_static.core.diagnostics.tracebacks import for_users

if TYPE_CHECKING:
    from to_static.compiler.saved.load import TranslatedLayer

__all__ = ["export", "load"]

_FIRST = 11  # the oldest opset that is written
_OPTIONS = frozenset(["output_spec", "with_hook", "dynamic_axes", "output_names", "external_data"])
# what Paddle hands on to paddle2onnx
_ACCEPTED = frozenset([
    "enable_onnx_checker", "verbose", "auto_upgrade_opset", "export_fp16_model", "optimize_tool", "deploy_backend",
    "enable_experimental_op", "enable_optimize", "enable_dev_version", "operator_export_type",
])  # fmt: skip


@for_users
def export(layer: Any, path: str | os.PathLike[str], input_spec: Any = None, opset_version: int = 9, **configs: Any) -> None:
    """Write a static model as ``path.onnx``, in the form that runtimes need no further simplifying of.

    Args:
        layer: Layer, function or what `jit.load` returned; it is written as in evaluation.
        path: prefix of the file, or the file when it ends in ``.onnx``; missing folders are made.
        input_spec: list of `InputSpec` (or tensors), one per argument of ``forward``; default: that of `to_static`, or of the
            newest call. Dimensions that are -1 may have any size.
        opset_version: 11 to 23. Below, and so by default, it is 17, or the first later one that has all operators of the model.
        output_spec (list): keep only these outputs, as in `jit.save`. with_hook (bool): as in `jit.save`.
        dynamic_axes (dict): names of dimensions that are -1, ``{'x': {0: 'batch'}}``; others are called ``x_dim_0``.
        output_names (list of str): names of the outputs, by default ``output_0``, ``output_1``, ...
        external_data (bool): whether weights go to ``path.onnx.data``; by default those of more than 2 GB do.

    Options of paddle2onnx are accepted for Paddle's sake. Raises FormatError that lists every operator that ONNX can't say, with
    its line; ValueError for a bad path, opset or option; and what `jit.save` raises. Nothing half-written is left behind.

    Example:
        >>> net = paddle.nn.Linear(784, 10)
        >>> paddle.onnx.export(net, 'model/mnist', input_spec=[paddle.static.InputSpec([None, 784], 'float32', 'x')])
    """
    from to_static.compiler.formats.onnx.model_writer import OnnxSettings, write_model
    from to_static.compiler.saved.save import frozen, programs_of, static_methods

    unknown = set(configs) - _OPTIONS - _ACCEPTED
    if unknown:
        raise ValueError(f"onnx.export: unknown options {', '.join(sorted(unknown))}; known: {', '.join(sorted(_OPTIONS))}")
    target = os.fspath(path)
    if not os.path.basename(target).removesuffix(".onnx"):
        raise ValueError(f"onnx.export: path must be a prefix such as 'model/net', got {target!r}, which names a folder")
    if not isinstance(opset_version, int):
        raise TypeError(f"onnx.export: opset_version must be an int, got {type(opset_version).__name__}")
    target = target if target.endswith(".onnx") else f"{target}.onnx"
    settings = OnnxSettings(
        opset=None if opset_version < _FIRST else opset_version,
        dynamic=_checked_axes(configs.get("dynamic_axes")),
        external=configs.get("external_data"),
        outputs=configs.get("output_names"),
    )
    methods = static_methods(layer)
    if "forward" not in methods:
        raise ValueError(f"onnx.export: a file has one method, `forward`, and this model has {', '.join(methods)}")
    program = frozen(programs_of(methods["forward"] if len(methods) > 1 else layer, input_spec, configs, "onnx.export")["forward"])
    if settings.outputs is not None and len(settings.outputs) != len(program.outputs):
        raise ValueError(f"onnx.export: output_names has {len(settings.outputs)} names, the model {len(program.outputs)} outputs")
    os.makedirs(os.path.dirname(target) or os.curdir, exist_ok=True)
    opset = write_model(program, target, settings)
    if _FIRST <= opset_version < opset:
        warnings.warn(f"onnx.export: the file has opset {opset}", stacklevel=3)


def _checked_axes(axes: Any) -> Mapping[str, Mapping[int, str]]:
    if axes is None:
        return {}
    if not isinstance(axes, Mapping) or not all(isinstance(names, Mapping) for names in axes.values()):
        raise TypeError("onnx.export: dynamic_axes names dimensions of inputs and outputs: {'x': {0: 'batch'}}")
    return axes


@for_users
def load(path: str | os.PathLike[str], fixed: Mapping[str, Any] | None = None) -> TranslatedLayer:
    """A model of an ONNX file, of opset 7 to 23, as a Layer like those of `jit.load`: it runs, trains and is saved.

    Args:
        path: the file, or its prefix.
        fixed: inputs that always have the same numbers, by name: shapes and axes that operators want to know when they are read.

    Float weights are parameters; the Layer starts in eval mode. Raises FormatError (file, node, what was expected) for damaged
    files and operators that are not supported, ValueError for a name that no input has, FileNotFoundError when there is no file.
    Nothing in a file is ever executed.

    Example:
        >>> net = to_static.onnx.load('model/mnist.onnx')
        >>> net.eval()
    """
    from to_static.compiler.formats.hub import find_model, open_model
    from to_static.compiler.formats.onnx.model_reader import OnnxModel
    from to_static.compiler.saved.load import TranslatedLayer

    target = os.fspath(path)
    model = open_model(target if target.endswith(".onnx") or os.path.isfile(target) else find_model(f"{target}.onnx"))
    if not isinstance(model, OnnxModel):
        raise ValueError(f"onnx.load: {printable(model.path)} is no model of ONNX: load it with paddle.jit.load")
    return TranslatedLayer({"forward": model.with_fixed(fixed) if fixed else model})


__getattr__ = names_missing(__name__)
