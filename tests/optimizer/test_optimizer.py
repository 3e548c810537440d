"""Optimizers against trajectories of real Paddle, and what they share: groups, state, learning rate, errors."""

import numpy as np
import pytest

import to_static as paddle
from tests.golden.optimizer_cases import OPTIMIZERS, STEPS
from tests.optimizer.golden import recorded
from to_static import nn, optimizer, regularizer
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.core.errors import ModeError, ShapeError
from to_static.nn import clip
from to_static.nn.parameter import ParamAttr, Parameter
from to_static.optimizer import SGD, Adam, AdamW, Momentum, lr

NAMES = {"o": optimizer, "lr": lr, "nn": clip, "reg": regularizer}


def give_gradients(params, step):
    for i, p in enumerate(params):
        p.grad = EagerTensor(recorded()[f"grad{i}"][step].copy())


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_trajectory_is_paddles(name, parameters):
    opt = eval(OPTIMIZERS[name], {**NAMES, "P": parameters})
    for step in range(STEPS):
        give_gradients(parameters, step)
        opt.step()
        if isinstance(opt._learning_rate, lr.LRScheduler):
            opt._learning_rate.step()
        for i, p in enumerate(parameters):
            np.testing.assert_allclose(
                p.numpy(), recorded()[f"{name}.{i}"][step], rtol=2e-5, atol=2e-6, err_msg=f"step {step}"
            )
    assert all(not p.stop_gradient and p.is_leaf for p in parameters)


@pytest.mark.parametrize(
    "make, names",
    [
        (lambda p: SGD(0.1, p), []),
        (lambda p: Momentum(0.1, parameters=p), ["velocity"]),
        (lambda p: Adam(0.1, parameters=p), ["moment1", "moment2", "beta1_pow_acc", "beta2_pow_acc"]),
        (lambda p: AdamW(0.1, parameters=p), ["moment1", "moment2", "beta1_pow_acc", "beta2_pow_acc"]),
        (lambda p: optimizer.Adagrad(0.1, parameters=p), ["moment"]),
        (lambda p: optimizer.RMSProp(0.1, parameters=p), ["momentum", "mean_square", "mean_grad"]),
        (lambda p: optimizer.Adamax(0.1, parameters=p), ["moment", "inf_norm", "beta1_pow_acc"]),
        (lambda p: optimizer.Adadelta(0.1, parameters=p), ["_avg_squared_grad", "_avg_squared_update"]),
        (lambda p: optimizer.Lamb(0.1, parameters=p), ["moment1", "moment2", "beta1_pow_acc", "beta2_pow_acc"]),
    ],
)
def test_state_has_paddles_names(make, names, parameters):
    opt = make(parameters)
    assert opt.state_dict() == {}
    give_gradients(parameters, 0)
    opt.step()
    state = opt.state_dict()
    assert set(state) == {f"p_{i}_{name}_0" for name in names for i in range(2)}
    assert all(t.name == key for key, t in state.items())
    powers = [t for key, t in state.items() if "_pow_" in key]
    assert all(t.shape == [1] for t in powers)


def test_state_of_the_scheduler_is_part_of_it(parameters):
    opt = Adam(lr.StepDecay(0.1, 2), parameters=parameters)
    assert opt.state_dict() == {"LR_Scheduler": {"last_epoch": 0, "last_lr": 0.1}}


@pytest.mark.parametrize("when", ["before the first step", "after the first step"])
def test_training_continues_from_a_state(when, parameters):
    reference = Adam(lr.StepDecay(0.1, 2), parameters=parameters)
    for step in range(3):
        give_gradients(parameters, step)
        reference.step()
        reference._learning_rate.step()
    state = {k: v.numpy() if isinstance(v, EagerTensor) else v for k, v in reference.state_dict().items()}
    copies = [Parameter(p.numpy(), p.name) for p in parameters]
    again = Adam(lr.StepDecay(0.1, 2), parameters=copies)
    if when.startswith("after"):
        give_gradients(copies, 9)
        again.step()
        for copied, p in zip(copies, parameters, strict=True):
            copied.set_value(p)
    again.set_state_dict(state)
    assert again.get_lr() == reference.get_lr() == pytest.approx(0.01)
    for step in range(3, 6):
        for opt, params in ((reference, parameters), (again, copies)):
            give_gradients(params, step)
            opt.step()
    for copied, p in zip(copies, parameters, strict=True):
        np.testing.assert_array_equal(copied.numpy(), p.numpy())


