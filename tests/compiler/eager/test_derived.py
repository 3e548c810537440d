"""Gradient rules that became plans give what the rules give."""

import numpy as np
import pytest

import to_static as paddle
import to_static.nn.functional as F
from to_static.compiler.autodiff.vjp import call_vjp
from to_static.compiler.eager import derived
from to_static.compiler.ir.opdef import GradContext
from to_static.compiler.ir.registry import REGISTRY, load_all
from to_static.core.errors import AutogradError

random = np.random.RandomState(3)
X, Y = (random.rand(6, 5).astype("float32") * 0.9 + 0.05 for _ in range(2))
LABELS = random.randint(0, 5, (6,))
FUNCTIONS = {
    "sum": lambda x, y: x.sum(0).sum(),
    "mean": lambda x, y: (x * y).mean(),
    "one operand twice": lambda x, y: (x * x + x).sum(),
    "broadcast": lambda x, y: (x + y[0]).sum() + (x / y[:, :1]).sum(),
    "matmul": lambda x, y: paddle.matmul(x, y, transpose_y=True).max(),
    "slices": lambda x, y: (x[1:3] * y[2:4]).sum() + x[0, 1] + y[:, 2].sum(),
    "lists": lambda x, y: (paddle.concat([x, y, x]) * 2).sum() + paddle.stack([x, y], 1).max(),
    "several results": lambda x, y: paddle.topk(x, 2)[0].sum() + paddle.split(y, [2, 3], 1)[1].sum(),
    "not all results": lambda x, y: (paddle.unbind(x)[1] * paddle.chunk(y, 5, 1)[2].flatten()[0]).sum(),
    "activations": lambda x, y: (F.gelu(x) + F.softmax(y) + F.softplus(x, beta=2.0) + F.leaky_relu(y - 0.5, 0.3)).sum(),
    "losses": lambda x, y: F.mse_loss(x, y) + F.nll_loss(x, paddle.to_tensor(LABELS)) + F.binary_cross_entropy(x, y),
    "norms": lambda x, y: F.layer_norm(x, 5, y[0], y[1]).max() + paddle.norm(y) + paddle.dist(x, y, 1.5),
    "indices": lambda x, y: x[paddle.to_tensor([1, 3, 3])].sum() + paddle.gather(y, paddle.to_tensor([0, 0])).sum(),
    "a constant": lambda x, y: (x * paddle.to_tensor(Y)).sum() + y.sum(),
    "dtypes": lambda x, y: (x.astype("float64") * y.astype("float64")).sum(),
}


def _gradients(function, x, y):
    x, y = (paddle.to_tensor(a, stop_gradient=False) for a in (x, y))
    function(x, y).backward()
    return [None if t.grad is None else t.grad.numpy() for t in (x, y)]


def _same(found, wanted):
    for a, b in zip(found, wanted, strict=True):
        assert (a is None) == (b is None)
        if a is not None:
            assert a.shape == b.shape and a.dtype == b.dtype  # (`strict=` came with NumPy 2)
            np.testing.assert_allclose(a, b, rtol=2e-6, atol=1e-7)


@pytest.fixture
def new(monkeypatch):
    """Nothing is counted yet, and the third call is often."""
    for name in ("_functions", "_families", "_counts"):
        monkeypatch.setattr(derived, name, {})
    monkeypatch.setattr(derived, "_OFTEN", 2)


@pytest.fixture
def plans(new, monkeypatch):
    """Operators have no kernels of their gradients, either."""
    monkeypatch.setattr(derived, "_by_kernel", lambda *call: None)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_by_kernels_are_those_of_plans(name, new, monkeypatch):
    function = FUNCTIONS[name]
    found = _gradients(function, X, Y)
    monkeypatch.setattr(derived, "_by_kernel", lambda *call: None)
    _same(found, _gradients(function, X, Y))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_stay_what_they_were(name, plans):
    function = FUNCTIONS[name]
    first = _gradients(function, X, Y)
    for _ in range(4):
        found = _gradients(function, X, Y)
        _same(found, first)
    assert any(derived._functions.values())
    other = _gradients(function, Y, X)  # the numbers are not built in
    derived._functions.clear()
    _same(other, _gradients(function, Y, X))


