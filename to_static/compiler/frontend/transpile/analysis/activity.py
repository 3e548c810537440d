"""The names that a piece of code reads, binds, mutates and captures, seen from the function that contains it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast

from to_static.compiler.frontend.transpile.pyct import visiting

FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
_SCOPES = (*FUNCTIONS, gast.ClassDef)
_COMPOUND = (gast.If, gast.For, gast.While, gast.With, gast.Try, gast.ExceptHandler)  # what is inside belongs to the same scope
EXPRESSIONS = ("value", "test", "iter", "exc")  # fields of statements that hold one
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)

# methods of Python containers that change the container they are called on
MUTATORS = frozenset(
    (
        "append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse", "update", "setdefault", "popitem", "add",
        "discard", "appendleft", "popleft", "move_to_end", "rotate", "__setitem__", "__delitem__", "__iadd__",
        "__ior__", "__imul__",
    )
)
STOPS = frozenset(("stop_gradient", "trainable"))  # attributes of tensors that nobody notices by themselves


class Names(visiting.Visitor):
    """Names in the scope of the visited code.

    ``reads`` and ``writes`` are loads and bindings; ``mutates`` are names whose object is changed in place by a container
    method or an item assignment; ``captures`` are names that a nested function may still read later.
    """

    def __init__(self) -> None:
        self.reads: set[str] = set()
        self.writes: set[str] = set()
        self.mutates: set[str] = set()
        self.captures: set[str] = set()
        self.outer: set[str] = set()  # declared global or nonlocal

    def visit_Name(self, node: gast.Name) -> None:
        if isinstance(node.ctx, (gast.Store, gast.Param)):
            self.writes.add(node.id)
        elif isinstance(node.ctx, gast.Del):
            self.writes.add(node.id)
            self.reads.add(node.id)
        else:
            self.reads.add(node.id)

    def visit_AugAssign(self, node: gast.AugAssign) -> None:
        self.generic_visit(node)
        if isinstance(node.target, gast.Name):
            self.reads.add(node.target.id)

    def _mutated(self, node: gast.AST) -> None:
        while isinstance(node, (gast.Attribute, gast.Subscript)) or getattr(node, "container", False):
            node = node.args[0] if isinstance(node, gast.Call) else node.value  # `_jst.at(items)` stands for `items`
        if isinstance(node, gast.Name):
            self.mutates.add(node.id)

    def visit_Subscript(self, node: gast.Subscript) -> None:
        if not isinstance(node.ctx, gast.Load):
            self._mutated(node.value)
        self.generic_visit(node)

    def visit_Call(self, node: gast.Call) -> None:
        method = node.func
        if isinstance(method, gast.Call) and getattr(method.func, "attr", "") == "call" and method.args:
            method = method.args[0]  # `_jst.call(items.append)` stands for `items.append`
        if isinstance(method, gast.Attribute) and method.attr in MUTATORS:
            self._mutated(method.value)
        self.generic_visit(node)

    def visit_Global(self, node: gast.Global) -> None:
        self.outer.update(node.names)

    visit_Nonlocal = visit_Global

    def visit_alias(self, node: gast.alias) -> None:
        self.writes.add((node.asname or node.name).split(".")[0])

    def visit_MatchAs(self, node: gast.AST) -> None:
        self.generic_visit(node)
        self.writes |= pattern_names(node)

    visit_MatchStar = visit_MatchMapping = visit_MatchAs

    def _nested(self, node: gast.AST, free: set[str]) -> None:
        self.reads |= free
        if not getattr(node, "thunk", False):  # our own thunks run at once and keep nothing
            self.captures |= free

    def visit_FunctionDef(self, node: gast.FunctionDef) -> None:
        self.writes.add(node.name)
        for part in [*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)]:
            self.visit(part)
        if not getattr(node, "passing", False):  # its calls read what it captures (see `flow`)
            self._nested(node, free_names(node) - {node.name})  # one that calls itself has its name by then

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: gast.Lambda) -> None:
        for part in [*node.args.defaults, *filter(None, node.args.kw_defaults)]:
            self.visit(part)
        body = names_of(node.body)  # once: lambdas stand in lambdas
        self._nested(node, _free(node, body))
        if getattr(node, "thunk", False):
            self.mutates |= body.mutates - set(parameters(node))

    def visit_ClassDef(self, node: gast.ClassDef) -> None:
        self.writes.add(node.name)
        for part in [*node.decorator_list, *node.bases, *node.keywords]:
            self.visit(part)
        inner = names_of(node.body)
        self.reads |= inner.reads
        self.captures |= inner.captures

    def _comprehension(self, node: gast.AST) -> None:
        self.visit(node.generators[0].iter)  # evaluated outside, where a target's name still means the outer variable
        inner = Names()
        inner.generic_visit(node)
        free = inner.reads - inner.writes
        for generator in node.generators:
            for sub in visiting.walk(generator.target):
                if isinstance(sub, gast.Name):
                    inner.writes.discard(sub.id)
        self.writes |= inner.writes  # what is left was bound by := and belongs to this scope
        self.mutates |= inner.mutates
        self.reads |= free
        self.captures |= inner.captures
        if isinstance(node, gast.GeneratorExp):  # runs later, reads then
            self.captures |= free

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension


class OneFunction(visiting.AstTransformer):
    """Rewrites the code of one function. Functions and classes inside are translated on their own, but for values of defaults."""

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.AST:
        node.args.defaults = [self.visit(value) for value in node.args.defaults]
        node.args.kw_defaults = [value and self.visit(value) for value in node.args.kw_defaults]
        return node

    def visit_ClassDef(self, node: gast.ClassDef) -> gast.AST:
        return node


def names_of(code: gast.AST | Iterable[gast.AST]) -> Names:
    """`Names` of a node or of a list of statements."""
    names = Names()
    for node in [code] if isinstance(code, gast.AST) else code:
        names.visit(node)
    return names


class Remembered:
    """A cache of `names_of` for code whose names do not change: each statement is analysed once, however deep it is nested.
    """

    def __init__(self) -> None:
        self._cache: dict[int, tuple[Any, Names]] = {}  # by id; what has the id is kept alive

    def __call__(self, code: gast.AST | list[gast.AST]) -> Names:
        """As `names_of`; the result is not to be changed."""
        cached = self._cache.get(id(code))
        if cached is None:
            if isinstance(code, list):
                names = self._all(code)
            else:
                names = self._all(visiting.children(code)) if isinstance(code, _COMPOUND) else names_of(code)
            cached = self._cache[id(code)] = (code, names)
        return cached[1]

    def _all(self, parts: list[gast.AST]) -> Names:
        if len(parts) == 1:
            return self(parts[0])
        names_of_all = Names()
        for part in parts:
            for category, names in vars(self(part)).items():
                getattr(names_of_all, category).update(names)
        return names_of_all


def pattern_names(node: gast.AST) -> set[str]:
    """The name that a pattern of a ``case`` binds by itself, if any."""
    bound_name = getattr(node, "rest" if type(node).__name__ == "MatchMapping" else "name", None)
    return {bound_name} if bound_name else set()


def parameters(function: gast.FunctionDef | gast.Lambda) -> list[str]:
    """Parameter names in order of declaration."""
    args = function.args
    args_all = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
    return [a.id for a in args_all if a is not None]


def local_names(function: gast.FunctionDef | gast.Lambda) -> set[str]:
    """Names that are local variables of ``function``."""
    return _locals(function, names_of(function.body))


def _locals(function: gast.FunctionDef | gast.Lambda, body: Names) -> set[str]:
    return (set(parameters(function)) | body.writes) - body.outer


def free_names(function: gast.FunctionDef | gast.Lambda) -> set[str]:
    """Names that ``function``'s body reads (or declares nonlocal) from around it."""
    return _free(function, names_of(function.body))


def _free(function: gast.FunctionDef | gast.Lambda, body: Names) -> set[str]:
    return (body.reads | body.outer | body.mutates) - _locals(function, body)


def identifiers(node: gast.AST) -> set[str]:
    """Every identifier that occurs anywhere below ``node``, so that new names can avoid them."""
    names: set[str] = set()
    for sub in visiting.walk(node):
        if isinstance(sub, gast.Name):
            names.add(sub.id)
        elif isinstance(sub, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
            names.add(sub.name)
        elif isinstance(sub, (gast.Global, gast.Nonlocal)):
            names.update(sub.names)
        elif isinstance(sub, gast.alias):
            names.add((sub.asname or sub.name).split(".")[0])
        elif type(sub).__name__ in ("MatchAs", "MatchStar", "MatchMapping"):
            names |= pattern_names(sub)
    return names


def walk_scope(code: gast.AST | Iterable[gast.AST]) -> Iterable[gast.AST]:
    """All nodes of the code except those inside nested functions, classes and lambdas (which are yielded themselves)."""
    todo = [code] if isinstance(code, gast.AST) else list(code)[::-1]
    children = visiting.children
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, _SCOPES):
            below = children(node)
            if below:
                todo += below[::-1]
