"""Special methods that are called by name do what the syntax does: static like it, in branches and loops, in hooks and in files."""

from collections import OrderedDict

import pytest
from both import T, check

import to_static as paddle
from to_static import nn
from to_static.static import InputSpec

X = [T([1.0, 2.0]), T([-1.0, -2.0])]


class Doubling(dict):
    def __setitem__(self, key, value):
        super().__setitem__(key, value * 2)

    def put(self, key, value):
        super().__setitem__(key, value)


class Box:
    def __init__(self):
        self.items = {}

    def __getitem__(self, key):
        return self.items[key]

    def __setitem__(self, key, value):
        self.items[key] = value

    def __delitem__(self, key):
        del self.items[key]

    def __contains__(self, key):
        return key in self.items


def set_in_a_branch(make):
    def f(x):
        d = make()
        d.__setitem__(0, x)
        if x.sum() > 0:
            d.__setitem__(0, x * 7)
        return d.__getitem__(0), d[0], d.__setitem__(0, x)

    return f


@pytest.mark.parametrize("make", [dict, OrderedDict, Doubling, Box, lambda: [0, 0]])
def test_items_are_set(make):
    check(set_in_a_branch(make), *X)


@pytest.mark.parametrize("make", [dict, OrderedDict, Box])
def test_items_go_and_are_asked_for(make):
    def f(x):
        d = make()
        d.__setitem__("a", x)
        d.__setitem__("b", x * 2)
        d.__delitem__("a")
        return d["b"] * 3 if d.__contains__("b") and not d.__contains__("a") else x

    check(f, *X)


def test_items_in_loops():
    def f(x):
        d, items, i = {"a": x}, [x, x * 2], paddle.zeros([], "int64")
        while i < 2:
            d.__setitem__("a", d.__getitem__("a") * 2)
            items.__setitem__(i, x * 5)
            i = i + 1
        return d["a"]

    check(f, *X)


def test_items_of_lists_where_tensors_decide():
    def f(x):
        items, i = [x, x * 3], (x.sum() > 0).astype("int64")
        return items.__getitem__(i), x * 2 if [x.sum(), x.sum() + 1].__contains__(x.sum()) else x

    def of_the_program(x):
        items = []
        for v in x:
            if v > 0:
                items.append(v)
        if items.__len__() > 0:
            items.__setitem__(0, x[0] * 9)
            items.__delitem__(-1)
        return items

    check(f, *X)
    check(of_the_program, *X, T([1.0, 2.0, -3.0]))


def test_items_of_lists_by_slices_and_from_the_end():
    def f(x):
        items = [x, x * 2, x * 3, x * 4]
        items.__setitem__(slice(0, 2), [x * 5, x * 6])
        items.__delitem__(-2)
        return items, len(items), (x, x * 2).__getitem__(1), items.__getitem__(slice(1, 3))

    check(f, *X)


def test_methods_of_classes_and_of_a_class_above():
    def f(x):
        d, items = Doubling(), [x]
        dict.__setitem__(d, "a", x)
        d.__setitem__("b", x)
        d["c"] = x
        if x.sum() > 0:
            d.put("a", x * 5)
            list.__setitem__(items, 0, x * 3)
        return dict.__getitem__(d, "a"), d["b"], d["c"], items[0], list.__contains__([1, 2], 2)

    check(f, *X)


def test_a_method_that_is_kept():
    def f(x):
        d = {}
        put = d.__setitem__
        put("a", x)
        for k in ("b", "c"):
            put(k, x * 2)
        return d, [d.__setitem__(i, x * i) for i in range(3)]

    check(f, *X)


def test_attributes():
    def f(x):
        box, layer = Box(), nn.Layer()
        box.__setattr__("a", x)
        layer.__setattr__("a", x)
        if x.sum() > 0:
            box.__setattr__("a", x * 2)
        box.__setattr__("b", x)
        box.__delattr__("b")
        return box.a, layer.a, hasattr(box, "b")

    check(f, *X)


def test_items_of_tensors_and_layers():
    def f(x):
        y = x * 1
        y.__setitem__(0, 5.0)
        layers = nn.LayerList([nn.ReLU(), nn.Tanh()])
        return y, y.__getitem__(1), layers.__getitem__(1)(x), x.__len__()

    check(f, *X)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda x: {}.__getitem__("a"), KeyError),
        (lambda x: {}.__delitem__("a"), KeyError),
        (lambda x: [x].__getitem__(3), IndexError),
        (lambda x: [x].__setitem__(3, x), IndexError),
        (lambda x: {}.__setitem__("a"), TypeError),
    ],
)
def test_errors_are_those_of_the_method(call, error):
    with pytest.raises(error):
        paddle.jit.to_static(call, full_graph=True)(X[0])


class Keeping(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc, self.kept, self.rows = nn.Linear(2, 2), {}, [0, 0]
        self.register_forward_post_hook(lambda layer, given, made: layer.kept.__setitem__("made", made))

    def forward(self, x):
        self.kept.__setitem__("x", x * 2)
        self.rows.__setitem__(1, x)
        return self.fc(self.kept.__getitem__("x")) + self.rows.__getitem__(1)


def test_hooks_and_methods_are_saved(tmp_path):
    net = Keeping()
    wanted = net(X[0])
    static = paddle.jit.to_static(net, full_graph=True)
    static.kept.clear()
    assert static(X[0]).tolist() == wanted.tolist() == static.kept["made"].tolist()
    assert static.kept["x"].tolist() == [2.0, 4.0] and static.rows[1].tolist() == [1.0, 2.0]
    paddle.jit.save(net, str(tmp_path / "net"), input_spec=[InputSpec([2], "float32", "x")])
    assert paddle.jit.load(str(tmp_path / "net"))(X[0]).tolist() == wanted.tolist()
