"""Walks through nested structures; the numbers are those of PaddlePaddle 2.6.2."""

from collections import OrderedDict, namedtuple

import pytest

import to_static as paddle

utils = paddle.utils
Pair = namedtuple("Pair", "a b")


def test_flatten_and_pack():
    nest = [1, (2, {"b": 4, "a": 3}), Pair(5, [6]), "text"]
    assert utils.flatten(nest) == [1, 2, 3, 4, 5, 6, "text"]
    assert utils.pack_sequence_as(nest, [10, 20, 30, 40, 50, 60, 7]) == [10, (20, {"b": 40, "a": 30}), Pair(50, [60]), 7]
    assert utils.flatten(3) == [3] and utils.pack_sequence_as(0, [3]) == 3
    with pytest.raises(ValueError, match="has 7 leaves, got 1"):
        utils.pack_sequence_as(nest, [1])


def test_map_structure_keeps_types_and_order():
    found = utils.map_structure(lambda x, y: x + y, OrderedDict([("b", 1), ("a", (2,))]), OrderedDict([("b", 10), ("a", (20,))]))
    assert found == OrderedDict([("b", 11), ("a", (22,))]) and isinstance(found, OrderedDict)
    total = utils.map_structure(lambda *xs: sum(xs), [1, 2], (10, 20))
    assert total == [11, 22]
    with pytest.raises(ValueError, match="not nested alike"):
        utils.map_structure(lambda x, y: x, [1, 2], [1, [2]])


def test_is_sequence():
    assert [utils.is_sequence(x) for x in ([1], (), {}, "ab", 1, paddle.ones([2]))] == [True, True, True, False, False, False]
    assert utils.to_sequence(1) == [1] and utils.to_sequence((1,)) == (1,)


def test_types_are_compared_where_asked():
    utils.assert_same_structure([1], (1,), check_types=False)
    with pytest.raises(TypeError, match="list and tuple"):
        utils.assert_same_structure([1], (1,))
