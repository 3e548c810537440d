"""Static functions against their dynamic selves: values, structure, gradients, state, caching."""

from __future__ import annotations

import copy
import functools
import pickle

import numpy as np
import pytest

import to_static as paddle
from to_static import nn
from to_static.compiler.frontend.function.static_function import StaticFunction
from to_static.compiler.ir.input_spec import InputSpec
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.core.errors import TracedValueError


def t(*values, dtype="float32", grad=False):
    return paddle.to_tensor(np.asarray(values, dtype), stop_gradient=not grad)


def test_branches_run_the_taken_side_only():
    @paddle.jit.to_static
    def f(x):
        if x.sum() > 0:
            y = x * 2
        else:
            y = x - 1
        return y

    for values in ([1.0, 2.0], [-1.0, -2.0]):
        x = t(*values)
        np.testing.assert_array_equal(f(x).numpy(), f.dygraph_function(x).numpy())
    assert len(f.program_cache) == 1, "both sides are in one Program"


def test_while_with_a_tensor_condition():
    def f(x, n):
        steps = paddle.zeros([1], "int64")
        while x.sum() < n:
            x = x * 2
            steps = steps + 1
        return x, steps

    static = paddle.jit.to_static(f)
    for start, limit in ((1.0, 100.0), (50.0, 10.0), (3.0, 7.0)):
        for got, want in zip(static(t(start), t(limit)), f(t(start), t(limit)), strict=True):
            np.testing.assert_array_equal(got.numpy(), want.numpy())
    assert static.get_traced_count() == 1


def test_results_keep_their_structure_and_python_values():
    @paddle.jit.to_static
    def f(x, flag=True, *, scale=2):
        return {"a": [x * scale, None], "b": (x + 1, "text", flag)}

    out = f(t(1.0), scale=3)
    assert out["a"][1] is None and out["b"][1:] == ("text", True)
    assert out["a"][0].item() == 3.0 and out["b"][0].item() == 2.0


def test_a_result_that_is_an_argument_is_that_object():
    f = paddle.jit.to_static(lambda x: (x, x + 1))
    x = t(1.0)
    kept, new = f(x)
    x.add_(x)
    assert kept is x and kept.item() == new.item() == 2.0


def test_in_place_changes_of_an_argument_reach_the_caller():
    def f(x):
        x[0] = 9.0
        return x.sum()

    a, b = t(1.0, 2.0), t(1.0, 2.0)
    assert paddle.jit.to_static(f)(a).item() == f(b).item() == 11.0
    np.testing.assert_array_equal(a.numpy(), b.numpy())


def test_python_values_are_part_of_the_key():
    f = paddle.jit.to_static(lambda x, n: x * n)
    assert f(t(2.0), 1).dtype == paddle.float32
    assert [f(t(2.0), n).item() for n in (1, 2, 1.5, True)] == [2.0, 4.0, 3.0, 2.0]
    assert len(f.program_cache) == 4


def test_shapes_dtypes_and_stop_gradient_are_part_of_the_key():
    f = paddle.jit.to_static(lambda x: x + x)
    f(t(1.0)), f(t(2.0)), f(t(1.0, 2.0)), f(t(1, dtype="int64")), f(t(1.0, grad=True))
    assert len(f.program_cache) == 4


def test_one_program_serves_all_batch_sizes_of_an_unknown_dimension():
    f = paddle.jit.to_static(lambda x: x.mean(0) + x.shape[0], input_spec=[InputSpec([None, 2])])
    for n in (1, 2, 5):
        x = np.arange(2 * n, dtype="float32").reshape(n, 2)
        np.testing.assert_allclose(f(paddle.to_tensor(x)).numpy(), x.mean(0) + n)
    assert len(f.program_cache) == 1


def test_arguments_that_do_not_fit_their_spec_are_told_by_name_once_each():
    f = paddle.jit.to_static(lambda image, mask: image + mask, input_spec=[InputSpec([None, 2]), InputSpec([None, 2])])
    with pytest.warns(UserWarning) as told:
        for _ in range(2):
            assert f(t(1.0, 2.0), t(1.0, 2.0)).tolist() == [2.0, 4.0]
            assert f(paddle.to_tensor(np.zeros((1, 2))), paddle.to_tensor(np.zeros((1, 2)))).dtype == paddle.float64
    assert ["'image'" in str(one.message) for one in told] == [True, False]


