from __future__ import annotations

from collections import OrderedDict, namedtuple
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from to_static.core import tree

Point = namedtuple("Point", "x y")


@dataclass(frozen=True)
class Pair:
    left: object
    right: object


values = st.recursive(
    st.integers() | st.none() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3)
    | st.lists(inner, max_size=3).map(tuple)
    | st.dictionaries(st.text(max_size=2), inner, max_size=3)
    | st.builds(Point, inner, inner)
    | st.builds(Pair, inner, inner),
    max_leaves=12,
)


@given(values)
def test_unflatten_is_the_inverse_of_flatten(value):
    leaves, recipe = tree.flatten(value)
    rebuilt = tree.unflatten(recipe, leaves)
    assert rebuilt == value and type(rebuilt) is type(value)
    hash(recipe)


def test_recipes_tell_structures_apart():
    shapes = [[1], (1,), {"a": 1}, OrderedDict(a=1), Point(1, 2), Pair(1, 2), [[1]], 1]
    recipes = [tree.flatten(s)[1] for s in shapes]
    assert len(set(recipes)) == len(recipes)


def test_wrong_number_of_leaves():
    _, recipe = tree.flatten([1, 2])
    with pytest.raises(ValueError, match="more leaves"):
        tree.unflatten(recipe, [1, 2, 3])


def test_map_tree():
    assert tree.map_tree(lambda x: x * 2, {"a": [1, (2,)]}) == {"a": [2, (4,)]}
