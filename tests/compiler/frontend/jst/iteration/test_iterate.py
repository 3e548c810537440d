"""Generators and iterators are Python's: what tensors decide about them is a graph break, and what Python decides is static."""

import contextlib
import io

import pytest

import to_static as paddle
from to_static.core.errors import TranslationError

POS, NEG = paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([-1.0, -2.0])


def gen(x):
    print("a")
    yield x
    print("b")
    yield x * 2
    print("c")
    yield x * 3


def moved_on_in_a_branch(x):
    made, y = gen(x), x
    if x.sum() > 0:
        y = y + next(made)
    for v in made:
        y = y * v
    return y


def looped_over_in_a_branch(x):
    made, y = gen(x), x
    if x.sum() > 0:
        for v in made:
            y = y + v
    return y, len(list(made))


def made_in_both_branches(x):
    y = x
    if x.sum() > 0:
        made = gen(x * 2)
        y = y + next(made)
    else:
        made = gen(x)
    for v in made:
        y = y * v
    return y


def made_in_one_branch(x):
    y, made = x, None
    if x.sum() > 0:
        made = gen(x * 2)
        y = y + next(made)
    return y if made is None else y + sum(made)


def moved_on_in_a_loop(x):
    items, y = iter([1.0, 2.0, 3.0]), x
    while 0 < y.sum() < 10:
        y = y * 2 + next(items, 5.0)
    return y, list(items)


def left_and_used_again(x):
    pairs, y = enumerate([1.0, 2.0, 3.0]), x
    for _, v in pairs:
        if y.sum() > 2:
            break
        y = y + v
    return y, next(pairs, None)


def left_inside_of_another(x):
    pairs, y = zip([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], strict=True), x
    for _, (a, b) in enumerate(pairs):
        if y.sum() > 2:
            break
        y = y + a * b
    return y, list(pairs)


def generator_left(x):
    for v in gen(x):
        if v.sum() > 3:
            return v
    return x


def any_of_a_generator(x):
    return any(v > 0 for v in gen(x.sum()))


def mapped_in_a_branch(x):
    items, y = map(lambda v: v * 2, [x, x + 1]), x
    if x.sum() > 0:
        y = y + next(items)
    return y, len(list(items))


def expression_in_a_branch(x):
    items, y = (v * 2 for v in [x, x * 2]), x
    if x.sum() > 0:
        y = y + sum(items)
    return y, len(list(items))


def by_index_only(x):
    class Rows:
        asked = 0

        def __getitem__(self, index):
            self.asked += 1
            return x[index]

    rows = Rows()
    for v in rows:
        if v > 0:
            break
    return rows.asked


def tensors_beside_what_is_yielded(x):
    def counted():
        for k in range(3):
            if k == 1 and x.sum() > 0:
                print("positive")
            yield k

    y = x
    for k in counted():
        y = y + k
    return y


def nothing_behind_what_decides(x):
    seen = []

    def noted(v):
        print("asked")
        seen.append(1)
        return v

    return all(noted(v) > 0 for v in [x[0], x[1], x.sum()]), len(seen)


def left_early(x):
    y = x
    for i, (a, b) in enumerate(zip([x, x * 2, x * 3], (1, 2, 3), strict=True)):
        y = y + a * b + i
        if y.sum() > 5:
            return y
    return y - 1


def taken_in_turn(x):
    made = gen(x)
    first = next(made)
    return first + sum(made), [*enumerate(reversed([1, 2]))]


def first_of_an_expression(x):
    return x * len(next(name for name in ("a", "bb") if len(name) > 1))


BREAKS = [
    moved_on_in_a_branch, looped_over_in_a_branch, made_in_both_branches, made_in_one_branch, moved_on_in_a_loop,
    left_and_used_again, left_inside_of_another, generator_left, any_of_a_generator, mapped_in_a_branch, expression_in_a_branch,
    by_index_only, taken_in_turn,
]  # fmt: skip
STATIC = [tensors_beside_what_is_yielded, nothing_behind_what_decides, left_early, first_of_an_expression]


def seen(function, x):
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        return repr(function(x)), printed.getvalue()


@pytest.mark.parametrize("function", BREAKS)
@pytest.mark.filterwarnings("ignore:.*a graph break")
def test_what_tensors_decide_runs_in_python(function, graph_breaks):
    static = paddle.jit.to_static(function)
    for x in (POS, NEG, POS):
        assert seen(static, x) == seen(function, x)
    with pytest.raises(TranslationError):
        paddle.jit.to_static(function, full_graph=True)(POS)


@pytest.mark.parametrize("function", STATIC)
def test_what_python_decides_is_static(function):
    static = paddle.jit.to_static(function)
    for x in (POS, NEG, POS):
        assert seen(static, x) == seen(function, x)