def test_gradients_equal_those_of_the_dynamic_function():
    def f(x, y):
        z = x * y + paddle.tanh(x)
        if z.sum() > 0:
            z = z * z
        return z.sum()

    for sign in (1.0, -1.0):
        grads = []
        for function in (f, paddle.jit.to_static(f)):
            x, y = t(1.0, 2.0, grad=True), t(sign, sign, grad=True)
            function(x, y).backward()
            grads.append((x.grad.numpy(), y.grad.numpy()))
        np.testing.assert_allclose(grads[0], grads[1], rtol=1e-6)


def test_gradients_of_gradients():
    f = paddle.jit.to_static(lambda x: (x * x * x).sum())
    x = t(1.0, 2.0, grad=True)
    [g] = paddle.grad(f(x), x, create_graph=True)
    [gg] = paddle.grad(g.sum(), x)
    np.testing.assert_allclose(gg.numpy(), [6.0, 12.0])


class Counter(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.register_buffer("count", paddle.zeros([1]))

    def forward(self, x):
        self.count = self.count + 1
        if x.sum() > 0:
            self.count = self.count + 10
        return self.fc(x) * self.count


def test_buffers_change_with_every_run():
    dynamic, static = Counter(), Counter()
    static.set_state_dict(dynamic.state_dict())
    static = paddle.jit.to_static(static)
    for values in ([1.0, 1.0], [-1.0, -1.0], [1.0, 2.0]):
        x = paddle.to_tensor(np.asarray([values], "float32"))
        np.testing.assert_allclose(static(x).numpy(), dynamic(x).numpy(), rtol=1e-6)
        assert static.count.item() == dynamic.count.item()


def test_train_and_eval_have_programs_of_their_own():
    net = paddle.jit.to_static(nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.5)))
    x = paddle.ones([8, 3])
    net.eval()
    np.testing.assert_array_equal(net(x).numpy(), net(x).numpy())
    net.train()
    assert (net(x).numpy() == 0).any()
    assert len(net.forward.program_cache) == 2


def test_training_for_50_steps_gives_the_same_losses():
    def run(static):
        paddle.seed(7)
        net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1D(8), nn.ReLU(), nn.Linear(8, 3))
        rng = np.random.default_rng(0)
        for p in net.parameters():
            p.set_value(rng.normal(size=p.shape).astype("float32") * 0.5)
        if static:
            net = paddle.jit.to_static(net)
        opt = paddle.optimizer.Adam(0.01, parameters=net.parameters())
        losses = []
        for _ in range(50):
            x = paddle.to_tensor(rng.normal(size=(16, 4)).astype("float32"))
            y = paddle.to_tensor(rng.integers(0, 3, 16))
            loss = nn.functional.cross_entropy(net(x), y)
            loss.backward()
            opt.step()
            opt.clear_grad()
            losses.append(loss.item())
        return losses

    np.testing.assert_allclose(run(True), run(False), rtol=2e-4)


def test_a_replaced_parameter_is_noticed():
    net = paddle.jit.to_static(nn.Linear(2, 2))
    x = paddle.ones([1, 2])
    before = net(x).numpy()
    net.weight = paddle.create_parameter([2, 2], "float32", default_initializer=nn.initializer.Constant(3.0))
    after = net(x).numpy()
    np.testing.assert_allclose(after, x.numpy() @ net.weight.numpy() + net.bias.numpy())
    assert not np.allclose(before, after)


def test_layers_that_a_function_closes_over_keep_their_modes():
    net = nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.5))
    f = paddle.jit.to_static(lambda x: net(x) * 2)
    x = paddle.ones([8, 3])
    for _ in range(2):
        net.eval()
        np.testing.assert_allclose(f(x).numpy(), net(x).numpy() * 2)
        net.train()
        assert (f(x).numpy() == 0).any()
    assert len(f.program_cache) == 2


class Scaled(nn.Layer):
    def __init__(self):
        super().__init__()
        self.scale, self.seen, self.sizes = 2.0, 0, [1, 2]

    def forward(self, x):
        return x * self.scale + len(self.sizes)


def test_plain_attributes_that_forward_reads_are_part_of_the_key():
    net = paddle.jit.to_static(Scaled())
    x = t(1.0)
    assert net(x).item() == 4.0
    net.scale = 5.0
    assert net(x).item() == 7.0
    net.sizes.append(3)
    net.seen += 1  # forward does not read it
    assert net(x).item() == 8.0
    net.scale = 2.0
    net.sizes.pop()
    assert net(x).item() == 4.0
    assert len(net.forward.program_cache) == 3


class Scaler:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, x):
        return x * self.factor if x.sum() > 0 else x

    def method(self, x):
        return x + self.factor

    @staticmethod
    def static(x):
        return x * 5

    @classmethod
    def of_class(cls, x):
        return x * 7


