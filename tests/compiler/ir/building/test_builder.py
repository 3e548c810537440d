"""The builder: ops, captures, in-place changes, closed sub-blocks."""

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.input_spec import spec_from
from to_static.compiler.ir.var_kinds import BUFFER, CONST, PARAM
from to_static.compiler.ir.verifier import verify
from to_static.compiler.runtime.interpret import interpret
from to_static.core.backend import NUMPY
from to_static.core.errors import ModeError, ProgramError, ShapeError, TracedValueError, TranslationError


@pytest.fixture
def b():
    with mode.use(Builder()) as builder:
        yield builder


def run(program, *arrays):
    verify(program)
    return interpret(program, [np.asarray(a) for a in arrays], NUMPY)


def feed(b, name="x", shape=(2,), dtype="float32", stop=True):
    return b.feed(spec_from(shape, dtype), name, stop)


def tensor(value):
    """An eager tensor, as one that a static function closes over."""
    with mode.default_mode():
        return paddle.to_tensor(value)


X = np.array([1.0, -2.0], "float32")


def test_ops_know_the_line_that_made_them(b):
    feed(b) + 1.0
    assert [op.site.file for op in b.program.block.ops] == [__file__] * 2


def test_shape_errors_name_op_and_line(b):
    with pytest.raises(ShapeError, match=r"add: shapes \[2\] and \[3\] do not broadcast.*\n.*test_builder.py"):
        feed(b) + feed(b, "y", (3,))


def test_captured_tensors(b):
    weight = paddle.nn.Linear(2, 2).weight
    buffer, plain = tensor([1.0, 2.0]), tensor([3.0, 4.0])
    buffer.persistable = True
    x = feed(b)
    program = b.finish([x @ weight + buffer * plain + plain])
    assert [(v.kind, v.holder) for v in program.params] == [(PARAM, weight), (BUFFER, buffer), (CONST, plain)]
    assert program.params[0].name == weight.name and program.params[2].name is None
    got = run(program, X)
    np.testing.assert_allclose(got[0], X @ weight.numpy() + [6, 12], rtol=1e-6)
    with mode.default_mode():
        buffer.set_value(np.zeros(2, "float32"))
    np.testing.assert_allclose(run(program, X)[0], X @ weight.numpy() + [3, 4], rtol=1e-6)


def test_changes_of_captured_tensors_are_state(b):
    count = tensor(0.0)
    x = feed(b)
    count.set_value(count + 1.0)
    program = b.finish([x * count])
    assert count.item() == 0 and [v.holder for v in program.state] == [count]
    assert [run(program, X)[0].tolist() for _ in range(2)] == [[1, -2], [2, -4]] and count.item() == 2
    assert interpret(program, [X], NUMPY, update_state=False)[0].tolist() == [3, -6] and count.item() == 2


def test_aliases_see_in_place_changes(b):
    x = feed(b)
    y = x * 1.0
    alias = y
    y.add_(paddle.ones([2]))
    assert run(b.finish([alias]), X)[0].tolist() == [2, -1]


@pytest.mark.parametrize("flag", [True, False])
def test_in_place_changes_in_a_branch(b, flag):
    x, p = feed(b), feed(b, "p", (), "bool")
    y = x * 1.0

    def change():
        y.add_(y)
        return [y]

    [inner] = b.cond(p, change, lambda: [y])
    program = b.finish([y, inner])
    got = run(program, X, np.asarray(flag))
    np.testing.assert_array_equal(got, [X * (2 if flag else 1)] * 2)


@pytest.mark.parametrize("n", [0, 1, 3])
def test_in_place_changes_in_a_loop(b, n):
    x, count = feed(b), feed(b, "n", (), "int64")
    y, seen = x * 1.0, tensor(0)

    def body(i):
        y.add_(x)
        seen.set_value(seen + 1)
        return [i + 1]

    [i] = b.while_loop(lambda i: i < count, body, [b.constant(np.asarray(0))])
    got = run(b.finish([i, y]), X, np.asarray(n))
    assert got[0] == n and seen.item() == n
    np.testing.assert_array_equal(got[1], X * (n + 1))


