from __future__ import annotations

import linecache

import pytest

from to_static.core.diagnostics import source_location


def test_lines_of_generated_code_are_reported_as_the_users():
    source_location.register_origin("<generated>", source_location.Origin("/user/net.py", {1: 10, 4: 20}))
    assert source_location.resolve("<generated>", 4).line == 20
    assert source_location.resolve("<generated>", 3).line == 10, "a line without an entry belongs to the one above it"
    assert source_location.is_generated("<generated>") and not source_location.is_internal("<generated>")


def test_capture_finds_the_users_frame():
    found = source_location.capture()
    assert found.file == __file__ and found.function == "test_capture_finds_the_users_frame"
    assert "--> " in source_location.describe(found) and "site.capture()" in source_location.excerpt(found)


def test_files_that_cannot_be_read_have_no_excerpt():
    assert source_location.excerpt(source_location.SourceLocation("/nowhere.py", 3)) == ""


def test_an_excerpt_of_other_text_is_not_shown(monkeypatch):
    """Python 3.13 keeps the text of ``python -c`` as that of "<string>", where functions made by ``exec`` are, too."""
    lines = ["def run():\n", "    return 1\n"]
    monkeypatch.setitem(linecache.cache, "<string>", (20, None, lines, "<string>"))
    assert "return 1" in source_location.excerpt(source_location.SourceLocation("<string>", 2, "run"))
    assert source_location.excerpt(source_location.SourceLocation("<string>", 2, "made_by_exec")) == ""


def test_methods_that_dataclasses_make_are_shown_where_they_are_called():
    namespace = {"capture": source_location.capture}
    exec("def made(): return capture()\ndef fails(): return 1 / 0", namespace)
    found = namespace["made"]()
    assert found.file == __file__ and found.function == "test_methods_that_dataclasses_make_are_shown_where_they_are_called"
    try:
        namespace["fails"]()
    except ZeroDivisionError as error:
        assert source_location.of_error(error).file == __file__


def _even(n):
    if n:
        return _odd(n - 1)
    raise RecursionError


def _odd(n):
    return _even(n - 1)


@pytest.mark.parametrize("depth", [100, 102, 200])
def test_the_line_of_a_recursion_does_not_depend_on_its_depth(depth):
    with pytest.raises(RecursionError) as caught:
        _even(depth)
    where = source_location.of_recursion(caught.value)
    assert (where.function, where.line) == ("_odd", _odd.__code__.co_firstlineno + 1)
