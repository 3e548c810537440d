"""Record what real Paddle 2.6.2 computes for many small expressions, for `test_paddle_expressions.py` and the tests of other rooms.

Run with a Python that has paddlepaddle==2.6.2:  python tests/compiler/ops/record_paddle_expressions.py [ROOM/paddle_expressions.txt
...] A file's records are written beside it, as .json. Expressions that Paddle refuses are left out: there we are free to do better.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
DTYPES = ("bool", "uint8", "int32", "int64", "float32", "float64")
OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "<", "==", "&")
UNARY = "exp log sqrt rsqrt tanh sin cos abs neg floor ceil round sign square reciprocal trunc expm1 log1p erf".split()
REDUCE = (
    "sum mean max min prod all any logsumexp cumsum argmax argmin std var median norm nansum count_nonzero amax amin sort"
).split()


def values(dtype):
    """Two numbers of a dtype that every operator takes."""
    return "[True,True]" if dtype == "bool" else "[3,2]" if dtype[0] in "ui" else "[3.,2.]"


def generated():
    """Expressions over pairs of dtypes, numbers on either side, functions of every dtype.

    Not with a boolean on the left of numbers: Paddle converts the right operand to bool, and ``True / 2`` is 1 there.
    """
    for operator in OPERATORS:
        for a in DTYPES:
            yield from (f"T({values(a)},'{a}'){operator}T({values(b)},'{b}')" for b in DTYPES if a != "bool" or b == a)
            for number in ("True", "2", "2.5") if a != "bool" else ("True",):
                yield f"T({values(a)},'{a}'){operator}{number}"
                yield f"{number}{operator}T({values(a)},'{a}')"
    for name in UNARY:
        yield from (f"paddle.{name}(T({values(a)},'{a}'))" for a in DTYPES[1:])
    for name in REDUCE:
        yield from (f"paddle.{name}(T({values(a)},'{a}'))" for a in DTYPES)


def namespace(paddle):
    """The names that expressions use."""

    def numbers(*shape):
        return np.random.RandomState(len(shape) * 10 + sum(shape)).uniform(-2, 2, shape).astype("float32")

    def set_item(x, index, value):
        x[index] = value
        return x

    return {"paddle": paddle, "T": paddle.to_tensor, "F": numbers, "np": np, "setit": set_item}


def described(value, tensor_type):
    """A result as JSON: ['float32', [2], [1.0, 2.0]] for a tensor, a list of those for several, a repr for anything else."""
    if isinstance(value, (list, tuple)):
        return {"items": [described(v, tensor_type) for v in value]}
    if isinstance(value, tensor_type):
        return {
            "dtype": str(value.dtype).replace("paddle.", ""),
            "array": np.asarray(value.numpy(), "float64").tolist(),
        }
    return {"repr": repr(value)}


def record(path, more=()):
    """Write the records of the expressions in ``path``, and of ``more``."""
    import paddle

    warnings.simplefilter("ignore")
    names = namespace(paddle)
    records = []
    written = [line for line in path.read_text().splitlines() if line]
    for text in [*written, *more]:
        try:
            result = eval(text, names)
        except Exception as error:
            if text in written:
                print(f"left out: {text}: {type(error).__name__}", file=sys.stderr)
            continue
        records.append([text, described(result, paddle.Tensor)])
    lines = ",\n".join(json.dumps(r) for r in records)
    path.with_suffix(".json").write_text(f"[\n{lines}\n]\n")
    print(len(records), "expressions")


if __name__ == "__main__":
    for given in sys.argv[1:]:
        record(Path(given))
    if not sys.argv[1:]:
        record(HERE / "paddle_expressions.txt", generated())
