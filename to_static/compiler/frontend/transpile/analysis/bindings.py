"""The values that local names of a function are bound to: container displays, functions, indices of loops."""

from __future__ import annotations

import gast

from to_static.compiler.frontend.transpile.analysis.activity import MUTATORS, names_of, walk_scope
from to_static.compiler.frontend.transpile.analysis.static_values import is_plain_iterable
from to_static.compiler.frontend.transpile.context import Context
from to_static.compiler.frontend.transpile.pyct import visiting

_READING = (
    gast.Subscript, gast.For, gast.comprehension, gast.Return, gast.Starred, gast.BinOp, gast.Compare, gast.If, gast.While,
    gast.FormattedValue,
)  # fmt: skip


def fresh_containers(function: gast.FunctionDef, ctx: Context) -> set[str]:
    """Local names that only ever hold lists or dicts written out in this function, which have no other name (branches have their
    own copies of these). What a function returns has another name for its ``finally``.
    """
    nodes = list(walk_scope(function.body))
    last = not any(isinstance(node, gast.Try) and node.finalbody for node in nodes)
    fresh: set[str] = set()
    otherwise_used: set[str] = set()
    displays = (gast.List, gast.Dict, gast.ListComp, gast.DictComp)
    counted: set[int] = set()
    for node in nodes:
        if isinstance(node, _READING) or getattr(node, "returns", False):
            if not last and (isinstance(node, gast.Return) or getattr(node, "returns", False)):
                continue
            value = getattr(node, "value", None)
            assigned = value if isinstance(node, (gast.Return, gast.Assign)) and isinstance(value, gast.Tuple) else node
            counted.update(map(id, visiting.children(assigned)))
        elif isinstance(node, gast.Call):
            owner = [node.func.value] if isinstance(node.func, gast.Attribute) else []
            counted.update(map(id, [*owner, *(node.args if ctx.library(node.func) else ())]))
        if isinstance(node, gast.Assign):
            pairs = _assigned(node.targets[0], node.value) if len(node.targets) == 1 else []
            displayed = [target for target, value in pairs if isinstance(target, gast.Name) and isinstance(value, displays)]
            fresh.update(target.id for target in displayed)
            counted.update(map(id, displayed))
        elif isinstance(node, gast.Name) and id(node) not in counted:
            otherwise_used.add(node.id)
        elif isinstance(node, (gast.FunctionDef, gast.ClassDef, gast.Lambda)):
            otherwise_used |= names_of(node).reads | names_of(node).writes
    params = {p.id for p in visiting.walk(function.args) if isinstance(p, gast.Name)}
    return fresh - otherwise_used - params


def _assigned(target: gast.expr, value: gast.expr) -> list[tuple[gast.expr, gast.expr]]:
    """Yield pairs of target and value: ``items, total = [], 0`` is two assignments."""
    if isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple) and len(target.elts) == len(value.elts):
        return list(zip(target.elts, value.elts, strict=True))
    return [(target, value)]


def local_functions(function: gast.FunctionDef) -> set[str]:
    """Names bound only by an undecorated ``def`` in this function."""
    defined: list[str] = []
    otherwise_bound: set[str] = set()
    for node in walk_scope(function.body):
        if isinstance(node, gast.FunctionDef) and not node.decorator_list and not is_generator(node):
            defined.append(node.name)
        elif isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store):
            otherwise_bound.add(node.id)
        elif isinstance(node, (gast.FunctionDef, gast.ClassDef)):
            otherwise_bound.add(node.name)
    return set(defined) - otherwise_bound


def counters(function: gast.FunctionDef, ctx: Context) -> set[str]:
    """Names that are only ever the index of a loop over numbers written out."""
    loop_counters: set[str] = set()
    counted: set[int] = set()
    otherwise_bound = {p.id for p in visiting.walk(function.args) if isinstance(p, gast.Name)}
    for node in walk_scope(function.body):
        if isinstance(node, gast.For) and isinstance(node.target, gast.Name) and is_plain_iterable(node.iter, ctx):
            if isinstance(node.iter, gast.Call):
                loop_counters.add(node.target.id)
                counted.add(id(node.target))
        elif isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load) and id(node) not in counted:
            otherwise_bound.add(node.id)
    return loop_counters - otherwise_bound


def growing_elsewhere(function: gast.FunctionDef) -> set[str]:
    """Names of containers that functions inside of this one change: where a tensor decides that, they are lists of the Program."""
    inner = [n for n in walk_scope(function.body) if isinstance(n, (gast.FunctionDef, gast.Lambda))]
    growing = {name for node in inner for name in names_of(node.body).mutates}
    attributes = [n for node in inner for n in visiting.walk(node) if isinstance(n, gast.Attribute) and n.attr in MUTATORS]
    return growing | {n.value.id for n in attributes if isinstance(n.value, gast.Name)}


FEW = 100  # places of which a list that tensors make shows that they are asked for (`tracing.side_effects.POISONED_ITEMS`)


def is_literal(index: gast.expr, counters: set[str]) -> bool:
    """True for an index of small constants and `counters` only."""
    return not any(
        (isinstance(n, gast.Name) and n.id not in counters)
        or isinstance(n, (gast.Call, gast.Attribute, gast.Lambda))
        or (isinstance(n, gast.Constant) and isinstance(n.value, int) and n.value >= FEW)
        for n in visiting.walk(index)
    )


def is_generator(function: gast.AST) -> bool:
    """True when calling ``function`` makes a generator."""
    body = function.body if isinstance(function.body, list) else [function.body]
    return any(isinstance(n, (gast.Yield, gast.YieldFrom)) for n in walk_scope(body))
