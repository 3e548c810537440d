"""What a shape rule said is kept for the next call of the same kind, and for no other."""

import numpy as np
import pytest

import to_static as paddle
import to_static.nn.functional as F
from to_static.compiler.eager import mode, spec_cache
from to_static.compiler.ir.registry import REGISTRY, load_all
from to_static.compiler.ir.spec import TensorSpec, spec_of
from to_static.core.dtypes import as_dtype
from to_static.core.errors import ShapeError


@pytest.fixture
def asked(monkeypatch):
    """How often the shape rules of some operators were asked."""
    found = []
    for name in ("add", "matmul", "softmax", "sum", "exp"):
        opdef = REGISTRY[name]
        rule = opdef.infer_rule
        monkeypatch.setattr(opdef, "spec_cache", {})
        monkeypatch.setattr(opdef, "infer_rule", lambda *a, rule=rule, name=name, **k: (found.append(name), rule(*a, **k))[1])
    return found


X = paddle.to_tensor(np.float32([[1, 2, 3], [4, 5, 6]]))


def test_the_rule_is_asked_once_for_each_kind_of_call(asked):
    for _ in range(3):
        assert (X + X).shape == [2, 3] and paddle.matmul(X, X, transpose_y=True).shape == [2, 2]
        assert paddle.matmul(X, X, transpose_x=True).shape == [3, 3]
        assert paddle.nn.functional.softmax(X, axis=0).shape == paddle.nn.functional.softmax(X, axis=1).shape == [2, 3]
    assert sorted(asked) == ["add", "matmul", "matmul", "softmax", "softmax"]


def test_other_attributes_are_other_kinds_of_calls(asked):
    for _ in range(2):
        assert X.sum(axis=0).shape == [3] and X.sum(axis=1).shape == [2] and X.sum(axis=[0, 1]).shape == []
        assert X.sum(axis=0, keepdim=True).shape == [1, 3] and X.sum(dtype="float64").dtype == paddle.float64


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("dropout", lambda x, number: F.dropout(x, number)),
        ("p_norm", lambda x, number: paddle.norm(x, 1 + number, 1)),
        ("multiply", lambda x, number: x * number),
    ],
)
def test_numbers_that_change_are_one_kind_of_call(monkeypatch, name, call):
    x, opdef = paddle.ones([2, 5]), REGISTRY[name]
    monkeypatch.setattr(opdef, "spec_cache", {})
    for k in range(1, 40):
        call(x, k / 50)
    assert len(opdef.spec_cache) == 1


def test_errors_stay(asked):
    for _ in range(2):
        with pytest.raises(ShapeError, match="matmul: the last dimension of x, 3, must equal"):
            paddle.matmul(X, X)
        with pytest.raises((ShapeError, ValueError)):
            X + paddle.ones([4])


def test_no_rule_goes_by_the_default_dtype():
    load_all()

    def said(opdef, sample, kind):
        def spec(value):
            if value is None or isinstance(value, (list, tuple)):
                return value if value is None else [spec(x) for x in value]
            return TensorSpec(np.shape(value), as_dtype(kind or np.asarray(value).dtype))

        try:
            return opdef.infer_specs(tuple(map(spec, sample.inputs)), sample.attrs)
        except Exception as error:
            return type(error)

    samples = [(o, s) for o in REGISTRY.values() if o.spec_cache is not None for s in o.samples()]
    calls = [(*sample, kind) for sample in samples for kind in (None, "int64", "bool")]
    expected = [said(*call) for call in calls]
    try:
        paddle.set_default_dtype("float64")
        found = [said(*call) for call in calls]
    finally:
        paddle.set_default_dtype("float32")
    assert [o.name for (o, _, _), one, other in zip(calls, expected, found, strict=True) if one != other] == []


def test_whole_numbers_and_labels_are_known_too(monkeypatch):
    labels, logits = paddle.to_tensor([1, 0]), paddle.to_tensor(X.numpy(), stop_gradient=False)

    def step():
        loss = paddle.nn.functional.cross_entropy(logits, labels)
        loss.backward()
        return loss.item(), (labels + 1).tolist(), labels.unsqueeze(0).shape

    first, checked = step(), []
    monkeypatch.setattr(mode.EagerMode, "_apply_checked", lambda self, opdef, *call: checked.append(opdef.name))
    logits.clear_gradient(set_to_zero=False)
    assert step() == first and not checked


def test_soft_labels_that_want_a_gradient_get_none():
    for _ in range(3):
        labels = paddle.to_tensor([[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]], stop_gradient=False)
        logits = paddle.to_tensor(X.numpy(), stop_gradient=False)
        paddle.nn.functional.cross_entropy(logits, labels, soft_label=True).backward()
        assert labels.grad is None and logits.grad is not None
        assert paddle.nn.functional.cross_entropy(X, labels, soft_label=True).stop_gradient


def test_gradients_flow_on_both_ways(asked):
    for _ in range(2):
        w = paddle.to_tensor(X.numpy(), stop_gradient=False)
        y = paddle.exp(w + X).sum()
        assert not y.stop_gradient
        y.backward()
        np.testing.assert_allclose(w.grad.numpy(), np.exp(2 * X.numpy()), rtol=1e-6)
        with paddle.no_grad():
            assert (w + X).stop_gradient
        assert (w > X).stop_gradient


