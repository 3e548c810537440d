"""Predictors give the numbers of the layer they were saved from, with batch norms folded away."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc

import numpy as np
import pytest

import to_static as paddle
from to_static import inference, nn
from to_static.compiler.ir.input_spec import InputSpec
from to_static.core.errors import DTypeError, ShapeError
from to_static.inference.contrib.utils import copy_tensor


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    paddle.seed(0)
    net = nn.Sequential(nn.Conv2D(3, 4, 3), nn.BatchNorm2D(4), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 36, 5))
    net(paddle.randn([4, 3, 8, 8]))  # statistics that are not the initial ones
    net.eval()
    prefix = str(tmp_path_factory.mktemp("model") / "net")
    paddle.jit.save(net, prefix, input_spec=[InputSpec([None, 3, 8, 8], "float32", "image")])
    return net, prefix


def image(n=2):
    return np.random.default_rng(n).normal(size=(n, 3, 8, 8)).astype("float32")


@pytest.mark.parametrize("optimized", [True, False])
def test_predictions_are_those_of_the_layer(saved, optimized):
    net, prefix = saved
    config = inference.Config(prefix + ".pdmodel", prefix + ".pdiparams")
    config.switch_ir_optim(optimized)
    predictor = inference.create_predictor(config)
    assert predictor.get_input_names() == ["image"] and len(predictor.get_output_names()) == 1
    for n in (2, 1, 2):
        handle = predictor.get_input_handle("image")
        handle.reshape([n, 3, 8, 8])
        handle.copy_from_cpu(image(n))
        assert predictor.run() is None
        got = predictor.get_output_handle(predictor.get_output_names()[0]).copy_to_cpu()
        np.testing.assert_allclose(got, net(paddle.to_tensor(image(n))).numpy(), rtol=1e-4, atol=1e-5)


def test_models_saved_for_one_batch_size_take_others(saved, tmp_path):
    net, _ = saved
    prefix = str(tmp_path / "fixed")
    paddle.jit.save(net, prefix, input_spec=[InputSpec([2, 3, 8, 8], "float32", "image")])
    predictor = inference.create_predictor(inference.Config(prefix))
    assert predictor.get_input_handle("image").shape() == [2, 3, 8, 8]
    for one in (predictor, predictor.clone()):
        for n in (2, 5, 1):
            [got] = one.run([image(n)])
            np.testing.assert_allclose(got, net(paddle.to_tensor(image(n))).numpy(), rtol=1e-4, atol=1e-5)


def test_batch_norms_are_folded_into_convolutions(saved):
    predictor = inference.create_predictor(inference.Config(saved[1]))
    predictor.run([image()])
    [plan] = predictor._runners[False]._plans.values()
    assert "batch_norm" not in plan.source and "packed_conv" in plan.source


def test_clones_have_handles_of_their_own(saved):
    first = inference.create_predictor(inference.Config(saved[1]))
    second = first.clone()
    [a] = first.run([image(1)])
    [b] = second.run([image(2)])
    assert first.get_output_handle(first.get_output_names()[0]).shape() == [1, 5] and b.shape == (2, 5)
    np.testing.assert_array_equal(a, first.run([image(1)])[0])


def test_what_is_given_and_taken_is_its_own(saved):
    net, prefix = saved
    predictor, given, taken = inference.create_predictor(inference.Config(prefix)), image(), []
    wanted = net(paddle.to_tensor(given)).numpy()
    for _ in range(3):
        x = given.copy()
        taken.append(predictor.run([x])[0])
        x[:] = 0  # the predictor has a copy
        assert predictor.run() is None
        taken.append(predictor.get_output_handle(predictor.get_output_names()[0]).copy_to_cpu())
    taken[0][:] = 7
    for found in taken[1:]:
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("runs", [0, 2])
def test_mistakes_are_told_by_name(saved, runs):
    predictor = inference.create_predictor(inference.Config(saved[1]))
    for _ in range(runs):
        predictor.run([image()])
    with pytest.raises(KeyError, match="it has image"):
        predictor.get_input_handle("x")
    with pytest.raises(DTypeError, match="'image' must be float32"):
        predictor.run([image().astype("float64")])
    with pytest.raises(ShapeError, match="image"):
        predictor.run([image()[:, :2]])
    with pytest.raises(ValueError, match="without a value: image"):
        inference.create_predictor(inference.Config(saved[1])).run()
    with pytest.raises(ValueError, match="takes 1 inputs"):
        predictor.run([])
    with pytest.raises(FileNotFoundError, match="nothing"):
        inference.Config("nothing")


def test_serving_loads_no_layers_and_no_gradients(saved):
    code = (
        "import sys; from to_static import inference as i; p = i.create_predictor(i.Config(sys.argv[1]));"
        "import numpy as np; p.run([np.zeros((1, 3, 8, 8), 'float32')]); print(*sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code, saved[1]], capture_output=True, text=True, check=True)
    assert not {"to_static.nn", "to_static.compiler.frontend.transpile", "to_static.optimizer", "gast"} & set(run.stdout.split())


def test_what_runs_keep_is_one_for_all_sizes_of_batches(tmp_path):
    class Counting(nn.Layer):
        def __init__(self):
            super().__init__()
            self.register_buffer("rows", paddle.zeros([3000, 64]))

        def forward(self, x, i):
            self.rows[i] = x.sum(0)
            return self.rows[:4].sum() + x.sum() * 0

    specs = [InputSpec([2, 64], "float32", "x"), InputSpec([], "int64", "i")]
    paddle.jit.save(Counting(), str(tmp_path / "net"), input_spec=specs)
    predictor = inference.create_predictor(inference.Config(f"{tmp_path}/net.pdmodel", f"{tmp_path}/net.pdiparams"))
    for i, (rows, expected) in enumerate([(2, 128), (3, 320), (1, 384), (2, 512)]):
        [found] = predictor.run([np.ones((rows, 64), "float32"), np.asarray(i)])
        assert found == expected
    tracemalloc.start()
    try:
        predictor.run([np.ones((2, 64), "float32"), np.asarray(0)])
        assert tracemalloc.get_traced_memory()[1] < 200_000
    finally:
        tracemalloc.stop()


class Counting(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", paddle.zeros([1]))

    def forward(self, x):
        self.count += 1
        return x + self.count if x.sum() > 0 else x


def test_what_servers_ask(tmp_path):
    spec = [paddle.static.InputSpec([None, 3], "float32", name="x")]
    for name, layer, answers in [
        ("norm", paddle.nn.BatchNorm1D(3), (False, False)),  # running statistics stay what they are
        ("counting", Counting(), (True, True)),
    ]:
        paddle.jit.save(layer, str(tmp_path / name), input_spec=spec)
        predictor = inference.create_predictor(inference.Config(str(tmp_path / name)))
        assert (predictor.keeps_state(), predictor.has_control_flow()) == answers
        assert "program(%x: f32[?, 3]" in predictor.program_text()


def test_a_tensor_is_copied_from_one_predictor_into_another(saved):
    net, prefix = saved
    first, second = (inference.create_predictor(inference.Config(prefix)) for _ in range(2))
    source, target = first.get_input_handle("image"), second.get_input_handle("image")
    with pytest.raises(ValueError, match="has no value yet"):
        copy_tensor(target, source)
    source.copy_from_cpu(image())
    copy_tensor(target, source)
    source.copy_from_cpu(image() * 0)
    second.run()
    got = second.get_output_handle(second.get_output_names()[0]).copy_to_cpu()
    np.testing.assert_allclose(got, net(paddle.to_tensor(image())).numpy(), rtol=1e-4, atol=1e-5)
