"""`Model`, `summary` and `flops`: what they print and compute is what Paddle prints and computes."""

import json
import pathlib

import numpy as np
import pytest

import to_static as paddle
from tests.hapi.model_cases import TABLES, data_of, fitted, lenet, printed
from to_static import nn
from to_static.core.errors import ModeError

RECORDED = json.loads((pathlib.Path(__file__).parent / "paddle_models.json").read_text())


@pytest.mark.parametrize("name", TABLES)
def test_tables(name):
    with paddle.utils.unique_name.guard():
        result, lines = printed(TABLES[name], paddle)
    assert [result, lines] == RECORDED[name]


def same(evaluated, predicted):
    lines, expected, outputs = RECORDED["fit"]
    assert evaluated.keys() == expected.keys()
    for key, value in expected.items():
        np.testing.assert_allclose(evaluated[key], value, rtol=1e-4)
    np.testing.assert_allclose(predicted, outputs, rtol=1e-3, atol=1e-5)
    return lines


def test_fit_in_python():
    (_, evaluated, predicted), lines = printed(fitted, paddle)
    assert lines == same(evaluated, predicted)


def test_fit_of_a_static_network():
    model, evaluated, predicted = fitted(paddle, paddle.jit.to_static, verbose=0)
    same(evaluated, predicted)
    assert type(model._steps["update"]).__name__ == "StaticFunction"
    assert not model._steps["update"].graph_breaks


def test_fit_in_static_mode():
    paddle.enable_static()
    try:
        model, evaluated, predicted = fitted(paddle, verbose=0)
    finally:
        paddle.disable_static()
    same(evaluated, predicted)
    assert len(model._steps["update"].program_cache) == 2  # with gradients of the batch before, and of a smaller batch


def small(**prepared):
    net = nn.Sequential(nn.Linear(8, 2))
    model = paddle.Model(net)
    model.prepare(paddle.optimizer.SGD(0.1, parameters=net.parameters()), nn.CrossEntropyLoss(), **prepared)
    return model


def test_batches():
    model = small()
    x, y = np.ones((4, 8), "float32"), np.zeros((4, 1), "int64")
    (loss,) = model.train_batch([x], [y])
    assert loss.shape == () and model.train_batch(x, y)[0] < loss
    assert model.eval_batch([x], [y])[0] < loss
    assert model.predict_batch([x])[0].shape == (4, 2)
    before = model.network[0].weight.numpy()
    model.train_batch(x, y, update=False)
    assert (model.network[0].weight.numpy() == before).all() and model.network[0].weight.grad is not None
    model.prepare(metrics=paddle.metric.Accuracy())
    assert model.eval_batch(x, y) == [1.0]
    with pytest.raises(ModeError, match="prepare"):
        model.train_batch(x, y)


def test_files(tmp_path):
    model = small()
    model.fit(data_of(paddle, 8), batch_size=4, verbose=0)
    path = str(tmp_path / "deep" / "model")
    model.save(path)
    other = small()
    other.load(path + ".pdparams")
    x = np.ones((3, 8), "float32")
    np.testing.assert_array_equal(other.predict_batch(x)[0], model.predict_batch(x)[0])
    with pytest.warns(UserWarning, match="'inputs' was not specified"):
        model.save(path + "_inference", training=False)
    loaded = paddle.jit.load(path + "_inference")
    np.testing.assert_allclose(loaded(paddle.to_tensor(x)).numpy(), model.predict_batch(x)[0], rtol=1e-6)
    assert paddle.summary(loaded, (3, 8)) == paddle.summary(model.network, (3, 8))
    wrong = paddle.Model(nn.Sequential(nn.Linear(8, 3)))
    with pytest.raises(ValueError, match="receives a shape"):
        wrong.load(path)
    with pytest.warns(UserWarning, match="Skip loading"):
        wrong.load(path, skip_mismatch=True)
    with pytest.raises(ValueError, match="Unknown postfix"):
        wrong.load(path + ".txt")
    with pytest.raises(RuntimeError, match="needs 'inputs'"):
        wrong.save(path, training=False)


