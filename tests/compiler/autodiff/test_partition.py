"""Forward and backward Programs of a Program: residuals, indices, values."""

import numpy as np

import to_static  # noqa: F401
from to_static.compiler.autodiff.partition import partition_joint
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.input_spec import spec_from
from to_static.compiler.ir.program import Stored
from to_static.compiler.ir.spec import spec_of
from to_static.compiler.ir.var_kinds import BUFFER, PARAM
from to_static.compiler.runtime.interpret import interpret
from to_static.core.backend import NUMPY


def run_split(split, feeds, gouts):
    results = interpret(split.forward, feeds, NUMPY)
    cut = len(results) - split.residual_count
    return results[:cut], interpret(split.backward, [*results[cut:], *gouts], NUMPY)


def test_polynomial():
    with mode.use(Builder()) as b:
        x = b.feed(spec_from([3]), "x", False)
        program = b.finish([x * x * 3.0], ["y"])
    split = partition_joint(program, program.feeds)
    value = np.array([1, 2, -3], "float32")
    outs, grads = run_split(split, [value], [np.ones(3, "float32")])
    np.testing.assert_array_equal(outs[0], 3 * value**2)
    np.testing.assert_array_equal(grads[0], 6 * value)
    assert split.output_index == [0] and split.wanted_index == [0]
    assert len(program.block.results) == 1 and program.output_names == ["y"]  # the original is as it was


def test_what_takes_no_gradient_is_left_out():
    with mode.use(Builder()) as b:
        x = b.feed(spec_from([3]), "x", False)
        z = b.feed(spec_from([3]), "z", True)
        unused = b.feed(spec_from([2]), "unused", False)
        program = b.finish([x.argmax(), x * z, z + 1.0, (x * 2.0).detach()])
    split = partition_joint(program, [z.ssa, x.ssa, unused.ssa])
    assert split.output_index == [1] and split.wanted_index == [1]
    assert len(split.backward.feeds) == split.residual_count + 1
    z_value = np.array([4, 5, 6], "float32")
    _, grads = run_split(split, [np.ones(3, "float32"), z_value, np.ones(2, "float32")], [np.ones(3, "float32")])
    np.testing.assert_array_equal(grads[0], z_value)


def test_constants_are_not_residuals():
    with mode.use(Builder()) as b:
        x = b.feed(spec_from([3]), "x", False)
        program = b.finish([x * b.constant(np.array([1, 2, 3], "float32"))])
    assert partition_joint(program, program.feeds).residual_count == 0


def test_state_and_parameters():
    with mode.use(Builder()) as b:
        weight = Stored(np.array([2.0, 3.0], "float32"), "w", stop_gradient=False)
        count = Stored(np.array(0.0, "float32"), "count")
        w = b._handle(b.program.add_param(spec_of(weight._array), PARAM, weight, "w"), b.root)
        c = b._handle(b.program.add_param(spec_of(count._array), BUFFER, count, "count"), b.root)
        x = b.feed(spec_from([2]), "x")
        out = w * x * c
        program = b.program
        program.state = [c.ssa]
        program.block.results = [out.ssa, (c + 1.0).ssa]
    split = partition_joint(program, [w.ssa])
    assert [v.name for v in split.forward.state] == ["count"] and split.backward.params == []
    feeds = [np.array([5.0, 7.0], "float32")]
    count._array = np.array(10.0, "float32")
    outs, grads = run_split(split, feeds, [np.ones(2, "float32")])
    np.testing.assert_array_equal(outs[0], [100, 210])
    np.testing.assert_array_equal(grads[0], [50, 70])  # the value the counter had when forward ran
    assert count._array == 11


def test_backward_can_be_split_again():
    with mode.use(Builder()) as b:
        x = b.feed(spec_from([3]), "x", False)
        program = b.finish([x * x * x])
    first = partition_joint(program, program.feeds)
    value, ones = np.array([1, 2, -3], "float32"), np.ones(3, "float32")
    residuals = interpret(first.forward, [value], NUMPY)[1:]
    wanted = [v for v in first.backward.feeds if not v.stop_gradient]
    second = partition_joint(first.backward, wanted)
    outs, grads = run_split(second, [*residuals, ones], [ones])
    np.testing.assert_array_equal(outs[0], 3 * value**2)
    by_feed = dict(zip([wanted[i] for i in second.wanted_index], grads, strict=True))
    np.testing.assert_array_equal(by_feed[first.backward.feeds[-1]], 3 * value**2)  # d/d(gradient of the output)


def test_outputs_that_are_inputs_or_come_twice():
    with mode.use(Builder()) as b:
        x = b.feed(spec_from([2]), "x", False)
        y = x * 2.0
        program = b.finish([x, y, y])
    split = partition_joint(program, program.feeds)
    outs, [grad] = run_split(split, [np.array([1, 2], "float32")], [np.full(2, k, "float32") for k in (1, 10, 100)])
    assert [o.tolist() for o in outs] == [[1, 2], [2, 4], [2, 4]]
    assert grad.tolist() == [221, 221]


def test_a_program_without_ops():
    with mode.use(Builder()) as b:
        x = b.feed(spec_from([2]), "x", False)
        program = b.finish([x])
    split = partition_joint(program, program.feeds)
    assert split.residual_count == 0 and split.backward.block.ops == []
    _, [grad] = run_split(split, [np.ones(2, "float32")], [np.array([3, 4], "float32")])
    assert grad.tolist() == [3, 4]


def test_nothing_to_differentiate():
    with mode.use(Builder()) as b:
        x = b.feed(spec_from([2]), "x")
        program = b.finish([x * 2.0])
    split = partition_joint(program, program.feeds)
    assert split.output_index == split.wanted_index == split.backward.outputs == []


def test_unknown_dimensions():
    with mode.use(Builder()) as b:
        x, y = b.feed(spec_from([None, 3]), "x", False), b.feed(spec_from([3]), "y", False)
        program = b.finish([(x * y).sum(axis=0)])
    split = partition_joint(program, program.feeds)
    data = np.arange(6, dtype="float32").reshape(2, 3)
    outs, grads = run_split(split, [data, np.array([1, 2, 3], "float32")], [np.ones(3, "float32")])
    assert outs[0].tolist() == [3, 10, 21]
    assert grads[0].tolist() == [[1, 2, 3]] * 2 and grads[1].tolist() == [3, 5, 7]
