import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.ops.reductions.statistics import histogram


def test_the_gradient_of_a_median_with_nan_is_that_of_paddle():
    nan = float("nan")
    x = paddle.to_tensor([[2.0, 3.0, 1.0, 1.0], [10.0, 1.0, 15.0, nan], [4.0, 8.0, nan, 7.0]], stop_gradient=False)
    (paddle.median(x, axis=0) * paddle.to_tensor([1.0, 2.0, 3.0, 4.0])).sum().backward()
    assert x.grad.tolist() == [[0, 2, 0, 0], [0, 0, 3, 4], [1, 0, 3, 4]]  # Paddle 2.6.2
    x.clear_grad()
    paddle.median(x, axis=1, keepdim=True).sum().backward()
    assert x.grad[1].tolist() == [0.5, 0, 0.5, 1] and x.grad[2].tolist() == [0, 0.5, 1, 0.5]


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_a_histogram_of_the_range_of_the_numbers_is_the_kernels(dtype):
    rng = np.random.default_rng(0)
    for size, bins in ((1, 3), (2, 1), (50, 10), (3000, 7)):
        x = (rng.normal(size=size) * 20).astype(dtype)
        expected = histogram.op.kernel_for("numpy")(np, x, bins, 0, 0)
        for _ in range(2):
            np.testing.assert_array_equal(paddle.histogram(paddle.to_tensor(x), bins).numpy(), expected, strict=True)
        assert expected.sum() == size
    same, missing = paddle.full([4], 2.0), paddle.to_tensor([1.0, float("nan"), 3.0])
    assert paddle.histogram(same, 4).tolist() == [0, 0, 4, 0] and paddle.histogram(missing, 2).tolist() == [0, 0]


@pytest.mark.parametrize("axis", [None, 0, -1, [0, 1]])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_median_of_known_numbers_is_that_of_a_program_and_so_is_its_gradient(axis):
    rng = np.random.default_rng(0)
    for shape in ((4, 5), (3, 4, 6)):
        for missing in (0.0, 0.3, 0.9, 1.0):
            numbers = rng.integers(0, 9, shape).astype("float32")  # some of them are equal
            numbers[rng.random(shape) < missing] = np.nan
            for keepdim in (False, True):
                found = []
                for median in (paddle.nanmedian, paddle.jit.to_static(paddle.nanmedian, full_graph=True)):
                    x = paddle.to_tensor(numbers, stop_gradient=False)
                    y = median(x, axis, keepdim)
                    (y * paddle.arange(1, 1 + y.size, dtype="float32").reshape(y.shape)).sum().backward()
                    found.append((y.numpy(), x.grad.numpy()))
                for one, other in zip(*found, strict=True):
                    np.testing.assert_array_equal(one, other, strict=True)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16"])
def test_the_mean_of_two_narrow_integers_does_not_overflow(dtype):
    for pair, median in (([100, 127], 113), ([64, 64], 64), ([3, 4], 3)):
        assert paddle.nanmedian(paddle.to_tensor(np.array(pair, dtype))).item() == median
