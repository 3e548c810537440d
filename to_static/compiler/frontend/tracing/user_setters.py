"""``__setattr__`` of a user's class: which of them a trace may run as they are.

Python calls a setter of its own for ``obj.name = value``, and no translation sees what it does. One that changes its object alone,
by the setter of the class above, by ``object.__setattr__`` or in ``__dict__``, is harmless: all attributes of the object are
announced before it runs, and the names in its code count as read. The name that is set is known: where the setter, or a function
that it hands the name on to, asks ``if name == "forward":``, only the branch that is taken counts.
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
        mentioned = _names_of_harmless(setter, cls, attribute, 1) if type(setter) is types.FunctionType else None
        if mentioned is None:
            return None
        names |= mentioned
    return names


def _names_of_harmless(function: types.FunctionType, cls: type, attribute: str, position: int, depth: int = 3) -> set[str] | None:
    """Return the names in a function that changes only its object; None if it may change more.

    ``position``: the position of the parameter that is the name of the attribute. Branches for other attribute names are
    skipped. Functions to which the name is passed are analysed in the same way.
    """
    if _is_harmless(function, function.__code__, cls, {}):
        return names_mentioned(function.__code__)
    with_name = _for_name(function, attribute, position)
    if with_name is None or not depth:
        return None
    code, calls = with_name
    names = names_mentioned(code)
    for name, index in calls.items():
        below = _names_of_harmless(function.__globals__[name], cls, attribute, index, depth - 1)
        if below is None:
            return None
        names |= below
    return names if _is_harmless(function, code, cls, calls) else None


def _is_harmless(function: types.FunctionType, code: types.CodeType, cls: type, calls: Collection[str]) -> bool:
    """True if ``code``, which is the function's or a part of it, changes nothing but its object, as the functions ``calls`` do."""
    reached, outside = names_reached(code), function.__globals__
    around = dict(zip(function.__code__.co_freevars, (cell.cell_contents for cell in function.__closure__ or ()), strict=True))
    names = reached.global_names.difference(calls)
    fixed = all(_is_fixed(outside[name], cls) if name in outside else name in _BUILTINS for name in names)
    fixed = fixed and all(name not in around or _is_fixed(around[name], cls) for name in reached.cells)
    runs_more = any(_may_change_more(getattr(cls, name, None)) for name in reached.attributes if name not in _SETTERS)
    return fixed and not runs_more and not reached.changes


def _for_name(function: types.FunctionType, attribute: str, position: int) -> tuple[types.CodeType, dict[str, int]] | None:
    """The code that runs for a name of an attribute, and the functions that the name is handed on to, each with its position."""
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
    node = _WithoutOtherNames(parameter, attribute).visit(node)
    frame = ast.parse("def outer():\n    pass")
    frame.body[0].args.args = [ast.arg(name) for name in function.__code__.co_freevars]  # type: ignore[attr-defined]
    frame.body[0].body = [node]  # type: ignore[attr-defined]
    outer = compiled(ast.fix_missing_locations(frame), function.__code__.co_filename)
    code = next(part for part in nested_codes(outer) if part.co_name == node.name)
    return code, _handed_on(node, parameter, function.__globals__)


def _handed_on(node: ast.AST, parameter: str, outside: dict[str, Any]) -> dict[str, int]:
    """The user's functions that are only called, and always with the parameter at one position."""
    positions: dict[str, set[int]] = {}
    uses = Counter(part.id for part in ast.walk(node) if isinstance(part, ast.Name))
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            uses[call.func.id] -= 1
            ids = [getattr(argument, "id", None) for argument in call.args]
            positions.setdefault(call.func.id, set()).add(ids.index(parameter) if parameter in ids else -1)
    return {
        name: position
        for name, (position, *others) in positions.items()
        if not others and position >= 0 and not uses[name] and type(outside.get(name)) is types.FunctionType
    }


class _WithoutOtherNames(ast.NodeTransformer):
    """Leaves out branches that are taken only where the parameter is another name."""

    def __init__(self, parameter: str, attribute: str) -> None:
        self.parameter, self.attribute = parameter, attribute

    def visit_If(self, node: ast.If) -> Any:
        """One of the branches, where the name decides."""
        taken = self._truth(node.test)
        self.generic_visit(node)
        if taken is None:
            node.body = node.body or [ast.Pass()]
            return node
        return (node.body if taken else node.orelse) or ast.Pass()

    def _truth(self, test: ast.expr) -> bool | None:
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
    """Return whether a global or closure name refers to an immutable object; of the class itself the attributes are checked."""
    if isinstance(value, types.ModuleType):
        return value.__name__.split(".")[0] in ("to_static", "numpy", "collections", "typing", "numbers")
    if isinstance(value, tuple):
        return all(_is_fixed(item, cls) for item in value)
    if isinstance(value, type):
        return value in cls.__mro__ or package_of(value) in SKIPPED_PACKAGES
    return isinstance(value, (str, int, float, types.NoneType, frozenset))


def _may_change_more(member: Any) -> bool:
    """Return whether an attribute of a class is a container or a method of the user, which may change further state."""
    if isinstance(member, (property, list, dict, set)):
        return True
    function = getattr(member, "__func__", member)
    return isinstance(function, types.FunctionType) and package_of(function) not in SKIPPED_PACKAGES
