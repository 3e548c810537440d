import json

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.passes.kernel_choice import layout, tuned_kernels


@pytest.fixture
def net():
    paddle.seed(0)
    kind = type("Net", (paddle.nn.Sequential,), {})  # its instances run no Programs of other tests
    made = kind(paddle.nn.Conv2D(3, 32, 3, padding=1), paddle.nn.Conv2D(32, 32, 3, padding=1))
    made.eval()
    return made


@pytest.fixture(autouse=True)
def untouched(monkeypatch):
    """No choices are left behind."""
    monkeypatch.setattr(tuned_kernels.tuned, "value", "")


def methods(net, x):
    """How the convolutions of a new plan are computed, and what it gives."""
    found, real = [], layout._Layout._method

    def noted(self, op, plan, slices):
        found.append(real(self, op, plan, slices))
        return found[-1]

    with pytest.MonkeyPatch.context() as patch, paddle.no_grad():
        patch.setattr(layout._Layout, "_method", noted)
        return found, paddle.jit.to_static(type(net).forward.__get__(net))(x).numpy()


def test_choices_are_measured_kept_and_followed(net, tmp_path):
    x, path = paddle.randn([1, 3, 12, 12]), tmp_path / "tuned.json"
    rule, wanted = methods(net, x)
    found = paddle.tune(net, x, path=path)
    assert len(found) == 1 and set(found.values()) <= {"columns", "winograd2", "winograd4"}  # few channels: no choice
    assert tuned_kernels.read(str(path)) == found
    for method in ("columns", "winograd2", "winograd4"):
        tuned_kernels.write(str(path), dict.fromkeys(found, method))
        tuned_kernels.tuned.value = str(path)
        told, numbers = methods(net, x)
        assert told == [rule[0], method]
        np.testing.assert_allclose(numbers, wanted, rtol=1e-3, atol=1e-4)


def test_convolutions_of_groups_are_measured_as_they_will_be(tmp_path):
    net, x = paddle.nn.Conv2D(64, 32, 3, groups=8), paddle.randn([1, 64, 12, 12])
    wanted = net(x).numpy()
    [(key, _)] = paddle.tune(net, x, path=tmp_path / "tuned.json").items()
    assert "f32[32, 8, 3, 3]" in key
    for method in ("columns", "winograd2", "winograd4"):
        tuned_kernels.write(str(tmp_path / "tuned.json"), {key: method})
        tuned_kernels.tuned.value = str(tmp_path / "tuned.json")
        told, numbers = methods(net, x)
        assert told == [method]
        np.testing.assert_allclose(numbers, wanted, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\xff\xfe", b"[1]", b'{"choices": {}}', b"[" * 100000, b'{"machine": 3, "choices": {"a": "b"}}',
        b" " * (tuned_kernels.LARGEST + 1),
    ],
    ids=["empty", "not text", "a list", "no machine", "deep", "another machine", "huge"],
)  # fmt: skip
def test_other_files_change_nothing(net, tmp_path, content):
    x, path = paddle.randn([1, 3, 12, 12]), tmp_path / "tuned.json"
    rule, _ = methods(net, x)
    path.write_bytes(content)
    tuned_kernels.tuned.value = str(path)
    assert tuned_kernels.read(str(path)) == {} and methods(net, x)[0] == rule
    tuned_kernels.tuned.value = str(tmp_path / "nothing")
    assert methods(net, x)[0] == rule


def test_what_is_no_option_is_not_followed(net, tmp_path):
    x, path = paddle.randn([1, 3, 12, 12]), tmp_path / "tuned.json"
    rule, _ = methods(net, x)
    found = paddle.tune(paddle.jit.to_static(net), x, path=path)
    told = {"machine": tuned_kernels.machine(), "choices": {**dict.fromkeys(found, "__import__('os')"), "x": 3}}
    path.write_text(json.dumps(told))
    assert methods(net, x)[0] == rule
