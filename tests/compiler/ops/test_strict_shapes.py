"""Which kernels take shapes that their shape rules refuse: these rules are asked when a Program runs (the trait `strict`)."""

import numpy as np
import pytest

import to_static as paddle
from tests.compiler.ops.operator_table import IDS, TABLE, arrays_of, flat, infer, run_kernel, unflatten
from to_static.core.errors import ShapeError
from to_static.nn import functional as F
from to_static.static import InputSpec

# updates of optimizers get what has the shape of a parameter, and `sum_to` what was made of its inputs
MADE_TO_FIT = {"sgd", "momentum", "adam", "adamw", "sum_to"}


def other_sizes(array, axis):
    """The array with other sizes of an axis."""
    have = array.shape[axis]
    for size in {0, 1, 2, have - 1, have + 1} - {have, -1}:
        if have:
            yield np.take(array, np.arange(size) % have, axis)


@pytest.mark.parametrize(("opdef", "sample"), [(o, s) for o, _, s in TABLE], ids=IDS)
def test_kernels_refuse_what_the_rule_refuses(opdef, sample):
    if "check_shapes" in opdef.traits or opdef.name in MADE_TO_FIT:
        return
    slots = arrays_of(sample)
    arrays = flat(slots)
    for k, array in enumerate(arrays):
        for changed in (made for axis in range(array.ndim) for made in other_sizes(array, axis)):
            given = unflatten(slots, [*arrays[:k], changed, *arrays[k + 1 :]])
            try:
                infer(opdef, given, sample.attrs)
            except Exception:
                with pytest.raises(Exception):  # noqa: B017  (NumPy's and Python's own)
                    run_kernel(opdef, given, sample.attrs)


@pytest.mark.parametrize("marks", [[1, 1, 1], [0, 1, 0]], ids=["three", "one"])
@pytest.mark.parametrize("loss", [F.smooth_l1_loss, F.binary_cross_entropy, F.kl_div, F.log_loss, F.cosine_embedding_loss])
def test_a_loss_of_as_many_rows_as_tensors_say(loss, marks):
    x, more = paddle.to_tensor(np.float32([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]])), ()
    if loss is F.cosine_embedding_loss:
        more = (paddle.to_tensor([1, -1, 1]),)

    def f(x, marks):
        return loss(x, x[marks > 0] * 0.5, *more)

    given = x, paddle.to_tensor(marks)
    if all(marks):
        assert float(paddle.jit.to_static(f)(*given).sum()) == pytest.approx(float(f(*given).sum()))
        return
    with pytest.raises(ValueError, match="one shape") as wanted:
        f(*given)
    with pytest.raises(ShapeError) as got:
        paddle.jit.to_static(f)(*given)
    assert str(wanted.value).split("\n")[0] in str(got.value)


def test_a_mask_of_another_size_than_what_it_is_for():
    def f(x, m):
        return x[m], x[:, m[: x.shape[1]]]

    static = paddle.jit.to_static(f, input_spec=[InputSpec([None, 2]), InputSpec([None], "bool")])
    x = paddle.to_tensor(np.float32([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]))
    odd = paddle.to_tensor([True, False, True])
    assert [y.tolist() for y in static(x, odd)] == [y.tolist() for y in f(x, odd)]
    with pytest.raises(IndexError, match=r"a boolean index of shape \[2\] does not fit the dimensions \[3\]"):
        static(x, paddle.to_tensor([True, False]))


def test_a_mask_that_is_computed_of_the_tensor_needs_no_check():
    static = paddle.jit.to_static(lambda x: x[~(x > 0) & (x < 5)], input_spec=[InputSpec([None, None])])
    static(paddle.to_tensor([[1.0, -1.0]]))
    (program,) = static.program_cache.values()
    assert "assert" not in {op.name for op in program.main_program.block.walk()}


def test_empty_tensors_made_flat():
    for shape in ([0, 3], [3, 0], [2, 0, 3]):
        assert paddle.zeros(shape).flatten().shape == [0]
        assert paddle.zeros(shape).reshape([0 if shape[0] == 0 else -1]).shape == [0]
    assert paddle.zeros([2, 0, 3]).flatten(1).shape == [2, 0]
    assert float(paddle.norm(paddle.zeros([0, 3]))) == 0
