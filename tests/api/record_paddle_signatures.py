"""Records the signatures of PaddlePaddle's public functions, classes and methods: run with the Python of a Paddle 2.6 installation.

    python tests/api/record_paddle_signatures.py > tests/api/paddle_signatures.json

Each line of the file is one name: its parameters, each with its default as text (null where it has none).
"""

import importlib
import inspect
import json
import sys

PACKAGES = [
    "paddle", "paddle.device", "paddle.framework", "paddle.inference", "paddle.io", "paddle.jit", "paddle.linalg", "paddle.metric",
    "paddle.nn", "paddle.nn.functional", "paddle.nn.initializer", "paddle.nn.utils", "paddle.optimizer", "paddle.optimizer.lr",
    "paddle.regularizer", "paddle.static", "paddle.static.nn", "paddle.utils", "paddle.utils.unique_name", "paddle.vision.transforms",
    "paddle.vision.ops",
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


def of_package(package, root):
    """Signatures of one module: functions as ``package.name``, classes by ``__init__`` and their own public methods."""
    module = importlib.import_module(package)
    names = getattr(module, "__all__", None) or [n for n in dir(module) if not n.startswith("_")]
    if package == "paddle":
        names = sorted({*names, *(n for n in dir(module) if callable(getattr(module, n)) and not n.startswith("_"))})
    found = {}
    for name in names:
        value = getattr(module, name, None)
        key = f"{package}.{name}".replace(package.split(".")[0], root, 1)
        if inspect.isclass(value):
            if value.__init__ is not object.__init__:
                found[key] = parameters(value.__init__, bound=True)
            for method in dir(value):
                member = inspect.getattr_static(value, method, None)
                if method.startswith("_") or not inspect.isfunction(member):
                    continue
                found[f"{key}.{method}"] = parameters(member, bound=True)
        elif inspect.isfunction(value) or (callable(value) and hasattr(value, "__wrapped__")):
            found[key] = parameters(value)
    return {key: value for key, value in found.items() if value is not None}


def main(root):
    """Print the table of every package of ``root``."""
    rows = {}
    for package in PACKAGES:
        name = package.replace("paddle", root, 1)
        try:
            rows.update(of_package(name, "paddle"))
        except ImportError:
            continue
    print("{")
    print(",\n".join(f"{json.dumps(key)}: {json.dumps(rows[key])}" for key in sorted(rows)))
    print("}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "paddle")
