"""Buffers that a function assigns: runs write into their tensors while nobody else holds these."""

import gc

import to_static as paddle
from to_static import nn
from to_static.jit.homes import Assigned, Home, tensor_of


class Mean(nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", paddle.zeros([2]))

    def forward(self, x):
        self.mean = self.mean * 0.5 + x
        return self.mean * 2


def test_one_program_serves_all_tensors_of_the_buffer():
    net = Mean()
    run = paddle.jit.to_static(net)
    x, kept = paddle.to_tensor([1.0, 2.0]), []
    for _ in range(5):
        kept.append(net.mean)
        run(x)
    assert len({id(tensor) for tensor in kept}) == 5
    assert len(run.forward.program_cache) == 1


def test_a_tensor_that_nobody_else_holds_stays_and_the_call_is_a_quick_one():
    net = Mean()
    run = paddle.jit.to_static(net)
    x = paddle.to_tensor([1.0, 2.0])
    run(x)
    gc.collect()
    run(x)
    known, epoch = id(net.mean), run.forward._epoch
    for _ in range(3):
        run(x)
    assert id(net.mean) == known and run.forward._epoch == epoch
    assert net.mean.tolist() == [1.9375, 3.875]


def test_a_home_is_the_tensor_that_is_there():
    net = Mean()
    home = Assigned(net, "mean", may_stay=True)
    before = tensor_of(home)
    assert before is net.mean and home.stop_gradient
    home._array = before._array.copy()
    assert net.mean is before  # the same values
    home._array = before._array + 1
    assert net.mean is not before and before.tolist() == [0.0, 0.0] and net.mean.tolist() == [1.0, 1.0]
    assert net.mean.persistable


def test_a_change_in_place_is_seen_by_who_holds_the_tensor():
    net = Mean()
    home, held = Home(net, "mean"), net.mean
    home._array = held._array + 1
    assert net.mean is held and held.tolist() == [1.0, 1.0]
    home._become(paddle.ones([2]) * 3)
    assert net.mean is held and held.tolist() == [3.0, 3.0]


def test_saved_and_loaded_it_goes_on(tmp_path):
    net = Mean()
    run = paddle.jit.to_static(net, input_spec=[paddle.static.InputSpec([2], "float32", "x")])
    x = paddle.to_tensor([1.0, 2.0])
    run(x)
    paddle.jit.save(run, str(tmp_path / "mean"))
    loaded = paddle.jit.load(str(tmp_path / "mean"))
    assert [loaded(x).tolist() for _ in range(2)] == [run(x).tolist() for _ in range(2)] == [[3.0, 6.0], [3.5, 7.0]]
