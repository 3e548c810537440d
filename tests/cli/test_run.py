"""Where a program may come from: a file, a module (`test_paddle_import_hook.py`), standard input, a folder, an archive."""

import os
import subprocess
import sys
import zipfile

import pytest

PROGRAM = """import sys
import paddle
{more}
@paddle.jit.to_static(full_graph=True)
def f(x):
    if x.sum() > 0:
        return x + 1
    return x - 1

print(__name__, sys.argv[1:], repr(sys.path[0]), f(paddle.ones([2])).tolist(), f.code.count("_jst.if_"))
assert len(sys.argv) < 3, "too many words"
"""


def to_static(*words, cwd, given=None):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p), "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, "-m", "to_static", *words], cwd=cwd, input=given, capture_output=True, encoding="utf-8", env=env
    )


def test_standard_input(tmp_path):
    text = PROGRAM.format(more="name = 'größe'")
    ran = to_static("run", "-", "--epochs", cwd=tmp_path, given=text)
    assert (ran.stdout, ran.stderr, ran.returncode) == ("__main__ ['--epochs'] '' [2.0, 2.0] 1\n", "", 0)
    failed = to_static("run", "-", "a", "b", cwd=tmp_path, given=text)
    assert failed.returncode == 1 and 'File "<stdin>", line 11' in failed.stderr and "cli" not in failed.stderr
    wrong = to_static("run", "-", cwd=tmp_path, given="def f(:\n")
    assert wrong.returncode == 1 and 'File "<stdin>", line 1' in wrong.stderr and "runpy" not in wrong.stderr


def test_standard_input_is_explained(tmp_path):
    told = to_static("explain", "-", "--check", cwd=tmp_path, given=PROGRAM.format(more=""))
    assert told.returncode == 0 and told.stdout.startswith("# f, <stdin>:4\n") and "<stdin>:6: `if x.sum() > 0:`" in told.stdout


@pytest.mark.parametrize("kind", ["app", "app" + os.sep, "app.zip"])
def test_a_folder_or_archive_runs_its_main(tmp_path, kind):
    app = tmp_path / "app"
    app.mkdir()
    (app / "helper.py").write_text("VALUE = 3\n")
    (app / "__main__.py").write_text(PROGRAM.format(more="import helper"))
    with zipfile.ZipFile(tmp_path / "app.zip", "w") as archive:
        for file in app.iterdir():
            archive.write(file, file.name)
    ran = to_static("run", kind, "-v", cwd=tmp_path)
    assert (ran.stdout, ran.stderr, ran.returncode) == (f"__main__ ['-v'] {kind!r} [2.0, 2.0] 1\n", "", 0)
    failed = to_static("run", kind, "a", "b", cwd=tmp_path)
    assert failed.returncode == 1 and "__main__.py" in failed.stderr and "runpy" not in failed.stderr


def test_a_folder_without_a_main(tmp_path):
    ran = to_static("run", ".", cwd=tmp_path)
    assert ran.returncode == 1 and ran.stdout == ""
    assert ran.stderr == "to_static run: .: expected a script, or a folder or archive with a __main__.py; there is none\n"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no /dev/stdin")
def test_standard_input_by_its_path(tmp_path):
    ran = to_static("run", "/dev/stdin", cwd=tmp_path, given=PROGRAM.format(more=""))
    assert (ran.stderr, ran.returncode) == ("", 0) and "[2.0, 2.0] 1" in ran.stdout


def test_what_is_no_source(tmp_path):
    (tmp_path / "net.pdmodel").write_bytes(b"\x0a\x00\x08")
    ran = to_static("run", "net.pdmodel", cwd=tmp_path)
    assert ran.returncode == 1 and ran.stderr.startswith("to_static run: net.pdmodel: expected Python source; ")
    assert "`to_static predict` runs saved models" in ran.stderr
