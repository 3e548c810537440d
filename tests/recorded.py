"""Expressions that `record_paddle_expressions` recorded from real Paddle 2.6.2, evaluated here: eagerly and in a Program."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np

import to_static
from tests.compiler.ops.record_paddle_expressions import namespace
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.spec import spec_of
from to_static.compiler.runtime.interpret import interpret
from to_static.core import backend


def records(path: Path) -> list:
    """Pairs of an expression and what Paddle gave for it, from ``path``."""
    return json.loads(path.read_text(encoding="utf-8"))


def check(actual, record, text, rtol=1e-5, atol=1e-6):
    """Compare arrays with a record: dtypes, shapes and numbers."""
    if "items" in record:
        assert isinstance(actual, (list, tuple)), text
        assert len(actual) == len(record["items"])
        for a, r in zip(actual, record["items"], strict=True):
            check(a, r, text, rtol, atol)
    elif "repr" in record:
        assert repr(actual) == record["repr"]
    else:
        expected = np.asarray(record["array"], record["dtype"])
        assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape), text
        np.testing.assert_allclose(actual, expected, rtol=rtol, atol=atol, err_msg=text)


def arrays(value, found):
    """A result with ``found(tensor)`` in place of each tensor."""
    if isinstance(value, (list, tuple)):
        return [arrays(v, found) for v in value]
    return found(value) if isinstance(value, to_static.Tensor) else value


def in_eager_mode(text):
    """What an expression gives, as arrays."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about operands of different dtypes
        result = eval(text, namespace(to_static))
    return arrays(result, lambda t: t.numpy())


def in_a_program(text):
    """The same where tensors are feeds of a Program: nothing may depend on their numbers while it is built."""
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
    return arrays(result, lambda t: next(values))
