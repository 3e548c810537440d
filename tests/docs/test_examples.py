"""Examples in public docstrings run, and give what they show.

They may use `paddle`, `np`, `nn`, `F`, `static`, the names of their own module, and what `given` has: a reader knows
those, too. An example that uses other names, or reads a file, shows a piece of a program: its names must exist.
Numbers are compared to the digits shown. (Those of `vision.models` build large networks and those of
`vision.datasets` read much: `tests/vision` does so with less.)
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import doctest
import functools
import importlib
import inspect
import re
import warnings

import numpy as np
import pytest

import to_static as paddle
import to_static.nn.functional as F
from to_static import nn, static
from to_static.compiler.eager import printing
from to_static.compiler.frontend.function.settings import Settings
from to_static.core.diagnostics.paddle_names import NAMES
from to_static.core.flags import FLAGS

OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d*(?:e[-+]?\d+)?")
MODULES = {"paddle": paddle, "np": np, "nn": nn, "F": F, "static": static, "InputSpec": static.InputSpec}


@contextlib.contextmanager
def given(room):
    """What `x`, `y`, `net`, `opt` and `exe` are, where an example does not say so. Those of `static` begin in static mode.

    Settings are afterwards what they were.
    """
    settings = [(flag, {"value": flag.value}) for flag in FLAGS.values()] + [(printing.options, dict(vars(printing.options)))]
    settings.append((Settings, {name: value for name, value in vars(Settings).items() if not name.startswith("_")}))
    net = nn.Linear(4, 4)
    x = paddle.to_tensor([[0.5, 0.1, 0.2, 0.3], [0.1, 0.6, 0.1, 0.2], [0.2, 0.1, 0.7, 0.1], [0.3, 0.2, 0.1, 0.8]])
    things = {"net": net, "opt": paddle.optimizer.SGD(0.1, net.parameters()), "exe": static.Executor()}
    with static.program_guard(static.Program(), static.Program()):
        if room == "static":
            paddle.enable_static()
            x = static.data("x", [4, 4], "float32")
        try:
            yield {"x": x, "y": x + 1.0, **things}
        finally:
            paddle.disable_static()
            for thing, values in settings:
                for name, value in values.items():
                    setattr(thing, name, value)


@functools.cache
def examples():
    """(name, module, docstring) of everything public that has an example, once."""
    found, seen = [], set()

    def add(name, module, thing):
        text = inspect.getdoc(thing) or ""
        if ">>>" in text and text not in seen:
            seen.add(text)
            found.append((name, module, text))

    for room in NAMES:
        try:
            module = importlib.import_module("to_static" if room == "paddle" else f"to_static.{room}")
        except ModuleNotFoundError:
            continue
        for name in getattr(module, "__all__", ()):
            thing = getattr(module, name)
            if inspect.ismodule(thing):
                continue
            add(f"{room}.{name}", module, thing)
            if inspect.isclass(thing):
                for inner, member in vars(thing).items():
                    if not inner.startswith("_"):
                        add(f"{room}.{name}.{inner}", module, getattr(member, "fget", None) or getattr(member, "__func__", member))
    return found


GIVEN = {"x", "y", "net", "opt", "exe"}


def parsed(name, text):
    return doctest.DocTestParser().get_doctest(text, {}, name, None, 0)


def names_free(source):
    """Names that a piece of Python uses and nobody makes."""
    nodes = list(ast.walk(ast.parse(source)))
    made = {n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    made |= {n.arg for n in nodes if isinstance(n, ast.arg)}
    made |= {n.name for n in nodes if isinstance(n, (ast.FunctionDef, ast.ClassDef, ast.ExceptHandler)) and n.name}
    made |= {a.asname or a.name.split(".")[0] for n in nodes if isinstance(n, (ast.Import, ast.ImportFrom)) for a in n.names}
    return {n.id for n in nodes if isinstance(n, ast.Name)} - made - set(dir(builtins))


def names_missing(source):
    """Paths such as paddle.nn.Linear in a piece of Python that lead nowhere."""
    missing = []
    for node in ast.walk(ast.parse(source)):
        path, inner = [], node
        while isinstance(inner, ast.Attribute):
            path.insert(0, inner.attr)
            inner = inner.value
        if path and isinstance(inner, ast.Name) and inner.id in ("paddle", "nn", "F", "static"):
            here = MODULES[inner.id]
            for step in path:
                if not (inspect.ismodule(here) or inspect.isclass(here)):
                    break
                if not hasattr(here, step):
                    missing.append(".".join([inner.id, *path]))
                    break
                here = getattr(here, step)
    return missing


class Checker(doctest.OutputChecker):
    """An expression whose value is not shown may have any; numbers are equal when they are to the digits shown."""

    def check_output(self, want, got, optionflags):
        if not want or super().check_output(want, got, optionflags):
            return True
        if super().check_output(NUMBER.sub("0.", want).replace("...", ""), NUMBER.sub("0.", got), optionflags):
            shown, came = NUMBER.findall(want), NUMBER.findall(got)
            return all(abs(float(a) - float(b)) <= 0.6 * 10.0 ** -len(a.split(".")[1].split("e")[0]) * max(1, abs(float(b))) or
                       np.isclose(float(a), float(b), rtol=1e-5) for a, b in zip(shown, came, strict=True))  # fmt: skip
        return False


def whole(module, text):
    """Whether all that an example uses is there."""
    source = "".join(example.source for example in parsed("", text).examples)
    return names_free(source) <= {*MODULES, *GIVEN, *getattr(module, "__all__", ())}


def test_names_in_examples_exist():
    missing = {}
    for name, _, text in examples():
        for example in parsed(name, text).examples:
            if found := names_missing(example.source):
                missing[name] = found
    assert missing == {}


ROOMS = sorted({name.rpartition(".")[0].split(".")[0] for name, _, _ in examples()})


@pytest.mark.parametrize("room", ROOMS)
def test_examples_run(room, tmp_path, monkeypatch, graph_breaks):
    monkeypatch.chdir(tmp_path)
    failed = []
    for name, module, text in examples():
        if name.split(".")[0] != room or not whole(module, text) or name.startswith(("vision.models.", "vision.datasets.")):
            continue
        test = parsed(name, text)
        used = names_free("".join(example.source for example in test.examples))
        own = {used_name: getattr(module, used_name) for used_name in used & set(getattr(module, "__all__", ()))}
        said = []
        with warnings.catch_warnings(), given(room) as names:
            warnings.simplefilter("ignore")
            test.globs = {**names, **MODULES, **own}
            result = doctest.DocTestRunner(Checker(), verbose=False, optionflags=OPTIONS).run(test, out=said.append)
        if result.failed and not re.search("FileNotFoundError: |found no file there", "".join(said)):
            failed.append("".join(said))
    assert not failed, "\n".join(failed)


def test_most_examples_are_whole():
    count = sum(whole(module, text) for _, module, text in examples())
    assert count >= 0.9 * len(examples()), f"{count} of {len(examples())} say all that they need"


@pytest.mark.parametrize(
    ("text", "good"),
    [(">>> 1 / 3\n0.333\n", True), (">>> 1 / 3\n0.334\n", False), (">>> 1 / 3\n", True), (">>> [1, 2.0]\n[1, 2.]\n", True),
     (">>> [1, 2.0]\n[2, 2.0]\n", False), (">>> 1 / 0\n", False)],
)  # fmt: skip
def test_what_an_example_shows_is_compared(text, good):
    result = doctest.DocTestRunner(Checker(), verbose=False, optionflags=OPTIONS).run(parsed("here", text), out=lambda said: None)
    assert (result.failed == 0) is good
    assert names_missing("paddle.nn.Linaer(1, 2)") == ["paddle.nn.Linaer"]
    assert names_free("y = f(x)\nfor i in y: print(i)") == {"f", "x"}