def test_hooks_of_sublayers_are_seen_when_they_come_and_go():
    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(2, 2)

        @paddle.jit.to_static
        def forward(self, x):
            return self.fc(x)

    net, x = Net(), t(1.0, 2.0)
    plain = net(x).numpy()
    hook = net.fc.register_forward_post_hook(lambda layer, inputs, output: output + 100)
    np.testing.assert_array_equal(net(x).numpy(), plain + 100)
    before = net.fc.register_forward_pre_hook(lambda layer, inputs: inputs[0] * 0)
    np.testing.assert_array_equal(net(x).numpy(), net.fc.bias.numpy() + 100)
    hook.remove()
    before.remove()
    np.testing.assert_array_equal(net(x).numpy(), plain)
    assert len(net.forward.program_cache) == 3


def test_whatever_can_be_called_can_be_static():
    scaler = Scaler(4.0)
    partial = functools.partial(lambda x, y: x * y, y=3.0)
    for target in (scaler, scaler.method, Scaler.static, Scaler.of_class, partial):
        static = paddle.jit.to_static(target)
        for value in (2.0, -2.0):
            assert static(t(value)).item() == target(t(value)).item()
        assert static.__name__ and "Program" in repr(static)


def test_attributes_of_plain_objects_are_seen_in_every_call():
    scaler = Scaler(4.0)
    static = paddle.jit.to_static(scaler.method)
    assert static(t(1.0)).item() == 5.0
    scaler.factor = 10.0
    assert static(t(1.0)).item() == 11.0
    scaler.factor = 4.0
    assert static(t(1.0)).item() == 5.0 and len(static.program_cache) == 2


def test_layers_with_a_static_forward_can_be_copied_and_pickled():
    net = Decorated()
    x = paddle.ones([1, 2])
    want = net(x).numpy()
    twin = copy.deepcopy(net)
    twin.fc.weight.set_value(np.zeros((2, 2), "float32"))
    np.testing.assert_array_equal(net(x).numpy(), want)
    assert not np.allclose(twin(x).numpy(), want)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(net))(x).numpy(), want)


