"""Optimizer classes of a user that override Paddle's methods of an update, beside Paddle's recorded numbers."""

import json
from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from tests.optimizer.user_update_cases import cases, trained
from to_static.core.errors import TranslationError

RECORDED = json.loads((Path(__file__).parent / "paddle_user_updates.json").read_text())
CASES = cases(paddle)


@pytest.mark.parametrize("name", RECORDED)
def test_parameters_are_paddles(name):
    parameters, state = trained(paddle, CASES[name])
    for mine, theirs in zip(parameters, RECORDED[name][0], strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-6)
    assert state == RECORDED[name][1]


def _trained_weights(name, static):
    net = paddle.nn.Linear(3, 2)
    for param in net.parameters():
        param.set_value(np.ones(param.shape, "float32"))
    optimizer = CASES[name](net)

    def train(rows):
        loss = (net(rows) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()

    train = paddle.jit.to_static(train) if static else train
    for step in range(3):
        train(paddle.full([4, 3], step + 1.0))
    return [param.numpy() for param in net.parameters()]


@pytest.mark.parametrize("name", ["layer-wise rates", "an optimizer of one's own"])
def test_a_static_function_steps_in_python(name, graph_breaks):
    with pytest.warns(UserWarning, match="train runs in Python"):
        static = _trained_weights(name, True)
    for one, other in zip(_trained_weights(name, False), static, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)


def test_a_program_built_by_hand_contains_the_step():
    paddle.enable_static()
    try:
        with paddle.static.program_guard(paddle.static.Program()):
            x = paddle.static.data("x", [5, 3], "float32")
            layers = [paddle.nn.Linear(3, 4), paddle.nn.Linear(4, 2)]
            for layer, weight in zip(layers, (0.6, 0.7), strict=True):
                layer.weight.set_value(np.full(layer.weight.shape, weight, "float32"))
                layer.bias.set_value(np.full(layer.bias.shape, 0.2, "float32"))
            net = paddle.nn.Sequential(*layers)
            loss = (net(x) ** 2).mean()
            CASES["layer-wise rates with some decayed"](net).minimize(loss)
            rows = [np.random.RandomState(seed).standard_normal([5, 3]).astype("float32") for seed in range(5)]
            losses = [float(paddle.static.Executor().run(feed={"x": row}, fetch_list=[loss])[0]) for row in rows]
    finally:
        paddle.disable_static()
    recorded = [20.495464324951172, 4.278094291687012, 4.895625114440918, 7.682394504547119, 0.3726496696472168]  # Paddle 2.6.2
    np.testing.assert_allclose(losses, recorded, rtol=1e-5)


def test_a_whole_program_refuses_such_a_step():
    optimizer = CASES["layer-wise rates"](paddle.nn.Linear(3, 2))
    with pytest.raises(TranslationError, match="changes the Scaled in every call"):
        paddle.jit.to_static(lambda: optimizer.step(), full_graph=True)()


def test_a_group_has_its_factor_and_its_decay():
    first, second = paddle.nn.Linear(2, 2), paddle.nn.Linear(2, 2)
    groups = [{"params": first.parameters()}, {"params": second.parameters(), "learning_rate": 0.5, "weight_decay": 0.1}]
    optimizer = CASES["an optimizer of one's own"](first).__class__(0.2, groups)
    before = second.weight.numpy()
    (first(paddle.ones([1, 2])).sum() + second(paddle.ones([1, 2])).sum()).backward()
    optimizer.step()
    np.testing.assert_allclose(second.weight.numpy(), before - 0.1 * (1 + 0.1 * before), rtol=1e-6)


def test_state_is_saved_and_loaded():
    net = paddle.nn.Linear(2, 2)
    optimizer = CASES["an optimizer of one's own"](net)
    net(paddle.ones([1, 2])).sum().backward()
    optimizer.step()
    other = CASES["an optimizer of one's own"](net)
    other.set_state_dict(optimizer.state_dict())
    other.step()
    velocity = other._get_accumulator("velocity", net.weight)
    assert velocity.numpy().tolist() == [[1.5, 1.5], [1.5, 1.5]]
    with pytest.raises(KeyError, match="no state 'other'"):
        other._get_accumulator("other", net.weight)


def test_attributes_that_packages_read():
    net = paddle.nn.Linear(2, 2)
    names = {"SGD": "sgd", "Momentum": "momentum", "Adam": "adam", "AdamW": "adamw", "Adamax": "adamax", "Adagrad": "adagrad"}
    names |= {"Adadelta": "adadelta", "RMSProp": "rmsprop", "Lamb": "lamb"}
    for name, text in names.items():
        assert getattr(paddle.optimizer, name)(learning_rate=0.1, parameters=net.parameters()).type == text
    adam = paddle.optimizer.Adam(parameters=net.parameters(), beta1=0.8)
    assert adam._dtype == paddle.float32 and adam._default_dict["beta1"] == 0.8 and adam._auxiliary_vars == {}
    assert float(adam._create_param_lr((net.weight, None))) == pytest.approx(1e-3)


def test_the_methods_get_the_block_of_the_main_program():
    blocks = []

    class Recording(paddle.optimizer.SGD):
        def _append_optimize_op(self, block, param_and_grad):
            blocks.append(block)

    net = paddle.nn.Linear(2, 2)
    net(paddle.ones([1, 2])).sum().backward()
    optimizer = Recording(0.1, net.parameters())
    program = paddle.static.Program()
    optimizer.step()
    with paddle.static.program_guard(program):
        optimizer.step()
    assert [type(block) for block in blocks] == [paddle.framework.Block] * 4
    assert [block.program is program for block in blocks] == [False, False, True, True]
    assert blocks[0].program is paddle.static.default_main_program()
