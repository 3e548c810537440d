"""Stubs of the packages whose names are looked up when they are first used: editors and type checkers see these names.

``python -m tests.api.stubs`` (``make stubs``) writes ``__init__.pyi`` beside ``__init__.py`` of each package in `PACKAGES`, from
the package's own table of names. A name that its home module binds plainly is imported from there; a function behind a decorator
and a class made by a table are declared with their run-time signatures. ``paddle.Tensor`` has all methods that operators declare.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib
import inspect
import re
import sys
from collections import defaultdict
from pathlib import Path
from types import ModuleType
from typing import Any

import to_static
from tests.compiler.ops.record_paddle_expressions import namespace
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir import registry

ROOT = Path(to_static.__file__).parents[1]
PACKAGES = (
    "to_static", "to_static.base", "to_static.batch", "to_static.distributed", "to_static.distributed.io", "to_static.framework",
    "to_static.incubate", "to_static.jit", "to_static.nn", "to_static.nn.functional", "to_static.quantization",
    "to_static.static", "to_static.static.quantization", "to_static.vision",
)  # fmt: skip
EXPRESSIONS = ROOT / "tests" / "compiler" / "ops" / "paddle_expressions.txt"
HEADER = (
    '"""Made by `make stubs` from the tables of `__init__.py`, for editors and type checkers. Do not edit."""\n'
    '# mypy: disable-error-code="override"\n'
)
TYPES = {"Any", "Callable", "Iterable", "Iterator", "Mapping", "Sequence", "Tensor", "bool", "bytes", "complex", "dict", "float",
         "int", "list", "object", "set", "slice", "str", "tuple", "type"}  # fmt: skip
TRANSPARENT = {
    "contextmanager",
    "cache",
    "lru_cache",
    "overload",
    "dataclass",
    "staticmethod",
}  # decorators that checkers know
DUNDERS = (
    "__abs__ __add__ __and__ __bool__ __complex__ __contains__ __div__ __eq__ __float__ __floordiv__ __ge__ __getitem__ "
    "__gt__ __index__ __int__ __invert__ __iter__ __le__ __len__ __lt__ __matmul__ __mod__ __mul__ __ne__ __neg__ __or__ "
    "__pos__ __pow__ __radd__ __rand__ __rfloordiv__ __rmatmul__ __rmod__ __rmul__ __ror__ __rpow__ __rsub__ __rtruediv__ "
    "__rxor__ __setitem__ __sub__ __truediv__ __xor__"
).split()
# calls of functions that the expressions have not, or not as the outermost call
MORE = """
paddle.to_tensor([1.0])
paddle.clone(T(F(2)))
paddle.rand([2])
paddle.randn([2])
paddle.randint(0, 2, [2])
paddle.randperm(3)
paddle.normal(0.0, 1.0, [2])
paddle.uniform([2])
paddle.standard_normal([2])
paddle.bernoulli(T([0.5]))
paddle.multinomial(T([0.5, 0.5]))
paddle.poisson(T([1.0]))
paddle.frac(T(F(2)))
paddle.hypot(T(F(2)), T(F(2)))
paddle.increment(T([1.0]))
paddle.row_stack([T(F(2))])
paddle.polar(T(F(2)), T(F(2)))
paddle.deg2rad(T(F(2)))
paddle.rad2deg(T(F(2)))
paddle.mod(T(F(2)), T(F(2)))
paddle.floor_mod(T(F(2)), T(F(2)))
paddle.remainder(T(F(2)), T(F(2)))
paddle.atleast_2d(T(F(2)))
paddle.nn.functional.conv1d_transpose(T(F(1, 2, 3)), T(F(2, 2, 2)))
paddle.stft(T(F(64)), 16)
paddle.to_tensor([1.0]).detach()
paddle.to_tensor([1.0]).cpu()
paddle.to_tensor([1.0]).contiguous()
paddle.to_tensor([1.0]).to("float64")
paddle.to_tensor([1.0]).pin_memory()
paddle.to_tensor([1.0]).swapaxes(0, 0)
paddle.to_tensor([1.0]).ones_like()
paddle.to_tensor([1.0]).zeros_like()
T(F(2, 2)).to_sparse_coo(2)
T(F(2, 2)).to_sparse_csr()
T(F(2, 2)).qr()
T(F(2, 2)).eig()
""".split("\n")
INNER = {
    "becoming",
    "frame",
    "holding",
    "is_list",
    "is_parameter",
    "python_type",
    "row_gradient",
    "is_union",
    "spec",
    "data_dependent",
    "views",
}
SCALARS = {"__bool__": "bool", "__complex__": "complex", "__contains__": "bool", "__float__": "float", "__index__": "int",
           "__int__": "int", "__iter__": "Iterator[Tensor]", "__len__": "int", "__setitem__": "None"}  # fmt: skip

_SETTINGS = "axis: int | None = None, dtype: Any = 'int64', name: str | None = None"
_INDEX, _INVERSE, _COUNTS = (f"return_{part}: bool = False" for part in ("index", "inverse", "counts"))
_NONE, _ONE, _TWO, _THREE = ("Literal[False] = False", "return_index: bool", "return_inverse: bool", "return_counts: Literal[True]")
# functions whose arguments say what they give: parameters, and the type of the result
OVERLOADS = {
    "where": [
        ("condition: Tensor, x: None = None, y: None = None, name: str | None = None", "tuple[Tensor, ...]"),
        ("condition: Tensor, x: Tensor | float, y: Tensor | float, name: str | None = None", "Tensor"),
    ],
    "nonzero": [
        ("x: Tensor, as_tuple: Literal[False] = False", "Tensor"),
        ("x: Tensor, as_tuple: Literal[True]", "tuple[Tensor, ...]"),
        ("x: Tensor, as_tuple: bool", "Tensor | tuple[Tensor, ...]"),
    ],
    "unique": [
        (f"x: Tensor, return_index: {_NONE}, return_inverse: {_NONE}, return_counts: {_NONE}, {_SETTINGS}", "Tensor"),
        (f"x: Tensor, return_index: Literal[True], {_INVERSE}, {_COUNTS}, {_SETTINGS}", "tuple[Tensor, ...]"),
        (f"x: Tensor, {_ONE}, return_inverse: Literal[True], {_COUNTS}, {_SETTINGS}", "tuple[Tensor, ...]"),
        (f"x: Tensor, {_INDEX}, *, return_inverse: Literal[True], {_COUNTS}, {_SETTINGS}", "tuple[Tensor, ...]"),
        (f"x: Tensor, {_ONE}, {_TWO}, {_THREE}, {_SETTINGS}", "tuple[Tensor, ...]"),
        (f"x: Tensor, {_INDEX}, {_INVERSE}, *, {_THREE}, {_SETTINGS}", "tuple[Tensor, ...]"),
        (f"x: Tensor, {_INDEX}, {_INVERSE}, {_COUNTS}, {_SETTINGS}", "Tensor | tuple[Tensor, ...]"),
    ],
    "unique_consecutive": [
        (f"x: Tensor, return_inverse: {_NONE}, return_counts: {_NONE}, {_SETTINGS}", "Tensor"),
        (f"x: Tensor, return_inverse: Literal[True], {_COUNTS}, {_SETTINGS}", "tuple[Tensor, ...]"),
        (f"x: Tensor, {_TWO}, {_THREE}, {_SETTINGS}", "tuple[Tensor, ...]"),
        (f"x: Tensor, {_INVERSE}, *, {_THREE}, {_SETTINGS}", "tuple[Tensor, ...]"),
        (f"x: Tensor, {_INVERSE}, {_COUNTS}, {_SETTINGS}", "Tensor | tuple[Tensor, ...]"),
    ],
}


def stub(package: str) -> str:
    """The text of the stub of a package."""
    module = importlib.import_module(package)
    lines: list[str] = []
    for name in _names(module):
        lines += _declared(module, name, getattr(module, name))
    if package == "to_static":
        registry.load_all()
        lines += _tensor_class()
    imports = sorted({line for line in lines if line.startswith("from ")}, key=lambda line: (line.lower(), line))
    body = "\n".join([*imports, "", *(line for line in lines if not line.startswith("from "))])
    hidden = [
        name for name in ("bool", "complex", "float", "int", "list", "set", "slice", "type") if name in module.__all__
    ]
    for name in hidden:  # a public name of the package is not Python's
        body = re.sub(
            rf"(?<=: ){name}\b(?!:)|(?<=-> ){name}\b|(?<=\| ){name}\b|(?<=\[){name}\b|(?<=, ){name}(?=[\],])",
            f"_{name}",
            body,
        )
    heads = ["from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence", "from typing import Any"]
    if "@overload" in body:
        heads[1] = "from typing import Any, Literal, overload"
    heads += [f"from builtins import {name} as _{name}" for name in hidden]
    if package != "to_static" and "Tensor" in body:
        heads.append(
            "from to_static import Tensor as Tensor" if "Tensor" in module.__all__ else "from to_static import Tensor"
        )
    exported = ", ".join(f'"{name}"' for name in sorted(set(module.__all__)))
    return f"{HEADER}\n" + "\n".join(heads) + f"\n\n{body}\n\n__all__ = [{exported}]\n"


def _names(module: ModuleType) -> list[str]:
    """The public names of a package: those of `__all__` first, then what `__init__.py` binds or finds beside them."""
    names = set(module.__all__)
    if module.__name__ == "to_static":
        names |= {"__version__", "_C_ops"}
    if module.__name__ == "to_static.vision":  # which finds the names of its rooms, too
        for room in ("transforms", "datasets", "models"):
            names |= set(importlib.import_module(f"to_static.vision.{room}").__all__)
    inside = Path(module.__file__ or "").parent
    found = {path.stem for path in inside.glob("[a-z]*.py")} | {
        path.parent.name for path in inside.glob("*/__init__.py")
    }
    if module.__name__ != "to_static":
        names |= {name for name in found - names if _is_module(f"{module.__name__}.{name}")}
    return sorted(names)


def _is_module(name: str) -> bool:
    """Whether there is an inner module of this name that can be imported here."""
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


def _declared(module: ModuleType, name: str, value: Any) -> list[str]:
    """The lines that declare one name of a package."""
    if isinstance(value, ModuleType):
        parent, _, leaf = value.__name__.rpartition(".")
        return [f"from {parent} import {leaf} as {name}"]
    if name == "Tensor" and value is EagerTensor:
        return []
    home = _home(module, name, value)
    if home is not None and not (inspect.isfunction(value) and _hides_tensor(name, value)):
        return [f"from {home} import {name} as {name}"]
    if isinstance(value, type):
        return _class(name, value)
    if inspect.isfunction(value):
        return _function(name, value)
    return [f"{name}: {_type_of(value)}"]


def _home(module: ModuleType, name: str, value: Any) -> str | None:
    """The module that binds a name so that a type checker sees what it is."""
    table = getattr(module, "_WHERE", None) or {
        name: home for home, names in getattr(module, "_HOMES", {}).items() for name in names.split()
    }
    for home in (table.get(name), getattr(value, "__module__", None)):
        if home and home != module.__name__ and home.startswith("to_static") and _binds_plainly(home, name):
            return home
    return None


def _binds_plainly(home: str, name: str) -> bool:
    """Whether a module has a class of this name, or a function without a decorator that hides its signature."""
    statement = _bindings(home).get(name) if home.startswith("to_static") else None
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        words = {
            ast.unparse(d.func if isinstance(d, ast.Call) else d).rpartition(".")[2] for d in statement.decorator_list
        }
        return words <= TRANSPARENT
    return home in PACKAGES and statement is None and name in importlib.import_module(home).__all__


@functools.cache
def _bindings(home: str) -> dict[str, ast.stmt]:
    path = importlib.import_module(home).__file__
    body = ast.parse(Path(path or "").read_text(encoding="utf-8")).body
    return {node.name: node for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def _type_of(value: Any) -> str:
    kind = type(value)
    if kind.__module__ == "builtins":
        return kind.__name__ if kind.__name__ in TYPES else "Any"
    return "dtype" if kind is to_static.dtype else "Any"


def _class(name: str, value: type) -> list[str]:
    """A class that no `class` statement makes: its base, its constructor and the first line of its text."""
    base = (
        next((b for b in value.__mro__[1:] if _binds_plainly(b.__module__, b.__name__)), None)
        if value.__mro__[1:]
        else None
    )
    if value.__name__ != name and _binds_plainly(value.__module__, value.__name__):
        return [f"from {value.__module__} import {value.__name__} as {name}"]
    lines = [f"from {base.__module__} import {base.__name__} as _{base.__name__}"] if base else []
    lines.append(f"class {name}(_{base.__name__}):" if base else f"class {name}:")
    lines += [f"    {line}" for line in _text(value)]
    constructor = value.__dict__.get("__init__")
    if inspect.isfunction(constructor):
        lines.append(f"    def __init__({_parameters(constructor)}) -> None: ...")
    return [*lines, *([] if len(lines) > 2 else ["    ..."])]


def _text(value: Any) -> list[str]:
    first = (
        (inspect.getdoc(value) or "")
        .partition("\n\n")[0]
        .replace("\n", " ")
        .replace("\\", "\\\\")
        .replace('"""', "'''")
    )
    return [f'"""{first}"""' if not first.endswith('"') else f'"""{first} """'] if first else []


