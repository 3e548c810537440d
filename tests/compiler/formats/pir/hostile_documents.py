"""Damaged programs of Paddle 3: what is cut, flipped, or of another schema."""

import copy
import json
import random

VALUES = [
    None, True, False, 0, -1, 1, 2**31, 2**63, -(2**70), 10**400, 1.5, 1e308, "", "x", "0.a_f32", "1.a_dtype", "\x1b[2J", [],
    [[]], {},
    {"#": "0.a_i64"}, {"#": "NULL"}, {"%": 0}, {"%": 1}, [1] * 40, {"#": "0.t_vec", "D": []}, [{"blocks": []}],
]  # fmt: skip


def places(tree):
    """All containers of a tree, each with its keys."""
    waiting, found = [tree], []
    while waiting:
        node = waiting.pop()
        keys = list(node) if isinstance(node, dict) else range(len(node))
        found += [(node, key) for key in keys]
        waiting += [node[key] for key in keys if isinstance(node[key], (dict, list))]
    return found


def mutated(data, seed):
    """The bytes of a program, damaged in one of several ways."""
    drawn = random.Random(seed)
    way = drawn.randrange(5)
    if way == 0:
        return data[: drawn.randrange(len(data))]
    if way == 1:
        flipped = bytearray(data)
        for _ in range(drawn.randrange(1, 6)):
            flipped[drawn.randrange(len(data))] = drawn.randrange(256)
        return bytes(flipped)
    tree = copy.deepcopy(json.loads(data))
    for _ in range(drawn.randrange(1, 4)):
        everywhere = places(tree)
        if not everywhere:
            break
        node, key = drawn.choice(everywhere)
        if way == 2:
            node[key] = drawn.choice(VALUES)
        elif way == 3 and isinstance(node, list):
            node.insert(key, copy.deepcopy(drawn.choice(node)))
        elif way == 3:
            del node[key]
        else:
            other, where = drawn.choice(everywhere)
            if isinstance(node[key], (int, str, float)) and isinstance(other[where], (int, str, float)):
                node[key] = other[where]
            elif isinstance(node, list):
                node.pop(key)
    return json.dumps(tree).encode()
