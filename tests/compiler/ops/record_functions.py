"""Write `to_static/compiler/ops/functions.pyi`: where each public function of an operator is defined.

    python -m tests.compiler.ops.record_functions
"""

from __future__ import annotations

import inspect
import keyword
import re
import sys
from pathlib import Path
from typing import Any

STUB = Path(__file__).resolve().parents[3] / "to_static" / "compiler" / "ops" / "functions.pyi"
PACKAGE = "to_static.compiler.ops"
HEAD = """# ruff: noqa
# The attributes of functions.py. Generated: python -m tests.compiler.ops.record_functions

"""


def defines(module: Any, name: str) -> bool:
    """Whether a module defines a name itself, in place of importing it."""
    return bool(re.search(rf"^(def {name}\(|{name}\b.* = )", inspect.getsource(module), re.MULTILINE))


def definition(name: str, function: Any) -> tuple[str, str]:
    """The module that has the function of a name, and the function's name there."""
    home = sys.modules[function.__module__]
    modules = [home, *(module for name, module in sorted(sys.modules.items()) if name.startswith(f"{PACKAGE}."))]
    for module in modules:
        names = [alias for alias, value in vars(module).items() if value is function and defines(module, alias)]
        if names:
            return module.__name__, name if name in names else names[0]
    for alias, value in vars(home).items():  # made in a loop: the last one's signature is that of all
        if getattr(value, "__code__", None) is function.__code__:
            return home.__name__, alias
    raise LookupError(f"no module of {PACKAGE} has the function {name!r} under any name")


def stub() -> str:
    """The text of the stub, one line for each function."""
    from to_static.compiler.ir.registry import FUNCTIONS

    ours = {name: function for name, function in FUNCTIONS.items() if function.__module__.startswith(f"{PACKAGE}.")}
    rows = sorted((*definition(name, function), name + "_" * keyword.iskeyword(name)) for name, function in ours.items())
    imports = "".join(f"from {module} import {defined} as {name}\n" for module, defined, name in rows)
    return f"{HEAD}{imports}\n__all__ = [\n{''.join(f'    {name!r},{chr(10)}' for name in sorted(name for *_, name in rows))}]\n"


if __name__ == "__main__":
    import to_static.compiler.ops  # noqa: F401

    STUB.write_text(stub(), encoding="utf-8")
