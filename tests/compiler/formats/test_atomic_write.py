"""Files appear whole or not at all."""

import os
import stat
import threading
from pathlib import Path

import pytest

from to_static.compiler.formats import journal
from to_static.compiler.formats.atomic_write import writing, writing_all
from to_static.core.flags import FLAGS

unix = pytest.mark.skipif(os.name != "posix", reason="pipes, devices and links are those of Unix")


def put(*paths, data=b"new", removed=()):
    with writing_all(paths, removed) as files:
        for file in files:
            file.write(data)


def test_the_file_appears_at_the_end_and_folders_are_made(tmp_path):
    path = tmp_path / "a" / "b" / "file.bin"
    with writing(path) as f:
        f.write(b"one")
        assert not path.exists()
    assert path.read_bytes() == b"one" and os.listdir(path.parent) == ["file.bin"]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(RuntimeError, match="half way"), writing(path) as f:
        f.write(b"new")
        raise RuntimeError("half way")
    assert path.read_bytes() == b"old" and os.listdir(tmp_path) == ["file"]


def test_permissions_are_those_of_the_old_file_or_of_any_new_one(tmp_path):
    old, new, plain = tmp_path / "old", tmp_path / "new", tmp_path / "plain"
    old.write_bytes(b"")
    old.chmod(0o640)
    plain.write_bytes(b"")
    for path in (old, new):
        with writing(path) as f:
            f.write(b"x")
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert stat.S_IMODE(new.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


def test_what_the_umask_says_is_what_a_new_file_gets(tmp_path):
    before = os.umask(0o027)
    try:
        put(tmp_path / "f")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "f").stat().st_mode) == 0o640


def test_several_files_appear_together_and_old_ones_go(tmp_path):
    (tmp_path / "m.c").write_bytes(b"old")
    with writing_all([tmp_path / "m.a", tmp_path / "m.b"], removed=[tmp_path / "m.c", tmp_path / "m.d"]) as (a, b):
        a.write(b"A")
        b.write(b"B")
        assert not (tmp_path / "m.a").exists() and (tmp_path / "m.c").exists()
    assert (tmp_path / "m.a").read_bytes() == b"A" and (tmp_path / "m.b").read_bytes() == b"B"
    assert sorted(os.listdir(tmp_path)) == ["m.a", "m.b"]


@pytest.mark.parametrize("bad", range(3))
def test_a_path_that_is_a_folder_fails_before_anything_is_touched(bad, tmp_path):
    paths = [tmp_path / f"m.{i}" for i in range(3)]
    for number, path in enumerate(paths):
        path.mkdir() if number == bad else path.write_bytes(b"old")
    with pytest.raises(IsADirectoryError, match=f"m.{bad}"):
        put(*paths)
    assert [p.read_bytes() for p in paths if p.is_file()] == [b"old", b"old"]
    assert sorted(os.listdir(tmp_path)) == ["m.0", "m.1", "m.2"]


@pytest.mark.parametrize("failing", range(3))
def test_a_rename_that_fails(failing, tmp_path, monkeypatch):
    """Before the first rename everything goes back; after it the save is finished by the next one who looks."""
    paths = [tmp_path / f"m.{i}" for i in range(3)]
    put(*paths, data=b"old")
    left = [failing]

    def replace(source, target):
        left[0] -= 1
        if left[0] == -1:
            raise PermissionError(1, "no", target)
        os.rename(source, target)

    with monkeypatch.context() as patch, pytest.raises(PermissionError):
        patch.setattr(os, "replace", replace)
        put(*paths)
    if failing == 0:
        assert [p.read_bytes() for p in paths] == [b"old"] * 3
    else:
        with pytest.warns(UserWarning, match="new version"):
            journal.mend(paths[0])
        assert [p.read_bytes() for p in paths] == [b"new"] * 3
    assert sorted(os.listdir(tmp_path)) == ["m.0", "m.1", "m.2"]


def test_files_of_one_save_begin_alike(tmp_path):
    with pytest.raises(ValueError, match="begin alike, in one folder"):
        put(tmp_path / "a.x", tmp_path / "b.x")
    with pytest.raises(ValueError, match="begin alike, in one folder"):
        put(tmp_path / "a.x", tmp_path / "sub" / "a.y")
    assert os.listdir(tmp_path) == []


