from __future__ import annotations

import to_static as paddle
from to_static.compiler.autodiff.shared_subgraph import sharing
from to_static.static import InputSpec


def groups(function):
    static = paddle.jit.to_static(function)
    spec = InputSpec([2], "float32", "x", stop_gradient=False)
    concrete = static.get_concrete_program(spec, InputSpec([2], "float32", "y", stop_gradient=False))[0]
    return sharing(concrete.main_program.block, concrete.outputs)


def test_results_share_what_led_to_both():
    def function(x, y):
        z = x * y
        return z + 1, z.detach() * y, (x * 2).sum()

    assert groups(function) == [[0], [1], [2]]


def test_a_result_that_another_is_made_of():
    def function(x, y):
        z = x * y
        return z, z.sum(), y * 3

    assert groups(function) == [[0, 1], [0, 1], [2]]


def test_branches_are_looked_into_and_loops_are_one_computation():
    def branches(x, y):
        if x.sum() > 0:
            return x * 3, y * y
        return x * y, y + 1

    def loop(x, y):
        a, b = x, y
        while a.sum() < 9:
            a, b = a * 2, b * 2
        return a, b

    assert groups(branches) == [[0], [1]]
    assert groups(loop)[:2] == [[0, 1], [0, 1]]  # and two numbers, which say whether these are the arguments
