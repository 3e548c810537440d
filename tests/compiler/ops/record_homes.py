"""Write `to_static/compiler/ops/op_index.py`: where each operator, file type and public function of the vocabulary is declared.

    python -m tests.compiler.ops.record_homes

The table is a hint (a name that it lacks is found by loading everything), so it may be behind; what it says must be right.
"""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parents[3] / "to_static" / "compiler" / "ops" / "op_index.py"
FIRST = "import sys, to_static.compiler.ops; print(*(m for m in sys.modules if m.startswith('to_static.compiler.ops.')))"
HEAD = '''"""Where names of the vocabulary are declared, so that one of them can be had without loading all families.

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
    always, found = set(out.split()), {}
    for table in (REGISTRY, FILE_TYPES, FUNCTIONS):
        for name, entry in table.items():
            if module_of(entry) not in always:
                found.setdefault(module_of(entry).removeprefix("to_static.compiler.ops."), set()).add(name)
    return {module: sorted(found[module]) for module in sorted(found)}


def page() -> str:
    """The text of the module."""
    lines = []
    for module, names in homes().items():
        wrapped = textwrap.wrap(" ".join(names), 100)
        for i, part in enumerate(wrapped):
            space = " " if i + 1 < len(wrapped) else ""
            end = "," if i + 1 == len(wrapped) else ""
            lines.append(f'    "{module}": "{part}{space}"{end}' if i == 0 else f'    "{part}{space}"{end}')
    return HEAD + "\n".join(lines) + "\n}  # fmt: skip\n"


if __name__ == "__main__":
    import to_static.compiler.ops  # noqa: F401

    PAGE.write_text(page())
