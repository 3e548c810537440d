"""`if` over tensors and Python values: what each combination of branch results becomes."""

import types

import numpy as np
import pytest
from both import T, check, left_to_python, op_names

import to_static as paddle
from to_static.core.errors import TranslationError

X = [T([1.0, 2.0]), T([-1.0, -2.0])]


def test_tensors_in_both_branches():
    def f(x):
        if x.sum() > 0:
            y = x * 2
        elif x.sum() < -10:
            y = x * 3
        else:
            y = -x
        return y

    assert op_names(check(f, *X, T([-10.0, -20.0]))).count("cond") == 2


def test_python_conditions_make_no_ops():
    def f(x, flag, n):
        if flag:
            x = x + n
        if n > 2 and not flag:
            x = x * n
        return x if n else n

    static = check(f, (X[0], True, 1), (X[0], False, 3), (X[0], False, 0))
    assert "cond" not in op_names(static)


def test_equal_python_values_stay():
    def f(x):
        if x.sum() > 0:
            name, n, flag, nothing, pair = "same", 3, True, None, (1, "a")
        else:
            name, n, flag, nothing, pair = "same", 3, True, None, (1, "a")
        return x, name, n, flag, nothing, pair

    check(f, *X)


def test_numbers_that_differ_keep_value_and_type():
    def f(x):
        n, flag, rate = 1, False, 0.5
        if x.sum() > 0:
            n, flag, rate = n + 1, True, 0.1
        return n, flag, rate, n * 3 + flag, x * n

    check(f, *X)


def test_number_beside_tensor_takes_its_dtype():
    def f(x):
        total = 0
        if x.sum() > 0:
            total = total + x.sum()
        return x * total

    check(f, *X)


def test_early_and_nested_returns():
    def f(x):
        if x.sum() > 0:
            if x.max() > 5:
                return x * 100
            x = x + 1
        elif x.min() < -5:
            return x - 100
        if x.mean() > 2:
            return x, "a"[0:0]
        return x * 2, ""

    def g(x):
        if x.sum() > 0:
            if x.max() > 5:
                return x * 100
            x = x + 1
        return x * 2

    for function in (f, g):
        check(function, *X, T([10.0, 1.0]), T([-10.0, 1.0]))


def test_return_nothing_on_both_paths():
    def f(x):
        if x.sum() > 0:
            return
        x[0] = 5.0

    check(f, *X)


def test_in_place_changes_reach_every_name():
    def f(x):
        y = x * 1
        z = y
        if x.sum() > 0:
            y[0] = 9.0
            y.add_(x)
        else:
            x[1] = 7.0
        return y, z

    check(f, *X)


@pytest.mark.filterwarnings("ignore:.*runs in Python")
def test_in_place_change_of_what_may_be_another_tensor(graph_breaks):
    def result_changes(x):
        y = x
        if x.sum() > 0:
            y = x + 1
        y[0] = 3.0
        return y

    def source_changes(x):
        y = x
        if x.sum() > 0:
            y = x + 1
        x.add_(x)
        return y

    def after_a_loop(x):
        y = x
        while y.sum() < 10:
            y = y + 1
        x[0] = 100.0
        return y

    for f in (result_changes, source_changes, after_a_loop):
        for x in X:
            mine, theirs = x.clone(), x.clone()
            with pytest.raises(TranslationError, match="changes in place .* that another tensor chose among several"):
                paddle.jit.to_static(f, full_graph=True)(mine)
            np.testing.assert_array_equal(mine.numpy(), x.numpy())  # nothing was done
            result = paddle.jit.to_static(f)(mine)
            np.testing.assert_array_equal(result.numpy(), f(theirs).numpy())
            np.testing.assert_array_equal(mine.numpy(), theirs.numpy())


@pytest.mark.filterwarnings("ignore:.*runs in Python")
def test_in_place_change_in_a_loop_of_what_was_there_before_it(graph_breaks):
    def f(x):
        y = x
        while y.sum() < 10:
            y.add_(x)
            y = y * 2
        return y, x

    for x in X:
        mine, theirs = x.clone() + 3, x.clone() + 3
        result = paddle.jit.to_static(f)(mine)
        wanted = f(theirs)
        for a, b in zip((*result, mine), (*wanted, theirs), strict=True):
            np.testing.assert_array_equal(a.numpy(), b.numpy())


def test_in_place_change_after_a_branch_of_a_tensor_of_which_nobody_knows_other_names():
    def f(x):
        y = x * 1
        if x.sum() > 0:
            y = y + 1
        y[0] = 3.0
        x = x.clone()
        x[0] = 5.0
        return x, y

    left_to_python(f, *X, why="changes in place .* that another tensor chose among several")


def test_containers_keep_their_identity():
    def f(x):
        pair, table = [1, 2], {"k": None}
        same = pair
        if x.sum() > 0:
            pair[0] = x
            table["k"] = {"deep": x * 2}
        else:
            pair[0] = -x
            table["k"] = {"deep": x}
        return same, pair, table, same is pair

    check(f, *X)


