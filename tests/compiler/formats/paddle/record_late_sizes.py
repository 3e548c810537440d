"""Record what PaddlePaddle 2.6.2 saves of programs whose sizes only a run knows (`late_sizes.txt`); run with its Python.

    python tests/compiler/formats/paddle/record_late_sizes.py

A line is names of inputs (`drawn`), a bar and an expression. Programs that Paddle itself can't save, can't load again, or
gives other numbers of than in dynamic mode, are left out.
"""

from __future__ import annotations

import importlib.util
import json
import lzma
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
CASES = (HERE / "late_sizes.txt").read_text().splitlines()
RECORDED = HERE / "late_sizes.json.xz"  # the models, in hexadecimal, by case
_SPECS = {
    "x": ([None, None], "float32"), "z": ([None, None], "float32"), "y": ([None, 3, None, None], "float32"), "n": ([], "int64"),
    "m": ([1], "int32"), "v2": ([2], "int64"), "v4": ([4], "int32"), "ax": ([], "int32"), "i": ([None], "int64"),
    "w": ([3, 2, 3, 3], "float32"), "f": ([2], "float32"),
}  # fmt: skip
HEADER = """
def put(x, place, value):
    y = x * 1.0
    y[place] = value
    return y

"""


def drawn(names: list[str], k: int) -> list[np.ndarray]:
    """The inputs of the first or second run, which have other sizes."""
    draw, rows, columns = np.random.RandomState(k), 4 + 2 * k, 6 + 2 * k
    values = {
        "x": draw.randn(rows, columns), "z": draw.randn(rows, columns), "y": draw.randn(rows - 2, 3, rows + 1, columns),
        "n": 2 + k, "m": [2 + k], "v2": [1 + k, 2], "v4": [1, 0, k, 2], "ax": k, "i": range(1, rows + 1),
        "w": draw.randn(3, 2, 3, 3), "f": [2.0, 1.5 + k],
    }  # fmt: skip
    return [np.asarray(values[name], _SPECS[name][1]) for name in names]


def inputs_of(case: str) -> list[str]:
    """The names of a case's inputs."""
    return case.split("|")[0].split()


def functions(paddle: Any, folder: Path) -> list[Any]:
    """Each case as a function, which a file has the source of."""
    lines = [f"def f{i}({', '.join(inputs_of(c))}):\n    return {c.split('|')[1].strip()}\n" for i, c in enumerate(CASES)]
    path = folder / "late_sizes.py"
    path.write_text(HEADER + "\n\n".join(lines))
    spec: Any = importlib.util.spec_from_file_location("late_sizes", path)
    module = importlib.util.module_from_spec(spec)
    vars(module).update(paddle=paddle, F=paddle.nn.functional)
    spec.loader.exec_module(module)
    return [getattr(module, f"f{i}") for i in range(len(CASES))]


def specs(paddle: Any, case: str) -> list[Any]:
    """What `jit.save` is told of a case's inputs."""
    return [paddle.static.InputSpec(*_SPECS[name], name) for name in inputs_of(case)]


def flat(result: Any) -> list[np.ndarray]:
    """All arrays of a result."""
    if isinstance(result, (list, tuple)):
        return [array for item in result for array in flat(item)]
    return [np.asarray(result.numpy())]


def runs(paddle: Any, function: Any, case: str) -> list[list[np.ndarray]]:
    """The results of both runs."""
    return [flat(function(*map(paddle.to_tensor, drawn(inputs_of(case), k)))) for k in (0, 1)]


def alike(found: list[list[np.ndarray]], expected: list[list[np.ndarray]]) -> None:
    """Raise AssertionError for results of other dtypes, shapes or numbers."""
    for mine, theirs in zip(found, expected, strict=True):
        assert [(a.dtype, a.shape) for a in mine] == [(b.dtype, b.shape) for b in theirs]
        for a, b in zip(mine, theirs, strict=True):
            np.testing.assert_allclose(a, b, 1e-4, 1e-5)


def _without_places(model: bytes) -> bytes:
    """A model without the lines of source that its operators name."""
    from paddle.base.proto import framework_pb2

    program = framework_pb2.ProgramDesc.FromString(model)
    for block in program.blocks:
        for op in block.ops:
            kept = [attr for attr in op.attrs if attr.name != "op_callstack"]
            del op.attrs[:]
            op.attrs.extend(kept)
    return program.SerializeToString()


def _record(paddle: Any, function: Any, case: str, stem: Path) -> str | None:
    try:
        expected = runs(paddle, function, case)
        paddle.jit.save(paddle.jit.to_static(function, input_spec=specs(paddle, case)), str(stem))
        alike(runs(paddle, paddle.jit.load(str(stem)), case), expected)
    except Exception as error:
        print(f"left out: {case}: {type(error).__name__}")
        return None
    return _without_places(stem.with_suffix(".pdmodel").read_bytes()).hex()


if __name__ == "__main__":
    import paddle

    with tempfile.TemporaryDirectory() as name:
        made = zip(CASES, functions(paddle, Path(name)), strict=True)
        models = {case: _record(paddle, function, case, Path(name, f"m{i}")) for i, (case, function) in enumerate(made)}
    RECORDED.write_bytes(lzma.compress(json.dumps({case: model for case, model in models.items() if model}).encode()))
