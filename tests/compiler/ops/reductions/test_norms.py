import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import ShapeError


def test_a_file_finds_the_first_dimension_of_size_3_when_it_runs(tmp_path):
    class Net(paddle.nn.Layer):
        def forward(self, x, y):
            return paddle.cross(x, y)

    unknown = paddle.static.InputSpec([None] * 3)
    paddle.jit.save(Net(), str(tmp_path / "m"), input_spec=[unknown, unknown])
    loaded = paddle.jit.load(str(tmp_path / "m"))
    for shape, axis in (((3, 2, 3), 0), ((2, 3, 3), 1), ((1, 2, 3), 2)):
        a, b = np.random.RandomState(0).rand(2, *shape).astype("float32")
        x = paddle.to_tensor(a, stop_gradient=False)
        y = loaded(x, paddle.to_tensor(b))
        np.testing.assert_allclose(y.numpy(), np.cross(a, b, axis=axis), rtol=1e-5, atol=1e-6)
        y.sum().backward()
        np.testing.assert_allclose(x.grad.numpy(), np.cross(b, np.ones_like(b), axis=axis), rtol=1e-5, atol=1e-6)
    with pytest.raises(ShapeError, match=r"cross: \[2, 2, 2\] has no dimension of size 3"):
        loaded(paddle.ones([2, 2, 2]), paddle.ones([2, 2, 2]))
    with pytest.raises(ShapeError, match="expected equal shapes"):
        loaded(paddle.ones([2, 3, 2]), paddle.ones([2, 3, 1]))
