"""Walks through nested containers."""

from collections import OrderedDict

import pytest

from to_static.core.tree import graph_leaves, map_graph, shared_containers


def nested(depth, kind=list):
    value = 1
    for _ in range(depth):
        value = {"a": value} if kind is dict else kind([value])
    return value


@pytest.mark.parametrize("kind", [list, tuple, dict])
def test_depth_does_not_matter(kind):
    found = map_graph(nested(50_000, kind), lambda x: x + 1)
    assert list(graph_leaves(found)) == [2]
    depth = 0
    while type(found) is kind:
        found, depth = found["a"] if kind is dict else found[0], depth + 1
    assert (found, depth) == (2, 50_000)


def test_types_order_and_sharing_stay():
    shared = [1]
    value = {"b": (shared, shared, {2}), "a": OrderedDict(x=3)}
    found = map_graph(value, lambda x: x * 10)
    assert found == {"b": ([10], [10], {20}), "a": OrderedDict(x=30)} and list(found) == ["b", "a"]
    assert found["b"][0] is found["b"][1] is not shared and type(found["a"]) is OrderedDict
    assert sorted(graph_leaves(value)) == [1, 2, 3] and map_graph(5, str) == "5"


def test_what_contains_itself():
    loop = [1]
    loop.append((loop, {"loop": loop}))
    found = map_graph(loop, lambda x: x + 1)
    assert found[0] == 2 and found[1][0] is found and found[1][1]["loop"] is found
    assert list(graph_leaves(loop)) == [1]


def test_subclasses_are_leaves():
    class Mine(list):
        pass

    mine = Mine([1])
    assert list(graph_leaves([mine])) == [mine] and map_graph([mine], lambda x: x)[0] is mine


def test_containers_in_more_than_one_place():
    shared, alone = [1], (2,)
    assert shared_containers({"a": shared, "b": [shared, alone]}) == {id(shared)} and shared_containers(1) == set()
