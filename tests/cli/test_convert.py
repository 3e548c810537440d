import importlib.util
import io
import sys

import numpy as np
import pytest

import to_static as paddle
from to_static import cli

SOURCE = '''"""A module."""

import to_static as paddle
from to_static.jit import to_static

LIMIT = 100  # kept as it is


@to_static
def collatz(n):
    steps = paddle.zeros([1], "int64")
    while n > 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps = steps + 1
    return steps


class Net(paddle.nn.Layer):
    @paddle.jit.to_static
    def forward(self, x):
        if x.sum() > LIMIT:
            x = x / 2
        return x


def plain(x):
    return x if x > 0 else -x
'''


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "net.py"
    path.write_text(SOURCE)
    return path


def converted(capsys, *words):
    assert cli.main(["convert", *map(str, words)]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def imported(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_output_is_a_module_with_the_same_results(source, tmp_path, capsys):
    output = tmp_path / "made" / "net_static.py"
    assert converted(capsys, source, "-o", output) == ""
    text = output.read_text()
    assert text.startswith('"""A module."""')
    assert "_jst.while_(" in text
    assert "_jst.if_(" in text
    assert "LIMIT = 100  # kept as it is" in text
    assert "return x if x > 0 else -x" in text
    before, after = imported(source), imported(output)
    for n in (1, 6, 27):
        x = paddle.to_tensor([n])
        assert after.collatz(x).numpy().tolist() == before.collatz(x).numpy().tolist()
    for size in (3, 300):
        x = paddle.to_tensor(np.ones(size, "float32"))
        assert np.array_equal(after.Net()(x).numpy(), before.Net()(x).numpy())


def test_standard_output_and_standard_input_are_the_same(source, capsys, monkeypatch):
    text = converted(capsys, source)
    stdin = io.TextIOWrapper(io.BytesIO(source.read_bytes()))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert converted(capsys, "-") == text


def test_one_function(source, capsys):
    text = converted(capsys, source, "--function", "plain")
    assert text == "def plain(x):\n    return _jst.if_(x > 0, lambda: x, lambda: -x)\n"


def test_one_method_without_the_indentation_of_its_class_but_with_its_decorators(source, tmp_path, capsys):
    text = converted(capsys, source, "--function", "Net.forward")
    assert text.startswith("@paddle.jit.to_static\ndef forward(self, x):\n") and "collatz" not in text and "import" not in text
    compile(text, "net.py", "exec")
    again = tmp_path / "again.py"
    again.write_text(converted(capsys, source))
    assert converted(capsys, again, "--function", "Net.forward") == text
    made = tmp_path / "made.py"
    converted(capsys, source, "--function", "plain", "-o", made)
    text = made.read_text()
    assert "_jst" in text.partition("def plain")[2] and "while n > 1:" in text and "if x.sum() > LIMIT:" in text


def test_one_name_of_several_functions_and_of_a_folder(source, folder, capsys):
    alone = converted(capsys, source, "--function", "Net.forward")
    assert converted(capsys, folder, "--function", "forward") == alone
    source.write_text(SOURCE + "\n\nclass Other:\n    def forward(self, x):\n        return x and 1\n")
    both = converted(capsys, source, "--function", "forward")
    other = "# Other.forward, line 34\ndef forward(self, x):\n    return _jst.and_value(x, lambda: 1)\n"
    assert both == f"# Net.forward, line 23\n{alone}\n{other}"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("colatz", "rewrite: did you mean collatz?\n"),
        ("Collatz", "rewrite: did you mean collatz?\n"),
        ("Net.forwad", "rewrite: did you mean Net.forward?\n"),
        ("Net", "rewrite: did you mean Net.forward?\n"),
        ("nothing", "rewrite: it has collatz, Net.forward, plain\n"),
    ],
)
@pytest.mark.parametrize("words", [[], ["--check"], ["--explain"], ["--diff"]])
def test_a_function_that_is_not_there(source, folder, capsys, name, said, words):
    assert cli.main(["convert", str(source), "--function", name, *words]) == 1
    shown = capsys.readouterr()
    assert shown.out == "" and f"net.py has no function {name!r}\n" in shown.err and shown.err.endswith(said)
    assert cli.main(["convert", str(folder), "--function", name, *words]) == 1
    shown = capsys.readouterr()
    assert shown.out == "" and f"has no module with a function {name!r}" in shown.err


