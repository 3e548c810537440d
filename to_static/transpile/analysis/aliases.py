"""Which local names may be names of one object that changes in place.

In a branch or loop that became a function, a container that is handed in and the same container seen through another name would be
two objects. So all names that may be the same changing object are handed in together.
"""

from __future__ import annotations

import gast

from to_static.transpile.analysis.scopes import names_of, walk_scope


def alias_groups(function: gast.FunctionDef) -> dict[str, set[str]]:
    """Name -> all names that may be the same object, for objects that some name changes in place."""
    groups: dict[str, set[str]] = {}

    def unite(names: list[str]) -> None:
        whole = set(names).union(*(groups.get(n, ()) for n in names))
        for name in whole:
            groups[name] = whole

    for node in walk_scope(function.body):
        if isinstance(node, gast.Assign):
            for target in node.targets:
                for left, right in _pairs(target, node.value):
                    unite([left, right])
            chained = [t.id for t in node.targets if isinstance(t, gast.Name)]
            if len(chained) > 1:
                unite(chained)
        elif isinstance(node, gast.NamedExpr):
            for left, right in _pairs(node.target, node.value):
                unite([left, right])
    changed = names_of(function.body).mutates
    return {name: whole for name, whole in groups.items() if whole & changed}


def _pairs(target: gast.expr, value: gast.expr) -> list[tuple[str, str]]:
    """Pairs of names of which the first may become the object of the second."""
    if isinstance(target, (gast.Tuple, gast.List)) and isinstance(value, (gast.Tuple, gast.List)):
        if len(target.elts) == len(value.elts):
            return [pair for t, v in zip(target.elts, value.elts, strict=True) for pair in _pairs(t, v)]
        return []
    if not isinstance(target, gast.Name):
        return []
    if isinstance(value, gast.Name):
        return [(target.id, value.id)]
    if isinstance(value, gast.IfExp):
        return _pairs(target, value.body) + _pairs(target, value.orelse)
    if isinstance(value, gast.BoolOp):
        return [pair for v in value.values for pair in _pairs(target, v)]
    return []
