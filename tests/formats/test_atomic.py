"""Files appear whole or not at all."""

import os
import stat

import pytest

from to_static.formats.atomic import writing


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
