"""The API reference has the signatures, docstrings and examples of public names, and what differs from Paddle."""

import html
import importlib.util
import re
import sys
from pathlib import Path

_spec = importlib.util.spec_from_file_location("apidocs", Path(__file__).resolve().parents[2] / "docs" / "apidocs.py")
assert _spec is not None
assert _spec.loader is not None
apidocs = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(apidocs)


def section(page, name):
    """The text of what a page says about a name."""
    (found,) = re.findall(rf'<section id="{name}">(.*?)</section>', page, re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", found)).split())


def test_pages_show_what_a_docstring_says(tmp_path):
    docs = apidocs.build(tmp_path, ["geometric", "nowhere"])
    assert list(docs) == ["to_static.geometric"]
    page = (tmp_path / "to_static" / "geometric.html").read_text(encoding="utf-8")
    said = section(page, "segment_sum")
    assert "def segment_sum (data, segment_ids, name=None)" in said.replace("segment_sum(", "segment_sum (")
    assert ">>> paddle.geometric.segment_sum(" in said
    assert (tmp_path / "index.html").exists()
    assert "segment_sum" in (tmp_path / "search.js").read_text(encoding="utf-8")


def test_what_differs_is_known_by_name():
    said = apidocs.differences((Path(__file__).resolve().parents[2] / "docs" / "differences.md").read_text(encoding="utf-8"))
    assert any("(Paddle: 0;" in point for point in said["relu"])
    assert any("floor_divide_" in point for point in said["floor_divide_"])
    assert apidocs.differences("* `a.b(x)` is 1 (Paddle: 2).\n  And `c`: 3.\n* `d`: of `e`.\n") == {
        "b": ["`a.b(x)` is 1 (Paddle: 2). And `c`: 3."],
        "d": ["`d`: of `e`."],
    }
    table = "| call | here | Paddle 2.6.2 |\n|---|---|---|\n| `f(1)`; `g` | 1 | 2 |\n| `h` | 3 | |\n"
    assert apidocs.differences(table) == {
        "f": ["`f(1)`; `g`: 1 (Paddle: 2)"], "g": ["`f(1)`; `g`: 1 (Paddle: 2)"], "h": ["`h`: 3"],
    }  # fmt: skip


def test_names_that_differ_have_a_note():
    import pdoc

    docs = [pdoc.doc.Module(module) for module in apidocs.modules(["nn.functional"])]
    assert apidocs.annotated(docs) > 5
    assert "**Differs from Paddle**" in docs[0].members["relu"].docstring
    assert "**Differs from Paddle**" not in docs[0].members["gelu"].docstring
    assert sys.modules["to_static.nn.functional"].relu.__doc__.count("Differs") == 0
