"""The tables that say where operators are declared."""

import importlib
import subprocess
import sys

import pytest

import to_static.nn.functional  # noqa: F401
from tests.compiler.ops.record_homes import INDEX, PACKAGES, index, module_of, package
from to_static.compiler.ir.registry import FILE_TYPES, FUNCTIONS, REGISTRY
from to_static.compiler.ops.op_index import HOMES


def test_the_index_is_current():
    assert INDEX.read_text(encoding="utf-8") == index(), "run python -m tests.compiler.ops.record_homes"


@pytest.mark.parametrize("path", PACKAGES, ids=["to_static", "nn.functional"])
def test_public_names_are_in_the_rows_of_the_modules_that_define_them(path):
    assert path.read_text(encoding="utf-8") == package(path), "run python -m tests.compiler.ops.record_homes"


def test_names_are_where_the_table_says():
    for module, names in HOMES.items():
        importlib.import_module(f"to_static.compiler.ops.{module}")  # some replace a name of a family that is always there
        for name in names.split():
            entries = [table[name] for table in (REGISTRY, FILE_TYPES, FUNCTIONS) if name in table]
            assert f"to_static.compiler.ops.{module}" in {module_of(entry) for entry in entries}, name


def test_operators_that_are_not_always_there_are_in_the_index():
    code = (
        "import sys, to_static.compiler.ops; from to_static.compiler.ir.registry import REGISTRY\n"
        "print(*(name for name in sys.argv[1:] if not REGISTRY.declared(name)))"
    )
    names = [name for name, entry in REGISTRY.items() if module_of(entry).startswith("to_static.compiler.ops.")]
    out = subprocess.run([sys.executable, "-c", code, *names], check=True, capture_output=True, text=True).stdout
    assert {"atan2", "conv2d"} <= set(out.split())
    assert set(out.split()) - set(" ".join(HOMES.values()).split()) == set()


def test_a_name_loads_its_family_alone():
    code = (
        "import sys, to_static.compiler.ops; from to_static.compiler.ir import registry; registry.get('conv2d'); "
        "registry.FUNCTIONS['concat']; "
        "sys.exit(registry._loader is None or 'to_static.compiler.ops.layers.rnn' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_methods_are_those_that_loading_everything_gives():
    code = (
        "import to_static.compiler.ops; from to_static.compiler.ir import registry; from to_static.compiler.ir.tensor import "
        "Tensor\n"
        "from to_static.compiler.ops.op_index import HOMES\n"
        "names = [name for names in HOMES.values() for name in names.split()]\n"
        "early = {}\n"
        "for name in names: registry.load_home(name); early[name] = getattr(Tensor, name, None)\n"
        "registry.load_all()\n"
        "print([n for n in names if early[n] is not None and getattr(Tensor, n) is not early[n]])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


def test_static_calls_of_common_layers_and_methods_do_not_load_all_families():
    code = (
        "import sys, to_static as paddle; from to_static.compiler.ir import registry\n"
        "net = paddle.nn.Sequential(paddle.nn.Linear(3, 4), paddle.nn.ReLU())\n"
        "def f(x): return net(x).flatten(1)\n"
        "paddle.jit.to_static(f)(paddle.ones([2, 3])); sys.exit(registry._loader is None)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