def test_state_that_does_not_fit_is_refused(parameters):
    opt = Momentum(0.1, parameters=parameters)
    opt.set_state_dict({"p_0_velocity_0": np.zeros((9,), "float32")})
    give_gradients(parameters, 0)
    with pytest.raises(ShapeError, match="p_0_velocity_0"):
        opt.step()
    opt = Momentum(0.1, parameters=parameters)
    opt.set_state_dict({"other": np.zeros((9,), "float32")})
    with pytest.raises(KeyError, match="p_0_velocity"):
        opt.step()
    with pytest.raises(KeyError, match="LR_Scheduler"):
        SGD(lr.StepDecay(0.1, 2), parameters).set_state_dict({})


def test_parameters_without_gradient_or_training_stay(parameters):
    before = [p.numpy() for p in parameters]
    parameters[0].stop_gradient = True
    give_gradients(parameters[:1], 0)
    optimizer = SGD(0.5, parameters)
    with pytest.warns(UserWarning, match="SGD.step: no parameter has a gradient"):
        optimizer.step()
    optimizer.step()  # once is enough
    for p, old in zip(parameters, before, strict=True):
        np.testing.assert_array_equal(p.numpy(), old)


def test_learning_rate_of_a_parameter_is_a_factor():
    p = Parameter(np.zeros(2, "float32"), "p", ParamAttr(learning_rate=0.5))
    p.grad = EagerTensor(np.ones(2, "float32"))
    SGD(0.1, [p]).step()
    np.testing.assert_allclose(p.numpy(), -0.05)


def test_regularizer_of_a_parameter_goes_first():
    p = Parameter(np.full(2, 2.0, "float32"), "p", ParamAttr(regularizer=regularizer.L1Decay(1.0)))
    p.grad = EagerTensor(np.zeros(2, "float32"))
    SGD(0.1, [p], weight_decay=100.0).step()
    np.testing.assert_allclose(p.numpy(), 1.9)


def test_need_clip_false_keeps_the_gradient():
    p = Parameter(np.zeros(2, "float32"), "p", ParamAttr(need_clip=False))
    p.grad = EagerTensor(np.full(2, 10.0, "float32"))
    SGD(1.0, [p], grad_clip=clip.ClipGradByGlobalNorm(1.0)).step()
    np.testing.assert_allclose(p.numpy(), -10.0)


def test_rescale_grad_goes_before_the_decay():
    """As documented; Paddle's CPU kernel ignores rescale_grad, its GPU kernel does this."""
    p = Parameter(np.full(2, 2.0, "float32"), "p")
    p.grad = EagerTensor(np.ones(2, "float32"))
    Momentum(0.1, 0.9, [p], weight_decay=0.5, rescale_grad=0.25).step()
    np.testing.assert_allclose(p.numpy(), 2.0 - 0.1 * (0.25 + 0.5 * 2.0), rtol=1e-6)


def test_float16_parameters_keep_a_float32_copy():
    p = Parameter(np.ones(2, "float16"), "half")
    opt = SGD(1e-4, [p], multi_precision=True)
    for _ in range(8):  # each step alone would be rounded away in float16
        p.grad = EagerTensor(np.ones(2, "float16"))
        opt.step()
    assert p.dtype.name == "float16"
    np.testing.assert_allclose(p.numpy(), np.float16(1 - 8e-4))
    [(name, master)] = opt.state_dict()["master_weights"].items()
    assert name == "half"
    np.testing.assert_allclose(master.numpy(), 1 - 8e-4, rtol=1e-6)


def test_set_lr(parameters):
    opt = SGD(1, parameters)
    assert opt.get_lr() == 1.0
    give_gradients(parameters, 0)
    start = parameters[0].numpy()
    opt.step()
    opt.set_lr(0.0)
    moved = parameters[0].numpy()
    opt.step()
    assert not np.array_equal(start, moved)
    np.testing.assert_array_equal(parameters[0].numpy(), moved)
    with pytest.raises(ModeError, match="LRScheduler"):
        SGD(lr.StepDecay(0.1, 2), parameters).set_lr(0.2)


def test_clear_grad(parameters):
    opt = SGD(0.1, parameters)
    give_gradients(parameters, 0)
    opt.clear_grad()
    assert not parameters[0].grad.numpy().any()
    opt.clear_grad(set_to_zero=False)
    assert parameters[0].grad is None


