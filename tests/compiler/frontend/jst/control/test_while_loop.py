"""`while` and `for`: Python loops, graph loops, and loops that change from one to the other."""

import pytest
from both import T, check, left_to_python, op_names

import to_static as paddle


def test_while_with_a_tensor_condition():
    def collatz(n):
        steps = paddle.zeros([1], "int64")
        while n > 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps = steps + 1
        return steps, n

    assert "while_loop" in op_names(check(collatz, T(1), T(7), T(27)))


def test_python_loops_are_unrolled():
    def f(x, n):
        k = 0
        while k < n:
            x = x * 2
            k += 1
        for layer in [abs, float]:
            k = layer(k)
        return x, k

    assert "while_loop" not in op_names(check(f, (T(1.0), 0), (T(1.0), 3)))


def test_python_numbers_in_a_tensor_loop_stay_numbers():
    def f(x):
        count, half, flag = 0, 1.0, False
        while x > 1:
            x = x / 2
            count += 1
            half = half / 2
            flag = not flag
        return count, half, flag, x * count, count * x

    check(f, T(0.5), T(5.0), T(100.0))


def test_number_that_becomes_a_tensor():
    def f(x, n):
        total = 0
        for i in range(n):
            total = total + x * i
        return total + x

    check(f, (T([1.0, 2.0]), T(3)), (T([1.0, 2.0]), T(1)))


def test_swaps_and_aliases():
    def f(n):
        a, b = T(0), T(1)
        before = a
        k = 0
        while k < n:
            a, b = b, a + b
            k += 1
        return a, b, before

    check(f, T(0), T(1), T(10))


def test_break_continue_else():
    def f(x, n):
        total = 0.0
        for i in range(n):
            if i == 2:
                continue
            total = total + x * i
            if total > 10:
                break
        else:
            total = total - 100
        while total > 0:
            total = total - 3
            if total < 1:
                break
        else:
            total = total + 1000
        return total

    check(f, *((T(v), T(n)) for v in (0.0, 1.0, 5.0) for n in (0, 1, 6)), types=False)


def test_break_on_a_tensor_in_a_python_loop():
    def f(x):
        taken = []
        for i in range(5):
            x = x - 1
            if x < 0:
                break
            taken.append(i)
        return x, i

    def g(x):
        for scale in [1.0, 2.0, 3.0]:
            x = x * scale
            if x > 5:
                return x, scale
        return x, 0.0

    def h(x):
        i = 0
        while i < 50:
            i += 1
            if x + i > 30:
                break
        return i

    check(f, T(0.5), T(2.5), T(9.5))
    check(g, T(0.5), T(2.0), T(10.0))
    check(h, T(0.0), T(29.0), T(100.0), T(-100.0))


def test_long_python_range_becomes_a_graph_loop():
    def f(x):
        for i in range(3, 1000, 2):
            x = x + 1
            if x > 90:
                break
        return x, i

    static = check(f, T(0.0), T(90.5), T(-2000.0))
    assert op_names(static).count("while_loop") == 1


def test_return_from_nested_loops():
    def f(m, limit):
        for i, row in enumerate(m):
            for v in row:
                if v > limit:
                    return v * 10, i
        return m.sum(), -1

    check(f, *((T([[1.0, 5.0], [7.0, 2.0]]), T(limit)) for limit in (0.0, 5.0, 50.0)))


def test_variables_first_assigned_in_the_loop():
    def f(xs):
        for x in xs:
            last = x * 2
        return last, x

    def g(n):
        while n > 0:
            last = n
            n = n - 1
        return last

    check(f, T([1.0, 2.0]))
    check(g, T(3), T(1), T(0), raises=UnboundLocalError)


class Scores(paddle.nn.Layer):
    """Attention as books write it: it keeps its weights for whoever asks."""

    def forward(self, x):
        self.weights = x * 2
        return self.weights + 1


def decoded(net, x):
    out, kept = [], []
    for step in x:
        out.append(net(step))
        kept.append(net.weights)
    return paddle.stack(out), paddle.stack(kept)


