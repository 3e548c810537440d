"""Record what real Paddle 2.6.2 draws after a seed, for `test_seeded.py`.

Run with a Python that has paddlepaddle==2.6.2:  python tests/compiler/ops/record_seeded.py
Each line of ``seeded.txt`` is a sequence of expressions, all drawn from one stream; a line that begins with ``~`` has logarithms
and the like in it, whose last bits are those of a C library. Of large results some numbers and the sum of all are kept, and
after each sequence comes a number that tells where the stream is.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
SEEDS = (0, 42, 2**32 + 7)
LINES = [line for line in (HERE / "seeded.txt").read_text(encoding="utf-8").splitlines() if line]
AFTER = "paddle.rand([2])"


def expressions(line: str) -> list[str]:
    """Those of a line, and one that tells where the stream is after them."""
    return [*(text.strip() for text in line.lstrip("~").split(";")), AFTER]


def namespace(paddle):
    """The names that expressions use; ``F(3, 4)`` and ``N(3, 4)`` are arrays."""

    def numbers(*shape):
        return np.random.RandomState(len(shape) * 10 + sum(shape)).uniform(-2, 2, shape).astype("float32")

    def made(initializer, dtype="float32", shape=(5, 4, 3)):
        return paddle.create_parameter(list(shape), dtype, default_initializer=initializer)

    def parameters(layer):
        return paddle.concat([p.flatten() for p in layer.parameters()])

    class Functions:
        """Called it gives numbers, and it has the functional names."""

        __call__ = staticmethod(numbers)

        def __getattr__(self, name):
            return getattr(paddle.nn.functional, name)

    return {
        "paddle": paddle, "T": paddle.to_tensor, "F": Functions(), "N": numbers, "init": paddle.nn.initializer, "made": made,
        "parameters": parameters, "sorted": sorted, "list": list, "range": range,
    }  # fmt: skip


def kept(array):
    """What is recorded of an array: its dtype, shape, some numbers, and the sum of all."""
    flat = array.reshape(-1)
    return [str(array.dtype), list(array.shape), flat[:: max(1, flat.size // 24)].tolist(), float(flat.astype("float64").sum())]


def drawn(paddle, line, seed):
    """What the expressions of a line give after ``seed``, as arrays."""
    names = namespace(paddle)
    paddle.seed(seed)
    return [eval(text, names).numpy() for text in expressions(line)]


def main():
    """Write seeded.json."""
    import paddle

    rows = [json.dumps([line, seed, [kept(a) for a in drawn(paddle, line, seed)]]) for line in LINES for seed in SEEDS]
    (HERE / "seeded.json").write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
