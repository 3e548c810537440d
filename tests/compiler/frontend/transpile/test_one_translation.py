"""A function has one translation: `to_static convert` prints, from the text, what runs, as `code` of the live function shows it.

The functions are those of the table of constructs (`tests/language`): the cases, and whatever else stands in their modules.
"""

import ast
import importlib
import importlib.util
import inspect
import os
import pathlib
import sys
import types

import daily
import pytest

from to_static.compiler.frontend.jst import operators
from to_static.compiler.frontend.transpile import transpile_function
from to_static.compiler.frontend.transpile.module import prepared, transpile_functions
from to_static.core.errors import TranslationError

LANGUAGE = os.path.join(os.path.dirname(__file__), *[os.pardir] * 3, "language")
SECTIONS = sorted(name.removesuffix(".py") for name in os.listdir(LANGUAGE) if name.startswith("case_"))


def live_functions(module):
    """The functions and methods that a module defines: by name, and first line."""
    for name, value in list(vars(module).items()):
        members = vars(value).items() if inspect.isclass(value) and value.__module__ == module.__name__ else [(name, value)]
        for function in [getattr(member, "__func__", member) for _, member in members]:
            if isinstance(function, types.FunctionType) and function.__code__.co_filename == module.__file__:
                yield (function.__code__.co_name, function.__code__.co_firstlineno), function


def printed(translate, function):
    """What a translation prints; of a refusal its first line."""
    try:
        text = translate(function)
        return getattr(text, "text", text)
    except TranslationError as error:
        return str(error).split("\n")[0]


def live_text(function):
    return transpile_function(function, operators)[1]


@pytest.mark.parametrize("section", daily.some("one translation", SECTIONS, 12))
def test_convert_prints_what_runs(section, monkeypatch):
    monkeypatch.setattr(sys, "path", [LANGUAGE, *sys.path])
    module = importlib.import_module(section)
    functions = dict(live_functions(module))
    with open(module.__file__) as file:
        source = file.read()
    text = prepared(source, module.__file__, next(name for name, _ in functions))
    compared = 0
    for node in ast.walk(text.tree):
        if not isinstance(node, ast.FunctionDef):
            continue
        function = functions.get((node.name, min([node.lineno, *(d.lineno for d in node.decorator_list)])))
        if function is None or function.__code__.co_flags & inspect.CO_GENERATOR:
            continue
        assert printed(text.printed, node) == printed(live_text, function)
        compared += 1
    assert compared


def loaded(text, path, name):
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


NAMES = '''
from math import *
from one_base import Sized
import to_static as P
from to_static import nn
from to_static.nn import functional as F

relu = P.nn.functional.relu
twice = relu
twice = P.exp


class Box(Sized):
    def __init__(self, items):
        self.__items = items

    def total(self, x):
        def inner():
            return self.__items + super(Box, self).base(x)
        return inner() + super().base(x)


def star(x):
    return sqrt(x), max(x, 2)


def library(x):
    return P.relu(x), F.relu(x), nn.functional.relu(x), relu(x), twice(x)


def attribute(box: Box):
    return box.size, box.other


def around(x, max=None):
    def inside(y):
        return max(y, 2), min(y, 2)
    return inside(x)
'''
BASE = '''
class Sized:
    @property
    def size(self):
        return 1

    def base(self, x):
        return x
'''


@pytest.fixture
def names_module(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "one_base.py").write_text(BASE)
    module = loaded(NAMES, tmp_path / "one_names.py", "one_names")
    yield module, NAMES
    for name in ("one_names", "one_base"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("name", ["star", "library", "attribute", "around", "Box.total", "Box.__init__"])
def test_names(name, names_module):
    module, source = names_module
    function = eval(name, vars(module))
    text = transpile_functions(source, module.__file__, name)
    assert text == live_text(function)
    if name == "library":  # what surely is library code is called as it is, a name with two meanings is not
        assert "_jst.call(P.relu)" not in text and "_jst.call(F.relu)" not in text and "_jst.call(nn.functional.relu)" not in text
        assert " relu(x)" in text and "_jst.call(twice)" in text
    if name == "star":  # any name may come from there
        assert "_jst.call(max)" in text and "_jst.call(sqrt)" in text
    if name == "attribute":  # the property is that of a class in another file
        assert "_jst.attribute(box, 'size')" in text and "box.other" in text
    if name == "around":
        assert "_jst.call(max)(y, 2)" in text
    if name.startswith("Box"):
        assert "self.__items" in text


def test_a_builtin_that_another_module_has_bound_anew(names_module):
    module, source = names_module
    module = loaded(source.replace("from math import *\n", ""), pathlib.Path(module.__file__), "one_names")
    module.min = lambda a, b: "mine"
    new, text = transpile_function(module.around, operators)
    assert "_jst.min" not in text
    assert new(1, max=lambda a, b: a + b) == (3, "mine")
