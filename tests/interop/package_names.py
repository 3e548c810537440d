"""Names of Paddle that published packages use, that PaddlePaddle 2.6.2 has and this package lacks.

    python -m tests.interop.package_names --paddle PYTHON FOLDER ...

The folders hold sources of packages, one package each (an unpacked wheel, say); PYTHON is that of an environment with PaddlePaddle
2.6.2. Three lists are printed, each entry with the packages that use it: paths below ``paddle``, attributes of objects that Paddle
hands out (tensors, layers, programs and so on), and keywords of calls.

Sources are read, never run: names are followed through the imports of a file (``import paddle.nn as nn``, ``from paddle import
_C_ops``). An attribute of an expression whose type the text does not tell counts if any of Paddle's classes has it, this package's
does not, and no class of the package defines it.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypedDict

ROOT = Path(__file__).resolve().parents[2]
Names = dict[str, set[str]]  # a name, and the packages that use it


class Side(TypedDict):
    """What Paddle or this package has."""

    paths: dict[str, list[str] | None]  # of callables whose parameters are known these, else None
    attributes: dict[str, list[str]]  # of the objects in the table below


class Reader(ast.NodeVisitor):
    """Collects the names of one file: paths below ``paddle``, attributes, and keywords of calls."""

    def __init__(self) -> None:
        self.paths: set[str] = set()
        self.attributes: set[str] = set()
        self.defined: set[str] = set()
        self.keywords: set[tuple[str, str]] = set()
        self._bound: dict[str, str] = {}

    def visit_Import(self, node: ast.Import) -> None:
        """Bind ``import paddle.nn as nn``."""
        for alias in node.names:
            if alias.name.split(".")[0] == "paddle":
                self.paths.add(alias.name)
                self._bound[alias.asname or "paddle"] = alias.name if alias.asname else "paddle"

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Bind ``from paddle.nn import Linear``."""
        if node.level or node.module is None or node.module.split(".")[0] != "paddle":
            return
        self.paths.add(node.module)
        for alias in node.names:
            if alias.name != "*":
                self.paths.add(f"{node.module}.{alias.name}")
                self._bound[alias.asname or alias.name] = f"{node.module}.{alias.name}"

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """Note ``paddle.nn.Linear`` as a path, ``x.item`` as an attribute."""
        path = self._path(node)
        if path is not None:
            self.paths.add(path)
        elif isinstance(node.ctx, ast.Load):
            self.attributes.add(node.attr)
        else:
            self.defined.add(node.attr)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """Note the keywords of ``paddle.concat(x=...)``."""
        path = self._path(node.func)
        if path is not None:
            self.keywords.update((path, word.arg) for word in node.keywords if word.arg is not None)
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Note what the package defines itself."""
        self.defined.add(node.name)
        self.generic_visit(node)

    def _path(self, node: ast.expr) -> str | None:
        if isinstance(node, ast.Name):
            return self._bound.get(node.id)
        if isinstance(node, ast.Attribute):
            above = self._path(node.value)
            return None if above is None else f"{above}.{node.attr}"
        return None


def read(folder: Path) -> Reader:
    """The names of all Python files below a folder; files that are not Python 3 are left out."""
    whole = Reader()
    for path in sorted(folder.rglob("*.py")):
        try:
            tree = ast.parse(path.read_text("utf-8"))
        except (SyntaxError, UnicodeDecodeError, ValueError):
            continue
        reader = Reader()
        for node in ast.walk(tree):  # imports first, wherever they are: functions use names that later lines bind
            if isinstance(node, ast.Import):
                reader.visit_Import(node)
            elif isinstance(node, ast.ImportFrom):
                reader.visit_ImportFrom(node)
        reader.visit(tree)
        for field in ("paths", "attributes", "defined", "keywords"):
            getattr(whole, field).update(getattr(reader, field))
    return whole


# ---- what each side has: run in a process that imports Paddle or this package ----

OBJECTS = {
    "Tensor": "paddle.ones([1])",
    "Parameter": "paddle.nn.Linear(1, 1).weight",
    "Layer": "paddle.nn.Linear(1, 1)",
    "LayerList": "paddle.nn.LayerList()",
    "Place": "paddle.ones([1]).place",
    "CPUPlace": "paddle.CPUPlace()",
    "dtype": "paddle.float32",
    "Optimizer": "paddle.optimizer.Adam(parameters=paddle.nn.Linear(1, 1).parameters())",
    "Scheduler": "paddle.optimizer.lr.StepDecay(.1, 2)",
    "Program": "paddle.static.Program()",
    "Block": "paddle.static.Program().global_block()",
    "Config": "paddle.inference.Config()",
    "Scaler": "paddle.amp.GradScaler()",
    "Executor": "paddle.static.Executor()",
    "DataLoader": "paddle.io.DataLoader([1])",
    "Model": "paddle.Model(paddle.nn.Linear(1, 1))",
    "InputSpec": "paddle.static.InputSpec([1])",
    "StaticFunction": "paddle.jit.to_static(lambda x: x)",
    "Normal": "paddle.distribution.Normal(0., 1.)",
    "Scope": "paddle.static.global_scope()",
    "ParallelEnv": "paddle.distributed.ParallelEnv()",
    "DistributedStrategy": "paddle.distributed.fleet.DistributedStrategy()",
    "Decoder": "paddle.nn.BeamSearchDecoder",
    "PyLayer": "paddle.autograd.PyLayer",
}


def look(path: str) -> object:
    """The object of a dotted path: the longest part that is a module, and attributes of it. Raises what is raised on the way."""
    parts = path.split(".")
    try:
        found: object = importlib.import_module(path)
    except ImportError:
        if len(parts) == 1:
            raise
        found = getattr(look(".".join(parts[:-1])), parts[-1])
    return found


def parameters(path: str) -> list[str] | None:
    """The parameters of a callable, None where anything is taken or nobody can tell."""
    try:
        rows = inspect.signature(look(path)).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    return None if any(row.kind is row.VAR_KEYWORD for row in rows) else [row.name for row in rows]


def there(paths: Iterable[str]) -> Side:
    """Of the paths those that are there, the parameters of each, and the attributes of the objects in the table."""
    import paddle

    signatures: dict[str, list[str] | None] = {}
    for path in paths:
        try:
            signatures[path] = parameters(path)
        except (AttributeError, ImportError, RuntimeError):
            continue
    attributes = {}
    for name, expression in OBJECTS.items():
        try:
            attributes[name] = dir(eval(expression, {"paddle": paddle}))  # the table above, not a user's
        except Exception as error:
            print(f"{name}: {error}", file=sys.stderr)
    return {"paths": signatures, "attributes": attributes}


def ask(python: str, setup: str, paths: Iterable[str], folder: str) -> Side:
    """The answer of `there` in a process of ``python``."""
    program = f"""{setup}
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("package_names", {str(Path(__file__))!r})
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
out, sys.stdout = sys.stdout, sys.stderr
json.dump(module.there(json.load(sys.stdin)), out)
"""
    given = json.dumps(sorted(paths))
    run = subprocess.run([python, "-c", program], input=given, stdout=subprocess.PIPE, text=True, cwd=folder, check=True)
    answer: Side = json.loads(run.stdout)
    return answer


def lines(missing: Names) -> Iterator[str]:
    """One line for each name, those that most packages use first."""
    for name, packages in sorted(missing.items(), key=lambda item: (-len(item[1]), item[0])):
        yield f"  {name}  ({', '.join(sorted(packages))})"


def missing(readers: dict[str, Reader], theirs: Side, ours: Side) -> dict[str, Names]:
    """Paths, attributes and keywords that Paddle has and this package lacks, each with the packages that use it."""
    found: dict[str, Names] = {"paths": defaultdict(set), "attributes": defaultdict(set), "keywords": defaultdict(set)}
    lacking = {
        f"{kind}.{name}"
        for kind, names in theirs["attributes"].items()
        for name in set(names) - set(ours["attributes"].get(kind, ()))
    }
    for package, reader in readers.items():
        for path in reader.paths:
            above = path.rpartition(".")[0]
            if path in theirs["paths"] and path not in ours["paths"] and (above not in theirs["paths"] or above in ours["paths"]):
                found["paths"][path].add(package)
        for name in lacking:
            attribute = name.rpartition(".")[2]
            if attribute in reader.attributes and attribute not in reader.defined:
                found["attributes"][name].add(package)
        for path, word in reader.keywords:
            has, takes = theirs["paths"].get(path), ours["paths"].get(path)
            if has is not None and takes is not None and word in has and word not in takes:
                found["keywords"][f"{path}({word}=)"].add(package)
    return found


def main(arguments: list[str]) -> None:
    """Read the folders, ask both sides and print the lists."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--paddle", required=True, metavar="PYTHON", help="the Python of an environment with PaddlePaddle 2.6.2")
    parser.add_argument("folders", nargs="+", type=Path, help="sources of packages, one package a folder")
    given = parser.parse_args(arguments)
    readers = {folder.resolve().name: read(folder) for folder in given.folders}
    paths = {path for reader in readers.values() for path in reader.paths}
    paths |= {path.rpartition(".")[0] for path in paths} - {""}
    theirs = ask(given.paddle, "import os; os.environ['GLOG_minloglevel'] = '3'; import paddle", paths, os.sep)
    prelude = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import to_static; to_static.install_as_paddle()"
    ours = ask(sys.executable, prelude, paths, os.sep)
    for title, names in missing(readers, theirs, ours).items():
        print(f"{title}: {len(names)}", *lines(names), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