def test_blocks_get_what_they_need_as_arguments(b):
    x, p = feed(b), feed(b, "p", (), "bool")
    y = x * 2.0
    b.finish(b.cond(p, lambda: b.cond(p, lambda: [y + x], lambda: [y]), lambda: [x]))
    outer = b.program.block.ops[-1]
    inner = outer.blocks[0].ops[-1]
    assert set(outer.inputs[1]) == {x.ssa, y.ssa, p.ssa}
    assert set(inner.operands()) <= set(outer.blocks[0].args)
    assert len(outer.blocks[1].args) == 3


def test_loop_variables_widen(b):
    x = feed(b)

    def body(v):
        return [paddle.concat([v, x])]

    [v] = b.while_loop(lambda v: v.sum() < 5.0, body, [x])
    assert v.spec.shape == (-1,)
    assert run(b.finish([v]), np.array([1, 1], "float32"))[0].tolist() == [1, 1, 1, 1, 1, 1]


def test_results_must_agree(b):
    x, p = feed(b), feed(b, "p", (), "bool")
    with pytest.raises(ShapeError, match=r"result 0 is f32\[2\] in one branch and i64\[2\]"):
        b.cond(p, lambda: [x], lambda: [x.astype("int64")])
    with pytest.raises(ShapeError, match="loop variable 0 is"):
        b.while_loop(lambda v: p, lambda v: [v.sum()], [x])
    with pytest.raises(ProgramError, match="got 1 values and returned 2"):
        b.while_loop(lambda v: p, lambda v: [v, v], [x])


def test_a_condition_changes_nothing(b):
    x, p = feed(b), feed(b, "p", (), "bool")
    y = x * 1.0

    def test(v):
        y.add_(x)
        return p

    with pytest.raises(TranslationError, match="loop condition changes a tensor in place"):
        b.while_loop(test, lambda v: [v], [x])


def test_values_do_not_leave_their_block(b):
    x, p = feed(b), feed(b, "p", (), "bool")
    kept = []
    b.cond(p, lambda: [kept.append(x * 2.0) or x], lambda: [x])
    with pytest.raises(TracedValueError, match="made inside a branch or loop body"):
        kept[0] + x


def test_an_error_in_a_branch_restores_the_builder(b):
    x, p = feed(b), feed(b, "p", (), "bool")
    y = x * 1.0

    def broken():
        y.add_(x)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        b.cond(p, broken, lambda: [x])
    assert b.frame is b.root
    assert run(b.finish([y]), X, np.asarray(True))[0].tolist() == X.tolist()


def test_builders_do_not_mix(b):
    x = feed(b)
    with mode.use(Builder()) as other, pytest.raises(TracedValueError, match="used in another"):
        feed(other) + x


def test_a_finished_program_is_closed(b):
    x = feed(b)
    b.finish([x])
    with pytest.raises(ModeError, match="finished"):
        x + 1.0


def test_gradient_flags(b):
    x, z = feed(b, stop=False), feed(b, "z")
    assert not (x * z).stop_gradient and (z * z).stop_gradient and x.detach().stop_gradient
    assert x.argmax().stop_gradient and not x.astype("int64").stop_gradient
    with paddle.no_grad():
        assert (x * x).stop_gradient
    y = x * 2.0
    y.stop_gradient = True
    assert y.stop_gradient and (y * 2.0).stop_gradient


def test_a_program_goes_on(b):
    count = tensor(1.0)
    count.set_value(count * 2.0)
    first = b.finish([feed(b)])
    program = first.clone()
    outputs = list(program.outputs)
    with mode.use(Builder(program)) as more:
        count.set_value(count + 10.0)
        assert len(program.params) == 1
        more.finish([more._handle(outputs[0], more.root)])
    run(program, X)
    assert count.item() == 12