def test_not_too_many_are_kept(asked, monkeypatch):
    monkeypatch.setattr(spec_cache, "_MOST", 4)
    for n in range(1, 12):
        assert paddle.exp(paddle.zeros([n])).shape == [n]
    assert len(REGISTRY["exp"].spec_cache) <= 4


def test_views_share_their_memory_in_every_call():
    for made in (lambda x: x.reshape([3, 2]), lambda x: x.transpose([1, 0]), lambda x: x.unsqueeze(0), lambda x: x[1:]):
        for _ in range(3):
            x = paddle.zeros([2, 3])
            y = made(x)
            y.fill_(1.0)
            assert float(x.sum()) == y.size == float(made(x).sum())
            x.stop_gradient = False
            z = made(x * 2)
            z.sum().backward()
            assert float(x.grad.sum()) == 2 * y.size


def test_shapes_that_are_lists_or_hold_tensors_are_told_apart():
    x, n = paddle.arange(6, dtype="float32"), paddle.to_tensor(2)
    for shape in ([2, 3], [3, 2], [n, 3], [6, 1], [-1, 2], [n, -1], (2, 3)) * 2:
        assert x.reshape(shape).shape == list(np.arange(6).reshape([int(d) for d in shape]).shape)
    with pytest.raises(ShapeError):
        x.reshape([4, 2])


def test_lists_and_several_results_are_known_too(monkeypatch):
    asked = []
    for name in ("concat", "stack", "split", "topk", "layer_norm", "conv2d", "pool2d"):
        opdef = REGISTRY[name]
        monkeypatch.setattr(opdef, "spec_cache", {})
        rule = opdef.infer_rule
        monkeypatch.setattr(opdef, "infer_rule", lambda *a, rule=rule, name=name, **k: (asked.append(name), rule(*a, **k))[1])
    row, scale = paddle.ones([1, 3]), paddle.ones([3])
    for _ in range(2):
        assert paddle.concat([X, row]).shape == [3, 3] and paddle.concat([row, row, X]).shape == [4, 3]
        assert paddle.stack([X, X]).shape == [2, 2, 3]
        assert [part.shape for part in paddle.split(X, [1, 2], axis=1)] == [[2, 1], [2, 2]]
        assert [part.shape for part in paddle.topk(X, 2)] == [[2, 2], [2, 2]]
        assert paddle.nn.functional.conv2d(X.reshape([1, 2, 1, 3]), paddle.ones([4, 2, 1, 1])).shape == [1, 4, 1, 3]
        assert paddle.nn.functional.max_pool2d(X.reshape([1, 1, 2, 3]), 2, [1, 1], 0).shape == [1, 1, 1, 2]
        assert paddle.nn.functional.layer_norm(X, [3]).shape == paddle.nn.functional.layer_norm(X, [3], scale).shape == [2, 3]
    assert sorted(asked) == ["concat", "concat", "conv2d", "layer_norm", "layer_norm", "pool2d", "split", "stack", "topk"]


def test_gradients_of_lists_and_several_results_flow_in_every_call():
    for _ in range(3):
        x = paddle.to_tensor(X.numpy(), stop_gradient=False)
        parts = paddle.split(x, 3, axis=1)
        paddle.concat([parts[2], parts[0] * 2], axis=1).sum().backward()
        assert x.grad.tolist() == [[2, 0, 1]] * 2
        values, places = paddle.topk(x, 1)
        assert not values.stop_gradient and places.stop_gradient


def _arrays(item):
    return [*map(np.asarray, item)] if type(item) is list else None if item is None else np.asarray(item)


def test_what_is_fixed_is_what_the_kernel_is():
    load_all()
    fixed = [o for o in REGISTRY.values() if o.specialize_rule is not None or o.ufunc]
    assert {"reshape", "slice", "squeeze", "transpose", "unsqueeze"} <= {o.name for o in fixed}
    for opdef in fixed:
        for sample in opdef.samples():
            inputs = [_arrays(item) for item in sample.inputs]
            if opdef.more and inputs[-1] and not opdef.fixes_lists:  # sizes and places that tensors say
                continue
            specs = [[*map(spec_of, item)] if type(item) is list else None if item is None else spec_of(item) for item in inputs]
            out = opdef.infer_specs(tuple(specs), sample.attrs)
            out = out if opdef.multi else out[0]
            given = specs if opdef.fixes_lists else specs[: len(specs) - opdef.more]
            asked = {attr.name: sample.attrs[attr.name] for attr in opdef.attrs if not attr.is_number}
            kernel = getattr(np, opdef.ufunc) if opdef.ufunc else opdef.specialize_rule(out, *given, **asked)
            if kernel is None:
                continue
            numbers = opdef.number_values(sample.attrs) if opdef.number_values else ()
            results = kernel(*(inputs[0] if opdef.fixes_lists else inputs[: len(specs) - opdef.more]), *numbers)
            wanted = opdef.kernel_for("numpy")(np, *inputs, **sample.attrs)
            if "random" in opdef.traits and not opdef.multi:  # other numbers were drawn
                assert np.asarray(results).shape == wanted.shape and np.asarray(results).dtype == wanted.dtype
                continue
            for found, expected in zip(results, wanted, strict=True) if opdef.multi else [(results, wanted)]:
                found, expected = np.asarray(found), np.asarray(expected)
                assert (found.dtype, found.strides) == (expected.dtype, expected.strides), opdef
                np.testing.assert_array_equal(found, expected, strict=True)


