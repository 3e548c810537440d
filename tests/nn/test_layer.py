"""`Layer`: ownership of attributes, names, iteration, hooks, state, conversion, copies."""

import copy
import pickle
import warnings
from collections import OrderedDict

import numpy as np
import pytest

from to_static import nn, to_static
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.spec import TensorSpec
from to_static.core import unique_name
from to_static.core.backend import CPUPlace
from to_static.core.errors import ShapeError
from to_static.nn.layer import HookRemoveHelper, snake_case
from to_static.nn.parameter import ParamAttr, Parameter


def tensor(*shape, value=1.0, dtype="float32"):
    return EagerTensor(np.full(shape, value, dtype))


class Scale(nn.Layer):
    def __init__(self, size=2):
        super().__init__()
        self.factor = self.create_parameter([size], default_initializer=nn.initializer.Constant(2.0))
        self.register_buffer("calls", tensor(value=0.0))
        self.register_buffer("last", None)
        self.scratch = tensor(1)

    def forward(self, x):
        return x * self.factor


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.first = Scale()
        self.rest = nn.Sequential(Scale(), Scale())
        self.again = self.first
        self.note = "text"

    def forward(self, x):
        return self.rest(self.first(x))


@pytest.fixture(autouse=True)
def fresh_names():
    with unique_name.guard():
        yield


@pytest.mark.parametrize(
    "name, scope",
    [("Linear", "linear"), ("PReLU", "p_re_lu"), ("Conv2DTranspose", "conv2d_transpose"), ("BatchNorm2D", "batch_norm2d"),
     ("LSTM", "lstm"), ("MultiHeadAttention", "multi_head_attention"), ("MyNet", "my_net"), ("LeakyReLU", "leaky_re_lu")],
)  # fmt: skip
def test_name_scopes_are_paddles(name, scope):
    assert snake_case(name) == scope


def test_names_of_parameters_are_paddles():
    """Facts of Paddle 2.6.2 for the first layers of a process."""
    assert [p.name for p in nn.Linear(4, 3).parameters()] == ["linear_0.w_0", "linear_0.b_0"]
    assert nn.Linear(1, 1).full_name() == "linear_1"
    names = {key: p.name for key, p in nn.BatchNorm2D(3).named_parameters()}
    stem = "batch_norm2d_0"
    assert names == {
        "weight": f"{stem}.w_0", "bias": f"{stem}.b_0", "_mean": f"{stem}.w_1", "_variance": f"{stem}.w_2",
    }  # fmt: skip
    assert nn.Layer("block").full_name() == "block_0"
    assert nn.create_parameter([2], "float32").name == "create_parameter_0.w_0"


def test_walking_names_everything_once():
    net = Net()
    assert [name for name, _ in net.named_sublayers()] == ["first", "rest", "rest.0", "rest.1"]
    assert [name for name, _ in net.named_sublayers("net", include_self=True)][:2] == ["net", "net.first"]
    assert [name for name, _ in net.named_parameters()] == ["first.factor", "rest.0.factor", "rest.1.factor"]
    assert [name for name, _ in net.named_parameters("net", include_sublayers=False)] == []
    assert [name for name, _ in net.named_buffers()] == [
        "first.calls", "first.scratch", "rest.0.calls", "rest.0.scratch", "rest.1.calls", "rest.1.scratch",
    ]  # fmt: skip
    assert [name for name, _ in net.named_children()] == ["first", "rest"]
    assert list(net.children()) == [net.first, net.rest]
    assert len(net.parameters()) == 3 and len(net.buffers()) == 6 and len(net.sublayers()) == 4


def test_an_attribute_moves_between_the_kinds():
    layer = nn.Layer()
    layer.x = 1
    layer.x = Parameter(np.zeros(1, "float32"))
    assert "x" in layer._parameters and "x" not in layer.__dict__
    layer.x = None
    assert layer.x is None and layer.parameters() == []
    with pytest.raises(TypeError, match="should be of type Parameter or None, but got 'Tensor'; .*set_value"):
        layer.x = tensor(1)
    with pytest.raises(TypeError, match="parameter 'x'"):
        layer.x = 3
    del layer.x
    layer.x = nn.Layer()
    with pytest.raises(TypeError, match="sublayer 'x'"):
        layer.x = "text"
    del layer.x
    layer.x = tensor(1)
    with pytest.raises(TypeError, match="buffer 'x'"):
        layer.x = [1]
    layer.x = tensor(2)
    assert layer.buffers()[0].shape == [2]
    with pytest.raises(AttributeError, match="'Layer' object has no attribute 'y'"):
        _ = layer.y
    assert {"x", "forward", "training"} <= set(dir(layer))


