"""Gradients of every case of the table, dynamically and statically: which inputs get one, which results need one, the numbers."""

import contextlib
import io
import random
import warnings

import pytest
from language_table import Keywords, floats, fresh, picture, rows

import to_static as paddle
from to_static.core.errors import AutogradError


def gradients(function, args):
    """('value', whether each result needs a gradient, gradient of each input), or ('error',)."""
    args = fresh(args)
    kwargs = args[-1].kwargs if args and isinstance(args[-1], Keywords) else {}
    args = args[:-1] if kwargs else args
    inputs = floats([*args, kwargs])
    for x in inputs:
        x.stop_gradient = False
    random.seed(7)
    paddle.seed(7)
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            results = floats(function(*args, **kwargs))
        except AutogradError:
            return ("refused",)
        except Exception:  # that both raise the same is compared elsewhere
            return ("error",)
        for result in results:
            if not result.stop_gradient:
                result.sum().backward(retain_graph=True)
    return "value", [r.stop_gradient for r in results], [picture(x.grad) for x in inputs]


@pytest.mark.parametrize("row", [row for row in rows() if row.kind == "case"], ids=lambda row: row.name)
def test_gradients(row):
    static = paddle.jit.to_static(row.function)
    for args in row.calls:
        wanted, got = gradients(row.function, args), gradients(static, args)
        assert got in (wanted, ("refused",)), f"called with {args}\n dynamic: {wanted}\n static:  {got}"
