"""Finds the instruction that a frame executes, and the expression that it evaluates, in Python 3.10, which records no columns.

The instructions of a statement are counted: the third call that they make is the third in the text, in the order of evaluation.
"""

from __future__ import annotations

import ast
import dis
import types
from collections.abc import Iterator
from typing import Any

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)  # functions that are called
_STEPS: dict[str, tuple[type[ast.AST], ...]] = {
    "CALL": (ast.Call, *_COMPREHENSIONS),
    "LOAD_ATTR": (ast.Attribute,),
    "LOAD_METHOD": (ast.Attribute,),
    "BINARY_SUBSCR": (ast.Subscript,),
    "COMPARE_OP": (ast.Compare,),
    "CONTAINS_OP": (ast.Compare,),
    "BINARY": (ast.BinOp,),
}


def running(tree: ast.AST, frame: types.FrameType) -> list[ast.AST]:
    """The expressions that the frame may be evaluating: one, or all of that kind in the statement."""
    code, line = frame.f_code, frame.f_lineno
    enclosing = [n for n in ast.walk(tree) if isinstance(n, ast.stmt) and n.lineno <= line <= (n.end_lineno or 0)]
    if not enclosing:
        return []
    first, last = enclosing[-1].lineno, _end(enclosing[-1])
    lines: dict[int, int] = dict(dis.findlinestarts(code))
    at, steps = first, []
    for step in dis.get_instructions(code):
        at = lines.get(step.offset, at)
        if first <= at <= last:
            steps.append(step)
    instruction = next((step for step in steps if step.offset == frame.f_lasti), None)
    if instruction is not None and instruction.opname.startswith(("STORE", "DELETE", "INPLACE")):
        return []  # all is computed
    name = next((name for name in _STEPS if instruction is not None and instruction.opname.startswith(name)), "CALL")
    names = tuple(prefix for prefix in _STEPS if _STEPS[prefix] == _STEPS[name])
    candidates = [step for step in steps if step.opname.startswith(names) and (name != "BINARY" or "SUBSCR" not in step.opname)]
    evaluated = _evaluated(enclosing[-1])
    nodes = [n for n in evaluated if isinstance(n, _STEPS[name]) and isinstance(getattr(n, "ctx", None), (ast.Load, type(None)))]
    return [nodes[candidates.index(instruction)]] if instruction in candidates and len(candidates) == len(nodes) else nodes


def instruction(code: types.CodeType, position: int) -> tuple[str, int]:
    """The name and the argument of the instruction at a position, `f_lasti` of a frame, say."""
    return dis.opname[code.co_code[position]], code.co_code[position + 1]


def globals_read(code: types.CodeType) -> set[str]:
    """The names of globals that a code object, or one inside of it, reads."""
    names = {step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return names.union(*(globals_read(inner) for inner in code.co_consts if isinstance(inner, types.CodeType)))


def in_order(node: ast.AST) -> list[Any]:
    """The parts of an expression as Python comes to them: of a dict each key with its value."""
    if not isinstance(node, ast.Dict):
        return list(ast.iter_child_nodes(node))
    return [x for pair in zip(node.keys, node.values, strict=True) for x in pair if x is not None]


def _end(statement: ast.stmt) -> int:
    """The last line of a statement, of its head where it has a body."""
    body = getattr(statement, "body", None)
    return body[0].lineno - 1 if isinstance(body, list) and body else statement.end_lineno or statement.lineno


def _evaluated(node: ast.AST) -> Iterator[ast.AST]:
    """The expressions of one scope in a statement, each after those that it needs."""
    if isinstance(node, ast.Assign):
        parts: list[ast.AST] = [node.value, *node.targets]
    elif isinstance(node, _COMPREHENSIONS):
        parts = [node.generators[0].iter]
    else:
        parts = in_order(node)
    for part in parts:
        if not isinstance(part, (ast.stmt, ast.Lambda, ast.ExceptHandler)):
            yield from _evaluated(part)
    yield node
