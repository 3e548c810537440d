"""Python lists of tensors in tensor loops and branches."""

import pytest
from both import T, check, left_to_python

import to_static as paddle
from to_static.core.errors import ToStaticError


def test_append_and_stack():
    def f(x, n):
        outs = []
        for i in range(n):
            outs.append(x * i)
        return paddle.stack(outs), len(outs), outs[-1], outs[0]

    check(f, (T([1.0, 2.0]), T(1)), (T([1.0, 2.0]), T(4)))


@pytest.mark.filterwarnings("ignore:multiply. the left operand is float32")
def test_pop_set_index_iterate():
    def f(x, n):
        items = [x, x + 1]
        while n > 0:
            n = n - 1
            items.append(x * n)
            items[0] = items[-1] + items[0]
            if len(items) > 4:
                items.pop()
                x = x + items.pop(0)
        total = x
        for k, item in enumerate(items):
            total = total + item * k
        return total, paddle.concat([x, total])

    check(f, *((T([1.0, 2.0]), T(n)) for n in (0, 1, 5)))


def test_numbers_in_lists():
    def f(n):
        ks = [0]
        for i in range(n):
            ks.append(i * i)
        return paddle.stack(ks).sum() if n > 0 else paddle.zeros([], "int64")

    static = paddle.jit.to_static(f)
    assert [int(static(T(n))) for n in (0, 3)] == [0, 5]


def test_extend_and_iadd():
    def f(x, n):
        items = [x]
        for _ in range(n):
            items.extend([x, x + 1])
            items += [x * 2]
        return paddle.stack(items)

    check(f, (T([1.0]), T(0)), (T([1.0]), T(2)))


def test_lists_of_one_length_stay_python_lists():
    def f(x, n):
        pair = [x, x * 2]
        for _ in range(n):
            pair[0], pair[1] = pair[1], pair[0] + 1
        return pair

    check(f, (T([1.0]), T(0)), (T([1.0]), T(3)))


def test_what_cannot_be_an_element():
    def f(x, n):
        items = []
        for _ in range(n):
            items.append({"text": x})
        return x

    left_to_python(f, (T(1.0), T(2)), why="a list that changes .* holds a dict of 1 .*, which may change")


def test_slices_of_a_graph_list():
    def f(x, n):
        items = []
        for i in range(n):
            items.append(x * i)
        return sum(items[1:]), items[-2:], items[::-2], items[:-1] + items[:1]

    check(f, (T(1.0), T(0)), (T(1.0), T(1)), (T(1.0), T(4)))


def test_python_iteration_over_a_graph_list_is_refused():
    def f(x, n):
        items = []
        for _ in range(n):
            items.append(x)
        return dict.fromkeys(items)

    with pytest.raises(ToStaticError, match="Python's own code iterates over a list"):
        paddle.jit.to_static(f)(T(1.0), T(2))


def test_gradients_through_a_list():
    def f(x, n):
        outs = [x]
        for i in range(n):
            outs.append(outs[-1] * x)
        return paddle.stack(outs).sum()

    static = paddle.jit.to_static(f)
    grads = []
    for function in (f, static):
        x = paddle.to_tensor([1.0, 3.0], stop_gradient=False)
        function(x, T(3)).backward()
        grads.append(x.grad.numpy().tolist())
    assert grads[0] == grads[1]


def test_lists_of_as_many_items_as_tensors_say_are_brought_in_order():
    def rank(v):
        if v > 1:
            return -v
        return v

    def f(x):
        kept, pairs, seen = [], [], []
        for i, v in enumerate(x):
            if v > 0:
                kept.append(v * v)
                pairs.append((v, i))

        def key(v):
            seen.append(len(kept))  # Python shows none while it sorts
            return rank(v)

        both = sorted(kept), sorted(kept, reverse=True), sorted(pairs, key=lambda pair: abs(pair[0]), reverse=True)
        kept.sort(key=key)
        if x.sum() > 3:
            kept.sort()
        return kept, both, sum(seen)

    check(f, T([3.0, -1.0, 2.0]), T([1.0, 0.5, 1.0]), T([-1.0]), T([2.0, 1.0, 2.0, 0.5, 1.0]))


def test_what_lists_of_the_program_do_not_bring_in_order(graph_breaks):
    def pairs(x):
        return sorted([(v, 1) for v in x if v > 0])

    left_to_python(pairs, T([3.0, 1.0]), why="a key that is a number: `sorted")

    def values(x):
        return sorted([v * 1 for v in x if v != 2])

    static = paddle.jit.to_static(values)
    x = T([3.0, float("nan"), 1.0])
    assert repr([float(v) for v in static(x)]) == repr([float(v) for v in values(x)]), "a run with NaN is done again by Python"


def written_by_its_first_name(x, n):
    items = []
    for i in range(n):
        items.append(x * i)
    other = items if n > 1 else []
    items.pop()
    return paddle.to_tensor(len(other))


def written_by_its_second_name(x, n):
    items = []
    for i in range(n):
        items.append(x * i)
    if n > 1:
        other = items
    else:
        other = [x]
    other.append(x)
    return paddle.to_tensor(len(items))


@pytest.mark.parametrize("function", [written_by_its_first_name, written_by_its_second_name])
def test_a_list_that_has_a_second_name_by_a_condition(function):
    """A write through one name must show under the other: the Program can't say it."""
    left_to_python(function, (T([3.0]), T(4)), (T([3.0]), T(1)), why="that is one of several, which a tensor selects")