def test_property_with_a_setter_works():
    class Knob(nn.Layer):
        @property
        def level(self):
            return self._level

        @level.setter
        def level(self, value):
            object.__setattr__(self, "_level", value)

    knob = Knob()
    knob.level = tensor(1)
    assert knob.level.shape == [1] and knob.buffers() == []


def test_super_init_must_come_first():
    class Early(nn.Layer):
        def __init__(self):
            self.inner = nn.Layer()

    with pytest.raises(ValueError, match=r"super\(\).__init__\(\)"):
        Early()


def test_adding_checks_names_and_types():
    layer = nn.Layer()
    for bad in ("", "a.b"):
        with pytest.raises(KeyError, match="non-empty and without"):
            layer.add_parameter(bad, None)
    with pytest.raises(KeyError, match="already has an attribute"):
        layer.register_buffer("training", tensor(1))
    with pytest.raises(TypeError, match="must be a string"):
        layer.register_buffer(3, tensor(1))
    with pytest.raises(TypeError, match="expected a Tensor or None, got list"):
        layer.register_buffer("b", [1])
    with pytest.raises(TypeError, match="expected a Parameter or None"):
        layer.add_parameter("p", tensor(1))
    with pytest.raises(TypeError, match="expected a Layer or None"):
        layer.add_sublayer("l", 3)
    made = Parameter(np.zeros(1, "float32"))
    assert layer.add_parameter("p", made) is made and layer.p is made
    inner = layer.add_sublayer("l", nn.Layer())
    assert layer.l is inner


def test_forward_hooks():
    layer = Scale()
    seen = []
    pre = layer.register_forward_pre_hook(lambda self, inputs: seen.append(("pre", len(inputs))))
    double = layer.register_forward_pre_hook(lambda self, inputs: inputs[0] * 2.0)
    post = layer.register_forward_post_hook(lambda self, inputs, output: output + 1.0)
    assert layer(tensor(2)).numpy().tolist() == [5.0, 5.0] and seen == [("pre", 1)]
    double.remove()
    double.remove()
    post.remove()
    assert layer(tensor(2)).numpy().tolist() == [2.0, 2.0] and len(seen) == 2
    pre.remove()
    assert layer(x=tensor(2)).numpy().tolist() == [2.0, 2.0] and len(seen) == 2


def test_a_hook_handle_of_a_table_of_the_users():
    hooks, extra, more = OrderedDict(), OrderedDict(), OrderedDict()
    first, second = HookRemoveHelper(hooks), HookRemoveHelper(hooks, extra_hook_dict=[extra, more])
    assert second._hook_id == first._hook_id + 1 and not hooks  # the caller enters the hook, as in Paddle
    for table in (hooks, extra, more):
        table.update({first._hook_id: print, second._hook_id: repr})
    second.remove()
    second.remove()
    assert hooks == extra == more == {first._hook_id: print}
    gone = HookRemoveHelper(OrderedDict(), extra_hook_dict=extra)
    extra[gone._hook_id] = print
    gone.remove()  # its table is not kept alive
    assert list(extra) == [first._hook_id]
    with pytest.raises(TypeError, match="weak reference to 'dict'"):
        HookRemoveHelper({})


def test_a_hook_entered_with_a_handle_runs_in_a_static_function():
    layer = Scale()
    static = to_static(layer)
    assert static(tensor(2)).tolist() == [2.0, 2.0]
    handle = HookRemoveHelper(layer._forward_post_hooks)
    layer._forward_post_hooks[handle._hook_id] = lambda self, inputs, output: output + 1.0
    assert static(tensor(2)).tolist() == [3.0, 3.0]
    handle.remove()
    assert static(tensor(2)).tolist() == [2.0, 2.0]


def test_to_impl_chooses_layers_and_dtypes():
    net = nn.Sequential(Scale(), Scale())
    net.register_buffer("n", tensor(1, dtype="int64"))
    dtypes = lambda: [net[0].factor.dtype.name, net[1].calls.dtype.name, net.n.dtype.name]
    factor = net[0].factor
    assert net._to_impl() is net and dtypes() == ["float32", "float32", "int64"]
    assert net._to_impl(dtype="float64", floating_only=True) is net and dtypes() == ["float64", "float64", "int64"]
    net._to_impl("cpu", "float32", True, False)
    assert dtypes() == ["float64", "float64", "float32"] and (net._dtype, net[0]._dtype) == ("float32", "float64")
    net._to_impl(CPUPlace(), "float16")
    assert dtypes() == ["float16"] * 3 and net[0].factor is factor
    net.to(dtype="float32")
    assert dtypes() == ["float32"] * 3
    with pytest.raises(ValueError, match="device must be a string such as 'cpu' or a place such as paddle.CPUPlace.., got 3"):
        net.to(3)


