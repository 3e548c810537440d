"""Record what Paddle 2.6.2 gives for `views`: ``python -m tests.numbers.record_views``, with a Python that has it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from tests.numbers.views import CASES

FILE = Path(__file__).with_name("views.json")
START = np.arange(1.0, 7.0, dtype="float32").reshape(2, 3)


def main() -> None:
    """Write the records: the result, the gradient of the doubled input, and the argument afterwards when nothing has a gradient."""
    import paddle

    found = {}
    for case in CASES:
        x = paddle.to_tensor(START, stop_gradient=False)
        result = case(paddle, x * 2)
        result.backward()
        a = paddle.to_tensor(START)
        base_result = case(paddle, a)
        found[case.__name__] = [
            result.item(),
            x.grad.numpy().ravel().tolist(),
            base_result.item(),
            a.numpy().ravel().tolist(),
        ]
    FILE.write_text("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in found.items()) + "\n}\n")


if __name__ == "__main__":
    main()
