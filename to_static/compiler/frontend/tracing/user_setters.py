"""Finds out which ``__setattr__`` methods of user classes a trace may run without translation.

Python calls such a setter for ``obj.name = value``, and the trace does not see what it does. A setter is safe if it changes only
its object: through the setter of a base class, through ``object.__setattr__`` or in ``__dict__``. Before it runs, all attributes of
the object are announced to the undo log, and the names in its code count as read. The name that is set is known. So if the setter,
or a function to which it passes the name, tests ``if name == "forward":``, only the branch that runs is analysed.
"""

from __future__ import annotations

import ast
import copy
import types
from collections import Counter
from collections.abc import Collection
from typing import Any

from to_static.core.bytecode_names import names_mentioned, names_reached, nested_codes
from to_static.core.code_generation import compiled
from to_static.core.errors import TranslationError
from to_static.core.importing.skiplist import SKIPPED_PACKAGES, package_of
from to_static.nn.layer import Layer

_BUILTINS = frozenset(
    [
        "super", "isinstance", "issubclass", "getattr", "hasattr", "setattr", "object", "type", "len", "str",
        "int", "float", "bool", "list", "tuple", "dict", "set", "callable", "repr", "AttributeError",
        "TypeError", "ValueError", "KeyError", "RuntimeError",
    ]
)  # fmt: skip
_SETTERS = ("__setattr__", "__getattribute__", "__getattr__")


def names_used(cls: type, attribute: str) -> set[str] | None:
    """Return the attributes that the setters of a class read or write when they set ``attribute``.

    Returns None if a setter may change more than its object.
    """
    names: set[str] = set()
    for base in cls.__mro__:
        if base in (Layer, object):
            return names
        setter: Any = vars(base).get("__setattr__")
        setter = getattr(setter, "__wrapped__", setter)
        if setter is None:
            continue
        mentioned = _names_of_setter(setter, cls, attribute, 1) if type(setter) is types.FunctionType else None
        if mentioned is None:
            return None
        names |= mentioned
    return names


def _names_of_setter(function: types.FunctionType, cls: type, attribute: str, position: int, depth: int = 3) -> set[str] | None:
    """Return the names in a function that changes only its object; None if it may change more.

    ``position``: the position of the parameter that is the name of the attribute. Branches for other attribute names are
    skipped. Functions to which the name is passed are analysed in the same way.
    """
    if _changes_only_its_object(function, function.__code__, cls, {}):
        return names_mentioned(function.__code__)
    specialized = _specialized_code(function, attribute, position)
    if specialized is None or not depth:
        return None
    code, calls = specialized
    names = names_mentioned(code)
    for name, index in calls.items():
        callee_names = _names_of_setter(function.__globals__[name], cls, attribute, index, depth - 1)
        if callee_names is None:
            return None
        names |= callee_names
    return names if _changes_only_its_object(function, code, cls, calls) else None


def _changes_only_its_object(function: types.FunctionType, code: types.CodeType, cls: type, calls: Collection[str]) -> bool:
    """True if ``code``, a function's code or a part of it, changes only its object. ``calls``: functions that are safe, too."""
    reached, global_values = names_reached(code), function.__globals__
    cells = dict(zip(function.__code__.co_freevars, (cell.cell_contents for cell in function.__closure__ or ()), strict=True))
    names = reached.global_names.difference(calls)
    fixed = all(_is_fixed(global_values[name], cls) if name in global_values else name in _BUILTINS for name in names)
    fixed = fixed and all(name not in cells or _is_fixed(cells[name], cls) for name in reached.cells)
    runs_more = any(_may_change_more(getattr(cls, name, None)) for name in reached.attributes if name not in _SETTERS)
    return fixed and not runs_more and not reached.changes


