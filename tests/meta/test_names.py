"""File names that the house rules or pytest depend on."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import to_static

PACKAGE = Path(to_static.__file__).parent
TESTS = Path(__file__).parents[1]


def test_modules_of_tests_do_not_hide_each_other():
    names = Counter(p.stem for p in TESTS.rglob("test_*.py") if not (p.parent / "__init__.py").exists())
    assert not [name for name, count in names.items() if count > 1], "pytest imports only one of them"


def test_files_are_named_after_an_idea():
    for path in PACKAGE.rglob("*.py"):
        assert path.stem not in ("utils", "common", "helpers", "base", "misc"), path


def test_every_module_says_what_it_is():
    for path in PACKAGE.rglob("*.py"):
        assert path.read_text(encoding="utf-8").startswith('"""'), f"{path} has no docstring"