def test_wrong_arguments_are_refused(parameters):
    with pytest.raises(TypeError, match="learning_rate"):
        SGD("0.1", parameters)
    with pytest.raises(TypeError, match="list of parameters"):
        SGD(0.1, parameters[0])
    with pytest.raises(TypeError, match="entry 0 is a str"):
        SGD(0.1, ["p"])
    with pytest.raises(ValueError, match="more than once"):
        SGD(0.1, [{"params": parameters}, {"params": parameters[:1]}])
    with pytest.raises(ValueError, match="'params'"):
        SGD(0.1, [{"lr": 3}])
    with pytest.raises(TypeError, match="weight_decay"):
        SGD(0.1, parameters, weight_decay="l2")
    with pytest.raises(TypeError, match="grad_clip"):
        SGD(0.1, parameters, grad_clip=1.0)
    with pytest.raises(ValueError, match="beta1"):
        Adam(0.1, beta1=1.0, parameters=parameters)
    with pytest.raises(ModeError, match="without parameters"):
        SGD(0.1).step()


def test_step_inside_a_static_function_is_refused(parameters):
    with mode.use(Builder()), pytest.raises(ModeError, match="minimize"):
        SGD(0.1, parameters).step()


def test_training_finds_the_minimum():
    weight = Parameter(np.zeros((3,), "float32"), "w")
    target = EagerTensor(np.float32([1.0, -2.0, 0.5]))
    opt = Adam(0.1, parameters=[weight])
    for _ in range(200):
        loss = ((weight - target) * (weight - target)).sum()
        loss.backward()
        opt.step()
        opt.clear_grad()
    np.testing.assert_allclose(weight.numpy(), target.numpy(), atol=1e-2)


@pytest.mark.parametrize(
    "make", [lambda p: SGD(0.1, p), lambda p: Momentum(0.1, parameters=p), lambda p: Adam(0.1, parameters=p)]
)
def test_a_step_moves_views_and_leaves_recorded_graphs_alone(make, parameters):
    opt = make(parameters)
    give_gradients(parameters, 0)
    opt.step()
    weight = parameters[0]
    view, copied = weight.detach().reshape([-1]), weight.numpy()
    loss = (weight * weight).sum()
    opt.step()
    assert (view.numpy() != copied.reshape(-1)).any()
    np.testing.assert_array_equal(view.numpy(), weight.numpy().reshape(-1))
    weight.grad = None
    loss.backward()
    np.testing.assert_allclose(weight.grad.numpy(), 2 * copied, rtol=1e-6)


def test_gradients_of_another_dtype_are_converted():
    for make in (SGD, Momentum, Adam):
        p = Parameter(np.array([1.0, 2.0], "float32"))
        make(0.5, parameters=[p]).apply_gradients([(p, EagerTensor(np.array([1.0, -1.0])))])
        assert p.numpy().dtype == np.float32
        np.testing.assert_allclose(p.numpy(), [0.5, 2.5], rtol=1e-6)


def test_steps_of_adamw_go_by_the_numbers_of_their_parameter():
    """What parameters share in a step is kept: one that joined later, or has another rate, has other numbers."""
    kinds = [(1.0, 1), (0.5, 3), (1.0, 3), (1.0, 2)]  # factor on the rate, number of steps

    def of_kind(factor):
        return Parameter(np.array([1.0, 2.0], "float32"), attr=ParamAttr(learning_rate=factor))

    def gradient():
        return EagerTensor(np.array([0.3, -0.7], "float32"))

    alone = [of_kind(factor) for factor, _ in kinds]
    for p, (_, steps) in zip(alone, kinds, strict=True):
        adam = AdamW(0.1, parameters=[p])
        for _ in range(steps):
            adam.apply_gradients([(p, gradient())])
    together = [of_kind(factor) for factor, _ in kinds]
    adam = AdamW(0.1, parameters=together)
    for left in (3, 2, 1):
        adam.apply_gradients([(p, gradient()) for p, (_, steps) in zip(together, kinds, strict=True) if steps >= left])
    for p, expected in zip(together, alone, strict=True):
        np.testing.assert_array_equal(p.numpy(), expected.numpy())


@pytest.mark.parametrize(
    ("kind", "setting"),
    [("Adam", "beta1"), ("AdamW", "beta1"), ("Adamax", "beta1"), ("Lamb", "lamb_weight_decay"), ("Momentum", "momentum"),
     ("RMSProp", "rho"), ("Adagrad", "epsilon"), ("Adadelta", "epsilon")],
)  # fmt: skip
def test_parameters_in_the_place_of_a_number(kind, setting):
    for parameters in (nn.Linear(1, 1).parameters(), nn.Linear(1, 1)):
        with pytest.raises(TypeError) as caught:
            getattr(optimizer, kind)(0.1, parameters)
        got = f"{kind}: {setting} must be a number, got {type(parameters).__name__}"
        assert str(caught.value) == f"{got}; parameters are given by name, `parameters=net.parameters()`"
    with pytest.raises(TypeError, match=f"{kind}: {setting} must be a number, got str$"):
        getattr(optimizer, kind)(0.1, "0.9")