def _specialized_code(function: types.FunctionType, attribute: str, position: int) -> tuple[types.CodeType, dict[str, int]] | None:
    """Return the code that runs for one attribute name, and the functions to which it passes the name, each with the position.

    Returns None if the function has no source, or assigns its parameter.
    """
    # loaded models run without the translator
    from to_static.compiler.frontend.transpile.source_code.source import source_of

    try:
        node = copy.deepcopy(source_of(function).node)
    except TranslationError:
        return None
    parameters = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
    if isinstance(node, ast.Lambda) or position >= len(parameters):
        return None
    parameter = parameters[position]
    names = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
    if any(name.id == parameter and not isinstance(name.ctx, ast.Load) for name in names):
        return None
    node.decorator_list = []
    node = _BranchPruner(parameter, attribute).visit(node)
    frame = ast.parse("def outer():\n    pass")
    frame.body[0].args.args = [ast.arg(name) for name in function.__code__.co_freevars]  # type: ignore[attr-defined]
    frame.body[0].body = [node]  # type: ignore[attr-defined]
    outer = compiled(ast.fix_missing_locations(frame), function.__code__.co_filename)
    code = next(part for part in nested_codes(outer) if part.co_name == node.name)
    return code, _passed_positions(node, parameter, function.__globals__)


def _passed_positions(node: ast.AST, parameter: str, global_values: dict[str, Any]) -> dict[str, int]:
    """The user's functions that the code only calls, and always with the parameter at the same position."""
    positions: dict[str, set[int]] = {}
    uses = Counter(part.id for part in ast.walk(node) if isinstance(part, ast.Name))
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            uses[call.func.id] -= 1
            ids = [getattr(argument, "id", None) for argument in call.args]
            positions.setdefault(call.func.id, set()).add(ids.index(parameter) if parameter in ids else -1)
    return {
        name: position
        for name, (position, *more_positions) in positions.items()
        if not more_positions and position >= 0 and not uses[name] and type(global_values.get(name)) is types.FunctionType
    }


class _BranchPruner(ast.NodeTransformer):
    """Removes the branches that do not run if the parameter is the attribute name."""

    def __init__(self, parameter: str, attribute: str) -> None:
        self.parameter, self.attribute = parameter, attribute

    def visit_If(self, node: ast.If) -> Any:
        """Replace the statement by one of its branches if the name decides."""
        truth = self._truth(node.test)
        self.generic_visit(node)
        if truth is None:
            node.body = node.body or [ast.Pass()]
            return node
        return (node.body if truth else node.orelse) or ast.Pass()

    def _truth(self, test: ast.expr) -> bool | None:
        """The truth of a test on the name; None if other values decide, too."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            truth = self._truth(test.operand)
            return None if truth is None else not truth
        if isinstance(test, ast.BoolOp):
            truths = [self._truth(value) for value in test.values]
            decisive = isinstance(test.op, ast.Or)
            return decisive if decisive in truths else None if None in truths else not decisive
        if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and getattr(test.left, "id", None) == self.parameter):
            return None
        comparator = test.comparators[0]
        items = comparator.elts if isinstance(comparator, (ast.Tuple, ast.List, ast.Set)) else [comparator]
        texts = [item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)]
        operation = type(test.ops[0])
        if len(texts) < len(items) or (operation in (ast.Eq, ast.NotEq)) == (items[0] is not comparator):
            return None
        if operation in (ast.Eq, ast.In):
            return self.attribute in texts
        return self.attribute not in texts if operation in (ast.NotEq, ast.NotIn) else None


def _is_fixed(value: Any, cls: type) -> bool:
    """True if a global or closure variable holds an immutable object (the attributes of the class itself are checked elsewhere)."""
    if isinstance(value, types.ModuleType):
        return value.__name__.split(".")[0] in ("to_static", "numpy", "collections", "typing", "numbers")
    if isinstance(value, tuple):
        return all(_is_fixed(item, cls) for item in value)
    if isinstance(value, type):
        return value in cls.__mro__ or package_of(value) in SKIPPED_PACKAGES
    return isinstance(value, (str, int, float, types.NoneType, frozenset))


def _may_change_more(member: Any) -> bool:
    """True if a class member is a container or a user's method or property, which may change more than the object."""
    if isinstance(member, (property, list, dict, set)):
        return True
    function = getattr(member, "__func__", member)
    return isinstance(function, types.FunctionType) and package_of(function) not in SKIPPED_PACKAGES