def test_forward_must_be_defined():
    with pytest.raises(NotImplementedError, match=r"Layer must define forward\(\)"):
        nn.Layer()(1)


def test_train_eval_and_apply_reach_every_layer():
    net = Net()
    net.eval()
    assert not any(layer.training for layer in net.sublayers(include_self=True))
    net.train()
    assert all(layer.training for layer in net.sublayers(include_self=True))
    order = []
    assert net.apply(lambda layer: order.append(type(layer).__name__)) is net
    assert order == ["Scale", "Scale", "Scale", "Sequential", "Net"]


def test_state_dict_holds_the_tensors_themselves():
    net = Net()
    state = net.state_dict()
    assert list(state) == [
        "first.factor", "first.calls", "rest.0.factor", "rest.0.calls", "rest.1.factor", "rest.1.calls",
        "again.factor", "again.calls",
    ]  # fmt: skip
    assert state["first.factor"] is net.first.factor
    assert "first.scratch" in net.to_static_state_dict()
    assert list(net.state_dict(structured_name_prefix="net."))[0] == "net.first.factor"
    assert list(net.state_dict(include_sublayers=False)) == []


def test_state_dict_hooks():
    net = Scale()
    helper = net.register_state_dict_hook(lambda state: {key.upper(): value for key, value in state.items()})
    assert list(net.state_dict()) == ["FACTOR", "CALLS"]
    assert list(net.state_dict(use_hook=False)) == ["factor", "calls"]
    helper.remove()
    assert list(net.state_dict()) == ["factor", "calls"]


def test_set_state_dict_returns_what_did_not_match():
    net = nn.Sequential(Scale(), Scale(3))
    state = {
        "0.factor": np.float32([5.0, 6.0]), "0.calls": tensor(value=3.0), "1.factor": np.zeros((9,), "float32"), "extra": 1,
    }  # fmt: skip
    with pytest.warns(UserWarning) as caught:
        missing, unexpected = net.set_state_dict(state)
    assert missing == ["1.factor", "1.calls"] and unexpected == ["1.factor", "extra"]
    texts = [str(w.message) for w in caught]
    assert texts[0].startswith(
        "Skip loading for 1.factor. 1.factor receives a shape [9], but the expected shape is [3]."
    )
    assert "1.calls is not found in the provided dict" in texts[1]
    assert net[0].factor.numpy().tolist() == [5.0, 6.0] and float(net[0].calls) == 3.0
    assert net[1].factor.numpy().tolist() == [2.0, 2.0, 2.0]


def test_set_state_dict_says_what_it_takes():
    with pytest.raises(TypeError, match="expects a dict of tensors, got list"):
        nn.Linear(2, 2).set_state_dict([1])
    with pytest.raises(TypeError, match=r"got str; load the file: set_state_dict\(paddle.load\('net.pdparams'\)\)"):
        nn.Linear(2, 2).set_state_dict("net.pdparams")


def test_set_state_dict_by_parameter_name():
    net = Scale()
    net.calls.name = "calls_0"
    names = {"scale_0.w_0": np.float32([1.0, 9.0]), "calls_0": np.float32(4.0)}
    assert net.set_state_dict(names, use_structured_name=False) == ([], [])
    assert net.factor.numpy().tolist() == [1.0, 9.0]


def test_a_state_survives_a_change_of_the_source():
    source, target = Scale(), Scale()
    target.set_state_dict(source.state_dict())
    source.factor.set_value(np.float32([7.0, 7.0]))
    assert target.factor.numpy().tolist() == [2.0, 2.0]


def test_deepcopy_is_independent_and_renamed():
    net = Net()
    other = copy.deepcopy(net)
    assert other.again is other.first
    assert [p.name for p in other.parameters()] == [
        "scale_0.w_0_deepcopy_0", "scale_1.w_0_deepcopy_1", "scale_2.w_0_deepcopy_2",
    ]  # fmt: skip
    other.first.factor.set_value(np.float32([0.0, 0.0]))
    assert net.first.factor.numpy().tolist() == [2.0, 2.0]
    assert other.parameters()[0].trainable and other.first.calls.persistable


