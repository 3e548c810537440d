"""The module of operator functions and its stub."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import to_static
from tests.compiler.ops.record_functions import STUB, stub
from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ops import functions


def test_the_stub_is_current():
    assert STUB.read_text(encoding="utf-8") == stub(), "run python -m tests.compiler.ops.record_functions"


def test_attributes_are_the_functions_of_the_table():
    for name in dir(functions):
        assert getattr(functions, name) is FUNCTIONS[name if name in FUNCTIONS else name[:-1]], name
    assert functions.assert_ is FUNCTIONS["assert"]


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no operator function is called 'cst'"):
        functions.cst


def test_a_function_loads_its_family_alone():
    code = (
        "import sys; from to_static.compiler.ops import functions as F; from to_static.compiler.ir import registry; F.concat; "
        "sys.exit(registry._loader is None or 'to_static.compiler.ops.layers.rnn' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_rooms_above_call_operators_by_attribute():
    root = Path(to_static.__file__).parent
    by_string = re.compile(r'FUNCTIONS\["\w+"\](?! = )')  # an assignment declares a function
    above = (path for path in root.rglob("*.py") if (root / "compiler" / "ir") not in path.parents)  # ir lies below the operators
    assert [path.relative_to(root).as_posix() for path in above if by_string.search(path.read_text(encoding="utf-8"))] == []