def test_attributes_shapes_and_wanted_gradients_are_kinds_of_their_own(new):
    for _ in range(5):
        for slope in (0.1, 0.2):
            x = paddle.to_tensor([-1.0, 2.0], stop_gradient=False)
            F.leaky_relu(x, slope).sum().backward()
            np.testing.assert_allclose(x.grad.numpy(), [slope, 1.0], rtol=1e-6)
        for shape in ([2, 3], [3]):
            a, b = paddle.ones(shape), paddle.full(shape, 3.0)
            a.stop_gradient = False
            (a * b).sum().backward()
            assert a.grad.numpy().tolist() == np.full(shape, 3.0).tolist() and b.grad is None
            a, b = paddle.ones(shape), paddle.full(shape, 3.0)
            b.stop_gradient = False
            (a * b).sum().backward()
            assert b.grad.numpy().tolist() == np.ones(shape).tolist() and a.grad is None


def test_hooks_and_kept_gradients_are_met(new):
    for _ in range(5):
        x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        y = x * 3
        y.retain_grads()
        y.register_hook(lambda g: g * 10)
        x.register_hook(lambda g: g + 1)
        (y * y).sum().backward()
        assert y.grad.tolist() == [60.0, 120.0] and x.grad.tolist() == [181.0, 361.0]


def test_gradients_are_added_to_those_that_are_there(new):
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    for k in range(1, 6):
        (x * x).sum().backward()
        assert x.grad.tolist() == [2.0 * k, 4.0 * k]
    before = x.grad.numpy()
    (x * x).sum().backward()
    assert before.tolist() == [10.0, 20.0]


def test_leaves_do_not_share_their_gradients(new):
    for _ in range(5):
        x, y = (paddle.to_tensor([1.0, 2.0], stop_gradient=False) for _ in range(2))
        (x + y).sum().backward()
        with paddle.no_grad():
            x.grad.scale_(5.0)
        assert (x.grad.tolist(), y.grad.tolist()) == ([5.0, 5.0], [1.0, 1.0])


def test_errors_are_those_of_the_rules(new):
    for _ in range(5):
        x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        y = (x * x).sum()
        y.backward()
        with pytest.raises(AutogradError, match="freed"):
            y.backward()


def test_gradients_of_gradients_and_large_tensors_are_not_planned(new):
    for _ in range(5):
        x = paddle.to_tensor(3.0, stop_gradient=False)
        [g] = paddle.grad(x * x * x, x, create_graph=True)
        g.backward()
        assert x.grad.item() == 18.0
        x = paddle.ones([1 << 15])
        x.stop_gradient = False
        (x * 2).sum().backward()
        assert x.grad.numpy()[0] == 2
    large = [v for key, v in derived._functions.items() if (1 << 15,) in key]
    assert large and not any(large)


def test_weights_of_results_and_other_dtypes_of_gradients(new):
    for _ in range(5):
        x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        (x * 3).backward(paddle.to_tensor([1.0, 10.0]))
        assert x.grad.tolist() == [3.0, 30.0]
        z = paddle.to_tensor([1 + 1j, 2.0], "complex64")
        z.stop_gradient = False
        (z * z).abs().sum().backward()
        np.testing.assert_allclose(z.grad.numpy(), [2 + 2j, 4], rtol=1e-6)


def test_one_plan_serves_sizes_and_numbers_that_change(plans):
    sizes = [(5, 4), (3, 4), (1, 4), (2, 7), (5, 1), (6, 2)] * 3
    for k, (rows, columns) in enumerate(sizes):
        slope = 0.1 + k / 100
        x = paddle.to_tensor(random.rand(rows, columns).astype("float32") - 0.5, stop_gradient=False)
        w = paddle.to_tensor(random.rand(columns, 3).astype("float32"), stop_gradient=False)
        b = paddle.to_tensor(random.rand(columns).astype("float32"), stop_gradient=False)
        hidden = F.softmax(F.leaky_relu(x, slope) + b)
        (paddle.matmul(hidden, w) * slope).sum().backward()
        found = [t.grad.numpy() for t in (x, w, b)]
        for t in (x, w, b):
            t.clear_grad()
        hidden = F.softmax(F.leaky_relu(x, slope) + b)
        wanted = paddle.grad((paddle.matmul(hidden, w) * slope).sum(), [x, w, b], create_graph=True)  # by the rules
        _same(found, [g.numpy() for g in wanted])
    by_operator = [family[0].name for family, function in derived._families.items() if function is not None]
    assert {"softmax", "leaky_relu", "add", "matmul"} <= {*by_operator}


