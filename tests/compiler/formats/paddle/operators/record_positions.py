"""Record what PaddlePaddle 2.6.2 computes for calls by position (`positions.txt`); run with its Python.

    python tests/compiler/formats/paddle/operators/record_positions.py

``C`` is ``paddle._C_ops``, ``L`` is ``paddle._legacy_C_ops``; inputs are drawn by `names`, the same way for every call.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
CALLS = (HERE / "positions.txt").read_text().splitlines()


def names(paddle: Any) -> dict[str, Any]:
    """What the calls may name."""
    draw = np.random.RandomState(0)

    def drawn(*shape: int) -> Any:
        return paddle.to_tensor((draw.rand(*shape) * 2 - 0.7).astype("float32"))

    def positive(*shape: int, plus: Any = 0.0, times: float = 1.0) -> Any:
        return paddle.to_tensor((draw.rand(*shape) * times + np.asarray(plus)).astype("float32"))

    low = draw.rand(1, 5, 2)
    return {
        "paddle": paddle, "C": paddle._C_ops, "L": paddle._legacy_C_ops, "T": drawn, "P": positive,
        "x": drawn(3, 4), "y": drawn(3, 4),
        "I": lambda values, dtype="int64": paddle.to_tensor(np.asarray(values, dtype)), "im": drawn(1, 4, 6, 6),
        "w": drawn(8, 4, 3, 3), "dw": drawn(4, 1, 3, 3), "off": drawn(1, 18, 6, 6), "mk": positive(1, 9, 6, 6),
        "b": paddle.to_tensor(np.concatenate([low, low + draw.rand(1, 5, 2)], -1).astype("float32")), "sc": positive(1, 3, 5),
    }  # fmt: skip


def shown(value: Any) -> Any:
    """A result as JSON has it."""
    if isinstance(value, (list, tuple)):
        return [shown(item) for item in value]
    if value is None:
        return None
    numbers = value.numpy().astype("float64").reshape(-1)
    dtype = str(value.dtype).rpartition(".")[2]
    return {"dtype": dtype, "shape": list(value.shape), "values": [float(f"{v:.6g}") for v in numbers]}


def computed(call: str, paddle: Any) -> Any:
    """What a call gives."""
    return shown(eval(call, names(paddle)))


if __name__ == "__main__":
    import paddle

    found = {call: computed(call, paddle) for call in CALLS}
    lines = (f"{json.dumps(call)}: {json.dumps(result)}" for call, result in found.items())
    (HERE / "positions.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
