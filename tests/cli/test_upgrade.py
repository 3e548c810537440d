import numpy as np
import pytest

import to_static as paddle
from to_static import cli
from to_static.nn import Linear
from to_static.static import InputSpec


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = Linear(3, 2)

    @paddle.jit.to_static(input_spec=[InputSpec([None, 3], "float32", "x")])
    def forward(self, x):
        return self.fc(x)

    @paddle.jit.to_static(input_spec=[InputSpec([None, 3], "float32", "x")])
    def twice(self, x):
        return self.fc(x) * 2


@pytest.fixture
def prefix(tmp_path):
    paddle.jit.save(Net(), str(tmp_path / "net"))
    return str(tmp_path / "net")


def upgrade(capsys, *words, code=0):
    assert cli.main(["upgrade", *words]) == code
    captured = capsys.readouterr()
    return captured.err if code else captured.out


@pytest.mark.parametrize("suffix", ["", ".pdmodel", ".pdiparams"])
def test_all_methods_and_names_are_kept(prefix, tmp_path, capsys, suffix):
    out = upgrade(capsys, prefix + suffix, "--to", "pdmodel", "-o", str(tmp_path / "new" / "net"))
    assert out.splitlines()[0] == str(tmp_path / "new" / "net.pdmodel")
    old, new = paddle.jit.load(prefix), paddle.jit.load(str(tmp_path / "new" / "net"))
    x = paddle.to_tensor(np.arange(6, dtype="float32").reshape(2, 3))
    assert [s.name for s in new.forward.input_spec] == ["x"]
    assert sorted(new.state_dict()) == ["fc.bias", "fc.weight"]
    np.testing.assert_array_equal(new(x), old(x))
    np.testing.assert_array_equal(new.twice(x), old.twice(x))


def test_the_default_is_a_prefix_of_its_own(prefix, capsys):
    assert upgrade(capsys, prefix, "--to", "pdmodel").splitlines()[0] == prefix + "_pdmodel.pdmodel"


def test_the_model_itself_is_not_replaced(prefix, capsys):
    assert "choose another prefix with -o" in upgrade(capsys, prefix, "--to", "pdmodel", "-o", prefix, code=1)


def test_there_is_no_model(tmp_path, capsys):
    assert "no saved model" in upgrade(capsys, str(tmp_path / "net"), "--to", "pdmodel", code=1)
