"""Objects replaced by others in loops and branches"""

from language_table import NEG, POS, case

import to_static as paddle

COUNTED = ((POS, 3), (NEG, 3), (NEG, 0), (POS, 1))


class Box:
    def __init__(self, value):
        self.value, self.count, self.items = value, 0, []

    def add(self, value):
        self.value, self.count = self.value + value, self.count + 1
        self.items.append(value)


class Pair:
    def __init__(self, left, right):
        self.left, self.right = left, right


@case("a new object, or one that has a name, in every iteration", *COUNTED)
def new_or_named(x, n):
    box, other = Box(x), Box(x * 2)
    for i in range(paddle.to_tensor(n)):
        box = Box(box.value + 1) if x.sum() + i > 0 else other
        box.add(x * i)
    return box.value, box.count, box is other, box.items, other.value, other.items


@case("names of two objects swapped", *COUNTED)
def swapped(x, n):
    box, other = Box(x), Box(x * 2)
    first = box
    for i in range(paddle.to_tensor(n)):
        box, other = other, box
        box.add(x + i)
    return box.value, box is first, other is first, box.count, other.items, first.items


@case("attributes that hold two objects, swapped or replaced", *COUNTED)
def swapped_attributes(x, n):
    pair, turned = Pair(Box(x), Box(-x)), Pair(Box(x), Box(-x))
    named = turned.right
    for i in range(paddle.to_tensor(n)):
        pair.left, pair.right = pair.right, pair.left
        pair.left.add(x)
        turned = Pair(turned.right, turned.left)
        turned.left.value = turned.left.value + i
        if x.sum() > i:
            turned.right = named
    return pair.left.value, pair.right.value, turned.left.value, turned.right.value, turned.right is named, named.value


@case("the last two objects of a loop", *COUNTED)
def last_two(x, n):
    last, box = None, Box(x)
    for i in range(paddle.to_tensor(n)):
        if i % 2 == 0:
            last = box
            box = Box(last.value * 2 + 1)
        box.add(x)
    return box.value, box.items, None if last is None else last.value, last is box


@case("the best of the objects that a loop makes", *COUNTED)
def best_object(x, n):
    best = None
    for i in range(paddle.to_tensor(n)):
        found = Box(x * (i - 1))
        if best is None or found.value.sum() > best.value.sum():
            best = found
    return None if best is None else (best.value, best.count, best.items)


@case("objects of two classes, and what they have", *COUNTED)
def two_classes(x, n):
    box = Box(x)
    for i in range(paddle.to_tensor(n)):
        box = Pair(x, i) if i % 2 == 0 else Box(x * 2)
    return isinstance(box, Pair), type(box).__name__, hasattr(box, "right"), getattr(box, "right", None)


@case("a ring of objects gone round", *COUNTED)
def ring(x, n):
    first = Pair(x, None)
    first.right = Pair(x * 2, first)
    node = first
    for _ in range(paddle.to_tensor(n)):
        node = node.right
        node.left = node.left + 1
    return node.left, first.left, first.right.left, node is first


@case("an object chosen among those in a list, and changed", *COUNTED)
def chosen_in_list(x, n):
    boxes = [Box(x), Box(x * 2)]
    box = boxes[0]
    for i in range(paddle.to_tensor(n)):
        box = boxes[i % 2] if i < 2 else Box(x * 5)
        box.add(x)
    return box.value, box.count, boxes[0].value, boxes[1].items


@case("an argument's object replaced, and changed where it is the one", (Box(POS), 3), (Box(NEG), 3), (Box(NEG), 0))
def argument_replaced(box, n):
    first, other = box, Box(box.value * 2)
    for i in range(paddle.to_tensor(n)):
        box = first if i == 1 else other
        box.value = box.value + 1
    return box.value, box is first, other.value


@case("lists of which one of three is changed", (1,), (2,), (0,))
def one_of_three(n):
    n = paddle.to_tensor(n)
    one, two = [n], [n + 1]
    if n == 1:
        items = [n, n]
    elif n == 2:
        items = one
    else:
        items = two
    items.append(n)
    return one, two, items, items is one


@case("an object of an iteration under two names", (POS, 3))
def under_two_names(x, n):
    box = other = Box(x)
    for i in range(paddle.to_tensor(n)):
        box = Box(box.value + 1)
        if i == 1:
            other = box
    return box.value, other.value
