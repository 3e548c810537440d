import importlib.util
import linecache

import pytest

import to_static as paddle
from to_static.core.diagnostics.source_lines import line_in, lines_in
from to_static.core.errors import TranslationError

TEXT = "def f(x):\n    if x.sum() > 0:\n        return x * 2\n    return x\n"


def test_lines_of_a_file(tmp_path):
    path = tmp_path / "m.py"
    path.write_text("# coding: latin-1\nx = '\xe9'\n", encoding="latin-1")
    assert lines_in(str(path)) == ["# coding: latin-1\n", "x = '\xe9'\n"]
    assert [line_in(str(path), n) for n in (0, 2, 3)] == ["", "x = '\xe9'\n", ""]


@pytest.mark.parametrize("coding", ["rot13", "hex", "utf-16", "undefined", "nonsense"])
def test_a_coding_in_which_no_text_is(tmp_path, coding):
    path = tmp_path / "m.py"
    path.write_text(TEXT)
    spec = importlib.util.spec_from_file_location("m", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    path.write_text(f"# coding: {coding}\n{TEXT}")  # after it was imported
    linecache.checkcache(str(path))
    assert lines_in(str(path)) == []
    with pytest.raises(TranslationError, match="cannot read the source of 'f'"):
        paddle.jit.to_static(module.f, full_graph=True)(paddle.ones([2]))
