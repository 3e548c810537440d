"""Record which expressions over integers made of a float tensor have a gradient in real Paddle 2.6.2, and which.

Run with a Python that has paddlepaddle==2.6.2:  python tests/compiler/autodiff/record_integer_gradients.py
What Paddle refuses, and what ends its process, is left out.
"""

from __future__ import annotations

import json
import multiprocessing
from pathlib import Path

HERE = Path(__file__).parent
NUMBERS = [1.5, 2.5, 0.75]


def function(text, paddle):
    """The function of ``x`` and of ``i``, its integers."""
    return eval(f"lambda x, i: {text}", {"paddle": paddle, "F": paddle.nn.functional})


def described(paddle, call):
    """Dtype, stop_gradient and the gradient of ``x``."""
    x = paddle.to_tensor(NUMBERS, stop_gradient=False)
    y = call(x)
    if not y.stop_gradient:
        y.sum().backward()
    gradient = None if x.grad is None else x.grad.numpy().tolist()
    return [str(y.dtype).replace("paddle.", ""), bool(y.stop_gradient), gradient]


def _record(text, results):
    import paddle

    results[text] = described(paddle, lambda x: function(text, paddle)(x, x.cast("int32")))


if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    with context.Manager() as manager:
        results = manager.dict()
        texts = (HERE / "integer_gradients.txt").read_text(encoding="utf-8").split("\n")[:-1]
        for text in texts:  # each in a process of its own: some end it
            process = context.Process(target=_record, args=(text, results))
            process.start()
            process.join()
        records = {text: results[text] for text in texts if text in results}
    (HERE / "integer_gradients.json").write_text(json.dumps(records, indent=0) + "\n", encoding="utf-8")
    print(len(records), "of", len(texts), "expressions")