def _function(name: str, value: Any, indent: str = "", result: str = "") -> list[str]:
    text = _text(value)
    if name in OVERLOADS and value.__module__.startswith("to_static.compiler.ops"):
        lines = []
        for parameters, type_ in OVERLOADS[name]:
            lines += [f"{indent}@overload", f"{indent}def {name}({parameters}) -> {type_}:", f"{indent}    {text[0]}"]
        return lines
    base = getattr(EagerTensor, name[:-1], None)
    if (
        name.endswith("_")
        and inspect.isfunction(base)
        and list(inspect.signature(value).parameters) == ["x", "args", "kwargs"]
    ):
        value, result = base, "Tensor"  # made by `in_place`: the arguments are those of the function
    head = f"{indent}def {name}({_parameters(value)}) -> {result or _result(name, value)}:"
    return [head, f"{indent}    {text[0]}"] if text else [f"{head} ..."]


def _parameters(function: Any) -> str:
    """The parameters as text, with their annotations where these need no import, and defaults that are constants."""
    parts: list[str] = []
    last_kind = None
    parameters = list(inspect.signature(function).parameters.values())
    for p in parameters:
        if p.kind == p.KEYWORD_ONLY and last_kind not in (p.KEYWORD_ONLY, p.VAR_POSITIONAL):
            parts.append("*")
        if last_kind == p.POSITIONAL_ONLY != p.kind:
            parts.append("/")
        star = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        annotation = "" if p.name in ("self", "cls") else f": {_annotation(p.annotation, p.default)}"
        default = "" if p.default is p.empty else f" = {_default(p.default)}"
        parts.append(f"{star}{p.name}{annotation}{default}")
        last_kind = p.kind
    return ", ".join(parts)