def test_a_kind_that_comes_often_gets_its_own_plan_beside_that_for_any_sizes(new, monkeypatch):
    monkeypatch.setattr(derived, "_OFTEN_BESIDE", 6)
    for k in range(30):
        x = paddle.ones([3 if k % 2 else k + 4])
        x.stop_gradient = False
        F.relu(x).sum().backward()
        assert x.grad.numpy().tolist() == [1.0] * x.shape[0]
    exact = [key for key, function in derived._functions.items() if function is not None and key[0].name == "relu"]
    assert {key[1] for key in exact} == {(3,)} and any(family[0].name == "relu" for family in derived._families)


def test_dropout_of_other_rates(new):
    for k in range(20):
        x = paddle.ones([4, 5])
        x.stop_gradient = False
        rate = k / 20 if k < 19 else 1.0
        y = F.dropout(x, rate)
        y.sum().backward()
        np.testing.assert_allclose(x.grad.numpy(), y.numpy(), rtol=1e-6)


def _flat(items):
    return [one for item in items if item is not None for one in (item if type(item) is list else [item])]


def _by_rule(opdef, inputs, outputs, attrs, needs, gouts):
    tensors = [[*map(paddle.to_tensor, i)] if type(i) is list else None if i is None else paddle.to_tensor(i) for i in inputs]
    context = GradContext(tuple(tensors), tuple(map(paddle.to_tensor, outputs)), dict(attrs), tuple(needs))
    with paddle.no_grad():
        return call_vjp(opdef, context, [None if g is None else paddle.to_tensor(g) for g in gouts])


def test_plans_for_any_sizes_are_right_for_all_operators():
    load_all()
    count = 0
    for opdef in REGISTRY.values():
        if opdef.grad_rule is None or opdef.traits & {"random", "effect", "dynamic"} or "list" in opdef.name:
            continue
        functions = {}
        for sample in opdef.samples():
            arrays = [[*map(np.asarray, i)] if type(i) is list else None if i is None else np.asarray(i) for i in sample.inputs]
            flat = _flat(arrays)
            if not flat or any(a.dtype.kind not in "fbiu" for a in flat) or not isinstance(sample.attrs, dict):
                continue
            floating = [a.dtype.kind == "f" and sample.grad != () for a in flat]
            if not any(floating):
                continue
            outputs = opdef.kernel_for("numpy")(np, *arrays, **sample.attrs)
            outputs = [*map(np.asarray, outputs)] if opdef.multi else [np.asarray(outputs)]
            gouts = [np.cos(np.arange(o.size)).reshape(o.shape).astype(o.dtype) if o.dtype.kind == "f" else None for o in outputs]
            gouts = [None if i in opdef.auxiliary else g for i, g in enumerate(gouts)]
            if gouts[0] is None:
                continue
            edges = [object() if wanted else None for wanted in floating]
            wanted_of = iter(floating)
            needs = [[next(wanted_of) for _ in i] if type(i) is list else i is not None and next(wanted_of) for i in arrays]
            names = tuple(name for name in opdef.number_names if type(sample.attrs[name]) is float)
            family = (*[(a.ndim, a.dtype) for a in flat], *[g is None for g in gouts], *[len(i) for i in arrays if type(i) is list])
            family += tuple((k, repr(v)) for k, v in sample.attrs.items() if k not in names)
            family += tuple(i is None for i in arrays)
            if family not in functions:
                functions[family] = derived._new_plan(opdef, arrays, outputs, edges, sample.attrs, gouts, names)
            function = functions[family]
            if function is None:
                continue
            numbers = [np.array(sample.attrs[name]) for name in names]
            found = function(*flat, *outputs, *gouts, *numbers)
            with np.errstate(all="ignore"):
                wanted = _by_rule(opdef, arrays, outputs, sample.attrs, needs, gouts)
            for edge, a, b in zip(edges, found, wanted, strict=True):
                if edge is None:
                    continue
                assert (a is None) == (b is None), opdef
                if a is not None:
                    np.testing.assert_allclose(a, b.numpy(), rtol=1e-5, atol=1e-6, err_msg=opdef.name)
            count += 1
    assert count > 300