def test_an_attribute_first_assigned_in_a_loop_that_is_sure_to_run():
    fn = paddle.jit.to_static(decoded, full_graph=True)
    for x in (T([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), T([[7.0, 8.0]])):
        net, other = Scores(), Scores()
        for a, b in zip(fn(net, x), decoded(other, x), strict=True):
            assert a.numpy().tolist() == b.numpy().tolist()
        assert net.weights.numpy().tolist() == other.weights.numpy().tolist()


def test_an_attribute_first_assigned_in_a_loop_that_may_not_run_breaks():
    net = Scores()

    def f(x):
        while x.sum() < 10:
            x = net(x)
        return x

    left_to_python(f, T([1.0, 2.0]), why="attribute 'weights' of a Scores is set under a tensor condition")


def test_range_in_all_its_forms():
    def f(a, b, c):
        seen = []
        for i in range(a, b, c):
            seen.append(i)
        total = 0
        for i in range(b):
            for j in range(i, a):
                total += i * j
        return total, len(seen)

    check(f, *((T(a), T(b), T(c)) for a, b, c in [(0, 5, 1), (5, 0, -2), (2, 2, 1), (3, 4, 5), (7, -3, -3)]))
    check(f, (1, T(4), 2), (T(4), 1, -1))


def test_zip_enumerate_reversed():
    def f(a, b):
        total = 0.0
        for i, (x, y) in enumerate(zip(a, b), 1):  # noqa: B905
            total = total + x * y * i
        for x, k in zip(reversed(a), [1, 2, 3, 4], strict=False):
            total = total * k + x
        return total, i, k

    check(f, (T([1.0, 2.0, 3.0]), T([4.0, 5.0])), (T([1.0]), T([2.0, 3.0])))


def test_unknown_number_of_rows():
    spec = paddle.static.InputSpec([None, 2], "float32")

    def f(x):
        total = x[0] * 0
        for row in x:
            total = total + row
        return total, len(x), total / len(x)

    static = paddle.jit.to_static(f, input_spec=[spec])
    for n in (1, 3):
        x = paddle.ones([n, 2])
        assert static(x)[1] == n and static(x)[0].numpy().tolist() == f(x)[0].numpy().tolist()
        assert static(x)[2].numpy().tolist() == [1.0, 1.0]
    assert static.get_traced_count() == 1


def test_shapes_that_grow():
    def f(x, n):
        for _ in range(n):
            x = paddle.concat([x, x[:1]])
        return x

    check(f, (T([1.0, 2.0]), T(0)), (T([1.0, 2.0]), T(3)))


def test_in_place_changes_in_a_loop():
    def f(x, n):
        y = x * 1
        other = y
        for i in range(n):
            y[0] = y[0] + 1
            x.add_(y)
        return y, other

    check(f, (T([1.0, 2.0]), T(0)), (T([1.0, 2.0]), T(3)))


KINDS = [None, T([[1.0], [2.0]]), T(1), 3]


@pytest.mark.parametrize("start", KINDS)
def test_variables_that_change_their_kind(start):
    def f(x, name):
        while x.sum() < 10:
            x = x + 1
            name = x
        return name

    check(f, (T([1.0, 2.0]), start), (T([10.0, 2.0]), start), (T([4.0, 5.0]), start))


def test_what_a_loop_cannot_carry_is_refused_with_the_name():
    def f(x, name):
        while x.sum() < 10:
            x = x + 1
            name = name + ("b",)
        return name

    call = T([1.0, 2.0]), ("a",)
    left_to_python(f, call, why=r"(?s)name is a tuple of 1 .*more than 8 different values.*while x.sum\(\) < 10:")


def test_too_many_python_items_under_a_tensor_break():
    def f(x):
        for v in [1.0] * 300:
            x = x + v
            if x > 5:
                break
        return x

    left_to_python(f, T(0.0), why="has more than 256 iterations, which are traced one by one")


def test_gradients_through_a_loop():
    def f(x, n):
        y = x
        for _ in range(n):
            y = y * x
            if y.sum() > 50:
                break
        return y.sum()

    static = paddle.jit.to_static(f)
    for n in (0, 2, 6):
        grads = []
        for function in (f, static):
            x = paddle.to_tensor([1.0, 3.0], stop_gradient=False)
            function(x, T(n)).backward()
            grads.append(x.grad.numpy().tolist())
        assert grads[0] == grads[1]


def test_two_names_of_one_list_in_a_loop():
    def f(x, n):
        items = more = [x, x]
        for i in range(n):
            items[0] = items[0] + i
        if x.sum() > 0:
            more[1] = x * 5
        return items, more, items is more

    def parted(x, n):
        items = more = [x]
        for _ in range(n):
            more = [x + 1]
            items[0] = x
        return more

    check(f, *((T([1.0]), T(n)) for n in (0, 3)), (T([-1.0]), T(2)))
    check(parted, *((T([1.0]), T(n)) for n in (0, 1, 3)))


class Matrix:
    def __init__(self, rows):
        self.rows = rows

    def __matmul__(self, other):
        return Matrix([[self.rows[i][0] * other.rows[0][k] + self.rows[i][1] * other.rows[1][k] for k in (0, 1)] for i in (0, 1)])


def test_an_object_with_lists_of_lists_is_made_anew_in_each_iteration():
    def f(x, n):
        m = Matrix([[x, x], [x, x * 0]])
        while n > 0:
            m = m @ m
            n = n - 1
        return m.rows

    assert "while_loop" in op_names(check(f, (T(1.0), T(3)), (T(2.0), T(0))))
