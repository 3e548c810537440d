"""Tensors that are one of several, or views of such: what may be written to, and until when."""

import pytest
from both import T, check, left_to_python

V, GS = T([1.0, 2.0]), [T(0.5), T(1.5), T(-1.0)]


def calls():
    return [(V, g) for g in GS]


def chosen(v, g):
    x = v[0] if g > 0 else v[1]
    x = x + 1
    v[0] = x
    return v


def chosen_in_an_expression(v, g):
    v[0] = (v[0] if g > 0 else v[1]) * 2
    return v


def largest(v, g):
    v[0] = max(v[0], v[1], g) * 2
    return v


def handed_on_and_gone(v, g):
    m = v[0:1] if g > 0 else v[1:2]
    n = m if g > 1 else v[0:1] * 2
    n, m = n + 1, None
    v[1] = 8.0
    return n, v, m


def in_a_loop(v, g):
    i = g * 0
    while i < 2:
        v[0] = (v[0] if i > g else v[1]) + 1
        i = i + 1
    return v


def summed_with_a_condition(v, g):
    v[0] = sum(e for e in v if e > g)
    return v


def counted_with_a_condition(v, g):
    v[len([e for e in v if e > g]) % 2] = 5.0
    return v


@pytest.mark.parametrize(
    "f",
    [chosen, chosen_in_an_expression, largest, handed_on_and_gone, in_a_loop, summed_with_a_condition, counted_with_a_condition],
)
def test_what_nobody_has_any_more_is_written_to(f):
    check(f, *calls())


def still_there(v, g):
    m = v[0:1] if g > 0 else v[1:2]
    v[0] = 9.0
    return m, v


def a_view_of_it(v, g):
    m = v[0:1] if g > 0 else v[1:2]
    y, m = m[0:1], None
    v[0] = 9.0
    return y, v, m


def written_through_a_view(v, g):
    m = v[0:1] if g > 0 else v[1:2]
    y = m[0:1]
    y[0] = 9.0
    return y, v


def detached(v, g):
    m = v[0:1] if g > 0 else v[1:2]
    m = m.detach()
    v[0] = 9.0
    return m, v


def chosen_again(v, g):
    m = v[0:1] if g > 0 else v[1:2]
    n, m = m if g > 1 else v * 2, None
    v[0] = 9.0
    return n, v, m


def behind_a_branch_that_raises(v, g):
    if g > 5:
        raise ValueError("large")
    else:
        e = v[0]
    v[0] = 9.0
    return e, v


def at_a_traced_place(v, g):
    e = [v[0], v[1]][(g > 0).astype("int64")]
    v[0] = 9.0
    v[1] = 8.0
    return e, v


def perhaps_assigned(v, g):
    if g > 0:
        m = v[0:1] if g > 1 else v[1:2]
    if g > 3:
        m = v * 1
    v[0] = 9.0
    return m if g > 0 else v


def in_tuples_of_a_list(v, g):
    m = v[0:1] if g > 0 else v[1:2]
    items = [((m, 1), 2)]
    if g > 1:
        items.append(((v * 2, 2), 3))
    m = None
    v[0] = 9.0
    return items, v, m


def the_largest_itself(v, g):
    m = max(e for e in v)
    v[1] = 9.0
    return m, v


@pytest.mark.parametrize(
    "f",
    [
        still_there, a_view_of_it, written_through_a_view, detached, chosen_again, behind_a_branch_that_raises, at_a_traced_place,
        perhaps_assigned, in_tuples_of_a_list, the_largest_itself,
    ],
)  # fmt: skip
def test_what_somebody_has_is_not(f):
    left_to_python(f, *calls(), why="changes in place .* that another tensor chose among several")


def test_whether_it_needs_a_gradient_may_be_set_on_a_detached_one():
    def f(v, g):
        m = v if g > 0 else v * 2
        m = m.detach()
        m.stop_gradient = False
        return (m * m).sum()

    check(f, *calls())