def test_the_file_is_not_executed(tmp_path, capsys):
    path = tmp_path / "boom.py"
    path.write_text("@to_static\ndef f(x):\n    return x\nraise SystemExit('executed')\n")
    assert "raise SystemExit" in converted(capsys, path)


def test_comments_at_the_top_stay_there(tmp_path, capsys):
    path = tmp_path / "net.py"
    path.write_text("#!/usr/bin/python\n# -*- coding: utf-8 -*-\n# License\n\n@to_static\ndef f(x):\n    return x or 1\n")
    assert converted(capsys, path).startswith(
        "#!/usr/bin/python\n# -*- coding: utf-8 -*-\n# License\nfrom to_static.compiler.frontend.jst import"
    )


@pytest.mark.parametrize(
    ("content", "words", "said"),
    [
        (b"def f(:\n", [], "not valid Python"),
        (b"x = 1\n", [], "no function decorated with @to_static"),
        (SOURCE.encode(), ["--function", "missing"], "no function 'missing'"),
        (b"@to_static\ndef f(x):\n    return '\xff'\n", [], "not Python source"),
        *((f"# coding: {name}\n".encode(), [], "not Python source") for name in "rot13 hex utf-16 undefined nonsense".split()),
        (b"@to_static\nasync def f(x):\n    return x\n", [], "async"),
    ],
)
def test_what_cannot_be_converted(tmp_path, capsys, content, words, said):
    path = tmp_path / "net.py"
    path.write_bytes(content)
    assert cli.main(["convert", str(path), *words]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("to_static convert: ")
    assert said in captured.err
    assert "net.py" in captured.err
    assert "Traceback" not in captured.err


def test_the_source_is_not_replaced(source, capsys):
    assert cli.main(["convert", str(source), "-o", str(source)]) == 1
    assert "replace the source" in capsys.readouterr().err
    assert source.read_text() == SOURCE


def test_a_missing_file(capsys):
    assert cli.main(["convert", "/nonexistent/net.py"]) == 1
    assert capsys.readouterr().err == "to_static convert: /nonexistent/net.py: No such file or directory\n"


def test_what_is_converted_already_stays_as_it_is(source, tmp_path, capsys):
    once = converted(capsys, source)
    again = tmp_path / "again.py"
    again.write_text(once)
    assert converted(capsys, again) == once
    assert converted(capsys, again, "--diff") == ""
    assert "translated already" in converted(capsys, again, "--explain")
    again.write_text(once.replace("return x if x > 0 else -x", "pass") + "\n\n@to_static\ndef more(x):\n    return x and 1\n")
    assert "return _jst.and_value(x, lambda: 1)" in converted(capsys, again)


CALLED = """import to_static as paddle
from to_static.jit import to_static


class Decoder(paddle.nn.Layer):
    @to_static
    def step(self, x):
        self.state = self.state + x
        return self.state

    @to_static
    def forward(self, x, n):
        self.state = x
        for i in range(n):
            x = self.step(x)
        return x
"""


def test_functions_of_a_module_may_call_each_other_in_loops(tmp_path, capsys):
    path, made = tmp_path / "decoder.py", tmp_path / "made.py"
    path.write_text(CALLED)
    converted(capsys, path, "-o", made)
    for module in (imported(path), imported(made)):
        assert module.Decoder()(paddle.ones([1]), paddle.to_tensor(3)).item() == 8.0


@pytest.fixture
def folder(tmp_path):
    packed = tmp_path / "packed"
    (packed / "parts" / "__pycache__").mkdir(parents=True)
    (packed / "__init__.py").write_bytes(b"")
    (packed / "net.py").write_text(SOURCE.replace("LIMIT = 100", "from packed.parts import LIMIT"))
    (packed / "parts" / "__init__.py").write_bytes("# coding: latin-1\r\nLIMIT = 100\r\nNAME = 'ä'\r\n".encode("latin-1"))
    (packed / "parts" / "__pycache__" / "old.py").write_text("@to_static\ndef f(x): return x\n")
    (packed / "parts" / "notes.txt").write_text("no Python")
    return packed


def test_a_folder(folder, tmp_path, capsys, monkeypatch):
    made = tmp_path / "made" / "packed"
    said = converted(capsys, folder, "-o", made).splitlines()
    assert said == [f"{made}/__init__.py: copied", f"{made}/net.py: translated", f"{made}/parts/__init__.py: copied"]
    assert (made / "parts" / "__init__.py").read_bytes() == (folder / "parts" / "__init__.py").read_bytes()
    assert sorted(p.name for p in made.rglob("*")) == ["__init__.py", "__init__.py", "net.py", "parts"]
    monkeypatch.syspath_prepend(made.parent)
    module = importlib.import_module("packed.net")
    assert module.__file__.startswith(str(made)) and module.collatz(paddle.to_tensor([27])).item() == 111
    assert converted(capsys, folder, "--diff") == converted(capsys, folder / "net.py", "--diff")
    assert converted(capsys, folder, "--explain") == converted(capsys, folder / "net.py", "--explain")
    monkeypatch.chdir(folder)
    assert len(converted(capsys, ".", "-o", "made").splitlines()) == len(converted(capsys, ".", "-o", "made").splitlines()) == 3


def test_a_folder_needs_a_place_and_tells_every_error(folder, tmp_path, capsys):
    for words in ([], ["-o", str(folder)]):
        assert cli.main(["convert", str(folder), *words]) == 1
        assert f"-o {folder}_static" in capsys.readouterr().err
    (folder / "a.py").write_text("@to_static\nasync def f(x): return x\n")
    (folder / "b.py").write_text("def f(:\n")
    assert cli.main(["convert", str(folder), "-o", str(tmp_path / "made")]) == 1
    captured = capsys.readouterr()
    assert "a.py" in captured.err and "b.py" in captured.err and "net.py: translated" in captured.out


@pytest.mark.parametrize("place", ["a file", "a pipe"])
def test_encodings_and_line_ends_are_kept(tmp_path, capfdbinary, place):
    path, made = tmp_path / "net.py", tmp_path / "made.py"
    text = "# coding: latin-1\r\nfrom to_static.jit import to_static\r\n@to_static\r\ndef f(x):\r\n"
    text += "    return 'é' if x > 0 else ''\r\n"
    path.write_bytes(text.encode("latin-1"))
    assert cli.main(["convert", str(path), *(["-o", str(made)] if place == "a file" else [])]) == 0
    data = made.read_bytes() if place == "a file" else capfdbinary.readouterr().out
    assert "'é'".encode("latin-1") in data
    assert data.count(b"\r\n") == data.count(b"\n") == 6


FUNCTION = (
    "from to_static.jit import to_static\n"
    "{before}@to_static\ndef f(x):\n{tab}if x > 0:  # why\n{tab}{tab}return x + 1\n{tab}return -x\n"
)
SHAPES = {
    "a byte order mark": b"\xef\xbb\xbf" + FUNCTION.format(before="", tab="    ").encode(),
    "CRLF": FUNCTION.format(before="", tab="    ").replace("\n", "\r\n").encode(),
    "CR": FUNCTION.format(before="", tab="    ").replace("\n", "\r").encode(),
    "tabs": FUNCTION.format(before="", tab="\t").encode(),
    "a form feed before the function": FUNCTION.format(before="\x0c", tab="    ").encode(),
    "a form feed on its own line": FUNCTION.format(before="\x0c\n", tab="    ").encode(),
    "other characters that end lines, in a string": FUNCTION.format(before="s = 'a\u2028b\x85c\x0cd'\n", tab="    ").encode(),
    "names beyond ASCII": FUNCTION.format(before="größe = 1\n", tab="    ").encode(),
    "latin-1": ("# -*- coding: latin-1 -*-\n" + FUNCTION.format(before="s = 'é'\n", tab="    ")).encode("latin-1"),
    "no end of line at the end": FUNCTION.format(before="", tab="    ").rstrip("\n").encode(),
    "statements on one line": b"from to_static.jit import to_static\n"
    b"@to_static\ndef f(x): return x + 1 if x > 0 else -x\na = 1; b = 2\n",
    "imports under a condition": b"if True:\n    from to_static.jit import to_static\n    @to_static\n    def f(x):\n"
    b"        if x > 0:\n            return x + 1\n        return -x\n",
    "a future import and __main__": b'"""Doc."""\nfrom __future__ import annotations\n__all__ = ["f"]\n'
    + FUNCTION.format(before="", tab="    ").encode() + b'if __name__ == "__main__":\n    raise SystemExit(f)\n',
}  # fmt: skip


@pytest.mark.parametrize("content", SHAPES.values(), ids=SHAPES)
def test_files_of_every_shape_run_translated(tmp_path, capsys, content):
    path, made = tmp_path / "reshape.py", tmp_path / "shape_static.py"
    path.write_bytes(content)
    converted(capsys, path, "-o", made)
    new, old = imported(made), imported(path)
    for x in (2.0, -3.0):
        assert new.f(paddle.to_tensor(x)).item() == old.f(paddle.to_tensor(x)).item()
    assert [n for n in vars(new) if not n.startswith("_")] == [n for n in vars(old) if not n.startswith("_")]
    assert getattr(new, "s", None) == getattr(old, "s", None)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"@to_static\ndef f(x):\n    if x > 0\n        return x\n", ["not valid Python", "-->    3 |     if x > 0"]),
        (b"x = 1\x00\n", ["not valid Python", "null bytes"]),
        (b"", ["no function decorated with @to_static", "rewrite: "]),
        (b"# coding: nonsense\n", ["unknown encoding"]),
    ],
)
def test_what_is_no_module_is_told_with_its_place(monkeypatch, tmp_path, capsys, content, said):
    path = tmp_path / "bad.py"
    path.write_bytes(content)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    for name in (str(path), "-"):
        assert cli.main(["convert", name]) == 1
        text = capsys.readouterr().err
        assert all(part in text for part in said), text


