"""Functions as Layers: what they compute, in static functions too, and hooks around them."""

import numpy as np
import pytest

import to_static as paddle
from to_static.nn import quant

X = np.arange(1, 7, dtype="float32").reshape(2, 3)
CALLS = [
    ("add", (X, X), {}), ("subtract", (X, X * 2), {}), ("multiply", (X, X), {}), ("divide", (X, X + 1), {}),
    ("reshape", (X, [3, 2]), {}), ("transpose", (X, [1, 0]), {}), ("concat", ([X, X],), {"axis": 1}), ("flatten", (X,), {}),
    ("matmul", (X, X), {"transpose_y": True}),
]  # fmt: skip


def tensors(value):
    if isinstance(value, list) and not isinstance(value[0], int):
        return [paddle.to_tensor(v) for v in value]
    return paddle.to_tensor(value) if isinstance(value, np.ndarray) else value


@pytest.mark.parametrize(("name", "args", "kwargs"), CALLS, ids=[c[0] for c in CALLS])
@pytest.mark.parametrize("static", [False, True])
def test_they_do_what_the_function_does(name, args, kwargs, static):
    layer = getattr(quant, name)()
    args = [tensors(a) for a in args]
    expected = getattr(paddle, name)(*args, **kwargs)
    assert isinstance(layer, quant.FloatFunctionalLayer)
    seen = []
    handle = layer.register_forward_post_hook(lambda layer, inputs, output: seen.append(name))
    assert layer(*args, **kwargs).tolist() == expected.tolist() and seen == [name]
    handle.remove()
    function = paddle.jit.to_static(lambda *a: layer(*a, **kwargs)) if static else layer
    result = function(*args) if static else function(*args, **kwargs)
    assert result.tolist() == expected.tolist()