def test_what_is_made_of_numbers_alone_is_new_every_time():
    for _ in range(3):
        a, b = paddle.zeros([2, 3]), paddle.zeros([2, 3])
        a[0] = 1.0
        assert b.sum().item() == 0 and a.dtype is b.dtype is paddle.float32
        np.testing.assert_array_equal(paddle.full([2], 7).numpy(), np.full(2, 7, "float32"), strict=True)
        np.testing.assert_array_equal(paddle.full([2], 7, "int64").numpy(), np.full(2, 7), strict=True)
        np.testing.assert_array_equal(paddle.full([2], True, "bool").numpy(), np.full(2, True), strict=True)
        np.testing.assert_array_equal(paddle.arange(3).numpy(), np.arange(3), strict=True)
        np.testing.assert_array_equal(paddle.arange(3.0).numpy(), np.arange(3, dtype="float32"), strict=True)
        np.testing.assert_array_equal(paddle.arange(1, 3, 0.5).numpy(), np.arange(1, 3, 0.5, "float32"), strict=True)


def test_zeros_keep_their_sign():
    for value in (0.0, -0.0, 0, -0.0, 0.0):
        assert np.signbit(paddle.full([1], value).numpy()[0]) == np.signbit(value)
        assert np.signbit(paddle.arange(value, 1.0).numpy()[0]) == np.signbit(value)


def test_a_tensor_with_a_list_of_tensors():
    """The shape rule's answer is kept for the shapes of all of them."""
    x = paddle.to_tensor(np.arange(12, dtype="float32").reshape(3, 4), stop_gradient=False)
    for _ in range(2):
        for rows in ([0, 2], [2, 1, 0], [[0], [1]], [-1]):
            ids = paddle.to_tensor(rows)
            np.testing.assert_array_equal(x[ids].numpy(), x.numpy()[np.array(rows)])
            np.testing.assert_array_equal(x[ids, 0].numpy(), x.numpy()[np.array(rows), 0])
        for places in (x > 4, x[:, 0] > 3, x > 100):
            found = x[places]
            np.testing.assert_array_equal(found.numpy(), x.numpy()[places.numpy()])
            assert not found.stop_gradient
        with pytest.raises(IndexError):
            x[paddle.to_tensor([3])]
        x.clear_grad()
        (x[paddle.to_tensor([0, 0, 2])].sum() + x[x > 9].sum()).backward()
        np.testing.assert_array_equal(x.grad.numpy(), [[2] * 4, [0] * 4, [1, 1, 2, 2]])
        assert x.detach()[paddle.to_tensor([0])].stop_gradient


def test_sums_and_means_of_all_dtypes_stay_what_they_are():
    for dtype in ("int8", "int32", "int64", "float16", "float32", "float64"):
        x = paddle.to_tensor(np.arange(-3, 5).reshape(2, 4).astype(dtype))
        for axis in (None, 1, [0, -1], []):
            for made in (paddle.sum, paddle.mean, paddle.max, paddle.prod):
                first, second = made(x, axis=axis), made(x, axis=axis)
                assert first.dtype is second.dtype and first.numpy().dtype == second.numpy().dtype == first.dtype.np
                np.testing.assert_array_equal(first.numpy(), second.numpy(), strict=True)
    for _ in range(2):
        with pytest.raises(ShapeError, match="sum: axis 2 is out of range"):
            X.sum(axis=2)
        with pytest.raises(ShapeError, match="mean: axis .* names a dimension twice"):
            X.mean(axis=[0, -2])


def test_numbers_that_are_written_are_not_taken_for_others():
    x, whole = paddle.zeros([3]), paddle.zeros([3], "int64")
    for _ in range(2):
        x[0], x[1], x[2] = True, 1, 1.5
        whole[0], whole[1] = 1, 2.9
        assert x.tolist() == [1, 1, 1.5] and whole.tolist() == [1, 2, 0]
        x[1:] = paddle.to_tensor([[4.0, 5.0]])
        assert x.tolist() == [1, 4, 5] and x.clip(2, 4.5).tolist() == [2, 4, 4.5]
        x[0] = -0.0
        assert np.signbit(x[0].item())
        with pytest.raises(ShapeError, match="setitem: a value of shape"):
            x[:2] = paddle.zeros([3])
        assert paddle.full([1], True).tolist() == paddle.full([1], 1.0).tolist() == [1]
        assert paddle.full([2], 3, "int32").dtype is paddle.int32 and paddle.full([2, 1], 3).shape == [2, 1]


def test_attributes_that_are_kept_are_not_those_of_a_program():
    @paddle.jit.to_static
    def f(x):
        return x[0].reshape([3, 1])

    f(X)
    for op in f.program.block.ops:
        assert type(op.attrs) is dict


