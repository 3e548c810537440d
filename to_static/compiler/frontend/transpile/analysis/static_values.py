"""Conditions and iterables that are Python values for sure, whatever the variables hold.

Python's own statements are kept for them. Being wrong here is safe: a tensor in a Python condition raises an error. Questions
that Python would answer without asking the value (``is``, ``isinstance``) stay operators where an attribute is asked about.
"""

from __future__ import annotations

import ast
import functools
from typing import Any

import gast

from to_static.compiler.frontend.transpile.analysis.activity import MUTATORS, names_of, parameters, walk_scope
from to_static.compiler.frontend.transpile.context import Context
from to_static.compiler.frontend.transpile.pyct import visiting
from to_static.core import unroll_limit

_QUESTIONS = ("isinstance", "issubclass", "callable", "hasattr")

_OF_FRAMES = frozenset(["super", "eval", "exec", "_getframe"])  # these look at who calls them


def is_plain(test: gast.expr, ctx: Context) -> bool:
    """True when ``test`` can only be a Python value: ``mask is None`` of a parameter, ``mode == 'sum'``, ``self.training``."""
    if isinstance(test, gast.Constant):
        return True
    if isinstance(test, gast.Compare):
        if all(isinstance(op, (gast.Is, gast.IsNot)) for op in test.ops):
            sides = [test.left, *test.comparators]  # of two variables both may be names of one tensor
            return any(isinstance(side, gast.Constant) for side in sides) and all(is_settled(side, ctx) for side in sides)
        if all(isinstance(op, (gast.In, gast.NotIn)) for op in test.ops):
            text = isinstance(test.left, gast.Constant) and isinstance(test.left.value, str)
            return text and all(is_settled(side, ctx) for side in test.comparators)
        return any(isinstance(side, gast.Constant) and isinstance(side.value, str) for side in test.comparators) and all(
            is_settled(side, ctx) for side in [test.left, *test.comparators]
        )
    if isinstance(test, gast.UnaryOp):
        return isinstance(test.op, gast.Not) and is_plain(test.operand, ctx)
    if isinstance(test, gast.BoolOp):
        return all(is_plain(value, ctx) for value in test.values)
    if isinstance(test, gast.Call):
        question = isinstance(test.func, gast.Name) and test.func.id in _QUESTIONS and ctx.builtin(test.func.id)
        named = {arg.value for arg in test.args if isinstance(arg, gast.Constant) and isinstance(arg.value, str)}
        return question and named.isdisjoint(ctx.assigned) and all(is_settled(arg, ctx) for arg in test.args)
    return isinstance(test, gast.Attribute) and test.attr == "training"


def is_settled(value: gast.expr, ctx: Context) -> bool:
    """True if the type of a value cannot depend on tensors: constants, parameters, globals, attributes of ``self``."""
    if isinstance(value, gast.Constant):
        return True
    if isinstance(value, (gast.Tuple, gast.List, gast.Set)):
        return all(is_settled(item, ctx) for item in value.elts)
    if isinstance(value, gast.Name):
        if value.id in ctx.assigned and value.id not in ctx.locals:  # a variable of the module
            return False
        return value.id not in ctx.may_be_dynamic or value.lineno <= ctx.constant_until.get(value.id, 0)
    while isinstance(value, gast.Attribute):
        if value.attr in ctx.assigned:
            return False
        value = value.value
    if not isinstance(value, gast.Name):
        return False
    return value.id == ctx.self_name or value.id not in ctx.locals | ctx.may_be_dynamic


def asks_attribute(*values: gast.expr) -> bool:
    """True if one of the expressions is an attribute, whose value is not known: other modules may have set it."""
    return any(isinstance(value, gast.Attribute) for value in values)


@functools.lru_cache(maxsize=64)
def assigned_attributes(module: ast.AST) -> frozenset[str]:
    """Names of attributes, and of global and nonlocal variables, that functions of a module change after they are made."""
    attributes: set[str] = set()

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            attributes.add(node.attr)
        elif isinstance(node, ast.Attribute) and node.attr in MUTATORS and isinstance(node.value, ast.Attribute):
            attributes.add(node.value.attr)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            attributes.update(node.names)
        for child in visiting.children(node):
            if not (isinstance(child, ast.FunctionDef) and child.name in ("__init__", "__new__", "__post_init__")):
                visit(child)

    visit(module)
    return frozenset(attributes)


