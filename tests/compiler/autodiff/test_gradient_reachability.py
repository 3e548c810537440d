"""What outputs depend on: decided without running where that is possible, and by vectors of booleans where it is not."""

import numpy as np

import to_static as paddle
from to_static.compiler.autodiff.gradient_reachability import Reach


def reach(function, *args):
    program = paddle.jit.to_static(function).get_concrete_program(*args)[0].main_program
    program = program.clone()
    for feed in program.feeds:
        feed.stop_gradient = False
    return Reach(program, [v for v in program.feeds if v.dtype.is_floating]), program


def x():
    return paddle.to_tensor(np.ones(2, "float32"), stop_gradient=False)


def test_programs_without_control_flow_get_nothing():
    found, program = reach(lambda a, b: (a * 2, a * b), x(), x())
    assert found.vectors == [] and found.certain == found.possible == [0b01, 0b11]
    assert not any(op.name in ("constant", "logical_or") and op.outputs[0].dtype.name == "bool" for op in program.block.walk())


def test_what_both_branches_use_is_certain():
    found, _ = reach(lambda a, b: a * b if b.sum() > 0 else a + b * 2, x(), x())
    assert found.certain == found.possible == [0b11] and found.places == []


def test_what_one_branch_uses_is_told_by_a_vector():
    found, _ = reach(lambda a, b: a * b if b.sum() > 0 else a * 3, x(), x())
    assert (found.certain, found.possible, found.places, found.data_dependent) == ([0b01], [0b11], [0], [1])
    assert found.mask_of(0, [np.asarray([True])]) == 0b11 and found.mask_of(0, [np.asarray([False])]) == 0b01


def test_a_loop_may_make_no_trip():
    def f(a, b, n):
        for _ in range(n):
            a = a * b
        return a * 1

    found, _ = reach(f, x(), x(), paddle.to_tensor(np.asarray(3, "int64")))
    assert (found.certain, found.possible, found.data_dependent) == ([0b01], [0b11], [1])