@unix
@pytest.mark.parametrize("there", [True, False], ids=["file", "nothing"])
def test_a_link_stays_a_link(there, tmp_path):
    (tmp_path / "far").mkdir()
    (tmp_path / "near").mkdir()
    if there:
        (tmp_path / "far" / "weights").write_bytes(b"old")
    link = tmp_path / "near" / "net.b"
    link.symlink_to(Path("..") / "far" / "weights")
    put(tmp_path / "near" / "net.a", link)
    assert link.is_symlink() and (tmp_path / "far" / "weights").read_bytes() == b"new"
    assert os.listdir(tmp_path / "far") == ["weights"] and sorted(os.listdir(tmp_path / "near")) == ["net.a", "net.b"]


@unix
def test_a_link_in_a_circle_is_an_error(tmp_path):
    (tmp_path / "net.b").symlink_to("net.b")
    with pytest.raises(OSError):
        put(tmp_path / "net.a", tmp_path / "net.b")
    assert os.listdir(tmp_path) == ["net.b"]


@unix
def test_a_pipe_is_written_and_stays_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "net.b")
    got = []
    reader = threading.Thread(target=lambda: got.append((tmp_path / "net.b").read_bytes()))
    reader.start()
    put(tmp_path / "net.a", tmp_path / "net.b", data=b"x" * 100_000)
    reader.join()
    assert got == [b"x" * 100_000] and (tmp_path / "net.a").read_bytes() == got[0]
    assert (tmp_path / "net.b").is_fifo() and sorted(os.listdir(tmp_path)) == ["net.a", "net.b"]


@unix
def test_a_device_is_written_and_stays_a_device():
    before = set(os.listdir("/dev"))
    put(os.devnull)
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode) and not {n for n in set(os.listdir("/dev")) - before if ".part" in n}


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a full disk")
def test_a_full_disk_leaves_what_was_there(tmp_path):
    (tmp_path / "net.b").symlink_to("/dev/full")
    (tmp_path / "net.a").write_bytes(b"old")
    with pytest.raises(OSError, match="No space left"):
        put(tmp_path / "net.a", tmp_path / "net.b")
    assert (tmp_path / "net.a").read_bytes() == b"old" and sorted(os.listdir(tmp_path)) == ["net.a", "net.b"]


def test_names_as_long_as_they_can_be(tmp_path):
    name = "n" * 251 + ".abc"
    put(tmp_path / name)
    assert os.listdir(tmp_path) == [name]


@pytest.mark.parametrize(
    "name", ["net", ".net", "..net.x", "net.journal", "net.saving", "net.v1.2.pdmodel", "ü.x", "a b.x", "a\nb.x"]
)
def test_names_of_any_kind(name, tmp_path):
    put(tmp_path / name, data=b"1")
    put(tmp_path / name, data=b"2")
    assert (tmp_path / name).read_bytes() == b"2" and os.listdir(tmp_path) == [name]


def test_files_are_on_the_disk_before_they_count(tmp_path, monkeypatch):
    monkeypatch.setattr(FLAGS["TO_STATIC_FSYNC"], "value", True)
    order = []

    def told(name, real):
        def call(*args):
            order.append(name)
            return real(*args)

        return call

    for name in ("fsync", "replace"):
        monkeypatch.setattr(os, name, told(name, getattr(os, name)))
    put(tmp_path / "m.a", tmp_path / "m.b")
    assert order == ["fsync", "fsync", "fsync", "fsync", "replace", "replace", "fsync"]  # 2 files, folder, journal, ..., folder
    order.clear()
    put(tmp_path / "m.a")
    assert order == ["fsync", "replace", "fsync"]


def test_a_second_save_waits_for_the_first(tmp_path):
    if journal.fcntl is None:
        pytest.skip("no locks here")
    second = threading.Thread(target=put, args=(tmp_path / "m.a",), kwargs={"data": b"second"})
    with writing(tmp_path / "m.a") as file:
        second.start()
        file.write(b"first")
        second.join(0.05)
        assert second.is_alive()
    second.join()
    assert (tmp_path / "m.a").read_bytes() == b"second" and os.listdir(tmp_path) == ["m.a"]


def test_what_is_left_when_a_block_fails_is_nothing(tmp_path):
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt), writing_all([tmp_path / "m.a", tmp_path / "m.b"]) as (a, _):
            a.write(b"x")
            raise KeyboardInterrupt
        assert os.listdir(tmp_path) == []


def test_without_locks_all_else_holds(tmp_path, monkeypatch):
    monkeypatch.setattr(journal, "fcntl", None)
    put(tmp_path / "m.a", tmp_path / "m.b")
    put(tmp_path / "m.a", removed=[tmp_path / "m.b"])
    assert os.listdir(tmp_path) == ["m.a"]
