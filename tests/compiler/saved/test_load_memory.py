"""Weights are read to where they stay: loading takes no memory for a second copy of them, nor does it keep one."""

from __future__ import annotations

import gc
import tracemalloc

import numpy as np
import pytest

import to_static as paddle

COUNT, SIZE = 16, 500  # layers of a megabyte each


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.layers = paddle.nn.LayerList([paddle.nn.Linear(SIZE, SIZE) for _ in range(COUNT)])

    @paddle.jit.to_static(input_spec=[paddle.static.InputSpec([None, SIZE], "float32", "x")])
    def forward(self, x):
        for layer in self.layers:
            x = paddle.tanh(layer(x))
        return x

    @paddle.jit.to_static(input_spec=[paddle.static.InputSpec([None, SIZE], "float32")])
    def half(self, x):
        for layer in list(self.layers)[: COUNT // 2]:
            x = paddle.tanh(layer(x))
        return x


def predictor(prefix):
    made = paddle.inference.create_predictor(paddle.inference.Config(prefix + ".pdmodel", prefix + ".pdiparams"))
    made.get_input_handle("x").copy_from_cpu(np.ones((2, SIZE), "float32"))
    made.run()
    return made


def called(prefix):
    model = paddle.jit.load(prefix)
    model.eval()
    model(paddle.ones([2, SIZE]))
    return model


def static_model(prefix):
    paddle.enable_static()
    try:
        return paddle.static.load_inference_model(prefix, paddle.static.Executor())
    finally:
        paddle.disable_static()


def into_a_layer(prefix):
    NET.set_state_dict(paddle.load(prefix + ".pdparams"))


NET = Net()
WAYS = {
    "jit.load": paddle.jit.load,
    "jit.load and a call": called,
    "predictor": predictor,
    "load_inference_model": static_model,
    "load": lambda prefix: paddle.load(prefix + ".pdparams"),
    "load as arrays": lambda prefix: paddle.load(prefix + ".pdparams", return_numpy=True),
    "set_state_dict": into_a_layer,
}


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    found = str(tmp_path_factory.mktemp("model") / "net")
    NET.eval()
    paddle.jit.save(NET, found)
    paddle.save(NET.state_dict(), found + ".pdparams")
    for way in WAYS.values():  # what is imported and kept with the first use
        way(found)
    return found


@pytest.mark.parametrize("way", WAYS)
def test_memory_at_the_peak(prefix, way):
    weights = sum(p._array.nbytes for p in NET.parameters())
    gc.collect()
    tracemalloc.start()
    try:
        kept = WAYS[way](prefix)
        now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1.15 * weights  # (two methods: one megabyte more, which is compared)
    assert now < 1.1 * weights
    assert kept is not None or way == "set_state_dict"


def test_methods_share_what_they_both_have(prefix):
    model = paddle.jit.load(prefix)
    assert model.half(paddle.ones([1, SIZE])).shape == [1, SIZE]
    read = {id(p) for name in ("forward", "half") for p in model._methods[name].concrete_program.parameters}
    assert len(read) == 2 * COUNT


def test_nobody_else_has_the_weights_of_a_loaded_model(prefix):
    """So that a step may write over them, and what one model learns no other one sees."""
    one, other = ([p for p in paddle.jit.load(prefix).parameters() if p.ndim == 2][0] for _ in range(2))
    before, where = other.numpy().copy(), one._array.ctypes.data
    one.set_value(np.zeros_like(before))
    assert one._array.ctypes.data == where
    np.testing.assert_array_equal(other.numpy(), before)
