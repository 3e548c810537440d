"""Translated functions are the originals in everything but their code: closures, defaults, globals, names, lines."""

import functools
import linecache
import sys
import traceback

import pytest

from to_static.compiler.frontend.jst import operators
from to_static.compiler.frontend.transpile import is_translated, transpile_function
from to_static.core.diagnostics import source_location
from to_static.core.errors import TranslationError

FACTOR = 3


def translate(function):
    return transpile_function(function, operators)[0]


def branchy(x, y=2, *rest, z=5, **more):
    """Doc."""
    if x > y:
        return x * FACTOR + z + sum(rest)
    return more.get("w", y)


def test_signature_and_metadata_are_kept():
    branchy.tag = "kept"
    new = translate(branchy)
    assert is_translated(new.__code__) and not is_translated(branchy.__code__)
    for args, kwargs in [((1,), {}), ((3,), {}), ((9, 1, 4, 5), {"z": 1}), ((0, 1), {"w": 7})]:
        assert new(*args, **kwargs) == branchy(*args, **kwargs)
    assert (new.__name__, new.__qualname__, new.__module__, new.__doc__) == ("branchy", "branchy", __name__, "Doc.")
    assert new.tag == "kept" and new.__globals__ is branchy.__globals__
    assert transpile_function(new, operators)[0] is new


def test_globals_are_live(monkeypatch):
    new = translate(branchy)
    monkeypatch.setattr(sys.modules[__name__], "FACTOR", 10)
    assert new(3) == 35


def test_closures_share_their_cells():
    count = 0

    def step(x):
        if x > count:
            return x
        return count

    new = translate(step)
    count = 5
    assert new(1) == 5 and new(7) == 7


def test_nonlocal_and_global_assignments_under_conditions():
    count = 0

    def step(x):
        nonlocal count
        global FACTOR
        if x > 0:
            count += x
            FACTOR = FACTOR + 0
        return count

    new = translate(step)
    assert [new(2), new(-1), new(3)] == [2, 2, 5] and count == 5


def test_two_closures_of_one_code():
    def make(n):
        def add(x):
            return x + n if x > 0 else n

        return add

    assert [translate(make(n))(1) for n in (1, 2)] == [2, 3]


def registering(function):
    registering.calls += 1

    @functools.wraps(function)
    def wrapper(x):
        return function(x) + 100

    return wrapper


registering.calls = 0


@registering
def decorated(x):
    return 1 if x > 0 else 2


def test_decorators_are_not_run_again():
    new = translate(decorated)  # what the name holds is the wrapper
    assert new(1) == 101 and registering.calls == 1


class Parent:
    def __init__(self):
        self.__secret = 2

    def value(self, x):
        if x > 0:
            return x * self.__secret
        return 0


class Child(Parent):
    def value(self, x):
        if x < 10:
            y = super().value(x)
        else:
            y = -1
        return super().value(x) if y else y

    def nested(self, x):
        def __twice(x, __more=1):
            nonlocal __calls
            __calls += 1
            return 2 * x + __more

        class __Box:
            size = 3

        __calls = 0
        if x > 0:
            x = __twice(x)
        return __twice(x) + __Box.size, __calls

    @staticmethod
    def static(x):
        return x if x > 0 else -x


def test_methods_super_and_private_names():
    child = Child()
    new = translate(Child.value)
    assert [new(child, v) for v in (3, 11, -1)] == [child.value(v) for v in (3, 11, -1)] == [6, 22, 0]
    assert translate(Child.static)(-4) == 4
    new = translate(Child.nested)
    assert [new(child, v) for v in (3, -1)] == [child.nested(v) for v in (3, -1)] == [(18, 2), (2, 1)]


def test_lambdas_on_a_line_that_differ_in_their_operators_only():
    found = (lambda k: k + k + k), (lambda k: k - k - k), (lambda k: -k - k - k)
    assert [translate(f)(5) for f in found] == [15, -5, -15]


def test_lambdas_on_a_line_with_comprehensions():
    found = (lambda k: k[0]), (lambda k: [i for i in k]), (lambda k: [i + 1 for i in k]), (lambda k: {i: 0 for i in k})
    assert [translate(f)([5]) for f in found] == [5, [5], [6], {5: 0}]


def test_lambdas_even_two_on_a_line():
    first, second = (lambda x: 1 if x > 0 else 2), (lambda x: 3 if x > 0 else 4)
    assert [translate(f)(v) for f in (first, second) for v in (1, -1)] == [1, 2, 3, 4]


def failing(x):
    y = 1

    while y < 3:
        if x == y:
            raise KeyError(x)
        y += 1
    return y


def test_frames_map_to_the_users_lines():
    new = translate(failing)
    with pytest.raises(KeyError) as caught:
        new(2)
    frames = [source_location.resolve(f.filename, f.lineno) for f in traceback.extract_tb(caught.value.__traceback__)]
    first = failing.__code__.co_firstlineno
    lines = [f.line - first for f in frames if f.file == __file__]
    assert lines[-1] == 5 and 3 in lines
    shown = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert shown.line == "raise _jst.raises(KeyError(x))" and linecache.getline(shown.filename, 1).startswith("def failing(x)")


def test_functions_without_source_are_refused():
    namespace = {}
    exec("def f(x):\n    return x\n", namespace)
    with pytest.raises(TranslationError, match="cannot read the source of 'f'"):
        translate(namespace["f"])


def test_changed_files_are_noticed(tmp_path, monkeypatch):
    path = tmp_path / "changed_module.py"
    path.write_text("def f(x):\n    return x\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    import changed_module

    path.write_text("# a new first line, longer than before\n\n\ndef f(x):\n    return x\n")
    with pytest.raises(TranslationError, match="was changed after it was imported"):
        translate(changed_module.f)


def test_encodings_and_multi_line_strings(tmp_path, monkeypatch):
    path = tmp_path / "latin_module.py"
    text = "# -*- coding: latin-1 -*-\ndef f(x):\n    s = '''é\n  two'''\n    if x:\n        s += 'ü'\n    return s\n"
    path.write_bytes(text.encode("latin-1"))
    monkeypatch.syspath_prepend(str(tmp_path))
    import latin_module

    assert translate(latin_module.f)(True) == "é\n  twoü"


def test_nested_functions_and_classes_are_translated_in_place():
    def outer(x):
        def inner(v):
            return "big" if v > 5 else "small"

        class Box:
            def kind(self, v):
                if v > 1:
                    return inner(v)
                return "tiny"

        return [inner(x), Box().kind(x)]

    new, text = transpile_function(outer, operators)
    assert [new(v) for v in (0, 3, 9)] == [outer(v) for v in (0, 3, 9)]
    assert text.count("_jst.if_") == 2
