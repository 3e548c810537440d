"""What the documents show is what the code prints. ``python tests/docs/fresh.py`` brings them up to date."""

import difflib
import importlib.util
import sys
from pathlib import Path

import pytest

_spec = importlib.util.spec_from_file_location("fresh", Path(__file__).with_name("fresh.py"))
assert _spec is not None
assert _spec.loader is not None
fresh = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(fresh)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="messages find expressions by columns, which Python 3.10 does not keep")
@pytest.mark.parametrize("document", fresh.DOCUMENTS, ids=lambda path: path.name)
def test_documents_are_up_to_date(document, graph_breaks):
    old = document.read_text()
    new = fresh.refreshed(old, fresh.OF_SOURCE.get(document.name, ()))
    difference = difflib.unified_diff(old.splitlines(), new.splitlines(), document.name, "as it is now", lineterm="")
    assert new == old, "run `python tests/docs/fresh.py`, and read what changed:\n" + "\n".join(difference)


def test_documents_are_chosen_by_name():
    assert fresh.chosen(["docs/guide.md", "README.md"]) == [fresh.ROOT / "README.md", fresh.ROOT / "docs" / "guide.md"]
    assert fresh.chosen([]) == fresh.DOCUMENTS
    with pytest.raises(ValueError, match=r"doc/guide\.md; these are: README\.md, CONTRIBUTING\.md, docs/guide\.md"):
        fresh.chosen(["doc/guide.md"])


def test_a_document_that_fails_does_not_stop_the_others(tmp_path, capsys):
    first, second = tmp_path / "first.md", tmp_path / "second.md"
    first.write_text("```python\n1 // 0\n```\n")
    second.write_text("```python\nprint(1)\n```\n")
    assert fresh.refresh([first, second]) == 1
    assert second.read_text() == "```python\nprint(1)\n```\n\n```text\n1\n```\n"
    assert "first.md: not brought up to date: block 1" in capsys.readouterr().err


def test_every_block_of_python_is_run():
    """Documents whose blocks are not run mark them as ``py``; those of packages.md are run with the packages installed."""
    shown = [*fresh.ROOT.glob("*.md"), *fresh.ROOT.glob("docs/*.md"), *(fresh.ROOT / "to_static").rglob("README.md")]
    others = [path for path in shown if path not in fresh.DOCUMENTS and path.name != "packages.md"]
    assert [path.name for path in others if "\n```python" in path.read_text()] == []


def test_output_is_put_after_its_block():
    text = "One.\n\n```python\nx = 2\nprint(x)\n```\n\nTwo.\n\n```python\nx + 1\n```\n"
    assert fresh.refreshed(text) == text.replace("```\n\nTwo", "```\n\n```text\n2\n```\n\nTwo")


def test_a_table_is_made_anew(monkeypatch):
    monkeypatch.setattr("tests.docs.names_table.table", lambda: "| 1 | 2 |")
    text = "a\n<!-- made by names_table -->\n| 0 |\n<!-- end -->\nb\n"
    assert fresh.refreshed(text) == text.replace("| 0 |", "| 1 | 2 |")


def test_stale_output_is_replaced():
    text = "```python\nprint(1)\n```\n\n```text\n0\n```\n\n```text\nnot ours\n```\n"
    assert fresh.refreshed(text) == text.replace("\n0\n", "\n1\n")


def test_files_can_be_imported_and_read():
    text = (
        "```python file=made_here.py\nvalue = 7\n```\n\n```python\nimport made_here\nprint(made_here.value)\n```\n\n"
        "```text\n7\n```\n\n```console\n$ cat made_here.py\nvalue = 7\n\n$ echo a b\na b\n```\n"
    )
    assert fresh.refreshed(text) == text
    assert fresh.refreshed(text.replace("a b\n```", "c\n```")) == text


def test_an_exception_that_is_announced_is_shown_as_its_last_line():
    shown = "```text\nZeroDivisionError: integer division or modulo by zero\n```\n"
    text = f"```python raises=ZeroDivisionError\n1 // 0\n```\n\n{shown}"
    assert fresh.refreshed(text).count("ZeroDivisionError: ") == 1
    assert fresh.refreshed(text) == fresh.refreshed(fresh.refreshed(text))


@pytest.mark.parametrize(
    "block",
    [
        "```python\n1 // 0\n```\n\n```text\nZeroDivisionError: integer division or modulo by zero\n```\n",
        "```python raises=ValueError\n1 // 0\n```\n",
        "```python raises=ValueError\n1 // 1\n```\n",
        "```console\n$ python -c 'raise ValueError'\nTraceback (most recent call last):\nValueError\n```\n",
    ],
    ids=["not announced", "another one", "none", "of a command"],
)
def test_an_exception_that_is_not_announced_is_a_mistake(block):
    with pytest.raises(AssertionError):
        fresh.refreshed(block)


def test_a_diff_changes_a_file_and_must_find_its_place():
    blocks = [
        "```python file=a.py\nx = 1\ny = 2\n```\n",
        "```diff file=a.py\n x = 1\n-y = 2\n+y = 3\n```\n",
        "```diff file=a.py\n-x ... 1\n+x ... 0, 1\n```\n",
        "```console\n$ cat a.py\nx = 0, 1\ny = 3\n```\n",
    ]
    text = "\n".join(blocks)
    assert fresh.refreshed(text) == text
    with pytest.raises(AssertionError, match="0 places"):
        fresh.refreshed(text.replace("-y = 2", "-y = 9"))