def test_pickle_keeps_parameters():
    layer = nn.Linear(2, 3, weight_attr=ParamAttr(learning_rate=0.5, need_clip=False, trainable=False))
    other = pickle.loads(pickle.dumps(layer))
    np.testing.assert_array_equal(other.weight.numpy(), layer.weight.numpy())
    assert other.weight.name == layer.weight.name and other.weight.stop_gradient
    assert other.weight.optimize_attr == {"learning_rate": 0.5} and not other.weight.need_clip
    assert isinstance(other.bias, Parameter) and not other.bias.stop_gradient


def test_conversion_happens_in_place():
    net = Net()
    parameter = net.first.factor
    net.first.register_buffer("count", tensor(1, dtype="int64"))
    parameter.grad = tensor(2)
    assert net.float16() is net
    assert net.first.factor is parameter and parameter.dtype.name == parameter.grad.dtype.name == "float16"
    assert net.first.count.dtype.name == "int64" and not parameter.stop_gradient
    net.float(excluded_layers=nn.Sequential)
    assert parameter.dtype.name == "float32"
    net.to(dtype="float64")
    assert net.first.count.dtype.name == "float64"
    net.to("cpu").astype("float32")
    assert net.rest[1].factor.dtype.name == "float32"


def test_float16_leaves_batch_norm_alone():
    net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm(2))
    net.float16()
    assert [p.dtype.name for p in net.parameters()][:3] == ["float16", "float16", "float32"]


def test_clear_gradients():
    net = Scale()
    net.factor.grad = tensor(2)
    net.clear_gradients()
    assert net.factor.grad.numpy().tolist() == [0.0, 0.0]


def test_create_tensor_is_named_after_the_layer():
    layer = nn.Layer("box")
    assert layer.create_tensor("state").name == "box_0.state"
    assert layer.create_tensor().name == "box_0._generated_var_0"
    assert layer.create_tensor(dtype="int64", persistable=True).persistable


def test_repr_nests():
    net = nn.Sequential(nn.Linear(2, 3), nn.Sequential(nn.ReLU()))
    assert repr(net) == (
        "Sequential(\n  (0): Linear(in_features=2, out_features=3, dtype=float32)\n"
        "  (1): Sequential(\n    (0): ReLU()\n  )\n)"
    )


def test_repr_of_a_parameter():
    text = str(nn.create_parameter([1], "float32", default_initializer=nn.initializer.Constant(1.5)))
    assert text == (
        "Parameter containing:\nTensor(shape=[1], dtype=float32, place=Place(cpu), stop_gradient=False,\n       [1.50000000])"
    )


def test_a_buffer_assigned_while_building_changes_when_the_program_runs():
    class Counter(nn.Layer):
        def __init__(self):
            super().__init__()
            self.register_buffer("count", tensor(1, value=0.0))

        def forward(self, x):
            self.count = self.count + 1.0
            self.seen = x
            return x * self.count

    layer = Counter()
    buffer = layer.count
    with mode.use(Builder()) as builder:
        x = builder.feed(TensorSpec((1,), buffer.dtype), "x")
        program = builder.finish([layer(x)])
        with pytest.raises(TypeError, match="got a Tensor of a Program; make it before"):
            layer.register_buffer("late", x)
    assert layer.count is buffer and layer._buffers["count"] is buffer
    [state] = program.state
    assert state.holder is buffer and state.kind == "buffer"
    assert float(buffer) == 0.0 and "seen" not in layer._buffers
    layer(tensor(1))
    assert layer.count is not buffer and float(layer.count) == 1.0


def test_parameters_are_made_as_asked():
    layer = nn.Layer("l")
    assert layer.create_parameter([2], attr=False) is None
    named = layer.create_parameter([2], attr="mine")
    assert named.name == "mine" and not named.stop_gradient and named.persistable and named.is_parameter
    with pytest.raises(ValueError, match="already named 'mine'"):
        layer.create_parameter([2], attr=ParamAttr(name="mine"))
    fixed = layer.create_parameter([2], attr=nn.initializer.Constant(3.0), dtype="float64", is_bias=True)
    assert fixed.numpy().tolist() == [3.0, 3.0] and fixed.dtype.name == "float64" and fixed.name == "l_0.b_0"
    frozen = layer.create_parameter([2], attr=ParamAttr(trainable=False))
    assert frozen.stop_gradient and not frozen.trainable
    frozen.trainable = True
    assert not frozen.stop_gradient
    with pytest.raises(ShapeError, match="at least 1"):
        layer.create_parameter([2, 0])
    with pytest.raises(TypeError, match="got 0.5"):
        layer.create_parameter([2], attr=0.5)


