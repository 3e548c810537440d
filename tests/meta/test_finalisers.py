"""No code of Python's runs in callbacks of weak references, nor in ``__del__``: a Ctrl-C that came to it would be lost."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import to_static

ROOT = Path(to_static.__file__).parent
TABLES = {"WeakValueDictionary", "WeakKeyDictionary", "WeakSet", "WeakMethod", "finalize", "KeyedRef"}
MENTION = re.compile(rf"\b({'|'.join(TABLES)}|__del__|ref\(|proxy\()")  # most files name nothing of the kind: they are not parsed
ALLOWED = {("io/loader.py", "__del__")}  # by `core.processes.interrupts.finish`, which puts a Ctrl-C off


def found_in(text: str) -> list[tuple[str, int]]:
    """What may run code of Python's when something goes, with its lines."""
    found = []
    for node in ast.walk(ast.parse(text)):
        name = getattr(node, "attr", getattr(node, "id", getattr(node, "name", "")))
        of_weakref = name != "finalize" or getattr(getattr(node, "value", None), "id", "weakref") == "weakref"
        if (name in TABLES and of_weakref and not isinstance(node, ast.FunctionDef)) or (
            isinstance(node, ast.FunctionDef) and name == "__del__"
        ):
            found.append((name, node.lineno))
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in ("ref", "proxy"):
            more = [*node.args[1:], *node.keywords]
            if more and getattr(getattr(more[0], "func", None), "id", "") != "forgets":
                found.append(("ref with a callback", node.lineno))
    return found


def test_what_counts():
    assert found_in("import weakref\nx = weakref.WeakSet()") == [("WeakSet", 2)]
    assert found_in("from weakref import WeakValueDictionary") == [("WeakValueDictionary", 1)]
    assert found_in("class A:\n    def __del__(self): pass") == [("__del__", 2)]
    assert found_in("weakref.ref(x, print)") == [("ref with a callback", 1)]
    assert found_in("weakref.ref(x), weakref.ref(x, forgets(table, 1))") == []


def test_nothing_of_python_s_runs_when_something_goes():
    wrong = []
    for path in ROOT.rglob("*.py"):
        name = path.relative_to(ROOT).as_posix()
        text = path.read_text(encoding="utf-8")
        callbacks = found_in(text) if MENTION.search(text) else []
        wrong += [f"{name}:{line}: {what}" for what, line in callbacks if (name, what) not in ALLOWED]
    assert not wrong, "use core.weak: " + ", ".join(wrong)
