"""Write where operators and public functions of the vocabulary are declared, in the tables that load them one family at a time.

    python -m tests.compiler.ops.record_homes

`ops/op_index.py` says it of operators, types of Paddle's files and functions that operators call. The tables of the packages
`to_static` and `to_static.nn.functional` say it of public names, behind the line `MARK`: which names are public is written by
hand, in any row; the recorder moves each to the row of the module that defines it.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import textwrap
from collections import defaultdict
from pathlib import Path
from typing import Any

from tests.compiler.ops.record_functions import PACKAGE, definition

ROOT = Path(__file__).resolve().parents[3] / "to_static"
INDEX = ROOT / "compiler" / "ops" / "op_index.py"
PACKAGES = (ROOT / "__init__.py", ROOT / "nn" / "functional" / "__init__.py")
MARK = "    # operators; modules are written by python -m tests.compiler.ops.record_homes\n"
FIRST = "import sys, to_static.compiler.ops; print(*(m for m in sys.modules if m.startswith('to_static.compiler.ops.')))"
HEAD = '''"""The modules that declare names of the vocabulary, so that one of them can be had without loading all families.

Written by `python -m tests.compiler.ops.record_homes`. A name that is missing here is found all the same, by loading everything.
"""

# module: operators, types of Paddle's files and public functions
HOMES = {
'''


def module_of(entry: Any) -> str:
    """The module that declares an operator or a function."""
    return getattr(entry, "function", entry).__module__


def homes() -> dict[str, list[str]]:
    """Names by module, without the modules that are always loaded."""
    from to_static.compiler.ir.registry import FILE_TYPES, FUNCTIONS, REGISTRY

    out = subprocess.run([sys.executable, "-c", FIRST], check=True, capture_output=True, text=True).stdout
    always, names = set(out.split()), defaultdict(set)
    for table in (REGISTRY, FILE_TYPES, FUNCTIONS):
        for name, entry in table.items():
            module = module_of(entry)
            if module not in always and module.startswith(f"{PACKAGE}."):
                names[module.removeprefix(f"{PACKAGE}.")].add(name)
    return {module: sorted(names[module]) for module in sorted(names)}


def rows(names: dict[str, list[str]]) -> str:
    """Rows of a table: a module, and its names in as many lines as they need."""
    lines = []
    for module, its_names in names.items():
        wrapped = textwrap.wrap(" ".join(its_names), max(60, 112 - len(module)))
        for i, part in enumerate(wrapped):
            space = " " if i + 1 < len(wrapped) else ""
            end = "," if i + 1 == len(wrapped) else ""
            lines.append(f'    "{module}": "{part}{space}"{end}' if i == 0 else f'    "{part}{space}"{end}')
    return "\n".join(lines) + "\n"


def index() -> str:
    """The text of `op_index.py`."""
    return f"{HEAD}{rows(homes())}}}  # fmt: skip\n"


def package(path: Path) -> str:
    """The text of a package, with its public operators in the rows of the modules that define them."""
    text = path.read_text(encoding="utf-8")
    before, rest = text.split(MARK)
    table, after = rest.split("\n}", 1)
    public = " ".join(ast.literal_eval("{" + table + "}").values()).split()
    qualified = path.parent.relative_to(ROOT.parent).as_posix().replace("/", ".")
    modules = defaultdict(list)
    for name in sorted(public):
        value = getattr(sys.modules[qualified], name)
        module, _ = definition(name, value)
        assert vars(sys.modules[module]).get(name) is value, f"{module} has no {name}"
        modules[module].append(name)
    return before + MARK + rows(dict(sorted(modules.items()))).rstrip("\n") + "\n}" + after


if __name__ == "__main__":
    import to_static.compiler.ops
    import to_static.nn.functional  # noqa: F401
    from to_static.compiler.ir.registry import load_all

    load_all()
    INDEX.write_text(index(), encoding="utf-8")
    for page in PACKAGES:
        page.write_text(package(page), encoding="utf-8")
