"""Variables that closures share."""

import pytest

import to_static as paddle


def read_too_early(x, n):
    def reset():
        nonlocal last
        last = n

    first = last if n > 1 else x  # noqa: F821  (that is the test)
    if x.sum() > 0:
        last = first
        reset()
    return first


def read_where_a_tensor_assigned_it(x):
    def twice():
        return last * 2

    if x.sum() > 0:
        last = x
    else:
        x = x - 1
    return twice()


def test_a_shared_variable_that_nothing_assigned_is_pythons_error():
    static = paddle.jit.to_static(read_too_early)
    x = paddle.ones([2])
    assert static(x, 1).tolist() == read_too_early(x, 1).tolist()
    for function in (read_too_early, static):
        with pytest.raises(UnboundLocalError, match="'last'"):
            function(x, 2)


def test_a_shared_variable_that_a_tensor_leaves_without_a_value_is_pythons_error():
    static = paddle.jit.to_static(read_where_a_tensor_assigned_it)
    assert static(paddle.ones([2])).tolist() == [2.0, 2.0]
    for function in (read_where_a_tensor_assigned_it, static):
        with pytest.raises(NameError, match="'last'"):
            function(-paddle.ones([2]))
