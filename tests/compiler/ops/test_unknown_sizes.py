"""Operators in Programs that know no sizes: results and errors are those of eager mode, whatever sizes the calls bring."""

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.passes.simplify.specialize_shapes import optimize_for
from to_static.core.errors import ShapeError, ToStaticError
from to_static.nn import functional as F
from to_static.static import InputSpec

KINDS = {
    "float32": lambda n: np.arange(1, n + 1) / (n + 1),
    "int64": lambda n: np.arange(n) % 2,
    "bool": lambda n: np.arange(n) % 2 == 1,
}


def made(shape, dtype):
    return paddle.to_tensor(np.asarray(KINDS[dtype](int(np.prod(shape)))).reshape(shape).astype(dtype))


def outcome(function, tensors):
    """What a call gives: values, or the kind of its error (Python's, where it is one of these too)."""
    try:
        found = function(*tensors)
    except Exception as error:
        ours = issubclass(type(error), ToStaticError)
        return next(c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins" and not (ours and c is RuntimeError))
    return [(t.dtype.name, t.shape, t.numpy().round(4).tolist()) for t in (found if isinstance(found, tuple) else (found,))]


def agree(function, dtypes, *calls):
    """Compare eager calls, tensors of these shapes each, with those of one Program that knows the ranks only."""
    specs = [InputSpec([None] * len(shape), dtype) for shape, dtype in zip(calls[0], dtypes, strict=True)]
    static = paddle.jit.to_static(function, input_spec=specs)
    for shapes in calls:
        want = outcome(function, [made(shape, dtype) for shape, dtype in zip(shapes, dtypes, strict=True)])
        got = outcome(static, [made(shape, dtype) for shape, dtype in zip(shapes, dtypes, strict=True)])
        assert got == want, f"{shapes}: eager {want}, static {got}"
        assert got != "TypeError"


X, K, B = "float32", "int64", "bool"


@pytest.mark.parametrize("axis", [0, 1])
def test_an_index_of_another_size_beside_the_axis(axis):
    calls = [((2, 3), shape) for shape in [(2, 3), (1, 3), (2, 1), (3, 3), (2, 2), (0, 3)]] + [((0, 3), (1, 3))]
    agree(lambda x, i: paddle.take_along_axis(x, i, axis), (X, K), *calls)
    agree(lambda x, i: paddle.put_along_axis(x, i, 0.5, axis), (X, K), *calls)
    agree(lambda x, i: paddle.put_along_axis(x, i, x, axis, "add"), (X, K), *calls)
    agree(paddle.index_sample, (X, K), *calls)


def test_a_mask_that_broadcasts():
    calls = ((2, 3), (2, 3)), ((2, 3), (1, 3)), ((2, 3), (2, 1)), ((2, 3), (3, 3)), ((1, 3), (2, 3)), ((0, 3), (1, 3))
    agree(paddle.masked_select, (X, B), *calls)


def test_a_mask_computed_of_the_tensor_is_not_broadcast():
    static = paddle.jit.to_static(lambda x: paddle.masked_select(x, x > 1), input_spec=[InputSpec([None, None])])
    static(paddle.to_tensor([[1.0, 2.0]]))
    (program,) = static.program_cache.values()
    assert "expand_as" not in {op.name for op in program.main_program.block.walk()}


@pytest.mark.parametrize("shape", [
    lambda x, y: [y.shape[0], -1], lambda x, y: [-1, y.shape[0]], lambda x, y: [y.shape[0] * 2, -1],
    lambda x, y: [x.shape[1], x.shape[0]], lambda x, y: [1, y.shape[0] * y.shape[1]],
])  # fmt: skip
def test_a_size_of_zero_that_only_the_program_knows_keeps_a_dimension(shape):
    calls = ((2, 3), (2, 3)), ((2, 3), (3, 2)), ((2, 3), (0, 3)), ((0, 3), (0, 3)), ((0, 3), (2, 3))
    agree(lambda x, y: x.reshape(shape(x, y)), (X, X), *calls)
    agree(lambda x, y, m: x[m].reshape(shape(x[m], y[m])), (X, X, B), ((2, 3), (2, 3), (2,)), ((1, 3), (1, 3), (1,)))


def in_place(name):
    def f(x, y):
        getattr(x, name)(y)
        return x + 1

    return f


@pytest.mark.parametrize("name", ["add_", "multiply_", "remainder_", "copy_", "set_value"])
def test_a_tensor_changed_in_place_keeps_its_size(name):
    calls = ((2, 3), (2, 3)), ((2, 3), (1, 3)), ((1, 3), (2, 3)), ((2, 1), (2, 3)), ((2, 3), (3, 2)), ((0, 3), (1, 3))
    agree(in_place(name), (X, X), *calls)
    agree(in_place(name), (X, X), ((2, 3), (3,)), ((2, 1), (3,)), ((1, 3), (3,)))


@pytest.mark.parametrize("rows", [1, 3])
def test_a_tensor_from_outside_changed_in_place_keeps_its_size(rows):
    held = paddle.zeros([rows])

    def f(y):
        held.set_value(y * 2)
        return held.add_(y) + 1

    agree(f, (X,), ((rows,),), ((2,),))
    assert held.shape == [rows]


def test_numbers_and_known_sizes_need_no_check_in_place():
    def f(x):
        return x.add_(paddle.ones([3])).multiply_(x * 2).add_(paddle.ones([])).divide_(2.0)

    static = paddle.jit.to_static(f, input_spec=[InputSpec([None, 3])])
    static(paddle.ones([2, 3]))
    (program,) = static.program_cache.values()
    assert "assert" not in {op.name for op in program.main_program.block.walk()}


@pytest.mark.parametrize("equation", ["ij,ij->i", "ij,jk->ik", "ij,kj->ik", "ij,ij", "ij,ji->", "ij,j->i"])
def test_sizes_of_einsum(equation):
    calls = ((2, 3), (2, 3)), ((3, 3), (3, 3)), ((2, 3), (1, 3)), ((1, 3), (3, 1)), ((2, 3), (3, 2)), ((0, 3), (1, 3))
    if equation.split("->")[0].endswith(",j"):
        calls = tuple((x, y[:1]) for x, y in calls)
    agree(lambda x, y: paddle.einsum(equation, x, y), (X, X), *calls)


def test_einsum_of_one_unknown_size_beside_a_known_one():
    calls = ((2, 3),), ((2, 1),), ((1, 2),), ((2, 4),)
    agree(lambda x: paddle.einsum("bi,ij->bj", x, paddle.ones([3, 2])), (X,), *calls)
    agree(lambda x: paddle.einsum("bi,ij->bj", x, paddle.ones([1, 2])), (X,), *calls)
    agree(lambda x: paddle.einsum("bi,bi->b", x, x * 2), (X,), *calls)


def test_einsum_of_given_sizes_has_no_checks_and_copies_left():
    f = paddle.jit.to_static(
        lambda x, y: paddle.einsum("bij,bjk->bik", x, y), input_spec=[InputSpec([None, None, 4]), InputSpec([None, 4, None])]
    )
    f(paddle.ones([2, 3, 4]), paddle.ones([2, 4, 5]))
    (program,) = f.program_cache.values()
    assert [op.name for op in optimize_for(program.main_program, [(2, 3, 4), (2, 4, 5)]).block.walk()] == ["matmul"]


def test_batches_of_matrices():
    calls = ((2, 3, 4), (2, 4, 3)), ((1, 3, 4), (2, 4, 3)), ((2, 3, 4), (1, 4, 3)), ((2, 3, 4), (2, 3, 4))
    agree(paddle.bmm, (X, X), *calls)


def test_shapes_to_normalize():
    calls = ((2, 3),), ((2, 1),), ((3, 2),), ((0, 3),)
    agree(lambda x: F.layer_norm(x, [3]), (X,), *calls)
    agree(lambda x: F.layer_norm(x, [2, 3]), (X,), *calls)
    agree(lambda x: F.layer_norm(x, 3), (X,), ((2, 2, 3),), ((2, 2, 1),), ((2, 3, 2),))


CLASSES = ((2, 3), (2,)), ((2, 3), (3,)), ((3, 2), (3,)), ((1, 3), (1,)), ((0, 3), (0,)), ((1, 3), (0,))


@pytest.mark.parametrize("loss", [
    lambda x, i: F.cross_entropy(x, i, label_smoothing=0.1), lambda x, i: F.cross_entropy(x.t(), i, axis=0, label_smoothing=0.1),
    F.multi_margin_loss, lambda x, i: F.dice_loss(x, i.unsqueeze(-1)), lambda x, i: F.label_smooth(x), F.cross_entropy, F.nll_loss,
])  # fmt: skip
def test_losses_of_as_many_classes_as_only_the_program_knows(loss):
    agree(loss, (X, K), *CLASSES)


@pytest.mark.parametrize("options", [{}, {"reduction": "none"}, {"label_smoothing": 0.1}, {"ignore_index": 0}])
def test_weights_of_classes(options):
    calls = [(*call, (n,)) for call in CLASSES for n in (3, 2, 1)]
    agree(lambda x, i, w: F.cross_entropy(x, i, weight=w, **options), (X, K, X), *calls)
    known = paddle.to_tensor([1.0, 2.0, 3.0])
    agree(lambda x, i: F.cross_entropy(x, i, weight=known, **options), (X, K), *CLASSES)


@pytest.mark.parametrize("padding", [0, 1, 2])
def test_the_padding_of_an_embedding_is_one_of_its_rows(padding):
    calls = ((3,), (2, 3)), ((3,), (3, 3)), ((3,), (1, 3)), ((0,), (1, 3)), ((0,), (2, 3))
    agree(lambda i, w: F.embedding(i, w, padding_idx=padding), (K, X), *calls)


def test_weights_of_prelu():
    calls = ((2, 3), (3,)), ((2, 3), (1,)), ((2, 3), (2,)), ((0, 3), (3,)), ((2, 1), (1,))
    agree(lambda x, w: F.prelu(x - 0.5, w), (X, X), *calls)
    agree(lambda x, w: F.prelu(x - 0.5, w, "NLC"), (X, X), ((2, 3, 4), (4,)), ((2, 3, 4), (3,)), ((2, 3, 4), (1,)))


@pytest.mark.parametrize("size", [None, [4], [5], [2, 3, 4], [7]])
def test_the_inverse_of_pooling(size):
    def f(x):
        pooled, mask = F.max_pool1d(x, 2, return_mask=True)
        return F.max_unpool1d(pooled, mask, 2, output_size=size)

    agree(f, (X,), ((2, 3, 4),), ((2, 1, 5),), ((1, 3, 2),), ((0, 3, 4),))


def test_fractions_that_only_the_program_knows():
    calls = ((2, 3), ()), ((3, 4), ()), ((1, 5), ()), ((0, 3), ())
    known = paddle.to_tensor([[1.0, 2.0, 4.0], [3.0, float("inf"), float("inf")]])
    agree(lambda x, s: paddle.quantile(known, x.shape[1] / 4), (X, X), *calls)
    agree(lambda x, s: paddle.quantile(known, [0.5, float(s)], 1), (X, X), *calls)
    agree(lambda x, s: paddle.quantile(known, int(s * 3) / 10, 0, True), (X, X), *calls)


def test_the_tensors_that_multiplex_chooses_from():
    calls = ((2, 3), (2, 3), (2, 1)), ((2, 3), (2, 3), (1, 1)), ((4, 3), (4, 3), (3, 1)), ((2, 3), (3, 3), (2, 1))
    agree(lambda x, y, i: paddle.multiplex([x, y], i), (X, X, K), *calls)
    static = paddle.jit.to_static(lambda x, i: paddle.multiplex([x, x], i), input_spec=[InputSpec([None, 3]), InputSpec([None], K)])
    with pytest.raises(ShapeError, match="multiplex: the index has 3 rows, the tensors have 2"):
        static(paddle.ones([2, 3]), paddle.zeros([3], K))


def test_indices_that_do_not_broadcast():
    calls = ((2, 3), (3,), (3,)), ((2, 3), (3,), (2,)), ((2, 3), (3,), (1,)), ((0, 3), (2,), (3,))
    agree(lambda x, i, j: x[i, j], (X, K, K), *calls)
    agree(lambda x, i, j: x[i[i >= 0], j], (X, K, K), *calls)


def test_labels_of_as_many_samples_as_only_the_program_knows():
    f = paddle.jit.to_static(paddle.metric.accuracy, input_spec=[InputSpec([None, 3]), InputSpec([None, 1], K)])
    x = paddle.to_tensor([[0.1, 0.2, 0.9], [0.9, 0.1, 0.2]])
    assert float(f(x, paddle.to_tensor([[2], [1]]))) == 0.5
    with pytest.raises(ShapeError, match=r"expected labels of shape \[2, 1\] or one-hot, got \[1, 1\]"):
        f(x, paddle.to_tensor([[2]]))


def test_the_first_dimension_of_size_three_may_be_one_that_only_the_program_knows():
    agree(lambda x, y: paddle.cross(x, 1 - y), (X, X), ((3, 3), (3, 3)), ((2, 3), (2, 3)), ((3, 2), (3, 2)), ((2, 2), (2, 2)))
    static = paddle.jit.to_static(paddle.cross, input_spec=[InputSpec([None, 3]), InputSpec([None, 3])])
    x, y = made([3, 3], X), paddle.eye(3)
    assert static(x, y).tolist() == paddle.cross(x, y).tolist()


def test_the_sum_of_no_tensors():
    f = paddle.jit.to_static(lambda x: paddle.add_n([row for row in x]), input_spec=[InputSpec([None, 2])])
    assert f(paddle.ones([3, 2])).tolist() == [3.0, 3.0]
    with pytest.raises(IndexError, match="list index out of range"):
        f(paddle.ones([0, 2]))


def test_the_message_of_a_value_of_another_size():
    def f(x, y):
        x.set_value(y)
        return x

    static = paddle.jit.to_static(f, input_spec=[InputSpec([None, 2]), InputSpec([None, None])])
    for call in (f, static):
        with pytest.raises(ValueError, match=r"set_value: the tensor has shape \[3, 2\], the value \[2, 4\]"):
            call(paddle.ones([3, 2]), paddle.ones([2, 4]))


def test_lengths_and_factors_that_a_tensor_says():
    counted = paddle.to_tensor([1, 3, 1])
    agree(lambda s: paddle.bincount(counted, minlength=s.sum() * 3), (K,), ((1,),), ((2,),), ((4,),))
    calls = ((1, 2, 3, 4), ()), ((1, 2, 1, 2), ())
    agree(lambda x, f: F.interpolate(x, scale_factor=f + 1.9, mode="bilinear", align_corners=True), (X, X), *calls)
    agree(lambda x, f: F.interpolate(x, scale_factor=[f + 1.0, 2.5], mode="bicubic", align_corners=True), (X, X), *calls)
