"""What holds for every module of the house: no import cycle, small folders, no looking into Python's own machinery.

The tables below are what is left of before. They only shrink: an entry that is not needed any more fails its test.
"""

from __future__ import annotations

import ast
import functools
import re
from pathlib import Path

import pytest

import to_static

ROOT = Path(to_static.__file__).parent
FRONT = ("compiler/frontend", "compiler/saved", "jit")  # the rooms of static functions
MOST = 20  # modules in a folder of these

# imports inside of functions: what most programs need not load when they start
START_UP = {
    "__init__": (
        "eager.tensor static.program", "the class with all its methods, and Programs built by hand: few programs name them",
    ),
    "autodiff.control": ("core.diagnostics.source_expressions", "words of errors"),
    "autodiff.gradient_reachability": ("core.diagnostics.source_expressions", "words of errors"),
    "autograd.py_layer": ("autograd.traced", "only what is traced needs it"),
    "cli.convert": ("formats.atomic_write transpile transpile.module", "each command loads what it runs"),
    "cli.explain": ("function.inspection function.settings", "each command loads what it runs"),
    "cli.predict_many": ("batch", "each loads what it runs"),
    "batch.job": ("batch.on_ray batch.on_dask batch.on_this_machine", "engines are packages of an extra"),
    "cli.serve": ("serve formats.hub", "each loads what it runs"),
    "serve.server": ("serve.grpc_api serve.host serve.http_api serve.http_server", "packages of extras"),
    "cli.inspection": ("formats.hub", "each command loads what it runs"),
    "cli.predict": ("eager.tensor formats.atomic_write formats.hub inference.load_predictor", "each loads what it runs"),
    "cli.quantize": ("cli.smaller_model", "each command loads what it runs"),
    "cli.upgrade": ("formats.hub ops.sequence.offsets passes.pipeline saved.save", "each command loads what it runs"),
    "core.dtypes": ("core.diagnostics.error_hints", "words of errors"),
    "core.diagnostics.excepthook": (
        "core.diagnostics.error_hints core.diagnostics.tracebacks",
        "only a program that fails needs it",
    ),
    "core.diagnostics.missing_names": (
        "core.diagnostics.bytecode_positions core.diagnostics.paddle_names core.diagnostics.framework_aliases",
        "words of errors",
    ),
    "eager.derived": (
        "ir.building.builder ir.symbolic.sym_number passes.pipeline runtime.plan",
        "only programs that go backward often need them",
    ),
    "eager.as_sparse": ("eager.sparse_tensor", "sparse tensors"),
    "eager.tape": ("autodiff.backward autodiff.gradient_reachability", "rules of control flow, which dynamic mode does not need"),
    "eager.tensor": ("eager.printing", "text of tensors"),
    "formats.onnx.format": ("formats.onnx.model_reader formats.onnx.model_writer", "all formats are asked about a file"),
    "formats.pir.format": (
        "formats.pir.document formats.pir.model_reader formats.pir.model_writer", "the hub asks all formats which one a file has",
    ),
    "formats.pir.program_writer": ("ops", "the tables fill up when something is written"),
    "formats.pir.program_reader": ("ops", "the tables fill up when something is read"),
    "formats.paddle.format": (
        "formats.paddle.model_reader formats.paddle.model_writer formats.paddle.programs.program_reader",
        "the hub asks all formats which one a file has",
    ),
    "formats.paddle.programs.program_reader": ("formats.paddle.operators.op_resolver ops", "tables fill up when a file is read"),
    "formats.paddle.programs.program_writer": ("ops", "the tables fill up when something is written"),
    "function.program.training": ("autodiff.shared_subgraph autodiff.partition eager.replay", "calls with gradients"),
    "selected_rows.backward_rows": ("passes.training.merge_embedding_grads", "only gradients of looked-up tables need it"),
    "ir.building.builder": ("ir.trace_errors.leaked_tracers", "words of errors"),
    "ir.program": ("ir.printer", "only who prints a Program needs its printer"),
    "ir.trace_errors.trace_time_effects": ("core.diagnostics.source_expressions", "words of errors"),
    "ir.symbolic.variable": (
        "core.diagnostics.condition_diagnostics ir.trace_errors.rewrite_hints ir.trace_errors.leaked_tracers", "words of errors",
    ),
    "nn.op_helper": ("formats.paddle.operators.call_by_type formats.paddle.operators.op_resolver", "readers of all operators"),
    "nn.layer": ("core.diagnostics.error_hints", "words of errors"),
    "onnx": (
        "formats.hub formats.onnx.model_reader formats.onnx.model_writer saved.load saved.save",
        "only who reads or writes such files needs it",
    ),
    "ops.arguments": ("core.diagnostics.error_hints", "words of errors"),
    "ops.static_arguments": ("core.diagnostics.source_expressions", "words of errors"),
    "static.program": (
        "formats.paddle.editing formats.paddle.programs.program_reader formats.paddle.programs.program_writer passes.pipeline",
        "only Programs of bytes need it",
    ),
    "static.saving": ("formats.paddle.programs.program_writer", "loading a model loads nothing that writes one"),
    "tracing.user_setters": ("transpile.source_code.source", "loaded models run without the translator"),
}  # fmt: skip
# the rooms of `jst` and `transpile`, from the ground up: each imports from those before it
STOREYS = {
    "jst": ("values", "control", "iteration", "objects", "calls"),
    "transpile": ("pyct", "analysis", "source_code", "unparse", "rebind", "passes"),
}
GROUND = ("jst.protocol", "jst.tracer_queries", "transpile.context", "transpile.builtin_table")  # what all rooms use
# names of Python's machinery that no module of the front end mentions
MACHINERY = frozenset(
    ["ctypes", "getrefcount", "get_referents", "get_referrers", "get_objects", "gc", "dis", "co_code",
     "_getframe", "currentframe", "f_locals", "f_globals", "f_back", "f_lasti"]
)  # fmt: skip


