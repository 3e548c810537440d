"""Words that say nothing of what a thing is, and names of classes that stand for two things: both may only become fewer."""

from __future__ import annotations

import ast
import functools
from collections import Counter, defaultdict
from pathlib import Path

import pytest

import to_static

ROOT = Path(to_static.__file__).parent
# variables and parameters that say nothing of what they hold: none has such a name any more
RETIRED = ("found", "made", "given", "known", "kept", "seen", "told", "held", "whole")
# as many variables and parameters have these names, at most; lower a number when it falls. Those of `place` are Paddle's devices,
# those of `kind` are of a variable of a Program, a device and a token
MOST = {**dict.fromkeys(RETIRED, 0), "place": 40, "places": 6, "kind": 3, "kinds": 0}
# functions, methods and attributes have other names, too: words of many meanings. `FormatError.found` stands beside `expected`
RETIRED_MEMBERS = {
    *RETIRED, "kinds", "settled", "settle", "acts", "asks", "handed", "lent", "thawed", "undecided", "note", "look",
    "rich_errors", "given_grads", "as_it_is", "strict",
}  # fmt: skip
# prepositions, participles and numbers say less than the thing: as many variables and parameters, and as many functions and
# attributes, have such a name. `other` is the second operand of a method such as ``__eq__``
VAGUE = {
    "of": 0, "over": 0, "before": 0, "after": 0, "here": 0, "there": 0, "other": 41, "others": 0, "taken": 0,
    "met": 0, "shown": 0, "turned": 0, "wide": 0, "most": 0, "own": 0, "later": 0, "numbers": 0, "how": 0,
    "number": 0, "moved": 0, "changed": 0, "shared": 0, "plain": 0, "rest": 0, "half": 0,
}  # fmt: skip
VAGUE_MEMBERS = {
    "of": 0, "over": 0, "before": 0, "after": 0, "here": 0, "there": 0, "other": 0, "others": 0, "taken": 0,
    "met": 0, "shown": 0, "turned": 0, "wide": 0, "most": 0, "own": 0, "later": 0, "numbers": 0, "how": 0,
    "number": 0, "moved": 0, "changed": 0, "shared": 0, "plain": 0, "rest": 0, "half": 0,
}  # fmt: skip
# names that Paddle gives to two classes of its own
OF_PADDLE = {
    "BaseQuantizer", "Engine", "Identity", "Layer", "Place", "Positive", "Precision", "Real",
    "BatchNorm", "Bilinear", "Block", "Conv", "DataLoader", "Event", "Hessian", "Independent", "InvertedResidual", "Jacobian",
    "LRScheduler", "Normal", "Program", "SyncBatchNorm", "Tensor", "Uniform", "Variable",
}  # fmt: skip
TWICE: set[str] = set()


@functools.cache
def _nodes() -> dict[str, list[ast.AST]]:
    """The variables that are written, parameters and classes of each module."""
    by_module = {}
    for path in sorted(ROOT.rglob("*.py")):
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        named = [node for node in nodes if isinstance(node, (ast.Name, ast.arg, ast.ClassDef))]
        by_module[path.relative_to(ROOT).as_posix()] = named
    return by_module


@functools.cache
def _members() -> Counter[str]:
    """How many functions, methods and attributes of the package have each name, without leading underscores."""
    members: Counter[str] = Counter()
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                members[node.name.strip("_")] += 1
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                members[node.attr.strip("_")] += 1
    return members


@functools.cache
def _names() -> Counter[str]:
    """How many variables and parameters of the package have each name."""
    nodes = [node for module in _nodes().values() for node in module]
    names = [node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)]
    return Counter([*names, *(node.arg for node in nodes if isinstance(node, ast.arg))])


def test_members_have_no_retired_names() -> None:
    retired = {word: _members()[word] for word in RETIRED_MEMBERS if _members()[word]}
    assert retired == {"found": 1}, "name what a member is or does"


@pytest.mark.parametrize("word", MOST)
def test_vague_names_only_become_fewer(word: str) -> None:
    assert _names()[word] <= MOST[word], f"name what the thing is, not that it was {word}"


@pytest.mark.parametrize("word", VAGUE)
def test_prepositions_and_participles_only_become_fewer(word: str) -> None:
    assert _names()[word] <= VAGUE[word], f"name what the variable is, not {word}"
    assert _members()[word] <= VAGUE_MEMBERS[word], f"name what the function or attribute is, not {word}"


def test_the_name_of_a_class_means_one_thing() -> None:
    classes = defaultdict(set)
    for path, nodes in _nodes().items():
        for node in nodes:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                classes[node.name].add(path)
    twice = {name for name, paths in classes.items() if len(paths) > 1} - OF_PADDLE
    assert twice <= TWICE, f"{sorted((name, *classes[name]) for name in twice - TWICE)}"
    assert TWICE <= twice, "some are gone: take them out of TWICE"


def test_no_class_of_the_compiler_has_the_name_of_another() -> None:
    classes = Counter(
        node.name
        for path, nodes in _nodes().items()
        if path.startswith("compiler/")
        for node in nodes
        if isinstance(node, ast.ClassDef)
    )
    assert [name for name, count in classes.items() if count > 1] == []


def test_operators_rules_have_names_of_their_own() -> None:
    """Tracebacks and profiles show the name of a rule's code: ``softmax_infer``."""
    rule = to_static.nn.functional.softmax.op.infer_rule
    assert rule.__code__.co_name == rule.__name__ == "softmax_infer"
