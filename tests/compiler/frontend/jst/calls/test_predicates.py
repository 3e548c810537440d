from dataclasses import dataclass

import pytest
from both import T, check

import to_static as paddle
import to_static.nn.functional as F
from to_static.static import InputSpec


def in_a_range(x):
    return x + 1 if int(x.sum()) in range(1, 9, 2) else x


# the lines around a break are part of its message: what is looked for stands further down


def test_a_number_of_the_program_in_a_range_is_a_break(graph_breaks):
    found = paddle.jit.to_static(in_a_range)
    with pytest.warns(UserWarning, match=r"`in` tests membership in a value that depends on tensors[\s\S]*: `a <= k and k < b`"):
        assert found(T([1.0, 2.0])).tolist() == [2, 3]
    assert found(T([1.0, 3.0])).tolist() == [1, 3]


def test_shapes_that_are_known_when_a_program_runs_are_compared_item_by_item():
    def f(x, y):
        assert x.shape[1:2] == [y.shape[1]], "other channels"
        if y.shape[-2:] != x.shape[-2:]:
            y = F.interpolate(y, x.shape[-2:])
        size, three = tuple(x.shape[2:]), [1, 2, 3]
        return x + y, x.shape == y.shape, three == x.shape, size == (4, 8), size != (4, 8), [size[0], 8] == list(size)

    spec = InputSpec([1, None, None, None])
    run = paddle.jit.to_static(f, input_spec=[spec, spec], full_graph=True)
    for a, b in (((4, 8), (4, 8)), ((4, 8), (2, 4)), ((8, 4), (4, 4))):
        x, y = paddle.ones([1, 2, *a]), paddle.ones([1, 2, *b])
        (found, *answers), (wanted, *others) = run(x, y), f(x, y)
        assert answers == others and all(type(v) is type(w) for v, w in zip(answers, others, strict=True))
        assert (found == wanted).all()
    with pytest.raises(AssertionError, match="other channels"):
        run(paddle.ones([1, 2, 4, 4]), paddle.ones([1, 3, 4, 4]))


class Point:
    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        if not isinstance(other, Point):
            return NotImplemented
        return bool(self.x == other.x)


class Nearer:
    """Whose `==` gives a tensor."""

    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        if self.x > other.x:
            return self.x - other.x
        return other.x * 0


def test_equality_of_the_users_objects_is_their_method_translated():
    def f(a, b):
        u, v, w = Point(a), Point(b), Point(a * 2)
        found = Nearer(a) == Nearer(b)
        if Nearer(a) != Nearer(b):
            found = found + 10
        return u == v, u != v, u == 3, u != 3, (a if u == w else b * 3), found

    check(f, (T(1.0), T(1.0)), (T(1.0), T(2.0)), (T(2.0), T(1.0)), (T(0.0), T(1.0)))


@dataclass
class Pair:
    x: object
    y: int = 0


def test_equality_that_a_dataclass_makes_says_who_compares_and_what_to_write(graph_breaks):
    def f(a, b):
        return a if Pair(a) == Pair(b) else b * 2

    with pytest.warns(UserWarning, match=r"test_predicates.py[\s\S]*in f\n[\s\S]*rewrite: compare what the objects hold"):
        assert float(paddle.jit.to_static(f)(T(1.0), T(3.0))) == 6


def test_a_case_of_a_dict_or_none_is_decided_when_it_runs():
    def f(x):
        found = {"k": x} if x.sum() > 0 else None
        match found:
            case dict():
                return found["k"] + 1
            case _:
                return x

    check(f, T([1.0, 2.0]))
    check(f, T([-1.0, -2.0]))