def test_a_network_in_the_place_of_its_parameters():
    net = nn.Linear(1, 1)
    with pytest.raises(TypeError, match=r"such as `net.parameters\(\)`, got a Linear$"):
        SGD(0.1, parameters=net)
    with pytest.raises(TypeError, match=r"entry 0 is a Linear; its parameters are meant, `net.parameters\(\)`$"):
        SGD(0.1, parameters=[net])
    with pytest.raises(TypeError, match=r"such as `net.parameters\(\)`, with parentheses, got a method$"):
        SGD(0.1, parameters=net.parameters)


def test_a_schedule_that_is_a_class():
    with pytest.raises(TypeError, match=r"got type; `StepDecay\(...\)` makes one"):
        SGD(lr.StepDecay, parameters=[])


def test_penalties_that_are_added_to_gradients():
    w, v = paddle.create_parameter([1], "float32"), paddle.create_parameter([1], "float32")
    w.set_value([2.0]), v.set_value([3.0])
    w.regularizer = paddle.regularizer.L2Decay(0.5)
    opt = paddle.optimizer.Adam(parameters=[w, v])
    pairs = opt.append_regularization_ops([(w, paddle.ones([1])), (v, paddle.ones([1])), (v, None)])
    assert [grad if grad is None else grad.tolist() for _, grad in pairs] == [[2.0], [1.0], None]
    pairs = opt.append_regularization_ops([(v, paddle.ones([1]))], paddle.regularizer.L2Decay(2.0))
    assert pairs[0][1].tolist() == [7.0]
    assert opt.get_opti_var_name_list() == []
    (w * v).backward()
    opt.step()
    assert f"{w.name}_moment1_0" in opt.get_opti_var_name_list()


def test_settings_are_changed_by_the_attributes_of_paddles_optimizers():
    def trained(set_all, **settings):
        net = paddle.nn.Linear(2, 1)
        net.weight.set_value(np.array([[1.0], [2.0]], "float32"))
        adam = paddle.optimizer.Adam(0.1, parameters=net.parameters(), **settings)
        assert adam._param_groups == net.parameters()
        if set_all:
            adam._beta1, adam._epsilon, adam._grad_clip = 0.5, 1e-3, paddle.nn.ClipGradByNorm(0.01)
            adam.regularization = paddle.regularizer.L2Decay(0.1)
        for _ in range(3):
            (net(paddle.to_tensor([[1.0, -3.0]])) ** 2).sum().backward()
            adam.step()
            adam.clear_grad()
        return adam, net.weight.numpy()

    clip = paddle.nn.ClipGradByNorm(0.01)
    _, expected = trained(False, beta1=0.5, epsilon=1e-3, grad_clip=clip, weight_decay=0.1)
    adam, changed = trained(True)
    np.testing.assert_allclose(changed, expected)
    assert (adam._beta1, adam._beta2, adam._epsilon, adam.regularization._coeff) == (0.5, 0.999, 1e-3, 0.1)


def test_groups_keep_their_settings_when_common_ones_are_changed():
    net = paddle.nn.Linear(2, 1)
    sgd = paddle.optimizer.Momentum(0.1, 0.9, [{"params": [net.weight], "momentum": 0.5}, {"params": [net.bias]}])
    sgd._momentum = 0.0
    assert [group["momentum"] for group in sgd._param_groups] == [0.5, 0.9]


def test_a_subclass_that_never_calls_init_has_settings_as_plain_attributes():
    class Own(paddle.optimizer.Optimizer):
        def __init__(self):
            self._grad_clip = None
            self._grad_clip = "clip"

    assert Own()._grad_clip == "clip"


def test_a_regularizer_of_the_users_is_called():
    class Half(paddle.regularizer.WeightDecayRegularizer):
        def __call__(self, param, grad, block=None):
            return param * 0.5 + grad * 0.0

    net = paddle.nn.Linear(1, 1, weight_attr=paddle.ParamAttr(regularizer=Half()), bias_attr=False)
    before = float(net.weight)
    sgd = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    net(paddle.zeros([1, 1])).sum().backward()
    sgd.step()
    assert float(net.weight) == pytest.approx(before * 0.95)
