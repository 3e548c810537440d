"""`amp`: taken, checked, without effect, which is said once; and looking for numbers that are not finite."""

import numpy as np
import pytest

import to_static as paddle
from to_static.amp import debugging
from to_static.compiler.ir import mode
from to_static.core.errors import ModeError


@pytest.fixture
def untold():
    paddle.amp.support._warned.clear()
    yield
    paddle.amp.support._warned.update(["amp.auto_cast", "amp.GradScaler", "amp.decorate", "static.amp.decorate"])


def test_it_is_said_once(untold, recwarn):
    net = paddle.nn.Linear(2, 2)
    for _ in range(2):
        with paddle.amp.auto_cast(level="O2", dtype="bfloat16"):
            assert net(paddle.ones([1, 2])).dtype == paddle.float32
    with paddle.amp.auto_cast(False), paddle.amp.auto_cast(level="O0"):
        pass
    assert [str(w.message) for w in recwarn] == [
        "amp.auto_cast makes no effect on Place(cpu): everything is computed in float32"
    ]
    assert not paddle.amp.is_float16_supported() and not paddle.amp.is_bfloat16_supported("cpu")


def test_a_training_loop_is_the_one_without():
    def weights(scaled, static):
        paddle.seed(1)
        net = paddle.nn.Linear(3, 2)
        opt = paddle.optimizer.Adam(0.1, parameters=net.parameters())
        net, opt = paddle.amp.decorate(net, opt, level="O1") if scaled else (net, opt)
        scaler = paddle.amp.GradScaler(enable=False)

        def step(x):
            with paddle.amp.auto_cast(enable=False):
                loss = net(x).square().mean()
            if scaled:
                scaler.scale(loss).backward()
                scaler.unscale_(opt)
                scaler.step(opt)
                scaler.update()
            else:
                loss.backward()
                opt.step()
            opt.clear_grad()
            return loss

        step = paddle.jit.to_static(step, full_graph=True) if static else step
        for _ in range(3):
            step(paddle.ones([2, 3]))
        return net.weight.numpy()

    plain = weights(False, False)
    for static in (False, True):
        np.testing.assert_array_equal(plain, weights(True, static))


def test_what_a_scaler_tells(untold):
    with pytest.warns(UserWarning, match="amp.GradScaler makes no effect"):
        scaler = paddle.amp.GradScaler(init_loss_scaling=8.0)
    scaler.set_incr_ratio(3.0)
    assert (scaler.get_init_loss_scaling(), scaler.get_incr_ratio(), scaler.get_decr_ratio()) == (8.0, 3.0, 0.5)
    assert not scaler.is_enable() and scaler.is_use_dynamic_loss_scaling() and scaler.state_dict() == {}
    with pytest.raises(ValueError, match="incr_ratio"):
        paddle.amp.GradScaler(incr_ratio=0.5)


def test_refusals():
    net = paddle.nn.Linear(2, 2)
    for text, arguments in {
        "level should be": {"level": "O3"},
        "dtype should be": {"dtype": "float32"},
        "overlap": {"custom_white_list": ["a"], "custom_black_list": ["a"]},
    }.items():
        with pytest.raises(ValueError, match=text), paddle.amp.auto_cast(**arguments):
            pass
    with pytest.raises(ValueError, match="level should be O1 or O2"):
        paddle.amp.decorate(net, level="O3")
    with pytest.raises(ValueError, match="dtype only support"):
        paddle.amp.decorate(net, dtype="float32")
    with pytest.raises(TypeError, match="models must be Layers"):
        paddle.amp.decorate(3)


def test_static_programs(untold):
    paddle.enable_static()
    try:
        main = paddle.static.Program()
        with paddle.static.program_guard(main):
            x = paddle.static.data("x", [2, 3])
            with paddle.static.amp.fp16_guard():
                loss = paddle.nn.Linear(3, 2)(x).mean()
            with pytest.warns(UserWarning, match="static.amp.decorate"):
                opt = paddle.static.amp.decorate(paddle.optimizer.SGD(0.1), init_loss_scaling=128.0)
            opt.minimize(loss)
            opt.amp_init("cpu")
            assert opt.get_loss_scaling() == 1.0 and opt.get_lr() == 0.1
        paddle.static.Executor().run(main, feed={"x": np.ones((2, 3), "float32")}, fetch_list=[loss])
    finally:
        paddle.disable_static()
    with pytest.raises(ValueError, match="overlap"):
        paddle.static.amp.CustomOpLists(["a"], ["a"])


