"""Record which results of real Paddle 2.6.2 share memory with what they were computed from, for `test_sharing.py`.

Run with a Python that has paddlepaddle==2.6.2:  python tests/compiler/eager/record_sharing.py
An expression and a base that Paddle refuses are left out. (`x[..., ::-1]` is not asked: writing to it Paddle misses `x` at times.)
"""

from __future__ import annotations

import copy
import json
import os
import pickle
import warnings
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
BASES = {  # what makes x of a tensor `a`, and the numbers of that
    "matrix": ("a", (2, 3)),
    "turned": ("a.t()", (2, 3)),
    "square": ("a", (3, 3)),
    "number": ("a", ()),
    "row": ("a", (1, 3)),
    "column": ("a", (3, 1)),
    "vector": ("a", (3,)),
    "cut": ("a[:, 1:]", (2, 3, 4)),
    "cube": ("a.transpose([2, 0, 1])", (2, 3, 4)),
}


def numbers(*shape):
    """The same floats for a shape at all times."""
    return np.random.RandomState(len(shape) * 10 + sum(shape)).uniform(-2, 2, shape).astype("float32")


def namespace(paddle):
    """The names that expressions use beside ``x``."""
    return {"paddle": paddle, "T": paddle.to_tensor, "F": numbers, "copy": copy, "pickle": pickle}


def tensors(value, kind):
    """The tensors in nested lists and tuples."""
    if isinstance(value, (list, tuple)):
        return [t for item in value for t in tensors(item, kind)]
    return [value] if isinstance(value, kind) else []


def shared(paddle, text, base):
    """Which results change when the tensor does that everything is made of; and which change that tensor when they are."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        names = namespace(paddle)
        made, shape = BASES[base]
        a = names["a"] = paddle.to_tensor(numbers(*shape))
        names["x"] = eval(made, names)
        found = tensors(eval(text, names), paddle.Tensor)
        old_values = [t.numpy().copy() for t in found]
        with paddle.no_grad():
            a.set_value(a.numpy() + 1)
        forward = [not np.array_equal(t.numpy(), b, equal_nan=b.dtype.kind in "fc") for t, b in zip(found, old_values, strict=True)]
        backward = []
        for t in found:
            kept = a.numpy().copy()
            with paddle.no_grad():
                t.set_value(~t.numpy() if t.numpy().dtype == bool else t.numpy() + 1)
            backward.append(not np.array_equal(a.numpy(), kept))
    return [forward, backward]


def rows_of(paddle, text):
    """What Paddle does for each base that it takes."""
    rows = {}
    for base in BASES:
        try:
            rows[base] = shared(paddle, text, base)
        except Exception:
            continue
    return rows


def record():
    """Write what Paddle does beside the expressions. A process for each: some crash."""
    import paddle

    lines = []
    for text in (HERE / "sharing.txt").read_text().splitlines():
        reads, writes = os.pipe()
        child = os.fork()
        if not child:
            os.write(writes, json.dumps(rows_of(paddle, text)).encode())
            os._exit(0)
        os.close(writes)
        with os.fdopen(reads) as stream:
            answer = stream.read()
        os.waitpid(child, 0)
        if answer not in ("", "{}"):
            lines.append(f"{json.dumps(text)}: {answer}")
    (HERE / "sharing.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(len(lines), "expressions")


if __name__ == "__main__":
    record()
