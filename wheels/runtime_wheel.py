"""Builds the wheel `to_static-runtime`: what prediction needs, out of the same tree.

``python wheels/runtime_wheel.py [FOLDER]`` writes it into FOLDER (default: dist) and prints the path. The same tree gives the same
bytes. Whole rooms go in (`ROOMS`), the commands (`COMMANDS`), and of the rest what these import.
"""

from __future__ import annotations

import ast
import base64
import configparser
import functools
import hashlib
import sys
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NAME, TAG = "to_static_runtime", "py3-none-any"
COMPILER = tuple(f"to_static.compiler.{room}" for room in ("formats", "ir", "ops", "passes", "runtime"))
ROOMS = (*COMPILER, "to_static.core", "to_static.inference")
COMMANDS = ("__init__", "inspection", "predict", "quantize")
LATE = (*ROOMS, "to_static.compiler.eager", "to_static.cli")  # where imports inside of functions are followed to, too
REQUIRED = ("numpy", "protobuf")


@functools.cache
def modules() -> dict[str, Path]:
    """The files of all modules of the tree by their names."""
    return {_name(path): path for path in sorted((ROOT / "to_static").rglob("*.py"))}


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _within(name: str, packages: Iterable[str]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def contents() -> list[str]:
    """The names of the modules in the wheel."""
    waiting = [name for name in modules() if _within(name, ROOMS)]
    waiting += [f"to_static.cli.{command}".removesuffix(".__init__") for command in COMMANDS] + ["to_static.__main__"]
    chosen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in modules() and name not in chosen:
            chosen.add(name)
            waiting += imports(name)
    return sorted(chosen)


@functools.cache
def imports(name: str) -> frozenset[str]:
    """The modules, and packages around them, that a module loads with itself, or later from `LATE`."""
    tree = ast.parse(modules()[name].read_text(encoding="utf-8"))
    early = set(_imported(tree, False))
    late = {other for other in _imported(tree, True) if _within(other, LATE)}
    names = [other.split(".") for other in early | late | {name}]
    return frozenset(".".join(parts[:n]) for parts in names for n in range(1, len(parts) + 1))


def _imported(node: ast.AST, inside: bool) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom) and child.module:
            yield from (child.module, *(f"{child.module}.{alias.name}" for alias in child.names))
        if inside or not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _imported(child, inside)


def metadata() -> tuple[str, str]:
    """Version, and the text of METADATA."""
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", encoding="utf-8")
    about, options = setup["metadata"], setup["options"]
    lines = [
        "Metadata-Version: 2.1",
        "Name: to_static-runtime",
        f"Version: {about['version']}",
        "Summary: What of to_static runs saved models of PaddlePaddle; take to_static or this, not both",
        f"License: {about['license']}",
        "License-File: LICENSE",
        f"Requires-Python: {options['python_requires']}",
        *(f"Classifier: {line}" for line in about["classifiers"].strip().splitlines()),
        *(f"Requires-Dist: {line}" for line in options["install_requires"].split() if line.startswith(REQUIRED)),
        "Description-Content-Type: text/markdown",
        "",
        "The part of `to_static` that runs saved models: `to_static.inference`, and the commands `predict`, `inspect`, `quantize`.",
        "",
    ]
    return about["version"], "\n".join(lines)


def build(folder: Path) -> Path:
    """Write the wheel into ``folder``; returns its path."""
    version, about = metadata()
    info = f"{NAME}-{version}.dist-info"
    files = {modules()[name].relative_to(ROOT).as_posix(): modules()[name].read_bytes() for name in contents()}
    files["to_static/py.typed"] = b""
    files[f"{info}/METADATA"] = about.encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: to_static\nRoot-Is-Purelib: true\nTag: {TAG}\n".encode()
    files[f"{info}/entry_points.txt"] = b"[console_scripts]\nto_static = to_static.cli:main\n"
    files[f"{info}/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = "".join(f"{path},sha256={_digest(data)},{len(data)}\n" for path, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{NAME}-{version}-{TAG}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            wheel.writestr(entry, data)
    return path


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")


if __name__ == "__main__":
    print(build(Path(sys.argv[1] if len(sys.argv) > 1 else "dist")))
