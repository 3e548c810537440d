"""Operations and blocks as code written for Paddle looks at them."""

import numpy as np
import pytest

import to_static as paddle


def test_an_operation_by_paddles_names(static):
    x = static.data("x", [None, 4])
    y = paddle.concat([x, paddle.scale(x, 2.0)], axis=1)
    main = static.default_main_program()
    block = main.current_block()
    scale, concat = block.ops
    assert (scale.type, concat.type, concat.idx, main.num_blocks) == ("scale", "concat", 1, 1)
    assert scale.input_arg_names == ["x"] and scale.input("X") == ["x"] and scale.output("Out") == scale.output_arg_names
    assert concat.input("X") == ["x", *scale.output("Out")] and concat.input_names[0] == "X" and "Out" in concat.output_names
    assert concat.has_attr("axis") and concat.attr("axis") == 1 and concat.all_attrs()["axis"] == 1
    assert "axis" in concat.attr_names and "concat" in str(concat) and concat.site is not None
    desc = concat.desc
    assert (desc.type(), desc.attr("axis"), desc.has_attr("dim"), desc.input("X")) == ("concat", 1, False, concat.input("X"))
    assert (desc.attr_names(), desc.input_names(), desc.output_names(), desc.input_arg_names(), desc.output_arg_names()) == (
        concat.attr_names, concat.input_names, concat.output_names, concat.input_arg_names, concat.output_arg_names,
    )  # fmt: skip
    with pytest.raises(ValueError, match="only while the Program runs"):
        y.get_value()
    with pytest.raises(ValueError, match="concat has no input 'Y'; its inputs: X"):
        concat.input("Y")
    with pytest.raises(ValueError, match="has no output 'Y'; its outputs: Out"):
        concat.output("Y")
    with pytest.raises(ValueError, match="has no attribute 'dim'; its attributes: "):
        concat.attr("dim")
    fetched = static.Executor().run(feed={"x": np.ones((1, 4), "float32")}, fetch_list=[y, scale.output("Out")[0]])
    assert [f.shape for f in fetched] == [(1, 8), (1, 4)]


def test_blocks_of_branches_are_counted_and_seeds_set(static):
    x = static.data("x", [1])
    static.nn.cond(x.sum() > 0, lambda: x + 1, lambda: x - 1)
    main = static.default_main_program()
    assert main.num_blocks == 3 and [len(op.blocks) for op in main.block(0).ops][-1] == 2
    main.global_seed(7)
    assert main.random_seed == 7


def test_a_tensor_that_nothing_computes_yet(static):
    block = static.default_main_program().current_block()
    made = block.create_var(name="later", shape=[-1, 3], dtype="float64")
    assert block.has_var("later") and block.var("later") is made and "later" in block.vars
    assert (made.dtype.name, made.spec.shape, made.name, made.stop_gradient) == ("float64", (-1, 3), "later", False)


def test_a_scope_makes_what_it_is_asked_for():
    scope = paddle.static.Scope()
    with paddle.static.scope_guard(scope):
        paddle.static.global_scope().var("data").get_tensor().set(np.ones((2, 2)), paddle.CPUPlace())
        found = paddle.static.global_scope().find_var("data").get_tensor()
    assert np.array(found).tolist() == [[1.0, 1.0], [1.0, 1.0]] and scope.local_var_names() == ["data"]
    assert scope.find_var("other") is None


def test_the_types_of_attributes(static):
    x = static.data("x", [None, 4])
    paddle.cast(paddle.scale(paddle.concat([x, x], axis=1), 2.0).sum(axis=[1]), "float64")
    ops = static.default_main_program().global_block().ops
    types = {(op.type, name): op.attr_type(name).name for op in ops for name in op.attr_names}
    assert (types["concat", "axis"], types["scale", "scale"], types["scale", "bias_after_scale"]) == ("INT", "FLOAT", "BOOL")
    assert (types["reduce_sum", "dim"], types["cast", "out_dtype"], types["cast", "op_role_var"]) == ("INTS", "INT", "STRINGS")
    concat = ops[0]
    assert concat.desc.attr_type("axis", True) == paddle.framework.core.AttrType.INT == 0
    with pytest.raises(ValueError, match="no attribute 'dim'"):
        concat.attr_type("dim")