def _short(name: str) -> str:
    """The name of a module below the package, as documents have it: without `compiler` and `frontend`."""
    return re.sub(r"^compiler\.(frontend\.(?=.))?", "", name)


def _modules() -> dict[str, Path]:
    found = {}
    for path in ROOT.rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[_short(".".join(parts[:-1] if parts[-1] == "__init__" else parts) or "__init__")] = path
    return found


MODULES = _modules()


class _Imports:
    """The modules of this package that a module imports: at its top, and inside of functions."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.depth = 0
        self.top: dict[str, int] = {}
        self.late: dict[str, int] = {}
        self.visit(ast.parse(MODULES[name].read_text(encoding="utf-8")))

    def visit(self, node: ast.AST) -> None:
        """Only statements are visited: no expression holds an import."""
        if isinstance(node, ast.Import):
            for alias in node.names:
                self.found(alias.name, node.lineno)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                self.found(f"{node.module}.{alias.name}", node.lineno)
        elif not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            inner = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            self.depth += inner
            for field in ("body", "orelse", "handlers", "finalbody", "cases"):
                for statement in getattr(node, field, None) or ():
                    self.visit(statement)
            self.depth -= inner

    def found(self, name: str, line: int) -> None:
        if name.partition(".")[0] != "to_static":
            return
        name = _short(name.partition(".")[2] or "__init__")
        while name not in MODULES:
            name = name.rpartition(".")[0] or "__init__"
        if name != self.name:
            (self.late if self.depth else self.top).setdefault(name, line)


@functools.cache
def _imports() -> dict[str, _Imports]:
    """The imports of each module, parsed when a test first asks: collecting the tests does not pay for it."""
    return {name: _Imports(name) for name in sorted(MODULES)}


def _cycle(edges: dict[str, set[str]]) -> list[str] | None:
    """A way along imports that comes back to where it began."""
    done: set[str] = set()
    for start in edges:
        way: list[str] = []
        todo = [(start, iter(sorted(edges[start])))] if start not in done else []
        while todo:
            name, rest = todo[-1]
            if len(way) < len(todo):
                way.append(name)
            for other in rest:
                if other in way:
                    return [*way[way.index(other) :], other]
                if other not in done:
                    todo.append((other, iter(sorted(edges[other]))))
                    break
            else:
                done.add(name)
                todo.pop()
                way.pop()
    return None


def test_no_cycle_with_imports_inside_of_functions_counted() -> None:
    cycle = _cycle({name: {*found.top, *found.late} for name, found in _imports().items()})
    assert cycle is None, f"imports go round: {' -> '.join(cycle)}"


def test_a_cycle_would_be_found() -> None:
    assert _cycle({"a": {"b"}, "b": {"c"}, "c": {"d"}, "d": {"b"}}) == ["b", "c", "d", "b"]
    assert _cycle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) is None


def test_imports_inside_of_functions_have_a_reason() -> None:
    listed = {(name, other) for name, (others, _) in START_UP.items() for other in others.split()}
    found = {(name, other) for name, imports in _imports().items() for other in imports.late}
    new, gone = sorted(found - listed), sorted(listed - found)
    assert not new, f"{new}: put these at the top of the file, or write into START_UP what start-up saves by it"
    assert not gone, f"{gone}: these imports are gone, take them out of START_UP"


def _storey(name: str) -> int:
    """Which floor of its package a module is on: above the rooms is what is made of all of them."""
    package, *parts = name.split(".")
    rooms = STOREYS[package]
    return -1 if name in GROUND else rooms.index(parts[0]) if parts and parts[0] in rooms else len(rooms)


@pytest.mark.parametrize("package", STOREYS)
def test_rooms_import_downwards(package: str) -> None:
    for name, found in _imports().items():
        if name.startswith(f"{package}."):
            others = [other for other in found.top if other.startswith(f"{package}.")]
            above = [other for other in others if _storey(other) > _storey(name)]
            assert not above, f"{name} imports {above}, from a room above its own"
            late = [other for other in found.late if other.startswith(f"{package}.")]
            assert not late, f"{name} imports {late} inside of a function"


@pytest.mark.parametrize("room", [*(room for room in FRONT if (ROOT / room).is_dir()), "compiler/ops"])
def test_folders_have_a_handful_of_files(room: str) -> None:
    for folder in [ROOT / room, *(path for path in (ROOT / room).rglob("*") if path.is_dir() and path.name != "__pycache__")]:
        name = str(folder.relative_to(ROOT))
        count = len([path for path in folder.glob("*.py") if path.name != "__init__.py"])
        assert count <= MOST, f"{name} has {count} modules: make a room of those that belong together"


def _mentioned(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {alias.name for alias in node.names} | {getattr(node, "module", None) or ""}
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("getattr", "hasattr"):
            found |= {x.value for x in node.args if isinstance(x, ast.Constant) and isinstance(x.value, str)}
    return found & MACHINERY


def test_no_module_of_the_front_end_looks_into_pythons_machinery() -> None:
    found = {
        (str(path.relative_to(ROOT)).replace("\\", "/"), word)
        for room in FRONT
        for path in (ROOT / room).rglob("*.py")
        for word in _mentioned(path)
    }
    assert found == set()


def test_values_of_a_program_leave_it_to_core_to_look_at_frames() -> None:
    assert [str(path) for path in (ROOT / "compiler" / "ir").rglob("*.py") if "_getframe" in _mentioned(path)] == []


@pytest.mark.parametrize("room", [*FRONT, "compiler/ops"])
def test_tests_stand_where_the_code_does(room: str) -> None:
    tests = Path(__file__).parents[1] / room
    folders = {path.parent.relative_to(tests) for path in tests.rglob("test_*.py")}
    assert not [str(folder) for folder in folders if not (ROOT / room / folder).is_dir()]