class Decorated(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    @paddle.jit.to_static
    def forward(self, x):
        return self.fc(x)


def test_switching_translation_off_runs_plain_python():
    seen = []

    @paddle.jit.to_static
    def f(x):
        seen.append(isinstance(x, Variable))
        return x + 1

    f(t(1.0))
    paddle.jit.enable_to_static(False)
    try:
        f(t(1.0))
    finally:
        paddle.jit.enable_to_static(True)
    assert seen == [True, False]
    with pytest.raises(TypeError, match="expects True or False, got 'off'"):
        paddle.jit.enable_to_static("off")
    with pytest.raises(TypeError, match="set_code_level expects an int, got 'all'"):
        paddle.jit.set_code_level("all")
    with pytest.raises(TypeError, match="set_verbosity expects an int, got None"):
        paddle.jit.set_verbosity(None)


@pytest.mark.parametrize("also", [False, True])
def test_translated_code_and_messages_are_shown(capsys, also):
    def static(f):
        return paddle.jit.to_static(f)(t(1.0))

    paddle.jit.set_code_level(100, also)
    try:
        static(lambda x: x + 1 if x > 0 else x)
    finally:
        paddle.jit.set_code_level(0)
    static(lambda x: x + 2 if x > 0 else x)
    shown = capsys.readouterr()
    assert "_jst.if_(x > 0" in shown.err and "x + 2" not in shown.err
    assert shown.out == (shown.err if also else "")
    paddle.jit.set_verbosity(1, also)
    try:
        static(lambda x: x + 3)
    finally:
        paddle.jit.set_verbosity(0)
    shown = capsys.readouterr()
    assert "[to_static]" in shown.err
    assert shown.out == (shown.err if also else "")


def test_rollback_gives_the_dynamic_method_back():
    net = paddle.jit.to_static(nn.Linear(2, 2))
    assert isinstance(net.forward, StaticFunction)
    net.forward.rollback()
    assert not isinstance(net.forward, StaticFunction)
    assert net(paddle.ones([1, 2])).shape == [1, 2]


def test_a_tensor_kept_on_a_layer_is_that_of_the_call():
    holder = paddle.nn.Layer()

    def keep(x):
        holder.kept = getattr(holder, "kept", x * 2)
        return holder.kept + x

    f = paddle.jit.to_static(keep)
    assert f(t(1.0)).tolist() == [3.0] and holder.kept.tolist() == [2.0]
    assert f(t(1.0, 2.0)).tolist() == [3.0, 4.0] and holder.kept.tolist() == [2.0]


def test_tensors_kept_in_a_list():
    kept = []

    @paddle.jit.to_static
    def f(x):
        kept.append(x * 2)
        return kept[0] + x

    assert [f(t(v)).tolist() for v in (1.0, 5.0)] == [[3.0], [7.0]]
    assert [v.tolist() for v in kept] == [[2.0], [10.0]]


def test_not_to_static_functions_run_as_they_are():
    @paddle.jit.not_to_static
    def helper(x):
        if x.sum() > 0:
            return x
        return -x

    with pytest.raises(TracedValueError, match=r"bool\(\)"):
        paddle.jit.to_static(lambda x: helper(x))(t(1.0))


def test_numpy_arguments_become_tensors():
    f = paddle.jit.to_static(lambda x: x * 2)
    np.testing.assert_array_equal(f(np.ones(2, "float32")).numpy(), [2.0, 2.0])


def test_unknown_dimensions_compute_as_python_ints():
    def f(x):
        n = x.shape[0]
        half = n / 2
        return x.sum() * n, n * x, n // 2, half, n > 1, paddle.to_tensor([1, 2]) * half

    static = paddle.jit.to_static(f, input_spec=[InputSpec([None, 2])])
    for rows in (1, 3):
        x = paddle.ones([rows, 2])
        for got, want in zip(static(x), f(x), strict=True):
            assert type(got) is type(want)
            if isinstance(want, paddle.Tensor):
                assert got.dtype == want.dtype
                np.testing.assert_array_equal(got.numpy(), want.numpy())
            else:
                assert got == want


def test_wrong_arguments_raise_as_the_function_would():
    def f(x, y=2, /, *, z):
        return x

    class Net(paddle.nn.Layer):
        def forward(self, x, k=1):
            return x

    def message(function, args, kwargs):
        with pytest.raises(TypeError) as error:
            function(*args, **kwargs)
        return str(error.value)

    x = t(1.0)
    for args, kwargs in (((), {}), ((x, 1, 2), {"z": 1, "k": 1}), ((x,), {"z": 1, "y": 2}), ((x,), {"q": 1, "z": 2})):
        for make in (lambda: f, Net):
            assert message(paddle.jit.to_static(make()), args, kwargs) == message(make(), args, kwargs)
    assert message(paddle.jit.to_static(functools.lru_cache(f)), (), {}) == message(f, (), {})  # which has no signature of its own
    with pytest.raises(ValueError, match="input_spec"):
        paddle.jit.to_static(lambda x: x).concrete_program
    with pytest.raises(TypeError, match="input_spec"):
        paddle.jit.to_static(lambda x: x, input_spec="x")
    with pytest.raises(ValueError, match="backend"):
        paddle.jit.to_static(lambda x: x, backend="XLA")


def test_an_attribute_that_every_call_changes():
    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.calls = 0

        def forward(self, x):
            self.calls += 1
            return x * self.calls

    net = paddle.jit.to_static(Net())
    assert [net(t(1.0)).item() for _ in range(3)] == [1.0, 2.0, 3.0] and net.calls == 3


def test_a_number_that_tensors_give_an_attribute():
    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.total = 0.0

        def forward(self, x):
            self.total += float(x.sum())
            return x

    net = paddle.jit.to_static(Net())
    for k in range(6):
        net(t(float(k)))
    assert net.total == 15.0


def test_a_tensor_left_on_a_layer_needs_no_new_program():
    class Net(nn.Layer):
        def forward(self, x):
            self.seen = x * 2
            return x

    net = paddle.jit.to_static(Net())
    for i in range(5):
        net(t(float(i)))
        assert net.seen.tolist() == [i * 2.0]
    assert net.forward.get_traced_count() <= 3


def test_a_failed_trace_leaves_no_traced_tensor_on_a_layer():
    class Net(nn.Layer):
        def forward(self, x):
            self.seen = x * 2
            return x.numpy()

    net = paddle.jit.to_static(Net())
    with pytest.raises(TracedValueError):
        net(t(1.0))
    assert not hasattr(net, "seen")


def test_a_wrapper_gets_the_arguments_of_the_call_and_no_defaults_of_what_it_wraps():
    def f(x, k=2, *, z=None):
        return x * k

    @functools.wraps(f)
    def wrapper(*args):
        return f(*args) + len(args)

    x = t(1.0, 2.0)
    assert wrapper(x).tolist() == paddle.jit.to_static(wrapper)(x).tolist() == [3.0, 5.0]


def test_equal_arguments_keep_their_own_names_in_messages():
    def f(x, y, *, z=None):
        return x + y

    spec = InputSpec([None], "float32")
    with pytest.raises(TypeError, match="argument 'y' has an InputSpec"):
        paddle.jit.to_static(f, input_spec=[spec, spec])(t(1.0), None)
