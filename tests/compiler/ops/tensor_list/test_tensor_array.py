"""Arrays of tensors by the functions of older code."""

import pytest

import to_static as paddle

tensor = paddle.tensor


def index(i):
    return paddle.full([1], i, "int64")


def test_written_and_read():
    items = tensor.array_write(paddle.ones([2]), index(0))
    assert tensor.array_write(paddle.zeros([2]), index(1), items) is items
    tensor.array_write(paddle.full([2], 3.0), index(0), items)
    assert tensor.array_length(items) == 2 and tensor.array_read(items, index(0)).tolist() == [3.0, 3.0]
    joined, sizes = tensor.manipulation.tensor_array_to_tensor(items, axis=0)
    assert joined.tolist() == [3.0, 3.0, 0.0, 0.0] and sizes.tolist() == [2, 2]
    with pytest.raises(IndexError, match="beyond the end"):
        tensor.array_write(paddle.ones([2]), index(3), items)
    with pytest.raises(IndexError, match="no place 2"):
        tensor.array_read(items, index(2))
    with pytest.raises(TypeError, match="expected tensors"):
        tensor.create_array("float32", [3])


def test_in_a_program():
    @paddle.jit.to_static(full_graph=True)
    def f(x):
        items = tensor.array_write(x, paddle.zeros([1], dtype="int64"))
        tensor.array_write(x * 2, index(1), items)
        return tensor.array_read(items, index(1)) + tensor.array_length(items)

    assert f(paddle.ones([2])).tolist() == [4.0, 4.0]


def test_an_index_computed_from_constants():
    @paddle.jit.to_static(full_graph=True)
    def f(x):
        zero, items = paddle.zeros([1], dtype="int64"), tensor.create_array("float32")
        for i in range(3):
            items = tensor.array_write(x * i, zero + i, array=items)
        return items[1] + tensor.array_read(items, zero * 5 + 2)

    assert f(paddle.ones([2])).tolist() == [3.0, 3.0]


def test_an_index_of_the_program_is_refused():
    @paddle.jit.to_static(full_graph=True)
    def f(x, i):
        return tensor.array_read([x, x + 1], i)

    with pytest.raises(Exception, match="array_read: the index must be known"):
        f(paddle.ones([2]), paddle.ones([1], dtype="int64"))


def test_constants():
    x = paddle.zeros([2], dtype="int64")
    assert tensor.fill_constant([2], "int64", 3, out=x) is x and x.tolist() == [3, 3]
    assert tensor.create_tensor("float32").dtype is paddle.float32
