"""Words that say nothing of what a thing is, and names of classes that stand for two things: both may only become fewer."""

from __future__ import annotations

import ast
import functools
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

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


class Words(NamedTuple):
    """The names in the package, and how often each occurs; those of members without leading underscores.

    Attributes:
        names: of variables that are written, and of parameters.
        members: of functions, methods and attributes.
        classes: of the classes of each module, with repetitions.
    """

    names: Counter[str]
    members: Counter[str]
    classes: dict[str, list[str]]


@functools.cache
def _words() -> Words:
    """Read every module once. (No tree is kept: the other tests of the process would pay for it in garbage collections.)"""
    words = Words(Counter(), Counter(), defaultdict(list))
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                words.members[node.name.strip("_")] += 1
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                words.members[node.attr.strip("_")] += 1
            elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                words.names[node.id] += 1
            elif isinstance(node, ast.arg):
                words.names[node.arg] += 1
            elif isinstance(node, ast.ClassDef):
                words.classes[path.relative_to(ROOT).as_posix()].append(node.name)
    return words


def test_members_have_no_retired_names() -> None:
    retired = {word: _words().members[word] for word in RETIRED_MEMBERS if _words().members[word]}
    assert retired == {"found": 1}, "name what a member is or does"


@pytest.mark.parametrize("word", MOST)
def test_vague_names_only_become_fewer(word: str) -> None:
    assert _words().names[word] <= MOST[word], f"name what the thing is, not that it was {word}"


@pytest.mark.parametrize("word", VAGUE)
def test_prepositions_and_participles_only_become_fewer(word: str) -> None:
    assert _words().names[word] <= VAGUE[word], f"name what the variable is, not {word}"
    assert _words().members[word] <= VAGUE_MEMBERS[word], f"name what the function or attribute is, not {word}"


def test_the_name_of_a_class_means_one_thing() -> None:
    classes = defaultdict(set)
    for path, names in _words().classes.items():
        for name in names:
            if not name.startswith("_"):
                classes[name].add(path)
    twice = {name for name, paths in classes.items() if len(paths) > 1} - OF_PADDLE
    assert twice <= TWICE, f"{sorted((name, *classes[name]) for name in twice - TWICE)}"
    assert TWICE <= twice, "some are gone: take them out of TWICE"


def test_no_class_of_the_compiler_has_the_name_of_another() -> None:
    classes = Counter(name for path, names in _words().classes.items() if path.startswith("compiler/") for name in names)
    assert [name for name, count in classes.items() if count > 1] == []


def test_operators_rules_have_names_of_their_own() -> None:
    """Tracebacks and profiles show the name of a rule's code: ``softmax_infer``."""
    rule = to_static.nn.functional.softmax.op.infer_rule
    assert rule.__code__.co_name == rule.__name__ == "softmax_infer"
