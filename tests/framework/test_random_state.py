"""Going on with random numbers from where they were."""

import pytest

import to_static as paddle


def test_numbers_come_again():
    state = paddle.get_rng_state()
    first = [paddle.rand([3]).tolist(), paddle.randn([2]).tolist()]
    paddle.set_rng_state(state)
    assert [paddle.rand([3]).tolist(), paddle.randn([2]).tolist()] == first
    paddle.set_rng_state(state)
    assert paddle.rand([3]).tolist() == first[0], "the state is a copy"


def test_other_lists_are_refused():
    with pytest.raises(ValueError, match="expected the list of one state"):
        paddle.set_rng_state([3])
    with pytest.raises(ValueError, match="a state for each of 0 GPUs"):
        paddle.set_cuda_rng_state(paddle.get_rng_state())
    paddle.set_cuda_rng_state(paddle.get_cuda_rng_state())


def test_old_names_of_the_dynamic_mode():
    from to_static import framework

    base = paddle.base
    with base.dygraph.guard():
        x = base.dygraph.to_variable([[1.0, 2.0]], name="x")
        assert x.name == "x" and framework.in_dygraph_mode()
    paddle.enable_static()
    try:
        assert not framework.in_dygraph_mode()
        with base.dygraph.guard():
            assert paddle.ones([1]).item() == 1
    finally:
        paddle.disable_static()
    assert base.core.VarDesc.VarType.FP32 is paddle.float32 and framework.Program is paddle.static.Program
    assert framework.is_parameter(paddle.nn.Linear(1, 1).weight) and not framework.is_parameter(x)