def test_a_call_without_hooks_goes_straight_to_forward():
    """No frame of ours but __call__ stands between the caller and forward (what makes static calls quick)."""
    import sys

    class Depth(nn.Layer):
        def forward(self):
            return sys._getframe(1).f_code.co_name, sys._getframe(2).f_code.co_name

    assert Depth()() == ("__call__", "test_a_call_without_hooks_goes_straight_to_forward")


def test_loading_a_matching_state_does_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Net().set_state_dict(Net().state_dict()) == ([], [])


class Forgetful(nn.Layer):
    def __init__(self, do):
        do(self)

    def forward(self, x):
        return x


@pytest.mark.parametrize(
    ("do", "use", "said"),
    [
        (lambda net: setattr(net, "fc", nn.Linear(1, 1)), None, "can't keep 'fc' yet"),
        (lambda net: net.create_parameter([2]), None, "has no '_full_name'"),
        (lambda net: net.add_sublayer("fc", nn.Linear(1, 1)), None, "has no '_sub_layers'"),
        (lambda net: net.register_buffer("b", None), None, "can't keep the buffer 'b' yet"),
        (lambda net: net.fc, None, "has no 'fc'"),
        (lambda net: None, lambda net: net(1), "has no '_forward_pre_hooks'"),
        (lambda net: None, lambda net: net.parameters(), "has no '_parameters'"),
        (lambda net: None, lambda net: net.eval(), "has no '_sub_layers'"),
        (lambda net: None, lambda net: net.state_dict(), "has no '_parameters'"),
    ],
)
def test_a_forgotten_super_init_is_named(do, use, said):
    with pytest.raises((AttributeError, ValueError)) as caught:
        use(Forgetful(do))
    text = f"Forgetful {said}: super().__init__() has not run; write it as the first line of Forgetful.__init__"
    assert str(caught.value) == text


@pytest.mark.parametrize(
    ("kind", "name"),
    [(nn.Conv2D, "Conv2D"), (nn.Conv3DTranspose, "Conv3DTranspose"), (nn.BatchNorm1D, "BatchNorm1D"), (nn.LSTM, "LSTM"),
     (nn.InstanceNorm2D, "InstanceNorm2D"), (nn.GRUCell, "GRUCell"), (nn.TransformerEncoderLayer, "TransformerEncoderLayer")],
)  # fmt: skip
def test_errors_name_the_public_class(kind, name):
    with pytest.raises(TypeError, match=rf"^{name}.__init__\(\) got an unexpected keyword argument 'pading'"):
        kind(*([2] * 3), pading=1)


def test_the_constructors_of_users_layers_are_theirs():
    class Mine(nn.Conv2D):
        pass

    assert Mine.__init__ is nn.Conv2D.__init__ and Mine(1, 2, 3).weight.shape == [2, 1, 3, 3]
    assert nn.Conv2D.__init__ is not nn.Conv1D.__init__


def test_a_forward_that_is_misspelled():
    class Net(nn.Layer):
        def foward(self, x):
            return x

    with pytest.raises(NotImplementedError, match=r"^Net must define forward\(\); it has foward\(\)$"):
        Net()(1)
    with pytest.raises(NotImplementedError, match=r"^Layer must define forward\(\)$"):
        nn.Layer()(1)


@pytest.mark.parametrize("kind", [nn.ReLU, nn.Softmax, nn.MSELoss])
def test_a_layer_that_is_called_as_a_function(kind):
    x = EagerTensor(np.ones([2], "float32"))
    with pytest.raises(TypeError, match=rf"^{kind.__name__}: got a Tensor; .*`nn.{kind.__name__}\(\)\((x|input, label)\)`$"):
        kind(x)
    assert nn.CrossEntropyLoss(x)(EagerTensor(np.ones([1, 2], "float32")), EagerTensor(np.array([1]))).shape == []


def test_attention_says_what_it_takes():
    layer = nn.MultiHeadAttention(4, 2)
    for shape in ([3, 4], [2, 3, 5]):
        with pytest.raises(ShapeError, match=r"query must be \[batch, length, embed_dim\] with embed_dim=4, got \["):
            layer(EagerTensor(np.ones(shape, "float32")))
