"""Functions that need a dimension refuse 0-D tensors."""

import pytest

import to_static as paddle
from to_static.core.errors import ShapeError
from to_static.nn import functional as F

CALLS = {
    "unbind": paddle.unbind, "unstack": paddle.unstack, "split": lambda x: paddle.split(x, 2),
    "chunk": lambda x: paddle.chunk(x, 2), "flip": lambda x: paddle.flip(x, 0), "glu": F.glu,
    "unfold": lambda x: x.unfold(0, 1, 1), "repeat_interleave": lambda x: paddle.repeat_interleave(x, 2, 0),
    "fft": paddle.fft.fft, "rfft": paddle.fft.rfft, "searchsorted": lambda x: paddle.searchsorted(x, x),
    "index_add": lambda x: paddle.index_add(x, paddle.to_tensor([0]), 0, paddle.ones([1])),
    "index_fill": lambda x: paddle.index_fill(x, paddle.to_tensor([0]), 0, 1.0),
}  # fmt: skip


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("name", CALLS)
def test_a_tensor_without_dimensions_is_refused(name, static):
    call = paddle.jit.to_static(lambda x: CALLS[name](x), full_graph=True) if static else CALLS[name]
    with pytest.raises(ShapeError, match="at least one dimension, got a 0-D tensor"):
        call(paddle.to_tensor(1.0))
    assert paddle.repeat_interleave(paddle.to_tensor(1.0), 2).tolist() == [1.0, 1.0]
    assert paddle.flip(paddle.to_tensor(1.0), []).item() == 1.0
