"""Objects, functions and items chosen by tensors"""

import enum

from language_table import BOTH, NEG, POS, T, case

import to_static as paddle
import to_static.nn.functional as F
from to_static import nn

COUNT = ((POS,), (NEG,), (T([1.0, -5.0]),))  # 2, 0 and 1 positive numbers


def positives(x):
    return int((x > 0).sum())


@case("a list of numbers, strings or functions indexed by a tensor", *COUNT)
def index_list(x):
    i = positives(x)
    functions = [lambda v: v + 1, lambda v: v * 2, paddle.tanh]
    return [10, 20, 30][i], ("a", "b", None)[i - 1], "xyz"[-i], range(5, 9)[i], functions[i](x), [4, 5, 6][paddle.argmax(x)]


@case("a list of tensors indexed by a tensor", *COUNT)
def index_tensors(x):
    items = [x, x * 2, x.sum()]
    pairs = [(x, 1), (-x, 2), (x * 3, 3)]
    y, n = pairs[positives(x)]
    return items[positives(x)], items[-1 - positives(x)], y * n


@case("items set by a tensor's index", *COUNT)
def index_set(x):
    items = [1, 2, 3]
    rows = [[x, 0], [x, 1], [x, 2]]
    i = positives(x)
    items[i] = 9
    items[i - 1] += 5
    rows[i][0] = x * 7
    return items, rows


@case("a tensor's index that is out of range", (POS,), (NEG,))
def index_range(x):
    items = ["a", "b"]
    return items[positives(x)]


@case("slices bounded by tensors", *COUNT)
def index_slice(x):
    n = positives(x)
    return x[:n].sum(), [1, 2, 3, 4][:n], "abcd"[n:], (1, "a", 2)[-n:], range(9)[n:5], [x, x * 2, x * 3][n:]


@case("lists indexed in a tensor loop", *BOTH)
def index_loop(x):
    weights = [x, x * 2, x * 3]
    i, total = 0, x * 0
    while total.sum() < 10 and i < 3:
        total = total + weights[i] * weights[i].sum()
        i += 1
    return total, i


@case("a dict of numbers or strings looked up by a tensor", *COUNT)
def index_dict(x):
    names = {0: "none", 1: "one", 2: "two"}
    i = positives(x)
    names[i] = names[i] + "!"
    kind = "relu" if x.sum() > 0 else "tanh"
    return names[i], names, {"relu": F.relu, "tanh": paddle.tanh}[kind](x)


@case("a layer of a list chosen by a tensor", *BOTH)
def index_layers(x):
    layers = LAYERS
    layer = layers[0] if x.sum() > 0 else layers[1]
    return layers[positives(x) - 1](x), layer(x), layer.weight.sum(), layer.training


LAYERS = nn.LayerList([nn.Linear(2, 2), nn.Linear(2, 2)])


class Color(enum.Enum):
    RED = 1
    BLUE = 2

    def painted(self, value):
        return value * 2 if self is Color.RED else value


@case("members of an enumeration", *BOTH)
def enumeration(x):
    color = Color.RED
    if x.sum() > 0:
        color = Color.BLUE
    return color, color is Color.BLUE, color == Color.RED, color.value, color.name, color.painted(x)


@case("functions, lambdas and methods", *BOTH)
def functions(x):
    f = F.relu if x.sum() > 0 else paddle.tanh
    g = (lambda v: v + x) if x.max() > 1 else (lambda v: v * 2)
    h = x.mean if x.sum() > 0 else x.sum
    return f(x), g(x), h()


@case("a function carried by a loop", *BOTH)
def loop_function(x):
    f, k = paddle.tanh, 0
    while k < 4 and x.sum() < 9:
        x = f(x) + 1
        f = F.relu if k % 2 else paddle.exp
        k += 1
    return x


class Node:
    def __init__(self, value, following=None):
        self.value = value
        self.following = following

    def bump(self, by):
        if self.value.sum() > 2:
            self.value = self.value + by
        return self.value


@case("one of two objects, read and changed", *BOTH)
def objects(x):
    a, b = Node(x), Node(x * 2)
    c = a if x.sum() > 0 else b
    c.value = x * 10
    after = c.bump(1)
    return a.value, b.value, c.value, after, c is a, c is b


@case("methods of a string chosen by a tensor", *BOTH)
def strings(x):
    name = "relu" if x.sum() > 0 else "tanh"
    return name.upper(), name + "6", len(name), name[0], name * 2, name.startswith("r"), name[::-1], name in ("relu", "gelu")


def raised(v):
    return v.sum() + 1 if v.sum() > 0 else 0


def whole(v):
    return v.sum() if v.sum() > 0 else v.sum().astype("int64")


def known(v):
    return v.sum() > -5 if v.sum() > 0 else False


@case("operators on what is a tensor or a number, or a tensor of one dtype or another", *BOTH)
def operators(x):
    y = paddle.zeros([3])
    y[1] = raised(x)
    y[0] = whole(x)
    found = paddle.isfinite(raised(x)), paddle.tanh(whole(x)), paddle.where(known(x), x, x * 2), x.sum() - raised(x)
    return y, found, float(raised(x)), not known(x), max(raised(x), whole(x))


def pair_or_none(x):
    if x.sum() > 2:
        return None
    if x.sum() < -2:
        return x.min(), "low"
    return x.max(), "mid"


