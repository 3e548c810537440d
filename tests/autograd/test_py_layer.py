"""`PyLayer`: forward and backward of the user's, dynamically and in static functions, to the second derivative and into files."""

import numpy as np
import pytest

import to_static as paddle
from to_static.autograd import PyLayer, saved_tensors_hooks
from to_static.core.errors import AutogradError, ModeError, ShapeError, TranslationError

X = [0.3, -0.2]


class Tanh(PyLayer):
    @staticmethod
    def forward(ctx, x, scale=1.0):
        y = paddle.tanh(x)
        ctx.save_for_backward(y)
        ctx.scale = scale
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensor()
        return dy * (1 - y * y) * ctx.scale


class Two(PyLayer):
    """With a gradient that is plainly not the derivative."""

    @staticmethod
    def forward(ctx, x, w, n):
        y = x * w
        ctx.save_for_backward(x, w)
        ctx.n = n
        return y, [1, 2], paddle.tanh(x)

    @staticmethod
    def backward(ctx, dy, dz):
        x, w = ctx.saved_tensor()
        if paddle.sum(dy) > 100:
            dy = dy * 0
        for _ in range(ctx.n):
            dz = dz * 2
        return dy * w * 10 + dz, x * dy


def uses(x, w):
    a, _, b = Two.apply(x, w, 2)
    return (a * Tanh.apply(b, scale=2.0)).sum() + Tanh.apply(w).sum()


def in_a_loop(x, w):
    for _ in range(paddle.to_tensor(3)):
        if x.sum() > -10:
            x = Tanh.apply(x) * w
    return x.sum()


@pytest.mark.parametrize("function", [uses, in_a_loop])
def test_first_and_second_gradients_in_both_modes(function):
    seen = []
    for run in (function, paddle.jit.to_static(function, full_graph=True)):
        x, w = (paddle.to_tensor(v, stop_gradient=False) for v in (X, [1.0, 2.0]))
        loss = run(x, w)
        loss.backward()
        seen.append([loss.numpy(), x.grad.numpy(), w.grad.numpy()])
        x.clear_grad()
        (g,) = paddle.grad(run(x, w), x, create_graph=True)
        (g * g).sum().backward()
        seen[-1] += [g.numpy(), x.grad.numpy(), w.grad.numpy()]
    for dynamic, static in zip(*seen, strict=True):
        np.testing.assert_allclose(dynamic, static, rtol=1e-6)
    assert abs(seen[0][4]).max() > 0


def test_it_is_the_users_gradient():
    x, w = (paddle.to_tensor(v, stop_gradient=False) for v in (X, [1.0, 2.0]))
    Two.apply(x, w, 1)[0].sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), [10.0, 20.0])
    np.testing.assert_allclose(w.grad.numpy(), X)


def test_in_a_training_step_and_in_files(tmp_path):
    net = paddle.nn.Linear(2, 2)

    @paddle.jit.to_static(full_graph=True)
    def step(x):
        loss = Tanh.apply(net(x)).sum()
        loss.backward()
        return loss

    x = paddle.to_tensor([X])
    step(x)
    found = net.weight.grad.numpy()
    net.clear_gradients()
    paddle.tanh(net(x)).sum().backward()
    np.testing.assert_allclose(found, net.weight.grad.numpy(), rtol=1e-5)

    path = str(tmp_path / "f")
    paddle.jit.save(paddle.jit.to_static(in_a_loop), path, [paddle.static.InputSpec([2])] * 2)
    loaded = paddle.jit.load(path)
    x, w = paddle.to_tensor(X), paddle.to_tensor([1.0, 2.0])
    np.testing.assert_allclose(loaded(x, w).numpy(), in_a_loop(x, w).numpy(), rtol=1e-6)


