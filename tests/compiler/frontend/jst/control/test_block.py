"""What ends a block."""

import to_static as paddle
from to_static.compiler.frontend.jst.control.block import is_user_error, may_be_ours
from to_static.core.errors import UnboundVariableError


def error_of(function):
    try:
        function()
    except Exception as error:
        return error
    raise AssertionError


def test_a_name_that_is_not_there_may_be_a_mistake_of_ours():
    """Which a Program must not raise unless Python does."""
    error = error_of(lambda: not_there)  # noqa: F821
    assert may_be_ours(error) and is_user_error(error)
    assert not may_be_ours(UnboundVariableError("x")) and not may_be_ours(error_of(lambda: {}["a"]))
    assert may_be_ours(error_of(lambda: paddle.zeros([2])[paddle.to_tensor([3])]))


class Attention(paddle.nn.Layer):
    def forward(self, x):
        def __heads(x, __n=2):
            return x * __n

        total = x
        for _ in range(paddle.to_tensor(3)):
            total = total + __heads(x)
        return total


def test_private_functions_of_a_method():
    for full_graph in True, False:
        net = paddle.jit.to_static(Attention(), full_graph=full_graph)
        assert net(paddle.ones([2])).tolist() == [7.0, 7.0] and net.forward.graph_breaks == 0
