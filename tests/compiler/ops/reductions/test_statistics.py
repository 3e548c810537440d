import to_static as paddle


def test_the_gradient_of_a_median_with_nan_is_that_of_paddle():
    nan = float("nan")
    x = paddle.to_tensor([[2.0, 3.0, 1.0, 1.0], [10.0, 1.0, 15.0, nan], [4.0, 8.0, nan, 7.0]], stop_gradient=False)
    (paddle.median(x, axis=0) * paddle.to_tensor([1.0, 2.0, 3.0, 4.0])).sum().backward()
    assert x.grad.tolist() == [[0, 2, 0, 0], [0, 0, 3, 4], [1, 0, 3, 4]]  # Paddle 2.6.2
    x.clear_grad()
    paddle.median(x, axis=1, keepdim=True).sum().backward()
    assert x.grad[1].tolist() == [0.5, 0, 0.5, 1] and x.grad[2].tolist() == [0, 0.5, 1, 0.5]
