"""Names of Paddle's core that packages use."""

from __future__ import annotations

import pytest

import to_static as paddle
from to_static.core.errors import ModeError, ProgramError
from to_static.framework import Block, IrGraph, core


def test_places_are_told_later():
    place = core.Place()
    place.set_place(paddle.ones([1]).place)
    assert place.is_cpu_place()


def test_programs_as_their_descriptions():
    paddle.enable_static()
    try:
        main = paddle.static.Program()
        with paddle.static.program_guard(main):
            x = paddle.static.data("x", [2, 3], "float32")
            paddle.nn.functional.softmax(x)
    finally:
        paddle.disable_static()
    desc = core.ProgramDesc(main.desc.serialize_to_string())
    block = desc.block(0)
    ops = [block.op(i) for i in range(block.op_size())]
    assert desc.num_blocks() == 1 and "softmax" in [op.type() for op in ops]
    softmax = next(op for op in ops if op.type() == "softmax")
    assert softmax.attr_type("axis") == core.AttrType.INT and softmax.inputs() == {"X": ["x"]}
    variables = {var.name(): var for var in block.all_vars()}
    assert variables["x"].shape() == [2, 3] and variables["x"].dtype() is paddle.float32 and not variables["x"].persistable()
    with pytest.raises(ValueError, match="FEED_MINIBATCH"):
        variables["feed"].shape()
    assert isinstance(main.global_block(), Block) and IrGraph(core.Graph(main.desc)).graph_num() == 1


def test_what_is_not_here_is_refused_when_it_is_used():
    with pytest.raises(ModeError, match="PyLayer"):
        core.eager._run_custom_op("mine", 1)
    with pytest.raises(ModeError, match="parameter servers"):
        core.GraphPyServer()
    with pytest.raises(ProgramError, match="GPUs only"):
        paddle._C_ops.fused_bias_act(1)
    with pytest.raises(ProgramError, match="one process"):
        core.eager.ops.legacy.coalesce_tensor(1)
    with pytest.raises(ModeError, match=r"paddle\.Model"):
        paddle.distributed.fleet.auto.Engine()


def test_switches_and_numbers():
    assert core.op_proto_and_checker_maker.OpRole.Loss == 256 and core.op_proto_and_checker_maker.kOpRoleAttrName() == "op_role"
    assert core.set_prim_eager_enabled(True) is None and core.get_custom_device_count("npu") == 0
    assert type(core.default_cuda_generator(0)) is type(core.default_cpu_generator())


def test_operators_of_the_core():
    x = paddle.to_tensor([[1.0, 2.0], [3.0, 5.0]])
    one, zero = paddle.ones([2]), paddle.zeros([2])
    mean, variance = paddle.zeros([2]), paddle.ones([2])
    found = paddle._C_ops.batch_norm(x, mean, variance, one, zero, False, 0.9, 1e-5, "NCHW", False, False)
    assert len(found) == 6 and mean.numpy().tolist() == pytest.approx([0.2, 0.35])
    assert paddle._C_ops.layer_norm(x, one, zero, 1e-5, 1).numpy().sum() == pytest.approx(0, abs=1e-5)
    assert core.eager.ops.legacy.c_allreduce_sum(x) is x