def test_limits_and_refusals():
    model = small()
    seen = []

    class Count(paddle.callbacks.Callback):
        def on_train_batch_end(self, step, logs=None):
            seen.append(logs["batch_size"])

    model.fit(data_of(paddle, 10), batch_size=4, num_iters=5, verbose=0, callbacks=[Count()])
    assert seen == [4, 4, 2, 4, 4]
    with pytest.raises(ValueError, match="train_data"):
        model.fit()
    with pytest.raises(ValueError, match="num_iters"):
        model.fit(data_of(paddle, 4), num_iters=0)
    with pytest.raises(TypeError, match="must be a Layer"):
        paddle.Model(3)
    with pytest.raises(TypeError, match="'loss' must be"):
        model.prepare(loss=3)
    with pytest.raises(TypeError, match="is not sub class of Metric"):
        model.prepare(metrics=3)
    with pytest.raises(ValueError, match="cannot be None"):
        paddle.summary(lenet(nn))
    with pytest.raises(ValueError, match="only the dim of batch_size"):
        paddle.summary(lenet(nn), (None, 1, None, 28))
    with pytest.raises(ValueError, match="greater than zero"):
        paddle.summary(lenet(nn), (1, 1, 0, 28))
    with pytest.warns(UserWarning, match="must be an instance"):
        assert paddle.flops(3, [1]) == -1


def test_mixed_precision_says_that_it_is_none():
    x, y = np.ones((4, 8), "float32"), np.zeros((4, 1), "int64")
    paddle.amp.support._warned.clear()
    with pytest.warns(UserWarning, match="amp.GradScaler makes no effect"):
        model = small(amp_configs={"level": "O1", "init_loss_scaling": 128.0})
    with pytest.warns(UserWarning, match="amp.auto_cast makes no effect"):
        model.train_batch(x, y)
    model.train_batch(x, y)
    with pytest.raises(ValueError, match="The level of amp_configs"):
        small(amp_configs="O5")
    with pytest.raises(ValueError, match="could not be recognized"):
        small(amp_configs={"speed": 3})


def test_custom_operations_count():
    def counted(layer, x, y):
        layer.total_ops += 7

    total, lines = printed(lambda: paddle.flops(lenet(nn), [1, 1, 28, 28], {nn.Flatten: counted}))
    assert total == printed(lambda: paddle.flops(lenet(nn), [1, 1, 28, 28]))[0] + 7
    assert "Customize Function has been applied to Flatten" in lines


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"optimizer": "adam"}, r"optimizer must be an optimizer, `paddle.optimizer.Adam\(.*got 'adam'"),
        ({"optimizer": paddle.optimizer.Adam}, "optimizer must be an optimizer"),
        ({"loss": nn.CrossEntropyLoss}, r"got the class CrossEntropyLoss itself; `CrossEntropyLoss\(\)` makes"),
        ({"metrics": [paddle.metric.Accuracy]}, r"got the class Accuracy itself; `Accuracy\(\)` makes"),
    ],
)
def test_classes_and_names_in_the_place_of_objects(given, said):
    with pytest.raises(TypeError, match=said):
        paddle.Model(nn.Linear(1, 1)).prepare(**given)


def test_the_summary_of_a_loaded_model_counts_the_statistics_of_batch_norms(tmp_path, capsys):
    net = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1D(3))
    paddle.jit.save(net, str(tmp_path / "m"), input_spec=[paddle.static.InputSpec([None, 3])])
    expected = {"total_params": 24, "trainable_params": 18}
    assert paddle.summary(net, (4, 3)) == paddle.summary(paddle.jit.load(str(tmp_path / "m")), (4, 3)) == expected
    assert "Non-trainable params: 6" in capsys.readouterr().out
