"""Which models run rows of several requests together: never one whose rows see each other."""

import numpy as np
import pytest

from to_static.serve.row_independence import BatchAxes, TensorInfo, find_batch_axes

W = np.random.default_rng(1).standard_normal((4, 3)).astype("float32")
FREE = [TensorInfo("x", "float32", (-1, 4))]


def softmax(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def finding(function, inputs=FREE, control_flow=False):
    return find_batch_axes(lambda arrays: list(function(*arrays)), inputs, control_flow)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: (x @ W,),
        lambda x: (softmax(x @ W, 1), x.argmax(1)),
        lambda x: (np.where(x > 0, x, 0.1 * x),),
        lambda x: ((x - x.mean(1, keepdims=True)).cumsum(1),),
        lambda x: (np.exp(x) if x.max() < 2 else np.exp(x / 2) ** 2,),  # a formula by all numbers: the last digits differ
    ],
)
def test_rows_that_are_independent(function):
    assert finding(function).axes == BatchAxes(0, (0,) * len(function(np.ones((2, 4), "float32"))))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: (x - x.mean(0),),
        lambda x: (softmax(x, 0),),
        lambda x: (x.cumsum(0),),
        lambda x: (np.sort(x, 0),),
        lambda x: (x[::-1],),
        lambda x: (x * (x.max() > 50),),
        lambda x: (x * len(x),),
        lambda x: (np.roll(x, 1, 0),),
        lambda x: (x + np.arange(len(x))[:, None],),
        lambda x: (np.where(np.isnan(x).any(), 0, x) / max(1e-3, abs(x[-1, 0])),),
        lambda x: (x + np.random.default_rng().standard_normal(x.shape),),
    ],
    ids=lambda f: "",
)
def test_rows_that_see_each_other(function):
    assert finding(function).axes is None


def test_outputs_that_do_not_have_the_rows():
    assert "one row for each row" in finding(lambda x: (x.sum(),)).reason
    assert "one row for each row" in finding(lambda x: (x, np.ones(3))).reason


def test_the_batch_may_be_another_dimension():
    time_major = [TensorInfo("x", "float32", (-1, -1, 4))]
    assert finding(lambda x: (x.cumsum(0), x[-1]), time_major).axes == BatchAxes(1, (1, 0))
    fixed = [TensorInfo("x", "float32", (3, -1))]
    assert finding(lambda x: (x * 2,), fixed).axes == BatchAxes(1, (1,))


def test_several_inputs_need_the_same_free_dimension():
    two = [TensorInfo("x", "float32", (-1, 4)), TensorInfo("i", "int64", (-1,))]
    assert finding(lambda x, i: (x * i[:, None],), two).axes == BatchAxes(0, (0,))
    assert finding(lambda x, i: (x * i,), [FREE[0], TensorInfo("i", "int64", (4,))]).reason == "no dimension is free in all inputs"


def test_control_flow_is_not_batched():
    assert "control flow" in finding(lambda x: (x,), control_flow=True).reason


def test_sizes_that_a_model_needs_are_tried():
    def pyramid(x):
        if x.shape[2] % 32:
            raise ValueError("a multiple of 32 is needed")
        return (x[:, :, ::32],)

    result = finding(pyramid, [TensorInfo("x", "float32", (-1, 3, -1))])
    assert result.axes == BatchAxes(0, (0,)) and result.example[0].shape == (2, 3, 32)

    def nothing(x):
        raise ValueError

    assert finding(nothing).example is None and finding(nothing).axes is None
