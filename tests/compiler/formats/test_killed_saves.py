"""A save that is killed at any step leaves the old version whole or the new one whole, for every way of saving and loading.

`kill_saves.py` beside this file does the same with real processes and ``kill -9``.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
import warnings
from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from to_static import nn
from to_static.compiler.formats import journal
from to_static.compiler.formats.atomic_write import writing_all
from to_static.compiler.formats.snapshot import is_there, names_in, opened
from to_static.core.flags import FLAGS

sys.path.insert(0, os.path.dirname(__file__))
from dying import dying_after


class TwoMethods(nn.Layer):
    """Each method multiplies by a weight, and adds a number that is in the program."""

    def __init__(self, version: int) -> None:
        super().__init__()
        self.version = version
        self.first = self.create_parameter([2], default_initializer=nn.initializer.Constant(version))
        self.second = self.create_parameter([2], default_initializer=nn.initializer.Constant(version))

    @paddle.jit.to_static(input_spec=[paddle.static.InputSpec([2], "float32", "x")])
    def forward(self, x):
        return x * self.first + 100 * self.version

    @paddle.jit.to_static(input_spec=[paddle.static.InputSpec([2], "float32", "x")])
    def other(self, x):
        return x * self.second + 100 * self.version


class OfTheJit:
    """`jit.save` of two methods: six files, loaded by `jit.load` and a predictor."""

    def __init__(self) -> None:
        self.layers = {1: TwoMethods(1), 2: TwoMethods(2)}
        self.x = paddle.ones([2])

    def save(self, folder: Path, version: int) -> None:
        paddle.jit.save(self.layers[version], str(folder / "net"))

    def load(self, folder: Path) -> set[float]:
        net = paddle.jit.load(str(folder / "net"))
        names = {name for name in net.state_dict()}
        assert names == {"first", "second"}
        config = paddle.inference.Config(str(folder / "net.pdmodel"), str(folder / "net.pdiparams"))
        predicted = paddle.inference.create_predictor(config).run([np.ones(2, "float32")])[0]
        values = (*net.forward(self.x).numpy(), *net.other(self.x).numpy(), *predicted)
        return {float(v) / 101 for v in values}


class OfInferenceModel:
    """`static.save_inference_model`, whose second version has no parameters."""

    def __init__(self) -> None:
        self.exe = paddle.static.Executor()
        self.versions = {}
        for version in (1, 2):
            main = paddle.static.Program()
            with paddle.static.program_guard(main):
                x = paddle.static.data("x", [2], "float32")
                weight = paddle.create_parameter([2], "float32", default_initializer=nn.initializer.Constant(1.0))
                y = x * version if version == 2 else x * weight * version
            self.versions[version] = (x, y, main)

    def save(self, folder: Path, version: int) -> None:
        x, y, main = self.versions[version]
        paddle.static.save_inference_model(str(folder / "net"), [x], [y], self.exe, program=main)

    def load(self, folder: Path) -> set[float]:
        program, feeds, fetches = paddle.static.load_inference_model(str(folder / "net"), self.exe)
        [y] = self.exe.run(program, feed={feeds[0]: np.ones(2, "float32")}, fetch_list=fetches)
        version = float(y[0])
        assert is_there(folder / "net.pdiparams") == (version == 1)
        return {version}


class OfStates:
    """`static.save`: `.pdparams` and `.pdopt`."""

    def __init__(self) -> None:
        self.main = paddle.static.Program()
        with paddle.static.program_guard(self.main):
            x = paddle.static.data("x", [2], "float32")
            self.y = paddle.static.nn.fc(x.reshape([1, 2]), 2)
            paddle.optimizer.Momentum(0.0).minimize(self.y.sum())

    def save(self, folder: Path, version: int) -> None:
        state = self.main.state_dict()
        self.main.set_state_dict({name: np.full_like(np.asarray(v.numpy()), version) for name, v in state.items()})
        paddle.static.save(self.main, str(folder / "net"))

    def load(self, folder: Path) -> set[float]:
        paddle.static.load(self.main, str(folder / "net"))
        return {float(v) for value in self.main.state_dict().values() for v in value.numpy().reshape(-1)}


class OfObjects:
    """`paddle.save`: one file."""

    def save(self, folder: Path, version: int) -> None:
        paddle.save({"a": paddle.full([2], version), "b": paddle.full([3], version)}, str(folder / "net.pdparams"))

    def load(self, folder: Path) -> set[float]:
        return {float(v) for value in paddle.load(str(folder / "net.pdparams")).values() for v in value.numpy()}


WAYS = [OfTheJit, OfInferenceModel, OfStates, OfObjects]


@pytest.fixture(params=WAYS, ids=lambda kind: kind.__name__)
def way(request):
    paddle.enable_static() if request.param in (OfInferenceModel, OfStates) else paddle.disable_static()
    yield request.param()
    paddle.disable_static()


def loaded(way, folder) -> set[float]:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="the save of .* was interrupted", category=UserWarning)
        return way.load(folder)


def steps_of(way, folder, monkeypatch) -> int:
    with dying_after(10**6, monkeypatch) as dying:
        way.save(folder, 2)
    return 10**6 - dying.left


@pytest.mark.parametrize("mend", ["load", "next save"])
def test_every_step_of_every_save(way, mend, tmp_path, monkeypatch):
    monkeypatch.setattr(FLAGS["TO_STATIC_FSYNC"], "value", True)
    old = tmp_path / "old"
    way.save(old, 1)
    steps = steps_of(way, tmp_path / "new", monkeypatch)
    clean = {1: set(os.listdir(old)), 2: set(os.listdir(tmp_path / "new"))}
    assert steps > 5
    found = []
    for step in range(steps):
        folder = shutil.copytree(old, tmp_path / str(step))
        with dying_after(step, monkeypatch):
            way.save(folder, 2)
        if mend == "load":
            [version] = loaded(way, folder)
            found.append(version)
        else:
            way.save(folder, version := 1)
        assert set(os.listdir(folder)) == clean[int(version)], f"killed at step {step}"
    if mend == "load":
        assert found == sorted(found), "the new version counts from one step on"
        assert set(found) == {1, 2}


def test_the_first_save_is_there_or_is_not(way, tmp_path, monkeypatch):
    steps = steps_of(way, tmp_path / "whole", monkeypatch)
    there = []
    for step in range(steps):
        folder = tmp_path / str(step)
        with dying_after(step, monkeypatch):
            way.save(folder, 2)
        try:
            assert loaded(way, folder) == {2}
            there.append(True)
        except FileNotFoundError:
            there.append(False)
    assert there == sorted(there) and there[-1] and not there[0]


@pytest.mark.parametrize(
    "kinds, steps, version", [(("fsync",), 1, 1), (("replace",), 0, 2), (("replace",), 2, 2)], ids=["before", "complete", "torn"]
)
def test_a_load_says_which_version_it_is_once(kinds, steps, version, tmp_path, monkeypatch):
    monkeypatch.setattr(FLAGS["TO_STATIC_FSYNC"], "value", True)
    way = OfTheJit()
    way.save(tmp_path, 1)
    with dying_after(steps, monkeypatch, kinds):
        way.save(tmp_path, 2)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert way.load(tmp_path) == {version}
        assert way.load(tmp_path) == {version}
    [warning] = caught
    assert warning.filename == __file__
    which = "after it was written: this is the new version" if version == 2 else "half way: this is the version before it"
    assert str(warning.message) == f"the save of 'net' in {tmp_path} was interrupted {which}"


def torn(folder: Path, monkeypatch) -> None:
    """A save that was killed between its renames."""
    for version, steps in ((1, 100), (2, 2)):
        with dying_after(steps, monkeypatch, ("replace",)), writing_all([folder / f"m.{i}" for i in range(4)]) as files:
            for file in files:
                file.write(b"%d" % version)
    assert [(folder / f"m.{i}").read_bytes() for i in range(4)] == [b"2", b"2", b"1", b"1"]


def content(folder: Path) -> list[bytes]:
    with opened(lambda: [str(folder / f"m.{i}") for i in range(4)]) as files:
        return [file.read() for file in files.values()]


def test_a_folder_that_cannot_be_written_is_read_as_the_journal_says(tmp_path, monkeypatch):
    torn(tmp_path, monkeypatch)
    before = sorted(os.listdir(tmp_path))

    def refuse(*args, **kwargs):
        raise PermissionError(13, "no", str(args[0]))

    for owner, name in ((journal.Journal, "acquire"), (os, "replace")):  # a journal of somebody else's, a folder of somebody else's
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, refuse)
            for _ in range(2):
                with pytest.warns(UserWarning, match="after it was written: this is the new version"):
                    assert content(tmp_path) == [b"2"] * 4
            with pytest.warns(UserWarning, match="new version"):
                assert names_in(str(tmp_path / "m")) == before
        assert sorted(os.listdir(tmp_path)) == before
    with pytest.warns(UserWarning, match="new version"):
        assert content(tmp_path) == [b"2"] * 4
    assert sorted(os.listdir(tmp_path)) == [f"m.{i}" for i in range(4)]


def test_where_there_are_no_locks_a_load_leaves_the_files_to_the_next_save(tmp_path, monkeypatch):
    """The save may be going on."""
    monkeypatch.setattr(journal, "fcntl", None)
    torn(tmp_path, monkeypatch)
    before = sorted(os.listdir(tmp_path))
    assert content(tmp_path) == [b"2"] * 4
    assert sorted(os.listdir(tmp_path)) == before
    with writing_all([tmp_path / "m.0"]) as (file,):
        file.write(b"3")
    assert content(tmp_path) == [b"3", b"2", b"2", b"2"]
    assert sorted(os.listdir(tmp_path)) == [f"m.{i}" for i in range(4)]


@pytest.mark.parametrize(
    "text",
    [
        b"not ours\n",
        b"{}\ncomplete\n",
        json.dumps({"save": ["../x"], "without": []}).encode() + b"\ncomplete\n",
        json.dumps({"save": [], "without": ["/etc/hosts"]}).encode() + b"\ncomplete\n",
        json.dumps({"save": [], "without": ["other.bin"]}).encode() + b"\ncomplete\n",
        json.dumps({"save": [3], "without": []}).encode() + b"\ncomplete\n",
        json.dumps({"save": [".."], "without": []}).encode() + b"\ncomplete\n",
    ],
)
def test_a_foreign_journal_moves_nothing(text, tmp_path):
    (tmp_path / "other.bin").write_bytes(b"x")
    (tmp_path / "m.journal.part").write_bytes(text)
    with pytest.raises(FileExistsError):
        content(tmp_path)
    with pytest.raises(FileExistsError), writing_all([tmp_path / "m.0"]):
        raise AssertionError("not reached")
    assert (tmp_path / "m.journal.part").read_bytes() == text
    assert sorted(os.listdir(tmp_path)) == ["m.journal.part", "other.bin"]


def test_saves_and_loads_at_the_same_time(tmp_path):
    """Three threads save whole versions; what a fourth loads is always one of them."""
    errors = []

    def save(first: int) -> None:
        try:
            for version in range(first, 60, 3):
                with writing_all([tmp_path / f"m.{i}" for i in range(4)]) as files:
                    for file in files:
                        file.write(b"%d" % version)
        except BaseException as error:
            errors.append(error)

    save(57)
    threads = [threading.Thread(target=save, args=(first,)) for first in range(3)]
    for thread in threads:
        thread.start()
    seen = set()
    while any(thread.is_alive() for thread in threads):
        found = content(tmp_path)
        assert len(found) == 4 and len(set(found)) == 1
        seen.update(found)
    for thread in threads:
        thread.join()
    assert not errors
    assert sorted(os.listdir(tmp_path)) == [f"m.{i}" for i in range(4)]
