"""Writes `to_static/core/diagnostics/paddle_names.py`: the public names of PaddlePaddle 2.6.2, from PaddlePaddle itself.

    python tests/golden/record_names.py       in an environment that has PaddlePaddle 2.6.2
"""

import importlib
import textwrap
import types
from pathlib import Path

import paddle

TARGET = Path(__file__).parents[2] / "to_static" / "core" / "paddle_names.py"
MODULES = """
paddle nn nn.functional nn.initializer nn.utils nn.quant optimizer optimizer.lr regularizer static static.nn jit linalg fft
signal sparse sparse.nn sparse.nn.functional distribution metric io vision vision.transforms vision.models vision.ops
vision.datasets amp amp.debugging autograd incubate incubate.nn incubate.nn.functional incubate.autograd incubate.optimizer
distributed distributed.fleet text audio audio.functional audio.features callbacks hub onnx inference utils
utils.unique_name device device.cuda profiler quantization geometric framework version sysconfig
""".split()
CLASSES = {
    "Tensor": [paddle.Tensor, paddle.static.Variable],
    "Layer": [paddle.nn.Layer, paddle.nn.LayerList, paddle.nn.Sequential, paddle.nn.LayerDict],
    "Optimizer": [paddle.optimizer.Optimizer, paddle.optimizer.Adam],
    "LRScheduler": [paddle.optimizer.lr.LRScheduler],
    "Program": [paddle.static.Program],
    "Model": [paddle.Model],
}
HEAD = '''"""The public names of PaddlePaddle 2.6.2, by module or class: what `missing` looks a name up in that is not here.

Written by ``tests/golden/record_names.py``; read only when an error is made.
"""

from __future__ import annotations

_TEXT = """
'''
TAIL = '''"""
_LINES = _TEXT.strip().replace("\\n    ", " ").split("\\n")
NAMES = {line.partition(":")[0]: frozenset(line.partition(":")[2].split()) for line in _LINES}
'''


def public(module):
    names = {name for name in getattr(module, "__all__", []) if not name.startswith("_")}
    listed = bool(names)
    for name, value in vars(module).items():
        if name.startswith("_"):
            continue
        if isinstance(value, types.ModuleType):
            if value.__name__ == f"{module.__name__}.{name}" and (not listed or f"{module.__name__}.{name}"[7:] in MODULES):
                names.add(name)
        elif not listed:
            names.add(name)
    return names


def main():
    lines = []
    for name in MODULES:
        module = paddle if name == "paddle" else importlib.import_module(f"paddle.{name}")
        lines.append((name, public(module)))
    for name, kinds in CLASSES.items():
        lines.append((name, {n for kind in kinds for n in dir(kind) if not n.startswith("_")}))
    text = "\n".join(
        textwrap.fill(f"{name}: {' '.join(sorted(names))}", 128, subsequent_indent="    ", break_on_hyphens=False)
        for name, names in lines
    )
    TARGET.write_text(f"{HEAD}{text}\n{TAIL}")


if __name__ == "__main__":
    main()
