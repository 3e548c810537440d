"""Saving and loading: the same numbers before and after, in train and eval, again and again; damaged files are refused."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from to_static import inference, nn, static
from to_static.compiler.ir.input_spec import InputSpec
from to_static.core import flags
from to_static.core.errors import DTypeError, FormatError, RankError, ShapeError
from to_static.nn import functional as F


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 8)
        self.norm = nn.BatchNorm1D(8)
        self.drop = nn.Dropout(0.5)
        self.out = nn.Linear(8, 3)

    def forward(self, x):
        h = self.drop(F.relu(self.norm(self.fc(x))))
        if h.mean() > 0.5:
            h = h * 2
        n = paddle.zeros([1], "int64")
        while h.sum() < 20:
            h = h + 1
            n = n + 1
        return self.out(h), n


def inputs(n=5, seed=0):
    return paddle.to_tensor(np.random.default_rng(seed).normal(size=(n, 4)).astype("float32"))


def saved(tmp_path, net=None, name="net"):
    net = net or Net()
    net.eval()
    prefix = str(tmp_path / "models" / name)
    paddle.jit.save(net, prefix, input_spec=[InputSpec([None, 4], "float32", "x")])
    return net, prefix


def same(a, b):
    for x, y in zip(a, b, strict=True):
        np.testing.assert_allclose(x.numpy(), y.numpy(), rtol=1e-5, atol=1e-6)


def test_models_saved_without_input_spec_take_other_batches(tmp_path):
    net = paddle.jit.to_static(Net())
    net.eval()
    net(inputs(5))
    prefix = str(tmp_path / "net")
    paddle.jit.save(net, prefix)
    loaded = paddle.jit.load(prefix)
    assert loaded._input_spec()[0].shape == (5, 4)
    for n in (1, 5, 2):
        same(loaded(inputs(n)), net.forward.dygraph_function(inputs(n)))
    opt = paddle.optimizer.SGD(0.1, parameters=loaded.parameters())
    before = loaded(inputs(1))[0].numpy()
    loaded(inputs(3))[0].sum().backward()
    opt.step()
    assert not np.allclose(loaded(inputs(1))[0].numpy(), before)  # every batch size works on the same parameters
    with pytest.raises(ShapeError, match=r"argument 'x' is f32\[2, 3\], which does not fit its InputSpec f32\[5, 4\]"):
        loaded(paddle.ones([2, 3]))
    with pytest.raises(ShapeError, match="does not fit its InputSpec"):
        loaded(paddle.ones([4]))


def test_loaded_models_are_saved_again_with_another_input_spec(tmp_path):
    net, prefix = saved(tmp_path)
    loaded, again = paddle.jit.load(prefix), str(tmp_path / "again")
    paddle.jit.save(loaded, again, input_spec=[inputs(3)])
    assert paddle.jit.load(again)._input_spec()[0].shape == (3, 4)
    paddle.jit.save(paddle.jit.load(again), again, input_spec=[InputSpec([None, 4])])
    [spec] = paddle.jit.load(again)._input_spec()
    assert spec.shape == (-1, 4) and spec.name == "x"
    same(paddle.jit.load(again)(inputs(2)), net(inputs(2)))
    with pytest.raises(ValueError, match="input_spec describes 2 inputs, forward.. takes 1"):
        paddle.jit.save(loaded, again, input_spec=[InputSpec([None, 4])] * 2)
    with pytest.raises(DTypeError, match="'x' is f64"):
        paddle.jit.save(loaded, again, input_spec=[InputSpec([None, 4], "float64")])


def test_load_of_a_saved_model_gives_its_state(tmp_path):
    net, prefix = saved(tmp_path)
    state = paddle.load(prefix)
    other = Net()
    assert sorted(state) == sorted(other.state_dict())
    other.set_state_dict(state)
    other.eval()
    same(other(inputs(3)), net(inputs(3)))
    assert isinstance(paddle.load(prefix, return_numpy=True)["fc.weight"], np.ndarray)


def test_loaded_models_give_the_same_results_for_any_batch(tmp_path):
    net, prefix = saved(tmp_path)
    loaded = paddle.jit.load(prefix)
    for n in (1, 5, 2):
        same(loaded(inputs(n)), net(inputs(n)))
    assert sorted(p.name for p in (tmp_path / "models").iterdir()) == ["net.pdiparams", "net.pdiparams.info", "net.pdmodel"]


def test_loaded_models_work_in_a_fresh_process(tmp_path):
    net, prefix = saved(tmp_path)
    np.save(tmp_path / "x.npy", inputs().numpy())
    code = (
        "import sys, numpy as np, to_static as paddle; net = paddle.jit.load(sys.argv[1]);"
        "np.save(sys.argv[3], net(np.load(sys.argv[2]))[0].numpy())"
    )
    out = tmp_path / "y.npy"
    subprocess.run([sys.executable, "-c", code, prefix, str(tmp_path / "x.npy"), str(out)], check=True)
    np.testing.assert_allclose(np.load(out), net(inputs())[0].numpy(), rtol=1e-5)


def test_parameters_keep_their_dotted_names(tmp_path):
    net, prefix = saved(tmp_path)
    loaded = paddle.jit.load(prefix)
    assert set(loaded.state_dict()) == set(net.state_dict())
    np.testing.assert_array_equal(loaded.fc.weight.numpy(), net.fc.weight.numpy())
    trainable = {n for n, p in net.named_parameters() if p.trainable}
    assert {n for n, p in loaded.named_parameters() if p.trainable} == trainable


def test_train_mode_of_a_loaded_model_drops_and_learns_statistics(tmp_path):
    _, prefix = saved(tmp_path)
    loaded = paddle.jit.load(prefix)
    before = loaded.norm._mean.numpy()
    loaded(inputs())
    np.testing.assert_array_equal(loaded.norm._mean.numpy(), before)
    loaded.train()
    loaded(inputs())
    assert not np.allclose(loaded.norm._mean.numpy(), before)


def test_fine_tuning_and_saving_again(tmp_path):
    net, prefix = saved(tmp_path)
    loaded = paddle.jit.load(prefix)
    loaded.train()
    opt = paddle.optimizer.SGD(0.1, parameters=loaded.parameters())
    losses = []
    for step in range(8):
        paddle.seed(step)
        loss = F.cross_entropy(loaded(inputs())[0], paddle.to_tensor(np.arange(5) % 3))
        loss.backward()
        opt.step()
        opt.clear_grad()
        losses.append(loss.item())
    assert losses[-1] < losses[0]
    loaded.eval()
    again = str(tmp_path / "again")
    paddle.jit.save(loaded, again)
    same(paddle.jit.load(again)(inputs()), loaded(inputs()))
    assert not np.allclose(loaded(inputs())[0].numpy(), net(inputs())[0].numpy())


def test_functions_without_parameters(tmp_path):
    @paddle.jit.to_static
    def f(x, n):
        total = x * 0
        for i in range(n):
            if i > 3:
                break
            total = total + x * i
        return total

    prefix = str(tmp_path / "f")
    paddle.jit.save(f, prefix, input_spec=[InputSpec([2]), InputSpec([1], "int64")])
    loaded = paddle.jit.load(prefix)
    x = paddle.to_tensor([1.0, 2.0])
    for n in (0, 2, 10):
        count = paddle.to_tensor([n])
        np.testing.assert_allclose(loaded(x, count).numpy(), f.dygraph_function(x, count).numpy())
    assert os.listdir(tmp_path) == ["f.pdmodel"]


def test_inputs_of_a_loaded_model_are_checked_by_name(tmp_path):
    _, prefix = saved(tmp_path)
    loaded = paddle.jit.load(prefix)
    with pytest.raises(ShapeError, match="'x'"):
        loaded(paddle.ones([2, 5]))
    with pytest.raises(TypeError, match="missing inputs: x"):
        loaded()
    with pytest.raises(TypeError, match="takes 1 inputs"):
        loaded(inputs(), inputs())


def test_a_loaded_model_keeps_few_programs_for_other_sizes(tmp_path, monkeypatch):
    class Mean(nn.Layer):
        def forward(self, x):
            return x.mean(axis=-1)

    paddle.jit.save(Mean(), str(tmp_path / "mean"), input_spec=[InputSpec([2, 3], "float32", "x")])
    monkeypatch.setattr(flags.FLAGS["TO_STATIC_PROGRAM_CACHE"], "value", 3)
    net = paddle.jit.load(str(tmp_path / "mean"))
    for n in [4, *range(5, 12), 4]:
        for size in (n, 4):
            np.testing.assert_array_equal(net(paddle.ones([2, size])).numpy(), [1, 1])
        assert len(net.forward._reshaped) <= 3 and ((2, 4),) in net.forward._reshaped


class Sum(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x, y):
        return self.fc(x) + y


@pytest.mark.parametrize("way", ["layer", "layer with gradients", "predictor", "executor"])
def test_shapes_that_do_not_go_together_are_told_by_the_operator(tmp_path, way):
    prefix = str(tmp_path / "sum")
    spec = [InputSpec([None, 4], "float32", "x"), InputSpec([None, 3], "float32", "y")]
    paddle.jit.save(Sum(), prefix, input_spec=spec)
    x, y = np.ones((2, 4), "float32"), np.ones((3, 3), "float32")
    with pytest.raises(ShapeError, match=r"shapes \[2, 3\] and \[3, 3\] do not broadcast"):
        if way == "predictor":
            inference.create_predictor(inference.Config(prefix + ".pdmodel", prefix + ".pdiparams")).run([x, y])
        elif way == "executor":
            executor = static.Executor()
            program, feeds, fetches = static.load_inference_model(prefix, executor)
            executor.run(program, dict(zip(feeds, (x, y), strict=True)), fetches)
        else:
            with paddle.set_grad_enabled(way != "layer"):
                paddle.jit.load(prefix)(paddle.to_tensor(x), paddle.to_tensor(y))


def test_bad_arguments_of_save(tmp_path):
    net = nn.Linear(2, 2)
    with pytest.raises(ValueError, match="prefix"):
        paddle.jit.save(net, str(tmp_path) + "/")
    with pytest.raises(ValueError, match="input_spec"):
        paddle.jit.save(net, str(tmp_path / "net"))
    with pytest.raises(ValueError, match="unknown options colour"):
        paddle.jit.save(net, str(tmp_path / "net"), colour=1)
    with pytest.raises(TypeError, match="Layer or a function"):
        paddle.jit.save(3, str(tmp_path / "net"))
    assert not list(tmp_path.iterdir())


def test_missing_and_damaged_files(tmp_path):
    _, prefix = saved(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"expected nothing.pdmodel; .*net.pdmodel"):
        paddle.jit.load(os.path.join(os.path.dirname(prefix), "nothing"))
    for suffix in (".pdmodel", ".pdiparams", ".pdiparams.info"):
        path = Path(prefix + suffix)
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
        with pytest.raises(FormatError, match="net" + suffix):
            paddle.jit.load(prefix)
        path.write_bytes(whole)
    paddle.jit.load(prefix)


class TwoMethods(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    @paddle.jit.to_static(input_spec=[InputSpec([None, 2])])
    def forward(self, x):
        return self.fc(x)

    @paddle.jit.to_static(input_spec=[InputSpec([None, 2])])
    def score(self, x):
        return self.fc(x).sum()


def test_several_static_methods(tmp_path):
    net = TwoMethods()
    paddle.jit.save(net, str(tmp_path / "two"))
    loaded = paddle.jit.load(str(tmp_path / "two"))
    x = paddle.ones([3, 2])
    np.testing.assert_allclose(loaded.score(x).numpy(), net.score(x).numpy())
    np.testing.assert_allclose(loaded(x).numpy(), net(x).numpy())
    assert len(loaded.parameters()) == 2, "the methods share their parameters"


def test_methods_of_an_older_save_are_left_out(tmp_path):
    class One(nn.Layer):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(2, 2)

        def forward(self, x):
            return self.fc(x)

    old, new, prefix = TwoMethods(), One(), str(tmp_path / "two")
    new.set_state_dict(old.state_dict())
    paddle.jit.save(old, prefix)
    paddle.jit.save(new, prefix, input_spec=[InputSpec([None, 2])])
    assert hasattr(paddle.jit.load(prefix), "score"), "the weights are the same"
    new.fc.bias.set_value(paddle.full([2], 7.0))
    paddle.jit.save(new, prefix, input_spec=[InputSpec([None, 2])])
    with pytest.warns(UserWarning, match="two.score.pdmodel was not saved together with .*two.pdmodel .*'fc.bias'") as told:
        loaded = paddle.jit.load(prefix)
    assert told[0].filename == __file__
    x = paddle.ones([3, 2])
    np.testing.assert_allclose(loaded(x).numpy(), new(x).numpy())
    assert not hasattr(loaded, "score") and len(loaded.parameters()) == 2
    np.testing.assert_allclose(paddle.jit.load(prefix + ".score")(x).numpy(), old.score(x).numpy())


def test_sizes_that_no_program_can_have_are_told_by_the_name_of_the_input(tmp_path):
    @paddle.jit.to_static(input_spec=[InputSpec([None, 2], "float32", "x"), InputSpec([1], "int32", "count")])
    def repeated(x, count):
        while count > 0:
            x, count = x * 2, count - 1
        return x

    paddle.jit.save(repeated, str(tmp_path / "repeated"))
    loaded = paddle.jit.load(str(tmp_path / "repeated"))
    for _ in range(2):
        with pytest.raises(ShapeError, match=r"argument 'count' is i32\[3\], which does not fit its InputSpec i32\[1\]"):
            loaded(paddle.ones([1, 2]), paddle.to_tensor(np.ones(3, "int32")))
    assert loaded(paddle.ones([1, 2]), paddle.to_tensor(np.full(1, 3, "int32"))).tolist() == [[8.0, 8.0]]


def test_hooks_of_the_layer_itself_are_saved_and_those_of_its_forward_when_asked_for(tmp_path):
    def brighter(layer, inputs):
        (x,) = inputs
        if x.sum() > 0:
            x = x * 10
        return x

    net = nn.Linear(2, 2)
    net.register_forward_pre_hook(brighter)
    spec = [InputSpec([None, 2])]
    paddle.jit.save(net, str(tmp_path / "layer"), input_spec=spec)
    static_forward = paddle.jit.to_static(net).forward
    paddle.jit.save(static_forward, str(tmp_path / "with"), input_spec=spec, with_hook=True)
    paddle.jit.save(static_forward, str(tmp_path / "without"), input_spec=spec)
    for sign in (1.0, -1.0):
        x = paddle.full([3, 2], sign)
        for name in ("layer", "with"):
            np.testing.assert_allclose(paddle.jit.load(str(tmp_path / name))(x).numpy(), net(x).numpy(), rtol=1e-5)
        np.testing.assert_allclose(paddle.jit.load(str(tmp_path / "without"))(x).numpy(), net.forward(x).numpy(), rtol=1e-5)


NO_PREFIX = [
    ("", "that is a folder"),
    ("net.pdmodel", "there is no such file"),
    ("x", "expected x.pdmodel"),
    ("made", "that is a folder, and a model has a prefix: '.*made/other' for other.pdmodel in it; .*made has other.pdmodel"),
    ("nowhere/net", "expected net.pdmodel; there is no folder '.*nowhere'"),
]


@pytest.mark.parametrize(("name", "said"), NO_PREFIX)
def test_a_path_that_is_no_prefix_is_told_so(tmp_path, name, said):
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "other.pdmodel").write_bytes(b"")
    with pytest.raises(FileNotFoundError, match=said):
        paddle.jit.load(f"{tmp_path}/{name}")


def test_a_spec_that_is_in_no_list_and_an_input_of_another_shape(tmp_path):
    spec = InputSpec([None, 2], "float32", "x")
    with pytest.raises(TypeError, match=r"jit.save: input_spec must be a list, `\[InputSpec\(...\)\]`, not one InputSpec"):
        paddle.jit.save(nn.Linear(2, 2), str(tmp_path / "net"), input_spec=spec)
    paddle.jit.save(nn.Linear(2, 2), str(tmp_path / "net"), input_spec=[spec])
    with pytest.raises(ShapeError, match=r"rewrite: pass f32\[\?, 2\], or save the model again with `InputSpec\(\[None, None\]"):
        paddle.jit.load(str(tmp_path / "net"))(paddle.ones([1, 3]))


def test_a_file_that_was_cut_off_is_told_so(tmp_path):
    paddle.jit.save(nn.Linear(2, 2), str(tmp_path / "net"), input_spec=[InputSpec([None, 2])])
    data = (tmp_path / "net.pdmodel").read_bytes()
    for wrong in (data[: len(data) // 2], b"hello world, this is no model"):
        (tmp_path / "net.pdmodel").write_bytes(wrong)
        with pytest.raises(FormatError, match="the file was cut off, or is none of Paddle's"):
            paddle.jit.load(str(tmp_path / "net"))


def test_a_layer_called_with_its_own_tensor_is_saved_with_its_inputs(tmp_path):
    class Shift(nn.Layer):
        def __init__(self):
            super().__init__()
            self.register_buffer("state", paddle.ones([2]))

        @paddle.jit.to_static
        def forward(self, x):
            return x + self.state

    net = Shift()
    net(net.state)
    paddle.jit.save(net, str(tmp_path / "shift"))
    assert paddle.jit.load(str(tmp_path / "shift"))(paddle.to_tensor([4.0, 5.0])).tolist() == [5.0, 6.0]


def test_squeeze_of_all_is_saved_as_such(tmp_path):
    class Scores(nn.Layer):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(4, 1)

        def forward(self, x):
            return self.fc(x).squeeze()

    net, prefix = saved(tmp_path, Scores())
    loaded = paddle.jit.load(prefix)
    same([net(inputs(3))], [loaded(inputs(3))])
    with pytest.raises(RankError, match=r"dimension 0 is 1.*squeeze\(\[1\]\)"):  # Python's result has no dimension at all
        loaded(inputs(1))


@pytest.mark.parametrize("axis", [None, 1, [1], [0, 1], [0, 2], [1, 2]])
def test_squeeze_of_sizes_that_are_not_one_keeps_them_in_files(tmp_path, axis):
    x = paddle.ones([2, 3, 1])
    static = paddle.jit.to_static(lambda x: x.squeeze(axis) * 2)
    paddle.jit.save(static, str(tmp_path / "f"), input_spec=[InputSpec([2, 3, 1])])
    assert paddle.jit.load(str(tmp_path / "f"))(x).shape == static(x).shape == x.squeeze(axis).shape


def test_a_loaded_model_can_be_pickled(tmp_path):
    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(2, 2)
            self.norm = nn.BatchNorm1D(2)

        def forward(self, x):
            return self.norm(self.fc(x))

        @paddle.jit.to_static(input_spec=[InputSpec([None, 2], "float32", "x")])
        def plain(self, x):
            return self.fc(x)

    net = Net()
    net.forward = paddle.jit.to_static(net.forward, input_spec=[InputSpec([None, 2], "float32", "x")])
    paddle.jit.save(net, str(tmp_path / "net"))
    loaded = paddle.jit.load(str(tmp_path / "net"))
    x = paddle.to_tensor([[1.0, 2.0], [3.0, -4.0]])
    loaded.train()
    loaded(x)  # the statistics of the batch norm are not those of the file any more
    loaded.eval()
    for path in tmp_path.iterdir():
        path.unlink()
    again, weight = pickle.loads(pickle.dumps([loaded, loaded.fc.weight]))
    assert again.fc.weight is weight and not again.training
    for name in ("forward", "plain"):
        assert np.array_equal(getattr(again, name)(x).numpy(), getattr(loaded, name)(x).numpy())
    again.plain(x).sum().backward()
    assert weight.grad is not None and loaded.fc.weight.grad is None
    again.fc.weight.set_value(np.zeros((2, 2), "float32"))
    assert not np.array_equal(again(x).numpy(), loaded(x).numpy())
    paddle.jit.save(again, str(tmp_path / "again"))
    assert np.array_equal(paddle.jit.load(str(tmp_path / "again"))(x).numpy(), again(x).numpy())


def test_tensors_of_dictionaries_stand_in_files_by_sorted_keys(tmp_path):
    class Net(paddle.nn.Layer):
        def forward(self, d, pair):
            z = d["b"] * 2 - d["a"] + pair[1] * 10 + pair[0] * 100
            return {"zz": z, "aa": d["a"], "l": [d["b"], {"q": z + 1, "c": z + 2}]}

    spec = [{"b": InputSpec([2], "float32", "b"), "a": InputSpec([2], "float32", "a")}, [InputSpec([2]), InputSpec([2])]]
    paddle.jit.save(Net(), str(tmp_path / "net"), input_spec=spec)
    loaded = paddle.jit.load(str(tmp_path / "net"))
    assert [s.name for s in loaded._input_spec()] == ["a", "b", "pair_0", "pair_1"]
    found = loaded(*[paddle.full([2], float(k)) for k in (1, 2, 3, 4)])
    assert [float(t[0]) for t in found] == [1, 2, 345, 344, 343]  # aa, l[0], l[1]["c"], l[1]["q"], zz: as real Paddle has it


def test_a_loaded_model_is_called_on_the_quick_way(tmp_path, monkeypatch):
    class Net(paddle.nn.Layer):
        def forward(self, x, y):
            return x * 2 - y

    specs = [InputSpec([None, 2], "float32", "x"), InputSpec([None, 2], "float32", "y")]
    paddle.jit.save(paddle.jit.to_static(Net()), str(tmp_path / "net"), input_spec=specs)
    loaded = paddle.jit.load(str(tmp_path / "net"))
    x, y = paddle.ones([3, 2]), paddle.full([3, 2], 5.0)
    calls = [
        lambda: loaded(x, y), lambda: loaded(y=y, x=x), lambda: loaded(x, y=y),
        lambda: loaded(x.numpy(), y), lambda: loaded(x, x), lambda: loaded(y=x, x=x),
    ]  # fmt: skip
    first = [float(call().sum()) for call in calls]
    monkeypatch.setattr(type(loaded.forward), "_bind", None)  # what the long way begins with
    assert [float(call().sum()) for call in calls] == first == [-18, -18, -18, -18, 6, 6]
    loaded.train()
    with pytest.raises(TypeError):
        loaded(x, y)  # another mode is another Program


def test_an_error_in_a_layer_of_ours_shows_no_line_of_ours(tmp_path):
    with pytest.raises(ShapeError, match=r"the last dimension of the input \[2, 3\] is 3, but in_features is 1") as caught:
        paddle.jit.save(nn.Linear(1, 1), str(tmp_path / "net"), input_spec=[InputSpec([2, 3])])
    assert "linear.py" not in str(caught.value)


@pytest.mark.parametrize(("name", "content", "said"), [
    ("notes.txt", b"hello", "that is a text: no model"),
    ("a.bin", b"hello", "that is a file of no known format"),
    ("cat.png", b"\x89PNG\r\n", "that is an image or sound"),
])  # fmt: skip
def test_files_that_are_no_models_are_told_so(tmp_path, name, content, said):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FileNotFoundError, match=said):
        paddle.jit.load(str(tmp_path / name))


def test_paths_that_are_none():
    for path in (None, 3, b"net"):
        with pytest.raises(TypeError, match="expected the path of a saved model"):
            paddle.jit.load(path)
        with pytest.raises(TypeError, match="expected the path of a saved model"):
            paddle.jit.save(paddle.nn.Linear(1, 1), path)
    with pytest.raises(FileNotFoundError, match=r"os.path.expanduser\('~/net'\)"):
        paddle.jit.load("~/net")