def _annotation(annotation: Any, default: Any = inspect.Parameter.empty) -> str:
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "Any")
    try:
        names = {node.id for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name)}
        has_no_attribute = all(not isinstance(node, ast.Attribute) for node in ast.walk(ast.parse(text, mode="eval")))
    except SyntaxError:
        return "Any"
    if annotation is inspect.Parameter.empty or not has_no_attribute or not names <= TYPES:
        return "Any"
    return "Any" if default is None and "None" not in text and text != "object" else text


def _default(value: Any) -> str:
    if (
        value is None
        or type(value) in (bool, int, float, str)
        or (type(value) is tuple and all(type(v) is int for v in value))
    ):
        return repr(value) if repr(value) not in ("inf", "-inf", "nan") else "..."
    return "..."


def _hides_tensor(name: str, function: Any) -> bool:
    """Whether a function of operators gives tensors: of the class that is declared here, with all methods."""
    return function.__module__.startswith("to_static.compiler") and "Tensor" in _result(name, function)


def _result(name: str, function: Any) -> str:
    """The type of results: that of the annotation, or of calls that the tests know."""
    annotation = _annotation(function.__annotations__.get("return", inspect.Parameter.empty))
    if annotation != "Any" or not function.__module__.startswith("to_static.compiler"):
        return annotation
    opdef = getattr(function, "op", None)
    if opdef is not None and not opdef.multi:
        return "Tensor"
    types = results_of_expressions().get(name, set())
    return next(iter(types)) if len(types) == 1 else "Tensor" if name.endswith("_") else "Any"