def test_lists_that_grow_in_one_branch():
    def f(x):
        parts = [x]
        if x.sum() > 0:
            parts.append(x * 2)
        return paddle.stack(parts), len(parts)

    check(f, *X)


def test_buffers_and_state():
    class Counting(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.register_buffer("count", paddle.zeros([1]))

        def forward(self, x):
            if x.sum() > 0:
                self.count = self.count + 1
            return x + self.count

    dynamic, static = Counting(), Counting()
    static = paddle.jit.to_static(static)
    for x in (*X, X[0]):
        assert dynamic(x).numpy().tolist() == static(x).numpy().tolist()
    assert static.count.numpy().tolist() == [2.0]


KINDS = [
    lambda x: pick(x, "a", "b"),
    lambda x: pick(x, None, x),
    lambda x: pick(x, x, x.astype("int64")),
    lambda x: pick(x, x, x.reshape([1, 2])),
    lambda x: pick(x, (x, x), (x,)),
    lambda x: pick(x, 1, 2.5),
]


def pick(x, a, b):
    if x.sum() > 0:
        name = a
    else:
        name = b
    return name


def test_a_set_or_a_list_is_a_break_with_the_name():
    left_to_python(lambda x: pick(x, {1, 2}, [x * 2]), *X, why="name is a set of 2 in one branch .* and a list of 1 in")


@pytest.mark.parametrize("function", KINDS)
def test_values_of_two_kinds(function):
    check(function, *X)


class Box:
    def __init__(self, value):
        self.value = value


def test_what_cannot_be_joined_is_refused_with_the_name():
    def f(x):
        if x.sum() > 0:
            name = lambda: x * 2
        else:
            y = x + 1
            name = lambda: y
        return name()

    left_to_python(f, *X, why=r"a tensor made inside a branch or loop body is used in `name\(\)` outside of it")


def test_no_condition_is_named_where_the_user_wrote_none():
    class Slotted:
        __slots__ = ("value",)

        def __init__(self, value):
            self.value = value

        def moved(self, by):
            return Slotted(self.value + by)

    def f(x):
        a, b = Slotted(x), Slotted(x * 2)
        chosen = min([a, b], key=lambda item: item.value.sum())
        return chosen.moved(1).value

    left_to_python(f, *X, why=r"is a Slotted in one branch of a tensor condition \(`min\(.*\) and a Slotted in the other")


def test_condition_of_several_elements_is_refused():
    def f(x):
        if x > 0:
            return x
        return -x

    with pytest.raises(TypeError, match=r"a condition must have one element, `x > 0` is bool\[2\]"):
        paddle.jit.to_static(f)(X[0])


def test_a_first_attribute_of_a_class_that_can_not_be_looked_into_is_refused():
    box = types.SimpleNamespace()

    def f(x):
        if x.sum() > 0:
            box.value = x
        return x

    with pytest.raises(TranslationError, match="attribute 'value' of a SimpleNamespace"):
        paddle.jit.to_static(f)(X[0])
    assert not hasattr(box, "value")


def test_a_list_of_a_closure_under_a_tensor_condition_grows_when_the_branch_runs():
    log = []

    def note(x):
        log.append(x)
        return x

    def f(x):
        if x.sum() > 0:
            x = note(x)
        return x

    static = paddle.jit.to_static(f)
    up, down = paddle.to_tensor([1.0]), paddle.to_tensor([-1.0])
    for x in (up, down, up):
        static(x)
    assert [x.tolist() for x in log] == [[1.0], [1.0]]


def test_gradients_through_both_branches():
    def f(x):
        if x.sum() > 0:
            y = x * 3
        else:
            y = x * x
        return y.sum()

    static = paddle.jit.to_static(f)
    for values in ([1.0, 2.0], [-1.0, -2.0]):
        grads = []
        for function in (f, static):
            x = paddle.to_tensor(values, stop_gradient=False)
            function(x).backward()
            grads.append(x.grad.numpy().tolist())
        assert grads[0] == grads[1]


def test_one_object_with_two_names_stays_one_object():
    def f(x):
        table = {"k": x}
        early = None
        if x.sum() > 0:
            table["k"] = x * 2
            early = table, 1
            a = b = x * 3
        else:
            early = table, 1
            a = b = x * 4
        a.add_(x)
        return table, early[0] is table, a, b

    left_to_python(f, *X, why="changes in place .* that another tensor chose among several")


def test_a_condition_of_a_size_that_is_not_known_yet_is_one_number_when_it_runs():
    def f(x):
        return x * 2 if x > 0 else -x

    static = paddle.jit.to_static(f, input_spec=[paddle.static.InputSpec([None], "float32")])
    assert static(T([3.0])).tolist() == [6] and static(T([-3.0])).tolist() == [3] and len(static.program_cache) == 1
    with pytest.raises(ValueError, match="one element"):
        static(T([3.0, 4.0]))
