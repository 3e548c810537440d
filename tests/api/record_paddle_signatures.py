"""Records the signatures of PaddlePaddle's public functions, classes and methods: run with the Python of a Paddle 2.6 installation.

    python tests/api/record_paddle_signatures.py

Each line of the file is one name: its parameters, each with its default as text (null where it has none).
"""

import importlib
import inspect
import json
from pathlib import Path

PACKAGES = [
    "paddle", "paddle.device", "paddle.framework", "paddle.inference", "paddle.io", "paddle.jit", "paddle.linalg", "paddle.metric",
    "paddle.nn", "paddle.nn.functional", "paddle.nn.initializer", "paddle.nn.utils", "paddle.optimizer", "paddle.optimizer.lr",
    "paddle.regularizer", "paddle.static", "paddle.static.nn", "paddle.utils", "paddle.utils.unique_name",
    "paddle.vision.ops", "paddle.vision.transforms",
]  # fmt: skip
OBJECTS = (bool, int, float, str, tuple, list, type(None))


def default(value):
    """The text of a default: that of plain values; others by their type's name, since their addresses differ."""
    if isinstance(value, OBJECTS):
        return repr(value)
    return f"<{getattr(value, '__name__', type(value).__name__)}>"


def parameters(function, bound=False):
    """[[name, default], ...] of a function; ``*args`` and ``**kwargs`` keep their stars."""
    try:
        found = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    rows = []
    for p in found[1:] if bound else found:
        star = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        rows.append([star + p.name, None if star or p.default is p.empty else default(p.default)])
    return rows


def of_package(package):
    """Signatures of one module: functions as ``package.name``, classes as calls, and the public methods that they define."""
    module = importlib.import_module(package)
    names = getattr(module, "__all__", None) or [n for n in dir(module) if not n.startswith("_")]
    if package == "paddle":
        names = sorted({*names, *(n for n in dir(module) if callable(getattr(module, n)) and not n.startswith("_"))})
    found = {}
    for name in names:
        value, key = getattr(module, name, None), f"{package}.{name}"
        if inspect.isclass(value):
            if value.__init__ is not object.__init__:
                found[key] = parameters(value.__init__, bound=True)
            for method, member in vars(value).items():
                if not method.startswith("_") and inspect.isfunction(member):
                    found[f"{key}.{method}"] = parameters(member, bound=True)
        elif inspect.isfunction(value):
            found[key] = parameters(value)
    return {key: value for key, value in found.items() if value is not None}


def main():
    """Write the table of all packages to paddle_signatures.json."""
    rows = {}
    for package in PACKAGES:
        rows.update(of_package(package))
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(rows[key])}" for key in sorted(rows))
    (Path(__file__).parent / "paddle_signatures.json").write_text("{\n" + lines + "\n}\n")


if __name__ == "__main__":
    main()
