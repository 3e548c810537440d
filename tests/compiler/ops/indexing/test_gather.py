"""Adding to and filling the slices of a tensor."""

import pytest

import to_static as paddle
from to_static.core.errors import ShapeError


@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize("call", [
    lambda x, i: paddle.index_add(x, i, 0, paddle.ones([1])),
    lambda x, i: paddle.index_fill(x, i, 0, 1.0),
])  # fmt: skip
def test_a_tensor_without_dimensions_has_no_slices(call, static):
    function = paddle.jit.to_static(call, full_graph=True) if static else call
    with pytest.raises(ShapeError, match=r"at least one dimension, got a 0-D tensor"):
        function(paddle.to_tensor(1.0), paddle.to_tensor([0]))