def test_lists_of_one_and_of_many_are_told_apart():
    for _ in range(3):
        for n in (1, 2, 3, 5):
            parts = [paddle.full([1, 2], float(i)) for i in range(n)]
            parts[n // 2].stop_gradient = False
            joined = paddle.concat(parts)
            assert joined.shape == [n, 2] and paddle.stack(tuple(parts), axis=1).shape == [1, n, 2]
            (joined * joined).sum().backward()
            assert parts[n // 2].grad.tolist() == [[2 * (n // 2)] * 2]
        with pytest.raises(ShapeError, match="concat"):
            paddle.concat([X, paddle.ones([2])])


@pytest.mark.parametrize("settings", [{}, {"padding": 1}, {"stride": 2, "padding": [1, 0]}, {"dilation": 2}, {"padding": "SAME"}])
def test_convolutions_and_poolings_of_any_layout(settings):
    """Calls after the first one take windows from arrays as they lie in memory."""
    numbers = np.arange(2 * 4 * 6 * 7, dtype="float32").reshape(2, 4, 6, 7) % 11 - 5
    images = [numbers, np.asfortranarray(numbers), numbers[:, :, ::-1], np.broadcast_to(numbers[:1], (2, 4, 6, 7)).copy("F")]
    images.append(np.ascontiguousarray(numbers.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2))
    for groups in (1, 2):
        weight = paddle.to_tensor(np.arange(6 * 4 // groups * 9, dtype="float32").reshape(6, 4 // groups, 3, 3) % 7 - 3)
        found = []
        for image in [*images, *images]:
            x = paddle.to_tensor(np.zeros((2, 4, 6, 7), "float32"))
            x._array = image
            y = F.conv2d(x, weight, groups=groups, **settings)
            assert y._array.flags.c_contiguous
            found.append(y.numpy())
        for y, image in zip(found, [*images, *images], strict=True):
            same = F.conv2d(paddle.to_tensor(np.ascontiguousarray(image)), weight, groups=groups, **settings)
            np.testing.assert_allclose(y, same.numpy(), rtol=1e-6)
    for image in [*images, *images]:
        x = paddle.to_tensor(np.zeros((2, 4, 6, 7), "float32"))
        x._array = image
        y = F.max_pool2d(x, 2, 2)
        assert y._array.flags.c_contiguous
        parts = image[:, :, :6, :6].reshape(2, 4, 3, 2, 3, 2)
        np.testing.assert_array_equal(y.numpy(), parts.max((3, 5)))
        y = F.avg_pool2d(x, [2, 3])
        assert y._array.flags.c_contiguous
        np.testing.assert_allclose(y.numpy(), image[:, :, :, :6].reshape(2, 4, 3, 2, 2, 3).mean((3, 5)), rtol=1e-5, atol=1e-6)


def test_arguments_of_convolutions_are_told_apart():
    x, w = paddle.ones([1, 1, 5, 5]), paddle.ones([1, 1, 3, 3])
    for _ in range(2):
        assert F.conv2d(x, w).shape == [1, 1, 3, 3]
        assert F.conv2d(x, w, padding=1).shape == F.conv2d(x, w, padding=[1, 1]).shape == [1, 1, 5, 5]
        assert F.conv2d(x, w, stride=(2, 2)).shape == [1, 1, 2, 2]
        assert F.conv2d(x, w, padding="SAME").shape == [1, 1, 5, 5]
        assert F.max_pool2d(x, 2).shape == [1, 1, 2, 2] and F.max_pool2d(x, 2, 2, ceil_mode=True).shape == [1, 1, 3, 3]
        assert F.avg_pool2d(x, 2, 1).shape == [1, 1, 4, 4]
        with pytest.raises(ShapeError, match="conv2d stride: expected an integer or 2"):
            F.conv2d(x, w, stride=[1, 2, 3])
        with pytest.raises(ValueError, match="data_format must be"):
            F.max_pool2d(x, 2, data_format="NCWH")
        with pytest.raises(ValueError, match="ceil_mode must be False"):
            F.max_pool2d(x, 2, padding="VALID", ceil_mode=True)


def test_what_needs_no_gradient_has_none_in_every_call():
    row, square = paddle.ones([3]), paddle.ones([3, 3])
    w = paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
    for _ in range(3):
        for made in (lambda s: F.layer_norm(X, [3], s, row), lambda s: paddle.where(X > 0, X, s), lambda s: F.linear(X, square, s)):
            assert made(row).stop_gradient and made(row).is_leaf
            assert not made(w).stop_gradient
            with paddle.no_grad():
                assert made(w).stop_gradient
            w.clear_gradient()
            made(w).sum().backward()
            assert np.isfinite(w.grad.numpy()).all()


def test_numbers_beside_a_tensor_in_every_call():
    whole = paddle.to_tensor([1, 2, 3])
    rows = [(X, 2, "float32"), (X, 0.5, "float32"), (whole, 2, "int64"), (whole, 0.5, "float32")]
    rows.append((X.astype("float64"), 0.1, "float64"))
    for _ in range(3):
        for x, y, dtype in rows:
            for made, meant in ((paddle.add, np.add), (paddle.multiply, np.multiply), (paddle.maximum, np.maximum)):
                wanted = meant(x.numpy().astype(dtype), np.asarray(y, dtype))
                np.testing.assert_array_equal(made(x, y).numpy(), wanted, strict=True)
        assert np.signbit((paddle.ones([1]) * -0.0).item()) and not np.signbit((paddle.ones([1]) * 0.0).item())
        with pytest.raises(TypeError):
            X + "1"


def test_new_dimensions_share_their_memory_in_every_call():
    for _ in range(3):
        x = paddle.zeros([2, 3])
        for index, shape in ((np.s_[:, None], [2, 1, 3]), (np.s_[None], [1, 2, 3]), (np.s_[1, None, ..., None], [1, 3, 1])):
            part = x[index]
            part.fill_(1.0)
            assert part.shape == shape and x[index].numpy().all() and x.sum().item() == part.size
            x.fill_(0.0)
            assert not part.numpy().any()


def test_inputs_that_are_not_there_are_known_too(monkeypatch):
    image = paddle.to_tensor(np.arange(24, dtype="float32").reshape(2, 4, 3), stop_gradient=False)
    labels, weight = paddle.to_tensor([1, 0]), paddle.to_tensor([0.5, 2.0, 1.0, 1.0])

    def step():
        found = []
        for made in (
            lambda: F.group_norm(image, 2), lambda: F.group_norm(image, 2, weight=weight),
            lambda: F.group_norm(image, 2, bias=weight), lambda: F.instance_norm(image),
            lambda: image.clip(max=7.0), lambda: image.clip(min=7.0),
            lambda: F.nll_loss(image[:, :, 0], labels), lambda: F.nll_loss(image[:, :, 0], labels, weight),
            lambda: F.binary_cross_entropy_with_logits(image, image), lambda: F.layer_norm(image, 3, None, weight[:3]),
        ):  # fmt: skip
            y = made()
            assert not y.stop_gradient
            image.clear_gradient(set_to_zero=False)
            y.sum().backward()
            found.append((y.numpy(), image.grad.numpy(), paddle.no_grad()(made)().stop_gradient))
        return found

    first, checked = step(), []
    monkeypatch.setattr(mode.EagerMode, "_apply_checked", lambda self, opdef, *call: checked.append(opdef.name))
    for one, other in zip(first, step(), strict=True):
        np.testing.assert_array_equal(one[0], other[0], strict=True)
        np.testing.assert_array_equal(one[1], other[1], strict=True)
        assert one[2] and other[2]
    assert not checked


def test_arguments_of_adaptive_poolings_are_told_apart():
    x = paddle.to_tensor(np.arange(48, dtype="float32").reshape(1, 2, 4, 6))
    for _ in range(2):
        for size in (1, [1, 1], (1, 1)):
            np.testing.assert_array_equal(F.adaptive_avg_pool2d(x, size).numpy(), x.numpy().mean((2, 3), keepdims=True))
            np.testing.assert_array_equal(F.adaptive_max_pool2d(x, size).numpy(), x.numpy().max((2, 3), keepdims=True))
        assert F.adaptive_avg_pool2d(x, [1, None]).shape == [1, 2, 1, 6]
        assert F.adaptive_avg_pool2d(x, 2).shape == F.adaptive_max_pool2d(x, [2, 2]).shape == [1, 2, 2, 2]
        halves = x.numpy().reshape(1, 2, 2, 12).mean(3, keepdims=True)
        np.testing.assert_allclose(F.adaptive_avg_pool2d(x, [2, 1]).numpy(), halves, rtol=1e-6)
        last = F.adaptive_avg_pool2d(x.transpose([0, 2, 3, 1]), 1, data_format="NHWC")
        np.testing.assert_array_equal(last.numpy(), x.numpy().mean((2, 3)).reshape(1, 1, 1, 2))
        y = paddle.to_tensor(x.numpy(), stop_gradient=False)
        F.adaptive_avg_pool2d(y, 1).sum().backward()
        np.testing.assert_allclose(y.grad.numpy(), np.full((1, 2, 4, 6), 1 / 24), rtol=1e-6)
        with pytest.raises(ShapeError, match="expected an output size of 2 entries"):
            F.adaptive_avg_pool2d(x, [1, 1, 1])
        with pytest.raises(ShapeError, match="the output size must be positive"):
            F.adaptive_avg_pool2d(x, 0)
        with pytest.raises(ValueError, match="data_format must be"):
            F.adaptive_avg_pool2d(x, 1, data_format="NCWH")


def test_random_tensors_differ_in_every_call():
    for made in (lambda: paddle.rand([2, 3]), lambda: paddle.randn([2, 3]), lambda: paddle.randint(0, 10**9, [2, 3])):
        found = [made() for _ in range(3)]
        assert not found[0].equal_all(found[1]) and not found[1].equal_all(found[2])
        assert {(*x.shape, x.dtype) for x in found} == {(2, 3, found[0].dtype)}
    paddle.seed(7)
    first = [paddle.rand([2]).tolist() for _ in range(3)]
    paddle.seed(7)
    assert [paddle.rand([2]).tolist() for _ in range(3)] == first
    assert paddle.uniform([3], min=2.0, max=3.0).min() >= 2 and paddle.uniform([3], "float64", 0.0, 1.0).dtype is paddle.float64


def test_statistics_of_all_dtypes_and_of_nothing():
    for dtype, close in (("float16", 1e-2), ("float32", 1e-5), ("float64", 1e-12)):
        x = np.random.default_rng(0).normal(size=(3, 4, 5)).astype(dtype)
        found = F.layer_norm(paddle.to_tensor(x), 5, epsilon=0.0).numpy()
        wide = x.astype("float64")
        wanted = (wide - wide.mean(2, keepdims=True)) / wide.std(2, keepdims=True)
        assert found.dtype == dtype
        np.testing.assert_allclose(found, wanted, rtol=close, atol=close)
    assert F.layer_norm(paddle.zeros([0, 3]), 3).shape == [0, 3]


def test_triangles_of_every_call_are_of_its_tensor():
    for _ in range(2):
        for x in (np.arange(12.0).reshape(3, 4), np.arange(24).reshape(2, 3, 4) + 1, np.float32([[np.nan, np.inf], [1, -1]])):
            for k in (-2, -1, 0, 1, 3):
                np.testing.assert_array_equal(paddle.tril(paddle.to_tensor(x), k).numpy(), np.tril(x, k), strict=True)
                np.testing.assert_array_equal(paddle.triu(paddle.to_tensor(x), k).numpy(), np.triu(x, k), strict=True)


def test_arguments_of_pads_are_told_apart():
    x = paddle.to_tensor(np.arange(12, dtype="float32").reshape(1, 2, 2, 3), stop_gradient=False)
    numbers = [1, 2, 0, 1]
    for _ in range(2):
        wide = F.pad(x, numbers)
        np.testing.assert_array_equal(wide.numpy(), np.pad(x.numpy(), ((0, 0), (0, 0), (0, 1), (1, 2))))
        last = F.pad(x, numbers, data_format="NHWC").numpy()
        np.testing.assert_array_equal(last, np.pad(x.numpy(), ((0, 0), (0, 1), (1, 2), (0, 0))))
        filled = F.pad(x, numbers, value=0.5).numpy()
        np.testing.assert_array_equal(filled, np.pad(x.numpy(), ((0, 0), (0, 0), (0, 1), (1, 2)), constant_values=0.5))
        every = F.pad(x, [0, 0, 0, 0, 1, 0, 0, 1]).numpy()
        np.testing.assert_array_equal(every, np.pad(x.numpy(), ((0, 0), (0, 0), (1, 0), (0, 1))))
        np.testing.assert_array_equal(F.pad(x, [-1, 0, 0, 0]).numpy(), x.numpy()[..., 1:])
        np.testing.assert_array_equal(F.pad(x, [0, 0, 0, 0]).numpy(), x.numpy())
        line = F.pad(x[0], [1, 0], data_format="NCL").numpy()
        np.testing.assert_array_equal(line, np.pad(x.numpy()[0], ((0, 0), (0, 0), (1, 0))))
        edges = F.pad(x, numbers, "replicate").numpy()
        np.testing.assert_array_equal(edges, np.pad(x.numpy(), ((0, 0), (0, 0), (0, 1), (1, 2)), mode="edge"))
        x.clear_gradient(set_to_zero=False)
        (wide * wide).sum().backward()
        np.testing.assert_array_equal(x.grad.numpy(), 2 * x.numpy())
        assert F.pad(paddle.to_tensor([[[True]]]), [1, 0], data_format="NCL").tolist() == [[[False, True]]]
        with pytest.raises(ShapeError, match="pad: expected 4 numbers"):
            F.pad(x, [1, 1])
        with pytest.raises(ValueError, match="data_format of a tensor of 4 dimensions"):
            F.pad(x, [1, 1, 1, 1], data_format="NCL")
        with pytest.raises(ValueError, match="mode must be one of"):
            F.pad(x, [1, 1, 1, 1], "mirror")
    numbers[0] = 0
    assert F.pad(x, numbers).shape == [1, 2, 3, 5]


def test_arguments_of_resizing_and_transposed_convolutions_are_told_apart():
    x, w = paddle.to_tensor(np.arange(12, dtype="float32").reshape(1, 1, 3, 4)), paddle.ones([1, 1, 2, 2])
    for _ in range(2):
        np.testing.assert_array_equal(F.interpolate(x, scale_factor=2).numpy(), x.numpy().repeat(2, 2).repeat(2, 3))
        assert F.interpolate(x, size=[2, 2]).shape == [1, 1, 2, 2]
        assert F.interpolate(x, scale_factor=[1, 2.5]).shape == [1, 1, 3, 10]
        corners = F.interpolate(x, size=[3, 7], mode="bilinear", align_corners=True).numpy()
        np.testing.assert_allclose(corners[..., ::2], x.numpy(), rtol=1e-6)
        halves = F.interpolate(x, size=[3, 8], mode="bilinear").numpy()
        np.testing.assert_allclose(halves[0, 0, 0], [0, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3], rtol=1e-6)
        whole = F.interpolate(x, size=[3, 8], mode="bilinear", align_mode=1).numpy()
        np.testing.assert_allclose(whole[0, 0, 0], [0, 0.5, 1, 1.5, 2, 2.5, 3, 3], rtol=1e-6)
        low, high = (F.interpolate(t, size=[5, 2], mode="bicubic") for t in (x, x.astype("float64")))
        np.testing.assert_allclose(low.numpy(), high.numpy(), rtol=1e-5)
        assert high.dtype is paddle.float64
        assert F.conv2d_transpose(x, w).shape == [1, 1, 4, 5] and F.conv2d_transpose(x, w, stride=2).shape == [1, 1, 6, 8]
        assert F.conv2d_transpose(x, w, stride=2, output_padding=1).shape == [1, 1, 7, 9]
        assert F.conv2d_transpose(x, w, stride=2, output_size=[7, 8]).shape == [1, 1, 7, 8]
        with pytest.raises(ValueError, match="give output_size or output_padding, not both"):
            F.conv2d_transpose(x, w, stride=2, output_padding=1, output_size=[7, 8])
        assert F.unfold(x, 2).shape == [1, 4, 6] and F.unfold(x, [1, 2], 2).shape == [1, 2, 4]
        assert F.unfold(x, 2, paddings=1).shape == [1, 4, 20]


def test_elements_that_a_mask_names_are_written_in_every_call():
    for value in (0.0, -0.0, 3, 2.5, True, 0, -0.0, 0.0):
        x, whole = paddle.ones([2, 3]), paddle.ones([2, 3], "int64")
        part = x[1]
        mask = paddle.to_tensor([[True, False, True], [False, False, True]])
        x[mask], whole[mask] = value, value
        wanted = np.where(mask.numpy(), np.float32(value), np.float32(1))
        np.testing.assert_array_equal(x.numpy(), wanted)
        np.testing.assert_array_equal(np.signbit(x.numpy()), np.signbit(wanted))
        np.testing.assert_array_equal(whole.numpy(), np.where(mask.numpy(), int(value), 1), strict=True)
        np.testing.assert_array_equal(part.numpy(), x.numpy()[1])
        x[paddle.to_tensor([True, False])] = 7.0
        assert x[0].tolist() == [7.0] * 3
    y = paddle.to_tensor(X.numpy(), stop_gradient=False)
    z = y * 1
    z[z > 3] = 0
    z.sum().backward()
    np.testing.assert_array_equal(y.grad.numpy(), X.numpy() <= 3)


def test_bounds_keep_their_sign_and_dropout_its_probability():
    for _ in range(2):
        for low in (0.0, -0.0, 0):
            np.testing.assert_array_equal(np.signbit(paddle.full([1], -1.0).clip(min=low).numpy()), np.signbit([low]))
            assert paddle.full([1], -1, "int64").clip(min=low).tolist() == [0]
        with pytest.raises(ValueError, match="max must not be less than min"):
            X.clip(1.0, 0.0)
        for p in (0.25, 0.5, 1, 1.0):
            kept = F.dropout(paddle.ones([10000]), p)
            assert abs(float((kept == 0).astype("float32").mean()) - p) < 0.05
            assert p == 1 or abs(float(kept.max()) - 1 / (1 - p)) < 1e-6
            assert F.dropout(X, p, training=False).tolist() == X.tolist()
            down = F.dropout(X, p, training=False, mode="downscale_in_infer")
            np.testing.assert_allclose(down.numpy(), X.numpy() * np.float32(1 - p))


def test_likelihoods_with_and_without_labels_that_do_not_count():
    logits = paddle.to_tensor(np.log(np.float32([[0.2, 0.8], [0.5, 0.5], [0.9, 0.1]])), stop_gradient=False)
    labels, ones = paddle.to_tensor([1, 0, 0]), paddle.ones([2])
    for _ in range(2):
        for reduction in ("mean", "sum", "none"):
            plain = F.nll_loss(logits, labels, reduction=reduction)
            weighted = F.nll_loss(logits, labels, ones, reduction=reduction)
            np.testing.assert_allclose(plain.numpy(), weighted.numpy(), rtol=1e-6)
            assert plain.shape == weighted.shape
            assert not plain.stop_gradient
        np.testing.assert_allclose(F.nll_loss(logits, labels, ignore_index=1).item(), -np.log([0.5, 0.9]).mean(), rtol=1e-6)
        assert F.nll_loss(logits, labels * 0, ignore_index=0).item() == 0
        logits.clear_gradient(set_to_zero=False)
        F.nll_loss(logits, labels).backward()
        np.testing.assert_allclose(logits.grad.numpy(), -np.eye(2)[[1, 0, 0]] / 3, rtol=1e-6)
        with pytest.raises(IndexError, match="labels must lie in"):
            F.nll_loss(logits, labels + 1)


def test_gradients_go_where_they_are_wanted_and_nowhere_else():
    for _ in range(2):
        for wanted in ((False, True), (True, False), (True, True)):
            a, b = (paddle.to_tensor([1.0, 2.0], stop_gradient=not flag) for flag in wanted)
            for made in (paddle.add, paddle.multiply, paddle.maximum, lambda a, b: paddle.where(a > 0, a, b * 2)):
                y = made(a, b)
                assert not y.stop_gradient
                y.sum().backward()
            assert (a.grad is not None, b.grad is not None) == wanted
        labels = paddle.to_tensor([0.5, 1.0], stop_gradient=False)
        assert F.binary_cross_entropy(paddle.to_tensor([0.5, 0.5]), labels).stop_gradient
        values, places = paddle.topk(X, 2)
        assert values.stop_gradient and values.dtype is paddle.float32 and places.dtype is paddle.int64


def test_losses_of_labels_of_any_kind_in_every_call():
    logits = paddle.to_tensor(np.float32([[1, 2, 3], [0, 5, 1], [-1, 0, 90]]))
    rates = np.exp(logits.numpy().astype("float64"))
    each = -np.log(rates / rates.sum(1, keepdims=True))[range(3), [2, 0, 1]]
    for _ in range(2):
        for dtype in ("int64", "int32", "uint8"):
            labels = paddle.to_tensor(np.asarray([2, 0, 1], dtype))
            for given in (labels, labels.unsqueeze(1)):
                np.testing.assert_allclose(F.cross_entropy(logits, given).item(), each.mean(), rtol=1e-6)
                none = F.cross_entropy(logits, given, reduction="none")
                np.testing.assert_allclose(none.numpy(), each.reshape(given.shape), rtol=1e-6)
            np.testing.assert_allclose(F.cross_entropy(logits, labels, ignore_index=0).item(), each[[0, 2]].mean(), rtol=1e-6)
            turned = F.cross_entropy(logits.T.unsqueeze(0), labels.unsqueeze(0), axis=1)
            np.testing.assert_allclose(turned.item(), each.mean(), rtol=1e-6)
        assert F.cross_entropy(logits, paddle.full([3], 7, "int64"), ignore_index=7).item() == 0
        assert F.cross_entropy(logits.astype("float64"), paddle.to_tensor([2, 0, 1])).dtype is paddle.float64
        with pytest.raises(IndexError, match="labels must lie in"):
            F.cross_entropy(logits, paddle.to_tensor([2, 0, 3]))


def test_numbers_are_no_part_of_what_is_known(monkeypatch):
    calls = {
        "leaky_relu": lambda f: F.leaky_relu(X, f), "scale": lambda f: paddle.scale(X, f), "elu": lambda f: F.elu(X, f),
        "uniform": lambda f: paddle.uniform([2], min=-f, max=f), "isclose": lambda f: paddle.isclose(X, X + 1, f, f),
        "roll": lambda f: paddle.roll(X, int(100 * f)), "full": lambda f: paddle.full([2], f),
    }  # fmt: skip
    for name, call in calls.items():
        opdef, asked = REGISTRY[name], []
        rule = opdef.infer_rule
        monkeypatch.setattr(opdef, "spec_cache", {})
        monkeypatch.setattr(opdef, "infer_rule", lambda *a, rule=rule, asked=asked, **k: (asked.append(1), rule(*a, **k))[1])
        for number in range(1, 60):
            call(number / 100)
        assert len(asked) == 1 and len(opdef.spec_cache) == 1, name


def test_kernels_for_numbers_are_those_of_the_numbers():
    """More numbers than kernels are kept for, in turn; equal numbers of other signs and types."""
    for value in [*(n / 8 for n in range(1, 40)), *(n / 8 for n in range(1, 40)), 0.0, -0.0, 2.0, float("nan")]:
        np.testing.assert_array_equal(F.pad(X, [1, 1, 1, 1], value=value).numpy(), np.pad(X.numpy(), 1, constant_values=value))
        np.testing.assert_array_equal(paddle.full([2], value).numpy(), np.full(2, value, "float32"))
        assert np.signbit(paddle.full([2], value).numpy()).tolist() == [np.signbit(value)] * 2


def test_no_shape_rule_goes_by_a_number():
    """Attributes of the type ``float``, and those that a declaration marks with ``!``."""
    load_all()

    def spec(value):
        if value is None or isinstance(value, (list, tuple)):
            return value if value is None else [spec(x) for x in value]
        return TensorSpec(np.shape(value), as_dtype(np.asarray(value).dtype))

    for opdef in list(REGISTRY.values()):
        numbers = [attr.name for attr in opdef.attrs if attr.is_number]
        for sample in opdef.samples() if numbers and opdef.spec_cache is not None else ():
            inputs = tuple(map(spec, sample.inputs))
            expected = opdef.infer_specs(inputs, sample.attrs)
            for name in numbers:
                given = sample.attrs[name]
                if isinstance(given, tuple):
                    others: list = [tuple(n + 1 for n in given), tuple(-n for n in given)]
                else:
                    others = [given + 1, -given, 0] if isinstance(given, int) else [0.0, -1.0, 2.0, 0.5, 1e30, float("nan")]
                for value in others:
                    assert opdef.infer_specs(inputs, {**sample.attrs, name: value}) == expected, (opdef.name, name, value)