UNABLE = """from to_static.jit import to_static


@to_static
def good(x):
    return x if x.sum() > 0 else -x


@to_static
def names(x):
    return locals()["x"]


class Net:
    @to_static
    def forward(self, x):
        yield x


def undecorated(x):
    return vars()
"""


def test_check_tells_every_function_that_has_no_translation(tmp_path, capsys):
    path = tmp_path / "net.py"
    path.write_text(UNABLE)
    assert cli.main(["convert", str(path), "--check"]) == 1
    shown = capsys.readouterr()
    assert shown.out == f"{path}:5: good has a translation\n{path}: 3 functions: 1 static, 2 break\n"
    assert shown.err.count("to_static convert: ") == shown.err.count("rewrite: ") == 2
    assert f'File "{path}", line 11, in names' in shown.err and "`locals()`, which reads local variables" in shown.err
    assert "Net.forward: cannot translate the generator function 'forward' by itself" in shown.err
    assert cli.main(["convert", str(path), "--check", "--function", "good"]) == 0
    assert cli.main(["convert", str(path), "--check", "--function", "undecorated"]) == 1
    assert "vars()" in capsys.readouterr().err
    assert [p.name for p in tmp_path.iterdir()] == ["net.py"]


CALLING = """from to_static.jit import not_to_static, to_static


def helper(x):
    return deeper(x)


def deeper(x):
    return locals()["x"]


def items(x):
    yield x


@not_to_static
def apart(x):
    return locals()["x"]


def unrelated(x):
    return locals()["x"]


class Net:
    @to_static
    def forward(self, x):
        return self.step(x) + helper(x) + sum(items(x)) + apart(x)

    def step(self, x):
        return vars()["x"] + self.step(x)

    def other(self, x):
        return locals()["x"]
"""


