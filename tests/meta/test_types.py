"""Parameters of the compiler say their types: the share that is `Any` may only fall, to 15 % in each room.

A parameter counts as `Any` where its annotation admits everything: `Any` itself, a union with it (`Any | None`), an alias of it
(`Value = Any`), and no annotation at all. `list[Any]` and `dict[str, Any]` do not count: they say what the function does with them.
"""

from __future__ import annotations

import ast
import functools
from collections import Counter
from pathlib import Path

import pytest

import to_static

ROOT = Path(to_static.__file__).parent
GOAL = 15.0
# per cent of the parameters of a room, at most; lower a number when it falls, and take the line out at the goal
MOST: dict[str, float] = {}


def _room(path: Path) -> str | None:
    """The room of a module, or None outside of the compiler and core."""
    parts = path.relative_to(ROOT).parts
    if parts[0] == "core":
        return "core"
    if parts[0] != "compiler" or len(parts) < 3:
        return None
    return "/".join(parts[1:3]) if parts[1] in ("frontend", "formats") and len(parts) > 3 else parts[1]


def is_any(annotation: ast.expr | None, aliases: frozenset[str] = frozenset()) -> bool:
    """Whether an annotation admits everything; ``aliases`` are names that stand for `Any`."""
    if annotation is None:
        return True
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        annotation = ast.parse(annotation.value, mode="eval").body
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        return is_any(annotation.left, aliases) or is_any(annotation.right, aliases)
    if isinstance(annotation, ast.Subscript) and isinstance(annotation.value, ast.Name):
        inner = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
        return annotation.value.id in ("Optional", "Union") and any(is_any(item, aliases) for item in inner)
    if isinstance(annotation, ast.Name):
        return annotation.id == "Any" or annotation.id in aliases
    return isinstance(annotation, ast.Attribute) and annotation.attr == "Any"


def any_aliases(tree: ast.Module) -> set[str]:
    """Names that a module binds to a type that admits everything."""
    aliases: set[str] = set()
    for node in tree.body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, (ast.Name, ast.Attribute, ast.BinOp)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if is_any(node.value):
                aliases.update(target.id for target in targets if isinstance(target, ast.Name))
    return aliases


def parameters(tree: ast.Module) -> list[ast.expr | None]:
    """The annotation, or None, of each parameter of the functions of a module, but for ``self`` and ``cls``."""
    annotations: list[ast.expr | None] = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            args = node.args
            every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
            named = [arg for arg in every if arg is not None]
            annotations += [arg.annotation for arg in named if arg.annotation or arg.arg not in ("self", "cls", "mcs")]
    return annotations


@functools.cache
def _shares() -> dict[str, float]:
    """The per cent of parameters of each room that are `Any`."""
    trees = [(_room(path), ast.parse(path.read_text(encoding="utf-8"))) for path in sorted(ROOT.rglob("*.py")) if _room(path)]
    aliases = frozenset().union(*(any_aliases(tree) for _, tree in trees))
    total: Counter[str] = Counter()
    count: Counter[str] = Counter()
    for room, tree in trees:
        for annotation in parameters(tree):
            total[room] += 1
            count[room] += is_any(annotation, aliases)
    return {room: 100 * count[room] / total[room] for room in total}


ROOMS = sorted({room for path in ROOT.rglob("*.py") if (room := _room(path))})


@pytest.mark.parametrize("room", ROOMS)
def test_parameters_say_their_types(room: str) -> None:
    most = MOST.get(room, GOAL)
    share = _shares().get(room, 0.0)
    assert share <= most, f"{share:.1f} % of the parameters of {room} are Any, at most {most} % may be"


def test_rooms_that_reached_the_goal_are_off_the_list() -> None:
    assert [room for room in MOST if _shares()[room] <= GOAL] == []


@pytest.mark.parametrize(
    ("annotation", "counts"),
    [
        ("Any", True), ("'Any'", True), ("Any | None", True), ("int | Any", True), ("typing.Any", True), ("Optional[Any]", True),
        ("Whatever", True), ("list[Any]", False), ("object", False), ("int | None", False), ("Callable[..., Any]", False),
    ],
)  # fmt: skip
def test_what_counts(annotation: str, counts: bool) -> None:
    tree = ast.parse(f"Whatever = Any\ndef f(self, x: {annotation}): ...")
    assert [is_any(a, frozenset(any_aliases(tree))) for a in parameters(tree)] == [counts]


def test_no_annotation_counts() -> None:
    assert parameters(ast.parse("def f(self, x, *args: int): ..."))[0] is None
    assert is_any(None)
