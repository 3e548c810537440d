"""What Paddle tells of a tensor beside its numbers."""

import to_static as paddle


def test_kinds_of_tensors():
    x = paddle.ones([2, 3])
    assert x.is_dense() and not (x.is_sparse() or x.is_sparse_coo() or x.is_sparse_csr() or x.is_dist() or x.is_selected_rows())
    assert (x.layout, str(x.type), repr(x.type)) == ("NCHW", "VarType.LOD_TENSOR", "<VarType.LOD_TENSOR: 7>")
    assert x.placements is None and x.process_mesh is None and x.is_same_shape(paddle.zeros([2, 3]))
    assert not x.is_same_shape(paddle.zeros([3]))


def test_where_it_lies():
    x = paddle.to_tensor([1, 2, 3])
    assert (x.offset, x[1].offset, x[1:].data_ptr() - x.data_ptr()) == (0, 8, 8)
    assert paddle.ones([2, 3]).get_strides() == [3, 1]


def test_changes_in_place_are_counted():
    x = paddle.ones([4, 2])
    assert x.inplace_version == 0
    x[1] = 2.0
    x.add_(x)
    assert x.inplace_version == 2


def test_data_is_the_tensor_and_takes_numbers():
    x = paddle.ones([2])
    x.data = paddle.zeros([2])
    assert x.data is x and x.tolist() == [0.0, 0.0]


def test_reconstruct_from():
    x, y = paddle.ones([1]), paddle.to_tensor([2.0, 3.0], stop_gradient=False)
    x.reconstruct_from_(y)
    assert x.tolist() == [2.0, 3.0] and not x.stop_gradient


def test_gradients_that_are_given_and_seen_take_part_in_differentiation():
    x = paddle.to_tensor([1.0], stop_gradient=False)
    x.grad = paddle.ones([1])
    assert not x.grad.stop_gradient
    seen = []
    x.register_hook(lambda g: seen.append(g.stop_gradient))
    (x * 2).sum().backward()
    assert seen == [False] and x.grad.tolist() == [3.0]


def test_the_class_is_known_as_paddles():
    assert repr(type(paddle.ones([1]))) == "<class 'to_static.Tensor'>"