@functools.cache
def results_of_expressions() -> dict[str, set[str]]:
    """The types that calls of each name give, by the expressions that the tests compare with Paddle's."""
    types: dict[str, set[str]] = defaultdict(set)
    for line in [*EXPRESSIONS.read_text(encoding="utf-8").splitlines(), *MORE]:
        with contextlib.suppress(SyntaxError):
            node = ast.parse(line.strip(), mode="eval").body
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                with contextlib.suppress(Exception):
                    value = eval(line.strip(), namespace(to_static))
                    types[node.func.attr].add(_type_of_result(value))
    return types


def _type_of_result(value: Any) -> str:
    if isinstance(value, EagerTensor):
        return "Tensor"
    if isinstance(value, (list, tuple)) and value and all(isinstance(v, EagerTensor) for v in value):
        return "list[Tensor]" if isinstance(value, list) else "tuple[Tensor, ...]"
    return type(value).__name__ if type(value).__name__ in TYPES else "Any"


def _tensor_class() -> list[str]:
    """`Tensor` with the methods that operators declare, and what dynamic tensors have beside them."""
    lines = ["from to_static.compiler.eager.tensor import EagerTensor as _EagerTensor", "class Tensor(_EagerTensor):"]
    lines += [f"    {line}" for line in _text(EagerTensor)]
    for name in sorted(
        {name for name in dir(EagerTensor) if not name.startswith("_")} - INNER
        | {d for d in DUNDERS if hasattr(EagerTensor, d)}
    ):
        member = inspect.getattr_static(EagerTensor, name)
        member = getattr(member, "_function", member)  # declared, while its module was running
        if isinstance(member, property):
            result = _annotation(inspect.signature(member.fget).return_annotation) if member.fget else "Any"
            lines += ["    @property", f"    def {name}(self) -> {result}: ..."]
            if member.fset:
                lines += [f"    @{name}.setter", f"    def {name}(self, value: Any) -> None: ..."]
        elif name in DUNDERS:
            operand = {"__getitem__": ", index: Any", "__setitem__": ", index: Any, value: Any"}.get(
                name, ", other: Any"
            )
            unary = name in {*SCALARS, "__abs__", "__invert__", "__neg__", "__pos__"} - {"__contains__", "__setitem__"}
            result = SCALARS.get(name, "Tensor")
            lines.append(f"    def {name}(self{'' if unary else operand}) -> {result}: ...  # type: ignore")
        elif inspect.isfunction(member):
            lines += _function(name, member, "    ")
        else:
            lines.append(f"    {name}: Any")
    return [_with_self(line) for line in lines]


def _with_self(line: str) -> str:
    """A function of operators is a method by its first parameter, whatever the name."""
    head, method, arguments = line.partition("(")
    if not head.strip().startswith("def ") or not method or arguments.startswith(("self", "*")):
        return line
    first, _, more = arguments.partition(", ") if not arguments.startswith(")") else ("", "", arguments)
    return f"{head}(self, {more}" if more and ")" not in first else f"{head}(self{arguments[arguments.index(')') :]}"


def main() -> int:
    """Write all stubs."""
    for package in PACKAGES:
        path = Path(importlib.import_module(package).__file__ or "").with_suffix(".pyi")
        path.write_text(stub(package), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
