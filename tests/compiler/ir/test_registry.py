"""Tables of what modules declare: seen by other threads when the module is finished."""

import importlib
import sys
import threading
import types

import pytest

from to_static.compiler.ir.registry import FUNCTIONS, REGISTRY, OperatorTable

MODULE = """
from given_to_it import TABLE, reached, go_on

def early():
    return later()

TABLE["early"] = early
OWN = TABLE["early"]  # the module itself has it at once
reached.set()
assert go_on.wait(30)

def later():
    return "whole"
"""


def test_another_thread_gets_a_declaration_when_its_module_is_finished(tmp_path, monkeypatch):
    name, given = "declares_slowly", types.ModuleType("given_to_it")
    given.TABLE, given.reached, given.go_on = OperatorTable(), threading.Event(), threading.Event()
    monkeypatch.setitem(sys.modules, given.__name__, given)
    (tmp_path / f"{name}.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    results = []
    importing = threading.Thread(target=importlib.import_module, args=(name,))
    importing.start()
    assert given.reached.wait(30)
    asking = [threading.Thread(target=lambda: results.append(given.TABLE["early"]())) for _ in range(3)]
    for thread in asking:
        thread.start()
    asking[0].join(0.1)
    assert not results
    given.go_on.set()
    for thread in [importing, *asking]:
        thread.join(30)
    assert results == ["whole"] * 3
    assert sys.modules.pop(name).OWN is given.TABLE["early"]


def test_a_name_that_is_nowhere():
    assert "no such operator" not in REGISTRY and REGISTRY.get("no such operator", 3) == 3
    with pytest.raises(KeyError, match="no such function"):
        FUNCTIONS["no such function"]
    assert not REGISTRY.declared("no such operator") and REGISTRY.declared("add")
    assert len(REGISTRY) == len(list(REGISTRY)) == len(REGISTRY.keys()) == len(REGISTRY.values()) == len(REGISTRY.items())
