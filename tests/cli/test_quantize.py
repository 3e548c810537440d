import numpy as np
import pytest

import to_static as paddle
from to_static import cli, nn
from to_static.cli.smaller_model import relative_change
from to_static.static import InputSpec


class Net(nn.Layer):
    """Weights of many operators, some read in a branch, some by two methods."""

    def __init__(self):
        super().__init__()
        self.embedding, self.lstm, self.fc, self.out = nn.Embedding(50, 32), nn.LSTM(32, 32), nn.Linear(32, 64), nn.Linear(64, 64)
        self.conv, self.bn, self.up = nn.Conv2D(3, 16, 3), nn.BatchNorm2D(16), nn.Conv2DTranspose(16, 8, 3)

    @paddle.jit.to_static(input_spec=[InputSpec([None, 5], "int64", "ids"), InputSpec([None, 3, 8, 8], "float32", "image")])
    def forward(self, ids, image):
        y = self.fc(self.lstm(self.embedding(ids))[0])
        if y.mean() > -100.0:
            y = self.out(y)
        return y, self.up(self.bn(self.conv(image))), y.argmax(-1)

    @paddle.jit.to_static(input_spec=[InputSpec([None, 32], "float32", "x")])
    def head(self, x):
        return self.out(self.fc(x))


@pytest.fixture(scope="module")
def net(tmp_path_factory):
    paddle.seed(0)
    layer = Net()
    layer.eval()
    prefix = str(tmp_path_factory.mktemp("model") / "net")
    paddle.jit.save(layer, prefix)
    return prefix


def quantize(capsys, *words, code=0):
    assert cli.main(["quantize", *words]) == code
    captured = capsys.readouterr()
    return captured.err if code else captured.out


@pytest.mark.parametrize("dtype, error, size", [("int8", 0.02, 0.5), ("float16", 0.001, 0.65), ("bfloat16", 0.005, 0.65)])
def test_files_are_smaller_and_outputs_nearly_the_same(net, tmp_path, capsys, dtype, error, size):
    out = quantize(capsys, net, "--weights", dtype, "-o", str(tmp_path / "small" / "net"), "--max-error", str(error))
    assert out.count(": change of ") == 4 and out.count(": time ") == 2
    old, new = paddle.jit.load(net), paddle.jit.load(str(tmp_path / "small" / "net"))
    rng = np.random.default_rng(1)
    ids, image = rng.integers(0, 50, (3, 5)), rng.standard_normal((3, 3, 8, 8)).astype("float32")
    for a, b in zip(new(ids, image)[:2], old(ids, image)[:2], strict=True):
        assert 0 < relative_change(b.numpy(), a.numpy()) <= error
    x = paddle.ones([2, 32])
    assert relative_change(old.head(x).numpy(), new.head(x).numpy()) <= error
    files = [sum(f.stat().st_size for f in folder.iterdir()) for folder in (tmp_path / "small", tmp_path.__class__(net).parent)]
    assert files[0] < size * files[1]
    assert "fc.bias" in new.state_dict() and "fc.weight" not in new.state_dict()


def test_nothing_is_written_where_outputs_change_too_much(net, tmp_path, capsys):
    message = quantize(capsys, net, "--weights", "int8", "-o", str(tmp_path / "new"), "--max-error", "1e-6", code=1)
    assert "more than --max-error 1e-06; nothing is written" in message
    assert not list(tmp_path.iterdir())


def test_inputs_of_the_user_are_those_that_are_compared(net, tmp_path, capsys):
    np.savez(tmp_path / "in.npz", ids=np.full((1, 5), 99), image=np.zeros((1, 3, 8, 8), "float32"))
    message = quantize(capsys, net, "--weights", "int8", "--input", str(tmp_path / "in.npz"), "-o", str(tmp_path / "new"), code=1)
    assert "can't run on these inputs" in message and "give --input for ids, image" in message


def test_a_model_without_weights_is_refused(tmp_path, capsys):
    paddle.jit.save(lambda x: x * 2, str(tmp_path / "double"), input_spec=[InputSpec([None], "float32", "x")])
    assert "has no weights to store as int8" in quantize(capsys, str(tmp_path / "double"), "--weights", "int8", code=1)


def test_the_model_itself_is_not_replaced(net, capsys):
    assert "choose another prefix with -o" in quantize(capsys, net, "--weights", "int8", "-o", net, code=1)


@pytest.mark.parametrize(
    "before, after, change",
    [
        ([1.0, -4.0], [1.0, -3.0], 0.25),
        ([1, 2, 3, 4], [1, 2, 3, 5], 0.25),
        ([np.nan, 2.0], [np.nan, 2.0], 0.0),
        ([1.0, 2.0], [np.nan, 2.0], np.inf),
        ([np.inf, 2.0], [1.0, 2.0], np.inf),
        ([0.0], [1.0], np.inf),
        ([1.0], [1.0, 1.0], np.inf),
        ([], [], 0.0),
    ],
)
def test_relative_change(before, after, change):
    assert relative_change(np.array(before), np.array(after)) == change
