"""Where objects lead."""

import pytest

import to_static as paddle
from to_static.compiler.frontend.tracing import side_effects
from to_static.compiler.frontend.tracing.side_effects import reachable


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = paddle.nn.Linear(2, 2)

    def pyramid(self, x):
        levels = [self.linear(x)]
        for _ in range(3):
            levels.append(self.linear(levels[-1]))
        return sum(levels)

    def forward(self, x):
        if x.sum() > 0:
            x = self.pyramid(x)
        return x


def test_a_static_function_leads_to_python_s_function_alone():
    held = []

    @paddle.jit.to_static
    def f(x):
        return x + len(held)

    net = paddle.jit.to_static(Net())
    before = len(reachable([f, net]))
    for n in 2, 3:
        f(paddle.ones([n]))
        net(paddle.ones([n, 2]))
    assert len(reachable([f, net])) == before
    assert id(held) in reachable([f]) and id(net.linear) in reachable([net.forward])


@pytest.mark.parametrize("decorate", [paddle.jit.to_static, lambda net, **how: _as_class(**how)])
def test_programs_do_not_make_a_layer_a_large_one(monkeypatch, decorate):
    """What is made in a branch is told from what was there by what is at hand; of a large net that is not known."""
    net = decorate(Net(), full_graph=True)
    monkeypatch.setattr(side_effects, "LIMIT", len(reachable([net])) + 100)
    for rows in 2, 3, 4:
        x = paddle.ones([rows, 2])
        assert net(x).tolist() == net.pyramid(x).tolist() and net(-x).tolist() == (-x).tolist()


def _as_class(**how):
    class Static(Net):
        forward = paddle.jit.to_static(Net.forward, **how)

    return Static()
