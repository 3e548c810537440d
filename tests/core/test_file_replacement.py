"""Replacing files where open ones can't be, as on Windows."""

import os

import pytest

import to_static as paddle
from to_static.compiler.formats import journal
from to_static.core import file_replacement
from to_static.core.file_replacement import replace_file


@pytest.fixture
def windows(monkeypatch):
    """``os.replace`` refuses ``refusals[0]`` times more, and nothing is waited for."""
    refusals, replace = [0], os.replace

    def refusing(new, target):
        if refusals[0]:
            refusals[0] -= 1
            raise PermissionError(13, "The process cannot access the file", str(target))
        replace(new, target)

    monkeypatch.setattr(os, "replace", refusing)
    monkeypatch.setattr(file_replacement, "REFUSES_OPEN_FILES", True)
    monkeypatch.setattr(file_replacement, "WAITS", (0.0, 0.0, 0.0))
    return refusals


def test_it_is_tried_again(windows, tmp_path):
    (tmp_path / "new").write_text("1")
    windows[0] = 3
    replace_file(tmp_path / "new", tmp_path / "old")
    assert (tmp_path / "old").read_text() == "1" and not windows[0]


def test_it_says_what_to_do(windows, tmp_path):
    (tmp_path / "new").write_text("1")
    windows[0] = 9
    with pytest.raises(PermissionError, match="open or mapped can't be replaced on Windows"):
        replace_file(tmp_path / "new", tmp_path / "old")


def test_elsewhere_an_error_is_one_at_once(windows, tmp_path, monkeypatch):
    monkeypatch.setattr(file_replacement, "REFUSES_OPEN_FILES", False)
    windows[0] = 2
    with pytest.raises(PermissionError, match="cannot access"):
        replace_file(tmp_path / "new", tmp_path / "old")
    assert windows[0] == 1


@pytest.mark.parametrize("locks", [True, False])
def test_models_are_saved_and_kept(windows, tmp_path, monkeypatch, locks):
    if not locks:
        monkeypatch.setattr(journal, "fcntl", None)
    net, path = paddle.nn.Linear(2, 1), str(tmp_path / "m")
    spec = [paddle.static.InputSpec([None, 2], "float32")]
    windows[0] = 2
    paddle.jit.save(net, path, input_spec=spec)
    before = paddle.jit.load(path)(paddle.ones([1, 2])).item()
    net.weight.set_value(paddle.ones([2, 1]) * 5)
    windows[0] = 99
    with pytest.raises(PermissionError, match="can't be replaced on Windows"):
        paddle.jit.save(net, path, input_spec=spec)
    windows[0] = 0
    assert paddle.jit.load(path)(paddle.ones([1, 2])).item() == before
    assert not [name for name in os.listdir(tmp_path) if not name.startswith("m.pd")]
    paddle.jit.save(net, path, input_spec=spec)
    assert paddle.jit.load(path)(paddle.ones([1, 2])).item() == pytest.approx(10 + net.bias.item())
