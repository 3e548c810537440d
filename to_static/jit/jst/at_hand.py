"""What Python has at hand in the middle of an expression: ``log`` in ``second(log, g())``, while ``g`` runs.

No walk over objects finds it there. The text of translated functions tells whether an operand that was computed before the call
that is running may be, or hold, an object.
"""

from __future__ import annotations

import ast
import functools
import inspect
import sys
import types
from typing import Any

from to_static.core import instructions
from to_static.core.expressions import within
from to_static.jit.contents import ITERATORS, LIMIT, held
from to_static.jit.jst.frames import users_frames
from to_static.jit.watch import globals_read
from to_static.transpile import is_translated

# what becomes another object where something in it does: an expression that has it at hand has the old one
_FIXED = (tuple, functools.partial, types.BuiltinMethodType, types.MethodType, *ITERATORS)
_NEW = frozenset(f"_jst.{name}" for name in ("len", "int", "float", "bool", "text", "percent"))  # make nothing that holds others
_UNKNOWN = object()
_SCOPES = (ast.GeneratorExp,) if sys.version_info >= (3, 12) else (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)
# what holds nothing while it evaluates a part
_IN_TURN = (ast.IfExp, ast.BoolOp, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def is_at_hand(value: Any) -> bool:
    """Whether an expression that is running may have ``value`` at hand."""
    frames = list(users_frames())
    for i, frame in enumerate(frames):
        if not is_translated(frame.f_code):
            continue
        found = {_may_be(x, value, frame) for x in _operands(frame)}
        if True in found or (None in found and any(_variables_reach(outer, value) for outer in frames[i:])):
            return True  # what is made since, and nothing but what runs since has, can't be what an operand gave
    return False


def _variables_reach(frame: Any, value: Any) -> bool:
    """Whether what the variables of a running function lead to is or holds ``value``."""
    todo = [*frame.f_locals.values(), *globals_read(frame.f_globals, frame.f_code)]
    seen: set[int] = set()
    while todo and len(seen) < LIMIT:
        item = todo.pop()
        if item is value:
            return True
        if id(item) in seen:
            continue
        seen.add(id(item))
        found = held(item)
        todo += [] if found is None else found[1]
        if type(item) is types.FunctionType:
            todo += globals_read(item.__globals__, item.__code__)
    return bool(todo)


def _operands(frame: Any) -> list[ast.expr]:
    """The operands of expressions that were computed before what the frame is doing."""
    around, node = within(frame)
    if node is not None:
        return _before(around, node)
    if hasattr(frame.f_code, "co_positions"):
        return []  # a statement, which has computed its operands
    return [x for node in instructions.running(around, frame) for x in _before(around, node)]


def _before(tree: ast.AST, node: ast.AST) -> list[ast.expr]:
    """The operands, of the expressions around ``node`` in one scope, that come before it."""
    found: list[ast.expr] = []
    around = _around(tree)
    while not isinstance(node, (ast.stmt, ast.Lambda)):
        inner, node = node, around[node]
        if isinstance(node, _SCOPES) and not (isinstance(inner, ast.comprehension) and inner is node.generators[0]):
            break  # a function of its own; what called it is among the frames
        if isinstance(node, ast.AugAssign) and inner is node.value:
            found.append(node.target)
        elif isinstance(node, (ast.expr, ast.keyword)) and not isinstance(node, _IN_TURN):
            parts = instructions.in_order(node)
            found += parts[: parts.index(inner)]
    return found


@functools.lru_cache(maxsize=32)
def _around(tree: ast.AST) -> dict[ast.AST, ast.AST]:
    """The node around each node."""
    return {inner: node for node in ast.walk(tree) for inner in ast.iter_child_nodes(node)}


def _may_be(operand: Any, value: Any, frame: Any) -> bool | None:
    """None: it can't be told."""
    if isinstance(operand, (ast.Constant, ast.Lambda, ast.operator, ast.cmpop, ast.expr_context)):
        return False
    if isinstance(operand, (ast.Tuple, ast.List, ast.Dict, ast.Starred, ast.keyword)):
        inside = {_may_be(x, value, frame) for x in ast.iter_child_nodes(operand)}
        return True if True in inside else None if None in inside else False
    if isinstance(operand, ast.Call) and ast.unparse(operand.func) in _NEW:
        return False
    if isinstance(operand, ast.Call) and ast.unparse(operand.func) == "_jst.call":
        return _may_be(operand.args[0], value, frame)
    found = _known(operand, frame)
    return None if found is _UNKNOWN else _leads_to(found, value)


def _known(operand: ast.expr, frame: Any) -> Any:
    """The value of a name or attribute, where that is told without running code."""
    if isinstance(operand, ast.Name):
        return frame.f_locals.get(operand.id, frame.f_globals.get(operand.id))
    if not isinstance(operand, ast.Attribute):
        return _UNKNOWN
    if isinstance(operand.value, ast.Name) and operand.value.id == "_jst":
        return None
    owner = _known(operand.value, frame)
    if owner is _UNKNOWN:
        return _UNKNOWN
    found = inspect.getattr_static(owner, operand.attr, _UNKNOWN)
    if isinstance(found, (types.FunctionType, types.MethodDescriptorType)) and not isinstance(owner, types.ModuleType):
        return (owner,)  # a method of it
    return _UNKNOWN if hasattr(type(found), "__get__") and not isinstance(found, types.FunctionType) else found


def _leads_to(found: Any, value: Any) -> bool:
    if found is value:
        return True
    if not isinstance(found, _FIXED):
        return False
    inside = held(found)
    return inside is not None and any(_leads_to(x, value) for x in inside[1])
