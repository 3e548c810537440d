"""Kernels are written once for NumPy and CuPy: each name they take must exist in CuPy and be called as CuPy has it.

CuPy imports without a CUDA device, so this needs no GPU.
"""

from __future__ import annotations

import ast
import functools
import inspect
from pathlib import Path

import numpy as np
import pytest

import to_static
import to_static.compiler.ops
from to_static.compiler.ir.registry import REGISTRY

cupy = pytest.importorskip("cupy", reason="CuPy is not installed (it comes with the dev extra on Linux from Python 3.11 on)")

ROOT = Path(to_static.__file__).parent
FILES = sorted(p for room in ("ops", "runtime", "eager", "passes") for p in (ROOT / "compiler" / room).rglob("*.py"))


@functools.cache
def nodes():
    """Every (path, node) of the files, parsed when a test first asks: a worker that runs none of these tests skips it."""
    return [(path, node) for path in FILES for node in ast.walk(ast.parse(path.read_text()))]


@pytest.fixture(scope="module", autouse=True)
def forgotten_nodes():
    """Forget the trees after these tests: the others of the process would pay for them in garbage collections."""
    yield
    nodes.cache_clear()


def dotted(node):
    """['linalg', 'inv'] for ``xp.linalg.inv`` and ``here.xp.linalg.inv``; None for anything else."""
    names = []
    while isinstance(node, ast.Attribute):
        if node.attr == "xp":
            return names
        names.insert(0, node.attr)
        node = node.value
    return names if isinstance(node, ast.Name) and node.id == "xp" else None


def uses(kind):
    for path, node in nodes():
        if isinstance(node, kind):
            yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def find(module, names):
    for name in names:
        module = getattr(module, name, None)
    return module


def test_every_name_exists_in_cupy():
    names = {tuple(n): where for where, node in uses(ast.Attribute) if (n := dotted(node)) and n != ["__name__"]}
    assert len(names) > 60
    missing = [f"{where}: xp.{'.'.join(n)}" for n, where in names.items() if find(cupy, n) is None]
    assert not missing, "\n".join(missing)


def test_every_ufunc_of_the_registry_is_one_of_cupy():
    named = {o.ufunc for o in REGISTRY.values() if o.ufunc}
    assert len(named) > 40
    assert not [n for n in named if not isinstance(getattr(cupy, n, None), (cupy.ufunc, type(cupy.isclose)))]


def test_every_call_fits_the_signature_in_cupy():
    wrong = []
    for where, call in uses(ast.Call):
        names = dotted(call.func)
        function = find(cupy, names) if names else None
        if function is None or isinstance(function, cupy.ufunc):
            continue
        try:
            signature = inspect.signature(function)
        except (TypeError, ValueError):
            continue
        if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
            continue
        try:
            signature.bind(*call.args, **{k.arg: k.value for k in call.keywords})
        except TypeError as error:
            wrong.append(f"{where}: xp.{'.'.join(names)}: {error}")
    assert not wrong, "\n".join(wrong)


def test_maximum_and_minimum_get_their_buffer_by_name():
    """NumPy warns about ``maximum(x, y, None)``; ``out=`` means the same to both."""
    calls = [(where, call) for where, call in uses(ast.Call) if dotted(call.func) in (["maximum"], ["minimum"])]
    assert calls
    assert not [where for where, call in calls if len(call.args) > 2]


def test_scatters_use_what_cupy_can_add_at():
    allowed = {"add", "subtract", "maximum", "minimum"}
    found = [(where, dotted(node)) for where, node in uses(ast.Attribute) if node.attr == "at" and dotted(node)]
    assert not [f"{where}: {n}" for where, n in found if n[0] not in allowed]


def test_methods_of_arrays_exist_in_cupy():
    """Inside functions whose first parameter is ``xp``, every attribute that is one of NumPy's arrays must be one of CuPy's."""
    wrong = []
    for where, function in uses(ast.FunctionDef):
        if not function.args.args or function.args.args[0].arg != "xp":
            continue
        for node in ast.walk(function):
            known = isinstance(node, ast.Attribute) and node.attr in dir(np.ndarray) and dotted(node) is None
            if known and not hasattr(cupy.ndarray, node.attr) and node.attr not in ("itemsize",):
                wrong.append(f"{where.partition(':')[0]}:{node.lineno}: .{node.attr}")
    assert not wrong, "\n".join(wrong)
