"""Programs answer Paddle's names: of static functions, of loaded models, and those built by hand."""

from __future__ import annotations

import numpy as np
import pytest

import to_static as paddle
from to_static import nn
from to_static.compiler.ir.input_spec import InputSpec
from to_static.core.errors import ProgramError


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)

    def forward(self, x):
        y = nn.functional.relu(self.fc(x))
        if paddle.mean(y) > 0:
            y = y * 2
        return y, paddle.mean(y, axis=1, keepdim=True)


@pytest.fixture(scope="module")
def net():
    made = paddle.jit.to_static(Net(), input_spec=[InputSpec([None, 3], "float32", "x")])
    made.eval()
    return made


@pytest.fixture(scope="module")
def programs(net, tmp_path_factory):
    path = str(tmp_path_factory.mktemp("model") / "net")
    paddle.jit.save(net, path)
    loaded = paddle.jit.load(path)
    main, _ = build_by_hand()
    forward = net.forward
    return {
        "function": forward.main_program,
        "concrete": forward.concrete_program.main_program,
        "loaded": loaded.program(),
        "static": main,
    }


def build_by_hand():
    main = paddle.static.Program()
    paddle.enable_static()
    with paddle.static.program_guard(main):
        x = paddle.static.data("x", [None, 3], "float32")
        y = nn.functional.relu(paddle.static.nn.fc(x, 4))
        y = paddle.static.nn.cond(paddle.mean(y) > 0, lambda: y * 2, lambda: y)
        paddle.mean(y, axis=1, keepdim=True)
    paddle.disable_static()
    return main, y


WAYS = ["function", "concrete", "loaded", "static"]


@pytest.mark.parametrize("way", WAYS)
def test_operators_have_the_types_slots_and_attributes_of_files(programs, way):
    block = programs[way].global_block()
    types = [op.type for op in block.ops]
    assert types[:3] == ["matmul_v2", "elementwise_add", "relu"] and "conditional_block" in types and types[-1] == "reduce_mean"
    product, mean = block.ops[0], block.ops[-1]
    assert product.input("X") == ["x"] and product.input_names == ["X", "Y"] and product.output_names == ["Out"]
    assert product.output("Out") == product.output_arg_names == block.ops[1].input("X")
    assert block.var(product.input("Y")[0]).shape == [3, 4] and product.attr("trans_x") is False and product.has_attr("trans_y")
    assert mean.attr("keep_dim") is True and list(np.atleast_1d(mean.attr("dim"))) == [1]  # as files call them
    assert mean.all_attrs()["keep_dim"] is True and {"dim", "op_role", "op_device"} <= set(mean.attr_names)
    assert product.attr("op_role") == 0 and product.has_attr("op_namescope") and product.to_string(True) == str(product)
    assert (product.idx, product.block.idx) == (0, 0) and "matmul_v2(inputs={X=['x']" in str(product)
    for ask, name in ((product.input, "Q"), (product.output, "Q"), (product.attr, "Q")):
        with pytest.raises(ValueError, match="matmul_v2 has no .* 'Q'; its "):
            ask(name)


@pytest.mark.parametrize("way", WAYS)
def test_blocks_and_values(programs, way):
    program = programs[way]
    assert program.num_blocks == len(program.blocks) == 3
    assert [(block.idx, block.parent_idx) for block in program.blocks] == [(0, -1), (1, 0), (2, 0)]
    assert program.block(0).idx == 0 and program.block(1).ops and program.current_block().idx == 0
    with pytest.raises(IndexError):
        program.block(3)
    values = list(program.list_vars())
    names = [v.name for v in values]
    assert len(set(names)) == len(names) and all(isinstance(name, str) and name for name in names)
    assert [v.persistable for v in values if v.name == "x"] == [False] and sum(v.persistable for v in values) == 2
    assert next(list(v.shape) for v in values if v.name == "x") == [-1, 3]
    assert (programs[way].current_block_idx, programs[way].global_block().backward_block_idx) == (0, -1)
    block = program.global_block()
    assert block.has_var("x") and not block.has_var("nope")
    assert sorted(p.name for p in block.all_parameters()) == sorted(p.name for p in block.iter_parameters())
    with pytest.raises((ValueError, ProgramError), match="nope"):
        block.var("nope")


@pytest.mark.parametrize("way", WAYS)
def test_pruned(programs, way):
    program = programs[way]
    before = str(program)
    name = program.global_block().ops[1].output_arg_names[0]
    for target in (name, [name], program.global_block().var(name)):
        assert [op.type for op in program._prune(target).global_block().ops] == ["matmul_v2", "elementwise_add"]
    with pytest.raises(ProgramError, match="nope"):
        program._prune(["nope"])
    assert str(program) == before


def test_clone_for_test():
    net = paddle.jit.to_static(nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5)), input_spec=[InputSpec([None, 2])])
    program = net.forward.main_program
    attributes = [p.global_block().ops[-1].attr("is_test") for p in (program, program.clone(for_test=True))]
    assert attributes == [False, True]


def test_outputs_choose_what_is_saved(net, tmp_path):
    x = paddle.to_tensor(np.arange(6, dtype="float32").reshape(2, 3))
    wanted = net(x)
    outputs = net.forward.outputs
    for spec, kept in ((outputs[:1], [0]), ([outputs[1]], [1]), (outputs, [0, 1]), ([outputs[1], outputs[0]], [1, 0]), ([1], [1])):
        paddle.jit.save(net, str(tmp_path / "net"), output_spec=spec)
        got = paddle.jit.load(str(tmp_path / "net"))(x)
        for one, i in zip([got] if isinstance(got, paddle.Tensor) else got, kept, strict=True):
            np.testing.assert_allclose(one.numpy(), wanted[i].numpy(), rtol=1e-6)
    for other in ([paddle.ones([2])], ["y"], [7], net.forward.inputs):
        with pytest.raises(ValueError, match=r"output_spec names .* is no output of this model .*net.forward.outputs\[:1\]"):
            paddle.jit.save(net, str(tmp_path / "net"), output_spec=other)


def test_the_program_of_a_function_is_for_reading():
    net = paddle.jit.to_static(paddle.nn.BatchNorm1D(2))
    net(paddle.ones([3, 2]))
    program = net.forward.main_program
    state = program.state_dict()
    assert sorted(state) == sorted(each.name for each in (net.weight, net.bias, net._mean, net._variance))
    assert all(state[name] is each for each in (net.weight, net._mean) for name in [each.name])
    with pytest.raises(ProgramError, match="mode must be"):
        program.state_dict("others")
    for call in (lambda: program.desc, lambda: program.global_block().append_op("relu"), lambda: program.parse_from_string(b"")):
        with pytest.raises(AttributeError, match=r"is for reading: save it with paddle\.jit\.save"):
            call()
    with pytest.raises(AttributeError, match="'Program' object has no attribute 'descr'"):
        program.descr