def test_what_the_context_says():
    class Marked(PyLayer):
        @staticmethod
        def forward(ctx, x):
            a, b = x * 1, x * 2
            ctx.mark_non_differentiable(b)
            ctx.set_materialize_grads(False)
            assert ctx.saved_tensor() is None
            return a, b, x

        @staticmethod
        def backward(ctx, da, db, dx):
            assert db is None and dx is None
            return da * 3

    x = paddle.to_tensor(X, stop_gradient=False)
    a, b, c = Marked.apply(x)
    assert not a.stop_gradient and b.stop_gradient and c is not x
    a.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]
    with pytest.raises(TranslationError, match="set_materialize_grads"):
        paddle.jit.to_static(lambda x: Marked.apply(x)[0], full_graph=True)(x)
    with paddle.no_grad():
        assert Tanh.apply(x).stop_gradient
    assert Tanh.apply(x.detach()).stop_gradient


def returning(result):
    class Wrong(PyLayer):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, dy):
            return result

    return Wrong


def test_backwards_that_return_something_else():
    x = paddle.to_tensor(X, stop_gradient=False)
    for result, error, text in [
        ((None, None), AutogradError, "returned 2 gradients, but forward took 1"),
        (1.0, TypeError, "must return tensors or None"),
        (paddle.ones([3]), ShapeError, "gradient 0 must have the shape and dtype of its input"),
    ]:
        with pytest.raises(error, match=text):
            returning(result).apply(x).sum().backward()
        with pytest.raises((error, TranslationError), match=text):  # Python's forward pass does not see it
            layer = returning(result)
            paddle.jit.to_static(lambda x, f=layer: f.apply(x), full_graph=True)(x).sum().backward()
    with pytest.raises(TypeError, match="must return a tensor"):

        class Nothing(PyLayer):
            @staticmethod
            def forward(ctx, x):
                return None

        Nothing.apply(x)
    y = Tanh.apply(x).sum()
    y.backward()
    with pytest.raises(AutogradError, match="freed"):
        y.backward()


def test_a_backward_that_writes_outside_must_rerun_in_python(graph_breaks):
    calls = []

    class Counting(Tanh):
        @staticmethod
        def backward(ctx, dy):
            calls.append(1)
            return Tanh.backward(ctx, dy)

    f = paddle.jit.to_static(lambda x: Counting.apply(x).sum())
    x = paddle.to_tensor(X, stop_gradient=False)
    with pytest.warns(UserWarning, match="changes something outside"):
        f(x).backward()
    assert calls == [1]


def test_hooks_on_what_is_saved():
    packed = []

    def pack(tensor):
        packed.append(tensor.shape)
        return tensor.numpy() * 2

    x = paddle.to_tensor(X, stop_gradient=False)
    with saved_tensors_hooks(pack, lambda a: paddle.to_tensor(a / 2)):
        y = Tanh.apply(x).sum() + (x * x).sum()
    count = len(packed)
    z = (y * y).sum()
    assert count and len(packed) == count
    z.backward()
    expected = 2 * y.item() * (1 - np.tanh(X) ** 2 + 2 * np.asarray(X))
    np.testing.assert_allclose(x.grad.numpy(), expected, rtol=1e-5)

    def inside(x):
        with saved_tensors_hooks(pack, pack):
            return x * 2

    with pytest.raises(ModeError, match="saved_tensors_hooks"):
        paddle.jit.to_static(inside, full_graph=True)(x)


def test_backward_of_several_tensors():
    def f(x):
        paddle.autograd.backward([(x * 2), (x * x)], [None, paddle.to_tensor([1.0, 10.0])])
        return x.grad

    for run in (f, paddle.jit.to_static(f, full_graph=True)):
        x = paddle.to_tensor([1.0, 3.0], stop_gradient=False)
        assert run(x).tolist() == [4.0, 62.0]
        assert x.grad.tolist() == [4.0, 62.0]
    with pytest.raises(AutogradError, match="named twice"):
        paddle.autograd.backward([x, x])
    with pytest.raises(AutogradError, match="expected one of grad_tensors for each of 1 tensors, got 2"):
        paddle.autograd.backward([x * 2], [None, None])
    with pytest.raises(TypeError, match="must be a tensor"):
        paddle.autograd.backward(3)


def test_a_py_layer_is_called_by_its_class():
    with pytest.raises(TypeError, match=r"Tanh is called by its class: `Tanh.apply\(x\)`"):
        Tanh()(paddle.ones([1]))