def _cases_of_kernels():
    load_all()
    return [(opdef, k) for opdef in REGISTRY.values() if opdef.grad_kernel is not None for k in range(len(opdef.samples()))]


@pytest.mark.parametrize("form", ["sample", "float64", "zeros and repeated numbers", "nan"])
@pytest.mark.parametrize(("opdef", "k"), _cases_of_kernels(), ids=lambda v: getattr(v, "name", v))
def test_kernels_of_gradients_do_what_the_rules_do(opdef, k, form):
    sample = opdef.samples()[k]
    arrays = [[*map(np.array, i)] if type(i) is list else None if i is None else np.array(i) for i in sample.inputs]
    if arrays[0].dtype.kind != "f":
        return
    if form == "float64":
        arrays = [a.astype("float64") if type(a) is np.ndarray and a.dtype.kind == "f" else a for a in arrays]
    if form.startswith("zeros"):
        arrays[0] = np.round(arrays[0])
    if form == "nan" and arrays[0].size:
        arrays[0].reshape(-1)[-1] = np.nan
    before = [a.copy() for a in _flat(arrays)]
    with np.errstate(all="ignore"):
        outputs = opdef.kernel_for("numpy")(np, *arrays, **sample.attrs)
        outputs = [*map(np.asarray, outputs)] if opdef.multi else [np.asarray(outputs)]
        g = np.cos(np.arange(outputs[0].size)).reshape(outputs[0].shape).astype(outputs[0].dtype)
        gouts = [g, *[None] * (len(outputs) - 1)]
        found = derived._by_kernel(opdef, arrays, outputs, [object()], sample.attrs, gouts)
        needs = (True, *[False] * (len(arrays) - 1))
        wanted = _by_rule(opdef, arrays, outputs, sample.attrs, needs, gouts)[0].numpy()
    for a, b in zip(_flat(arrays), before, strict=True):
        np.testing.assert_array_equal(a, b)
    if found is not None:  # else the rule is called
        assert found.dtype == wanted.dtype and found.shape == wanted.shape and not np.shares_memory(found, g)
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)


def test_every_kernel_of_a_gradient_gives_one():
    load_all()
    none_of = []
    for opdef in REGISTRY.values():
        found = None
        for sample in opdef.samples() if opdef.grad_kernel is not None else ():
            arrays = [[*map(np.asarray, i)] if type(i) is list else None if i is None else np.asarray(i) for i in sample.inputs]
            with np.errstate(all="ignore"):
                outputs = opdef.kernel_for("numpy")(np, *arrays, **sample.attrs)
                outputs = [*map(np.asarray, outputs)] if opdef.multi else [np.asarray(outputs)]
                gouts = [np.ones_like(outputs[0]), *[None] * (len(outputs) - 1)]
                gradient = derived._by_kernel(opdef, arrays, outputs, [object()], sample.attrs, gouts)
            found = gradient if found is None else found
        if opdef.grad_kernel is not None and found is None:
            none_of.append(opdef.name)
    assert none_of == []


def test_kernels_of_gradients_are_called_for_plain_arrays_alone():
    x = paddle.to_tensor(X, stop_gradient=False)
    y = paddle.sort(x)
    for hooks in ((lambda t: t, lambda t: t), None):
        if hooks is None:
            z = paddle.sort(x).sum()
        else:
            with paddle.autograd.saved_tensors_hooks(*hooks):
                z = paddle.sort(x).sum()
        z.backward()
    assert x.grad.numpy().tolist() == np.full(X.shape, 2.0).tolist() and y.shape == x.shape
    [g] = paddle.grad((paddle.norm(x, 3.0) ** 2), x, create_graph=True)
    g.sum().backward()
    assert np.isfinite(x.grad.numpy()).all()
