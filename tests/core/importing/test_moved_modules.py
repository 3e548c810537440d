"""Former module paths that documents named lead to the modules, and say where these are now."""

import subprocess
import sys

import pytest

from to_static.core.importing.moved_modules import MOVED


@pytest.mark.parametrize("name", MOVED)
def test_a_former_path_is_the_module_of_now(name):
    code = f"import warnings, to_static.{name} as old, to_static.{MOVED[name]} as new\nassert old is new\nprint(new.__spec__.name)"
    run = subprocess.run([sys.executable, "-Walways", "-c", code], capture_output=True, text=True, check=True)
    assert f"DeprecationWarning: to_static.{name} is to_static.{MOVED[name]} now" in run.stderr
    assert run.stdout == f"to_static.{MOVED[name]}\n"


def test_other_names_are_no_modules():
    code = "for n in ('ir.nothing', 'lower'):\n    try: __import__(f'to_static.{n}')\n    except ModuleNotFoundError: print(n)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["ir.nothing", "lower"]


def test_the_compiler_is_no_module_of_paddle():
    code = "import to_static; to_static.install_as_paddle()\nfor n in ('compiler', 'lower', 'ir', 'compiler.ir'):\n"
    code += "    try: __import__(f'paddle.{n}')\n    except ModuleNotFoundError: print(n)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["compiler", "lower", "ir", "compiler.ir"]
