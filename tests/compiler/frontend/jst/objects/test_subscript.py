import pytest
from both import T, check, op_names

import to_static as paddle

X = T([1.0, -2.0, 3.0])


class Cache:
    """Whose items are what its own methods make of them."""

    def __init__(self):
        self.held = {}

    def __getitem__(self, key):
        return self.held[key] + 1

    def __setitem__(self, key, value):
        self.held[key] = value * 2 if value.sum() > 0 else value

    def __delitem__(self, key):
        del self.held[key]


class ReadOnly:
    def __getitem__(self, key):
        return key


def test_items_of_the_users_objects_go_through_their_methods():
    def f(x, key):
        cache = Cache()
        cache[key], cache[key + "2"] = x, x
        if x.max() > 2:
            cache[key] = x * 3
        found = cache[key]
        del cache[key]
        return found, list(cache.held)

    check(f, (X, "k"), (-X, "k"), (X * 0, "k"))


def test_what_an_object_can_t_do_is_python_s_error():
    @paddle.jit.to_static(full_graph=True)
    def f(x, key):
        made = ReadOnly()
        made[key] = x
        return x

    with pytest.raises(TypeError, match="'ReadOnly' object does not support item assignment"):
        f(X, "k")


def test_an_item_that_is_written_out_of_a_list_in_a_container_that_grew_in_a_tensor_loop():
    def f(n):
        held, groups = {"k": []}, [[], []]

        def put(v):
            held["k"].append(v)

        for i in range(n):
            put(i * 2)
            groups[1].append(i)
        return held["k"][0], held["k"][-1], groups[1][-1], len(groups[0])

    assert "while_loop" in op_names(check(f, T(1), T(3)))
