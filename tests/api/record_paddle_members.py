"""Records the members of PaddlePaddle's public classes: run with the Python of a Paddle 2.6 installation.

    python tests/api/record_paddle_members.py

`paddle_members.json` has a line for each class, by the first of its names: the public classes that it derives from, and the
members that it has besides theirs, each with its parameters and their defaults as text (null where there is none), or null for
what is no method. Of classes in C++ the parameters are those that their help names.
"""

from __future__ import annotations

import builtins
import importlib
import inspect
import json
import re
from pathlib import Path
from typing import Any

from record_paddle_signatures import parameters

ROOT = Path(__file__).parents[2]
_HELP = re.compile(r"^\w+\((.*)\) -> .*$")
_PARAMETER = re.compile(r"^(\*{0,2}\w+)(?:: .*?)?(?: = (.*))?$")


def modules() -> dict[str, list[str]]:
    """The public modules and their names, as `tests/golden/record_names.py` recorded them."""
    namespace: dict[str, Any] = {}
    exec((ROOT / "to_static/core/diagnostics/paddle_names.py").read_text(), namespace)
    return {name: sorted(names) for name, names in namespace["NAMES"].items() if name == "paddle" or name[:1].islower()}


def classes() -> dict[str, type]:
    """Each public class once, by the first of its names."""
    found: dict[str, type] = {}
    for module, names in modules().items():
        home = importlib.import_module("paddle" if module == "paddle" else f"paddle.{module}")
        for name in names:
            value = getattr(home, name, None)
            if inspect.isclass(value) and not issubclass(value, BaseException) and value.__module__.startswith("paddle"):
                if value not in found.values():
                    found[name if module == "paddle" else f"{module}.{name}"] = value
    return found


def split(text: str) -> list[str]:
    """The parts of a parameter list, at the commas that no bracket has around it."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "([{<") - (sign in ")]}>")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]


def helped(text: str | None) -> list[list[str | None]] | None:
    """The parameters that the help of a method in C++ names; None where it has several forms or none."""
    match = _HELP.match((text or "").strip().partition("\n")[0])
    if not match:
        return None
    rows = []
    for part in split(match[1]):
        found = _PARAMETER.match(part)
        if not found:
            return None
        rows.append([found[1], found[2]])
    return rows[1:] if rows and rows[0][0] == "self" else rows


def member(owner: type, name: str) -> Any:
    """The parameters of a method without the object, or None."""
    given = inspect.getattr_static(owner, name)
    if isinstance(given, staticmethod):
        return parameters(given.__func__)
    if isinstance(given, classmethod):
        return parameters(given.__func__, bound=True)
    if inspect.isfunction(given):
        return parameters(given, bound=True)
    value = getattr(owner, name, None)
    if callable(value) and not inspect.isclass(value):
        return helped(value.__doc__)
    return None


def main() -> None:
    """Write the table."""
    found = classes()
    names = {value: key for key, value in found.items()}
    lines = []
    for key, value in sorted(found.items()):
        bases = [base for base in value.__mro__[1:] if base in names]
        theirs = {name for base in bases for name in dir(base)}
        plain = {kind for kind in value.__mro__ if vars(builtins).get(kind.__name__) is kind}
        kinds = [kind for kind in value.__mro__ if kind is value or (kind not in names and kind not in plain)]
        own = {name for kind in kinds for name in vars(kind)}
        members = {
            name: member(value, name)
            for name in sorted(own)
            if not name.startswith("_") and (name not in theirs or name in vars(value))
        }
        call = parameters(value.__init__, bound=True) if inspect.isfunction(value.__init__) else None
        row = {"bases": [names[base] for base in bases], "call": call, "members": members}
        lines.append(f"{json.dumps(key)}: {json.dumps(row)}")
    (Path(__file__).parent / "paddle_members.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