@case("`None` or a tuple, asked for and taken apart", *BOTH, (T([0.5, -0.5]),))
def taken_apart(x):
    found = pair_or_none(x)
    if found is None:
        return "none", pair_or_none(-x)
    value, word = found
    first, *rest = found
    return value * 2, word, first, rest


@case("values of several kinds taken apart: those that do not fit raise Python's error", *BOTH, (T([0.5, -0.5]),))
def misfits(x):
    found = x, 1
    if x.sum() > 2:
        found = (x,)
    elif x.sum() < -2:
        found = 3
    a, b = found
    return a, b


DICT = paddle.nn.LayerDict({"a": paddle.nn.Tanh(), "b": paddle.nn.ReLU()})


@case("a layer of a `LayerDict` chosen by a tensor", *BOTH)
def layer_by_name(x):
    names = list(DICT.keys())
    return DICT["a" if x.sum() > 0 else "b"](x), [DICT[names[int(v > 1)]](v) for v in x]


@case("lists of functions that branches and loops make, and one that a loop replaces", (POS, 3), (NEG, 3), (POS, 0), (NEG, 1))
def function_lists(x, n):
    scaled = lambda v: v * x
    steps, made, f = [F.relu], [], scaled
    if x.sum() > 0:
        steps = [paddle.tanh, paddle.abs, F.relu]
        made.append(paddle.exp)
    for i in range(paddle.to_tensor(n)):
        made.append(paddle.tanh if i == 0 else paddle.abs)
        x = f(x)
        f = [F.relu, scaled, f][i % 3]
    for step in steps + made:
        x = step(x)
    return x, len(steps), len(made), f is scaled


@case("an error kept in a variable, or of a kind that a condition chooses, is raised", *BOTH, T([1.0, -2.0]))
def chosen_error(x):
    found = None
    kind = ValueError if x.max() > 1 else KeyError
    if x[0] < 0:
        found = RuntimeError("negative start", len(x))
    if found is not None:
        raise found
    if x.min() > 0:
        raise kind("positive")
    return x


@case("an error kept in a variable, with a tensor in it", NEG)
def chosen_error_of_tensors(x):
    found = None
    if x[0] < 0:
        found = RuntimeError(f"starts with {x[0].item()}")
    if found is not None:
        raise found
    return x


class Noted:
    length = 0


def measured(noted, text):
    print("measured", text)
    noted.length = len(text)
    return True


@case("what a function does that is handed one of two strings, and gives a bool", *BOTH)
def effects_of_chosen(x):
    noted = Noted()
    text = "a" if x.sum() > 0 else "bb"
    return measured(noted, text), noted.length


@case("items deleted from one of two lists or dicts", *BOTH)
def chosen_deleted(x):
    outs, table = [x, x * 2, x * 3], {"a": x, "b": x * 2}
    same, other = outs, table
    if x.sum() > 0:
        outs, table = outs[::-1], {"a": x * 5, "c": x}
    del outs[1:]
    del table["a"]
    return outs, same, table, other


class Sized:
    level = 3.0

    @property
    def size(self):
        return 4


@case("an attribute whose name a condition chooses", *BOTH)
def chosen_name(x):
    sized = Sized()
    return getattr(sized, "level" if x.sum() > 0 else "size") * x, hasattr(sized, "sides" if x.sum() > 0 else "level")


@case("an axis that a condition chooses, where every axis gives one shape", *BOTH)
def chosen_axis(x):
    rows = paddle.stack([x, x * 2])
    return F.softmax(rows, axis=-1 if x.sum() > 0 else 0), F.log_softmax(rows, axis=0 if x.sum() > 0 else 1)


@case("`where` with a sum that may be Python's 0", *BOTH)
def where_or_zero(x):
    total = sum(e for e in x if e > 1.5)
    return paddle.where(x > 1, x, total), paddle.where(x.sum() > 1, total, x.sum())


def first_above(x):
    for i in range(2):
        if x[i] > 0.75:
            return i, x[i]
    return None


@case("a tuple or None, taken apart after the question", *BOTH, (T([0.5, 1.5]),))
def taken_after(x):
    found = first_above(x)
    if found is None:
        return -1, x.min()
    i, v = found
    return i, v * 2


@case("tuples of different words, taken apart", *BOTH)
def taken_words(x):
    value, word = (x.min(), "low") if x.sum() > 0 else (x.max(), "high")
    return value * 2, word


@case("a tuple or None, taken apart without a question: Python's error", *BOTH)
def taken_unasked(x):
    i, v = first_above(x)
    return i, v


@case("methods of a tensor of one rank or another", *BOTH)
def method_of_ranks(x):
    y = x if x.sum() > 0 else x.reshape([1, 2])
    return y.reshape([2]), y.sum(), y.mean(-1), y.astype("float64").max(), y.flatten().shape


@case("a tensor that has another rank after the first trip", *BOTH)
def rank_in_loop(x):
    y = x
    for i in range(3):
        y = y.reshape([1, 2]) * 0.5 + 1
        if y.max() > i:
            break
    return y.reshape([-1])


@case("a method in place of a tensor of one rank or another", *BOTH)
def in_place_of_ranks(x):
    y = x * 1 if x.sum() > 0 else x.reshape([1, 2]) * 1
    y.add_(paddle.ones([2]))
    return y
