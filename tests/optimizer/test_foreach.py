"""Steps on small parameters are taken together in dynamic mode, with the numbers of steps taken one by one."""

import copy
import pickle

import numpy as np
import pytest

import to_static as paddle
from to_static import nn
from to_static.optimizer import foreach


def decays(name):
    return ".b_" not in name


def trained(kind, between=None, dtype="float32", **options):
    """Losses, parameters and state after four steps."""
    paddle.seed(7)
    net = nn.Sequential(nn.Linear(5, 4), nn.Tanh(), nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, 1))
    net.to(dtype=dtype)
    opt = getattr(paddle.optimizer, kind)(learning_rate=0.1, parameters=net.parameters(), **options)
    found = []
    for i in range(4):
        loss = (net(paddle.full([2, 5], 0.3 + i, dtype)) ** 2).mean()
        loss.backward()
        opt.step()
        opt.clear_grad()
        found.append(loss.numpy())
        if between is not None:
            opt = between(i, net, opt) or opt
    state = [v.numpy() for v in opt.state_dict().values() if isinstance(v, paddle.Tensor)]
    return [*found, *(p.numpy() for p in net.parameters()), *state]


def same_with_and_without(monkeypatch, *args, **options):
    with monkeypatch.context() as patched:
        patched.setattr(foreach, "SMALL", 0)
        one_by_one = trained(*args, **options)
    taken = []
    way = foreach.Together._way
    monkeypatch.setattr(foreach.Together, "_way", lambda *given: taken.append(1) or way(*given))
    at_once = trained(*args, **options)
    assert taken
    assert len(one_by_one) == len(at_once)
    for a, b in zip(one_by_one, at_once, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("Momentum", {"use_nesterov": True, "weight_decay": 0.01}),
        ("Adam", {"grad_clip": nn.ClipGradByGlobalNorm(0.01)}),
        ("AdamW", {"apply_decay_param_fun": decays}),
        ("Adam", {"dtype": "float64"}),
        ("Adam", {"dtype": "float16", "multi_precision": True}),
    ],
    ids=["momentum", "clipped", "adamw in two groups", "float64", "copies of float16"],
)
def test_every_bit_is_that_of_steps_one_by_one(monkeypatch, kind, options):
    same_with_and_without(monkeypatch, kind, **options)


def test_more_than_fit_together_are_taken_in_parts(monkeypatch):
    monkeypatch.setattr(foreach, "TOGETHER", 25)
    same_with_and_without(monkeypatch, "Adam")


def test_parameters_with_rates_of_their_own(monkeypatch):
    def slower(i, net, opt):
        net[2].weight.optimize_attr["learning_rate"] = 0.5 / (i + 1)

    same_with_and_without(monkeypatch, "Adam", slower)


def test_what_others_set_between_steps_counts(monkeypatch):
    def sets(i, net, opt):
        net[2].weight.set_value(np.full((4, 3), 0.25 * i, "float32"))
        net[0].weight.stop_gradient = i == 1
        if i == 2:
            state = opt.state_dict()
            opt.set_state_dict({k: v * 0.5 if "_pow_acc_" in k and ".w_" in k else v for k, v in state.items()})

    same_with_and_without(monkeypatch, "Adam", sets)


def test_copies_of_an_optimizer_have_state_of_their_own():
    first = trained("Adam")

    def goes_on_elsewhere(i, net, opt):
        if i == 1:
            other, others = copy.deepcopy((net, opt))
            other(paddle.ones([2, 5])).sum().backward()
            others.step()

    for a, b in zip(first, trained("Adam", goes_on_elsewhere), strict=True):
        np.testing.assert_array_equal(a, b)


def test_pickles_are_empty():
    steps = foreach.Together()
    steps._ways["a way"] = lambda: None
    assert pickle.loads(pickle.dumps(steps))._ways == {}


def test_steps_that_raise_leave_everything_as_it_was():
    net = nn.Linear(3, 2)
    opt = paddle.optimizer.Adam(0.1, parameters=net.parameters())
    before = [p.numpy() for p in net.parameters()]
    net(paddle.ones([1, 3])).sum().backward()
    net.bias._grad = paddle.ones([7])
    with pytest.raises(ValueError, match="shape"):
        opt.step()
    for p, was in zip(net.parameters(), before, strict=True):
        np.testing.assert_array_equal(p.numpy(), was)
    net.bias.clear_grad()
    opt.step()
    assert not np.array_equal(net.weight.numpy(), before[0])
    np.testing.assert_array_equal(net.bias.numpy(), before[1])


def test_arrays_of_weights_are_never_written_to():
    held = []

    def keep(i, net, opt):
        held.extend((p._array, p._array.copy()) for p in net.parameters())

    trained("Adam", keep)
    for array, was in held:
        np.testing.assert_array_equal(array, was)