def test_check_looks_at_what_static_functions_call(tmp_path, capsys):
    path = tmp_path / "net.py"
    path.write_text(CALLING)
    assert cli.main(["convert", str(path), "--check"]) == 1
    shown = capsys.readouterr()
    lines = [f"{path}:27: Net.forward has a translation", f"{path}:4: helper (named by a static function) has a translation"]
    lines.append(f"{path}: 4 functions: 2 static, 2 break")
    assert sorted(shown.out.splitlines()) == sorted(lines)
    told = [line.partition(": ")[2] for line in shown.err.splitlines() if line.startswith("to_static convert")]
    assert sorted(told) == [
        "Net.step (named by a static function): cannot translate `vars()`, which reads local variables by name",
        "deeper (named by a static function): cannot translate `locals()`, which reads local variables by name",
    ]


def test_check_of_what_is_fine_and_of_a_folder(source, folder, tmp_path, capsys):
    lines = ["10: collatz has a translation", "23: Net.forward has a translation"]
    found = [f"{source}:{line}" for line in lines]
    assert converted(capsys, source, "--check").splitlines() == [*found, f"{source}: 2 functions: 2 static, 0 break"]
    checked = converted(capsys, folder, "--check")
    assert checked.count("has a translation") == 2 and checked.endswith(f"\n{folder}: 2 functions: 2 static, 0 break\n")
    (folder / "bad.py").write_text(UNABLE)
    (folder / "worse.py").write_text("def f(:\n")
    assert cli.main(["convert", str(folder), "--check"]) == 1
    shown = capsys.readouterr()
    assert shown.out.count("has a translation") == 3 and shown.err.count("rewrite: ") == 3
    assert shown.out.endswith(f"\n{folder}: 5 functions: 3 static, 2 break; 1 file can't be read\n")
    assert cli.main(["convert", str(source), "--check", "-o", str(tmp_path / "made.py")]) == 1
    assert "leave out -o" in capsys.readouterr().err and not (tmp_path / "made.py").exists()
    assert cli.main(["convert", str(tmp_path / "nowhere.py"), "--check"]) == 1


FILES = {
    "static": ("@to_static\ndef f(x):\n    return x\n", 0, "1 function: 1 static, 0 break"),
    "one of two": (UNABLE.partition("class Net")[0], 1, "2 functions: 1 static, 1 breaks"),
    "nothing": ("x = 1\n", 0, "no function is decorated with @to_static (--function NAME checks one that is not)"),
    "in a handler": ("try:\n    x\nexcept E:\n    @to_static\n    def f(x): return vars()\n", 1, "1 function: 0 static, 1 breaks"),
    "empty": ("", 0, "no function is decorated with @to_static (--function NAME checks one that is not)"),
    "no Python": ("def f(:\n", 1, None),
}


@pytest.mark.parametrize("kind", FILES)
def test_check_has_one_exit_code_for_a_file_a_folder_and_standard_input(tmp_path, capsys, monkeypatch, kind):
    text, code, said = FILES[kind]
    (tmp_path / "net.py").write_text(text)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    for given, shown in ((tmp_path / "net.py",) * 2, (tmp_path,) * 2, ("-", "<stdin>")):
        assert cli.main(["convert", str(given), "--check"]) == code
        last = capsys.readouterr().out.splitlines()[-1:]
        assert said is None or last == [f"{shown}: {said}"]