def takes_optional(call: gast.Call, ctx: Context) -> bool:
    """True if library code may be handed by this call what is None or a value, as a tensor decides.

    That is told by the text, and of parameters behind the second argument or given by name, which callers may give it, too.
    """
    name = getattr(call.func, "id", getattr(call.func, "attr", ""))
    if name in _OF_FRAMES:
        return False
    further_arguments = [*call.args[2:], *(keyword.value for keyword in call.keywords)]
    if any(_is_optional(value, ctx) for value in [*call.args, *further_arguments]):
        return True
    return any(isinstance(value, gast.Name) and value.id in ctx.parameters for value in further_arguments)


def _is_optional(value: gast.expr, ctx: Context) -> bool:
    if isinstance(value, (gast.Tuple, gast.List)):
        return any(_is_optional(item, ctx) for item in value.elts)
    if isinstance(value, gast.Name):
        return value.id in ctx.optional
    if isinstance(value, gast.Call):  # of nothing a sum is no tensor
        return getattr(value.func, "id", "") == "sum"
    return isinstance(value, gast.IfExp) or (isinstance(value, gast.Attribute) and value.attr in ctx.assigned)


def optional_names(function: gast.FunctionDef) -> frozenset[str]:
    """Names to which the text of a function gives None somewhere, parameters included."""
    arguments = function.args
    optional = {p.id for p, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d is not None and _is_none(d)}
    if arguments.defaults:
        with_default = [*arguments.posonlyargs, *arguments.args][-len(arguments.defaults) :]
        optional |= {p.id for p, d in zip(with_default, arguments.defaults, strict=True) if _is_none(d)}
    for node in walk_scope(function.body):
        if isinstance(node, gast.Assign):
            pairs = [(target, node.value) for target in node.targets]
            while pairs:
                target, value = pairs.pop()
                if isinstance(target, (gast.Tuple, gast.List)) and isinstance(value, (gast.Tuple, gast.List)):
                    pairs += zip(target.elts, value.elts, strict=False)
                elif isinstance(target, gast.Name) and _is_none(value):
                    optional.add(target.id)
    return frozenset(optional)


def _is_none(value: gast.expr) -> bool:
    if isinstance(value, gast.IfExp):
        return _is_none(value.body) or _is_none(value.orelse)
    return isinstance(value, gast.Constant) and value.value is None


def dynamic_names(function: gast.FunctionDef) -> set[str]:
    """Local names that get other values than constants, or get them in a branch or loop, and containers that change."""
    constants: set[int] = set()
    for s in function.body:
        if isinstance(s, gast.Assign) and isinstance(s.value, (gast.Constant, gast.List, gast.Dict)):
            constants.update(id(target) for target in s.targets)
    may_be_dynamic = names_of(function.body).mutates
    for node in walk_scope(function.body):
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store) and id(node) not in constants:
            may_be_dynamic.add(node.id)
        elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
            may_be_dynamic.add(node.target.id)
    return may_be_dynamic


def constant_parameters(function: gast.FunctionDef) -> dict[str, int]:
    """For each parameter that is assigned to, the last line on which it surely is what the caller gave."""
    until: dict[str, int] = {}
    for s in function.body:
        repeated = any(isinstance(node, (gast.For, gast.While)) for node in walk_scope(s))
        for name in names_of([s]).writes.intersection(parameters(function)):
            until.setdefault(name, s.lineno - repeated)
    return until


def is_plain_iterable(iterable: gast.expr, ctx: Context) -> bool:
    """True for a ``range`` of small literal numbers, and for literal tuples and lists."""
    if isinstance(iterable, (gast.Tuple, gast.List)):
        return not any(isinstance(item, gast.Starred) for item in iterable.elts)
    return (
        isinstance(iterable, gast.Call)
        and isinstance(iterable.func, gast.Name)
        and iterable.func.id == "range"
        and ctx.builtin("range")
        and all(isinstance(_unsigned(arg), gast.Constant) and _is_small(_unsigned(arg).value) for arg in iterable.args)
    )


def _is_small(value: Any) -> bool:
    """True if a range to this number has few items; `ir.trace_errors.unroll_warning` counts those of longer loops."""
    return not isinstance(value, int) or value <= unroll_limit.UNROLL_WARNING_LIMIT


def _unsigned(node: gast.expr) -> gast.expr:
    return node.operand if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) else node