def test_check_numerics(capsys):
    counts, values = debugging.check_numerics(paddle.to_tensor([1.0, 2.0, 0.0]), "op", "v")
    assert counts.tolist() == [0, 0, 1] and values.tolist() == [2.0, 0.0, 1.0]
    bad = paddle.to_tensor([1.0, float("inf"), float("nan"), float("nan")])
    with pytest.raises(RuntimeError, match="There are NAN or INF .num_nan=2, num_inf=1"):
        debugging.check_numerics(bad, "op", "v")
    counts, values = debugging.check_numerics(bad, "op", "v", debugging.DebugMode.CHECK_NAN_INF)
    assert counts.tolist() == [2, 1, 0] and values.tolist()[:2] == [float("inf"), 1.0]
    line = "[PRECISION] [ERROR] in [device=cpu, op=op, tensor=v, dtype=fp32], numel=4, num_nan=2, num_inf=1, num_zero=0, max=inf"
    assert line + ", min=1.000000e+00, mean=nan" in capsys.readouterr().out

    class Net(paddle.nn.Layer):
        @debugging.check_layer_numerics
        def forward(self, x):
            return paddle.log(x - 2)

    with pytest.raises(RuntimeError, match="tensor=output"), np.errstate(invalid="ignore"):
        Net()(paddle.ones([1]))
    with pytest.raises(ModeError, match="outside of the static function"):
        paddle.jit.to_static(lambda x: debugging.check_numerics(x, "op", "v"), full_graph=True)(bad)


def test_every_operator_checked(capsys):
    x = paddle.to_tensor([1.0, 0.0])
    found = debugging.TensorCheckerConfig(True, debugging.DebugMode.CHECK_NAN_INF, skipped_op_list=["tanh"])
    debugging.enable_tensor_checker(found)
    try:
        with np.errstate(divide="ignore"):
            paddle.tanh(paddle.log(x))
            debugging.enable_tensor_checker(debugging.TensorCheckerConfig(True))
            with pytest.raises(RuntimeError, match="op=log"):
                paddle.log(x)
    finally:
        debugging.disable_tensor_checker()
    with np.errstate(divide="ignore"):
        paddle.log(x)
    debugging.enable_tensor_checker(debugging.TensorCheckerConfig(False))
    assert capsys.readouterr().out.count("op=log") == 2
    assert type(mode.current()).__name__ == "EagerMode"


def test_operators_counted(capsys):
    x = paddle.ones([2])
    with debugging.collect_operator_stats():
        y = paddle.tanh(paddle.tanh(x))
        paddle.tanh(y.astype("float64"))
    debugging.disable_operator_stats_collection()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "<" + "-" * 55 + " op list " + "-" * 55 + ">" and "op count: 2" in lines[-1]
    assert [word for word in lines[3].split() if word != "|"] == ["tanh", "0", "0", "2", "1"]
    with pytest.raises(ModeError, match="in dynamic mode only"):
        paddle.jit.to_static(lambda x: debugging.enable_operator_stats_collection(), full_graph=True)(x)
    debugging.disable_operator_stats_collection()


def test_steps_that_are_checked(monkeypatch):
    monkeypatch.setattr(debugging.TensorCheckerConfig, "current_step_id", 0)
    config = debugging.TensorCheckerConfig(True, debug_step=[0, 2])
    seen = []
    for _ in range(3):
        debugging.enable_tensor_checker(config)
        try:
            with np.errstate(divide="ignore"):
                paddle.log(paddle.zeros([1]))
        except RuntimeError:
            seen.append(True)
        else:
            seen.append(False)
    debugging.disable_tensor_checker()
    assert seen == [True, True, False]
    with pytest.raises(ValueError, match="debug_step is the first step and the end"):
        debugging.TensorCheckerConfig(True, debug_step=[2])
