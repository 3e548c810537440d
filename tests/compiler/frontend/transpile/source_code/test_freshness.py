"""A function is translated from the text that it was compiled from, or not at all."""

import importlib
import linecache
import os
import subprocess
import sys
import time
import zipfile

import pytest

import to_static as paddle
from to_static.core.errors import TranslationError

TEXT = """from to_static import to_static

@to_static
def f(x):
    if x.sum() > 0:
        return x * 2
    return -x
"""


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    later = iter(range(5, 100, 5))

    def put(text):
        path = tmp_path / "changing_module.py"
        path.write_text(text)
        moment = time.time() + next(later)
        os.utime(path, (moment, moment))
        return path

    yield put
    sys.modules.pop("changing_module", None)


def value(module):
    return module.f(paddle.ones([1])).item()


@pytest.mark.parametrize("change", [("* 2", "* 3"), ("f(x)", "f(x, k=1)"), ("from", "# one line more\nfrom")])
def test_a_file_that_was_changed_is_refused(write, change):
    write(TEXT)
    module = importlib.import_module("changing_module")
    write(TEXT.replace(*change))
    with pytest.raises(TranslationError, match="the file was changed after it was imported"):
        value(module)
    write(TEXT)
    assert value(module) == 2.0, "as it was"


def test_a_reloaded_module_is_translated_from_its_new_text(write):
    write(TEXT)
    module = importlib.import_module("changing_module")
    assert value(module) == 2.0
    write(TEXT.replace("* 2", "* 3"))
    assert value(importlib.reload(module)) == 3.0


def test_a_change_elsewhere_in_the_file_does_not_matter(write):
    write(TEXT)
    module = importlib.import_module("changing_module")
    write(TEXT + "\nmore = 1\n")
    assert value(module) == 2.0


def test_texts_that_are_no_files():
    space = {}
    exec(TEXT, space)
    with pytest.raises(TranslationError, match="have none"):
        space["f"](paddle.ones([1]))
    linecache.cache["<cell>"] = (len(TEXT), None, TEXT.splitlines(keepends=True), "<cell>")
    exec(compile(TEXT, "<cell>", "exec"), space)
    assert space["f"](paddle.ones([1])).item() == 2.0
    exec(compile(TEXT.replace("* 2", "* 3"), "<cell>", "exec"), space)
    with pytest.raises(TranslationError, match="does not hold the function 'f'"):
        space["f"](paddle.ones([1]))


def test_modules_in_a_zip_file(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("zipped_module.py", TEXT)
    monkeypatch.syspath_prepend(str(tmp_path / "all.zip"))
    assert value(importlib.import_module("zipped_module")) == 2.0


def test_the_text_of_a_command():
    text = TEXT.replace("@to_static\n", "") + (
        "import to_static as paddle\nfrom collections import namedtuple\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass Box:\n    value: object\n"
        "@to_static\ndef g(x):\n    return f(Box(x).value) + namedtuple('Pair', 'a b')(x, 1).b\n"
        "print(g(paddle.ones([1])).item())\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout, done.stderr) == ("3.0\n", "")
