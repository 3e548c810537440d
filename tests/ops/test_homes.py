"""The table that says where operators are declared."""

import importlib
import subprocess
import sys

from tests.ops.record_homes import module_of
from to_static.ir.registry import FILE_TYPES, FUNCTIONS, REGISTRY
from to_static.ops.homes import HOMES


def test_names_are_where_the_table_says():
    for module, names in HOMES.items():
        importlib.import_module(f"to_static.ops.{module}")  # some replace a name of a family that is always there
        for name in names.split():
            entries = [table[name] for table in (REGISTRY, FILE_TYPES, FUNCTIONS) if name in table]
            assert f"to_static.ops.{module}" in {module_of(entry) for entry in entries}, name


def test_a_name_loads_its_family_alone():
    code = (
        "import sys, to_static.ops; from to_static.ir import registry; registry.get('conv2d'); registry.FUNCTIONS['concat']; "
        "sys.exit(registry._loader is None or 'to_static.ops.layers.rnn' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
