"""What was meant stands below an error wherever it is printed: loggers, threads, `traceback`, pytest, notebooks."""

from __future__ import annotations

import linecache
import os
import subprocess
import sys
import types

import pytest

from to_static.core.diagnostics import notebooks, source_location
from to_static.core.diagnostics.source_location import SourceLocation

HEAD = "import to_static as paddle\nfrom to_static.nn import functional as F\n\nx = paddle.ones([2, 3])\n"
SAID = "PaddlePaddle calls it `axis=...`"
WAYS = {
    "uncaught": "F.softmax(x, dim=1)",
    "thread": "import threading\ndef go():\n    F.softmax(x, dim=1)\nt = threading.Thread(target=go)\nt.start()\nt.join()",
    "logging": "import logging\ntry:\n    F.softmax(x, dim=1)\nexcept TypeError:\n    logging.exception('failed')",
    "traceback": "import traceback\ntry:\n    F.softmax(x, dim=1)\nexcept TypeError:\n    traceback.print_exc()",
    "text": "import traceback\ntry:\n    F.softmax(x, dim=1)\nexcept TypeError as e:\n    print(*traceback.format_exception(e))",
    "unittest": (
        "import unittest\nclass Case(unittest.TestCase):\n    def test(self):\n        F.softmax(x, dim=1)\nunittest.main()"
    ),
    "asyncio": (
        "import asyncio\nasync def go():\n    t = asyncio.ensure_future(part())\n    await asyncio.sleep(0)\n    del t\n"
        "async def part():\n    F.softmax(x, dim=1)\nasyncio.run(go())"
    ),
}


def ran(*arguments, cwd):
    path = os.pathsep.join(filter(None, sys.path))
    environment = {**os.environ, "PYTHONPATH": path}
    run = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=cwd, env=environment)
    return run.stdout + run.stderr


@pytest.mark.parametrize("way", WAYS)
def test_notes_are_printed_once(tmp_path, way):
    (tmp_path / "prog.py").write_text(f"{HEAD}{WAYS[way]}\n")
    shown = ran("prog.py", cwd=tmp_path)
    assert shown.count(SAID) == 1, shown


def test_pytest_prints_notes(tmp_path):
    (tmp_path / "test_x.py").write_text(f"{HEAD}\n\ndef test_x():\n    F.softmax(x, dim=1)\n")
    shown = ran("-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", "test_x.py", cwd=tmp_path)
    assert SAID in shown, shown


@pytest.fixture
def notebook(monkeypatch):
    compiled = types.SimpleNamespace(format_code_name=lambda name: ("Cell", "In[3]") if name.endswith("/123.py") else None)
    running = types.SimpleNamespace(compile=compiled)
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: running))


def test_cells_have_the_names_that_users_see(notebook):
    assert notebooks.cell_of("/tmp/ipykernel_1/123.py") == "Cell In[3]" and notebooks.cell_of("/home/x.py") is None
    assert str(SourceLocation("/tmp/ipykernel_1/123.py", 4)) == "Cell In[3]:4" and str(SourceLocation("/home/x.py", 4)) == "x.py:4"
    assert source_location.describe(SourceLocation("/tmp/ipykernel_1/123.py", 4, "f")) == "  Cell In[3], line 4, in f"
    assert source_location.describe(SourceLocation("/nowhere/x.py", 4, "f")) == '  File "/nowhere/x.py", line 4, in f'


def test_warnings_name_the_cell(notebook, monkeypatch):
    monkeypatch.setitem(linecache.cache, "/tmp/ipykernel_1/123.py", (1, None, ["f(x)\n"], "/tmp/ipykernel_1/123.py"))
    monkeypatch.delitem(linecache.cache, "Cell In[3]", raising=False)
    assert notebooks.seen_name("/home/x.py") == "/home/x.py"
    name = notebooks.seen_name("/tmp/ipykernel_1/123.py")
    assert (name, linecache.getline(name, 1)) == ("Cell In[3]", "f(x)\n")
    linecache.cache.pop("Cell In[3]")
