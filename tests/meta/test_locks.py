"""Every lock of the package is made anew, or found free, in a forked child: see `to_static.core.processes.forking`."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import to_static

ROOT = Path(to_static.__file__).parent
LOCKS = set(  # (cached_property has a lock before Python 3.12)
    "Lock RLock Condition Event Semaphore BoundedSemaphore Barrier Queue LifoQueue PriorityQueue SimpleQueue "
    "ThreadPool ThreadPoolExecutor ProcessPoolExecutor cached_property".split()
)
ALLOWED = {  # made anew in a child with what it belongs to, or made in a child only
    ("core/processes/threads.py", "Event"),  # of a ticket, which no child waits for
    ("core/processes/threads.py", "SimpleQueue"),
    ("io/worker.py", "Event"),
    ("io/worker.py", "SimpleQueue"),
    ("compiler/frontend/jst/calls/side_effects.py", "cached_property"),  # asked for, not made
    ("compiler/frontend/tracing/guards.py", "cached_property"),
    ("serve/model_pool.py", "SimpleQueue"),  # of a server, which forks nothing: a process of its own does
    ("batch/on_this_machine.py", "ThreadPoolExecutor"),
    ("serve/scheduler.py", "ThreadPoolExecutor"),
    ("jit/api.py", "cached_property"),  # in the user's class, where the user has one
}
MODULES = {"threading", "queue", "futures", "multiprocessing", "pool", "functools", "_thread"}
MENTION = re.compile(rf"\b({'|'.join(LOCKS)})\b")  # most files name no lock: they are not parsed


def found_in(text: str) -> list[tuple[str, int]]:
    """Names of what has a lock, with their lines, but for those that are given to `free_in_children` at once."""
    tree = ast.parse(text)
    free = {
        id(part)
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "free_in_children"
        for part in ast.walk(call)
    }
    names = []
    for node in ast.walk(tree):
        module = getattr(node.value, "id", getattr(node.value, "attr", "")) if isinstance(node, ast.Attribute) else ""
        if id(node) not in free and module in MODULES and node.attr in LOCKS:
            names.append((node.attr, node.lineno))
        if isinstance(node, ast.ImportFrom) and (node.module or "").rpartition(".")[2] in MODULES:
            names += [(alias.name, node.lineno) for alias in node.names if alias.name in LOCKS]
    return names


def test_what_counts():
    assert found_in("import threading\nx = threading.Lock()") == [("Lock", 2)]
    assert found_in("from threading import RLock") == [("RLock", 1)]
    assert found_in("@functools.cached_property\ndef f(self): pass") == [("cached_property", 1)]
    assert found_in("x = free_in_children(threading.RLock(), True)") == []
    assert found_in("x = paddle.device.Event()") == []


def test_every_lock_is_registered():
    wrong = []
    for path in ROOT.rglob("*.py"):
        name = path.relative_to(ROOT).as_posix()
        text = path.read_text(encoding="utf-8")
        for kind, line in found_in(text) if MENTION.search(text) else ():
            if (name, kind) not in ALLOWED:
                wrong.append(f"{name}:{line}: {kind}")
    assert not wrong, "give it to core.processes.forking.free_in_children, or use core.kept_property: " + ", ".join(wrong)
