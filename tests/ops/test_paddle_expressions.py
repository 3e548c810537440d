"""Small expressions against what real Paddle 2.6.2 computed for them: dtypes, shapes and numbers, and the same inside a Program."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

import to_static
from tests.ops.record_paddle_expressions import HERE, namespace
from to_static.core import backend
from to_static.ir import mode
from to_static.ir.build import Builder
from to_static.ir.spec import spec_of
from to_static.runtime.interpret import interpret

RECORDS = json.loads((HERE / "paddle_expressions.json").read_text())
DYNAMIC = ("item()", "repeat_interleave(T(F(3))", "T(1):T(3)", "stop_gradient", ".numpy")


def check(actual, record, text):
    if "items" in record:
        assert isinstance(actual, (list, tuple)), text
        assert len(actual) == len(record["items"])
        for a, r in zip(actual, record["items"], strict=True):
            check(a, r, text)
    elif "repr" in record:
        assert repr(actual) == record["repr"]
    else:
        expected = np.asarray(record["array"], record["dtype"])
        assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape), text
        np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-6, err_msg=text)


def arrays(value, found):
    if isinstance(value, (list, tuple)):
        return [arrays(v, found) for v in value]
    return found(value) if isinstance(value, to_static.Tensor) else value


@pytest.mark.parametrize(("text", "record"), RECORDS, ids=[r[0] for r in RECORDS])
def test_eager(text, record):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about operands of different dtypes
        result = eval(text, namespace(to_static))
    check(arrays(result, lambda t: t.numpy()), record, text)


@pytest.mark.parametrize(
    ("text", "record"), [r for r in RECORDS if not any(d in r[0] for d in DYNAMIC)],
    ids=[r[0] for r in RECORDS if not any(d in r[0] for d in DYNAMIC)],
)  # fmt: skip
def test_in_a_program(text, record):
    """Tensors are feeds of a Program: nothing may depend on their numbers while it is built."""
    builder, feeds = Builder(), []

    def feed(data, dtype=None):
        with mode.default_mode():
            feeds.append(to_static.to_tensor(data, dtype).numpy())
        return builder.feed(spec_of(feeds[-1]), f"x{len(feeds)}")

    names = {**namespace(to_static), "T": feed}
    with warnings.catch_warnings(), mode.use(builder):
        warnings.simplefilter("ignore")
        result = eval(text, names)
    outputs = []
    arrays(result, outputs.append)
    program = builder.finish(outputs)
    values = iter(interpret(program, feeds, backend.NUMPY))
    check(arrays(result, lambda t: next(values)), record, text)
