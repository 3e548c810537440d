"""Names of Paddle's that published packages use: that they are there, and do what Paddle's do."""

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import ModeError


@pytest.mark.parametrize("given", [{"zero_copy": False}, {"zero_copy": True}])
def test_a_tensor_of_an_array_that_is_copied_or_not(given):
    array = np.ones([2, 3], "float32")
    tensor = paddle.Tensor(array, name="mine", **given)
    array[0, 0] = 5
    assert tensor[0, 0] == (5 if given["zero_copy"] else 1) and tensor.name == "mine"


def test_to_by_its_inner_name_changes_the_tensor_itself():
    layer = paddle.nn.Linear(2, 2)
    assert layer.weight._to(dtype="float64") is layer.weight and layer.weight.dtype == paddle.float64
    assert not layer.weight.stop_gradient
    x = paddle.ones([2])
    assert x._to("cpu", "int32", True) is x and x.dtype == paddle.int32
    assert paddle.jit.to_static(lambda t: t._to(dtype="float64") * 2, full_graph=True)(paddle.ones([2])).dtype == paddle.float64


def test_memory_of_tensors():
    x = paddle.arange(6, dtype="float32").reshape([3, 2])
    copied = x._copy_to(paddle.CPUPlace(), False)
    part = x._slice(1, 3)
    x[1, 0] = 9.0
    assert copied[1, 0] == 2 and part[0, 0] == 9 and x._numel() == 6 and x._is_initialized()
    assert x._local_value() is x and x._use_gpudnn(False) is x
    x._clear()
    assert not x._is_initialized()


def test_the_gradient_graph_can_be_looked_at():
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    y = x.exp() * paddle.ones([2])
    assert x.grad_fn.name() == "GradNodeAccumulation" and paddle.ones([1]).grad_fn is None
    assert [node and node.name() for node in y.grad_fn.next_functions] == ["ExpGradNode", None]


def test_places():
    place = paddle.ones([1]).place
    asked = place.is_cuda_pinned_place(), place.is_xpu_place(), place.is_ipu_place(), place.is_custom_place(), place.gpu_device_id()
    assert asked == (False, False, False, False, 0)
    assert paddle.framework._current_expected_place() == paddle.framework._current_expected_place_() == paddle.CPUPlace()


def test_parameters_and_tensors_by_inner_functions():
    made = paddle.base.framework.EagerParamBase.from_tensor(paddle.ones([2]), trainable=False, name="mine")
    assert made.stop_gradient and made.name == "mine" and made.tolist() == [1, 1]
    empty = paddle.base.framework._create_tensor(name="t", shape=[2], dtype="float64")
    assert empty.name == "t" and empty.dtype == paddle.float64
    with paddle.LazyGuard():
        assert paddle.nn.initializer.lazy_init.lazy_init_helper()._state
    assert not paddle.nn.initializer.lazy_init.lazy_init_helper().state


def test_a_function_for_dynamic_mode_only():
    @paddle.framework.dygraph_only
    def double(x):
        return x * 2

    assert double(paddle.ones([1])) == 2
    paddle.enable_static()
    try:
        with paddle.static.program_guard(paddle.static.Program()), pytest.raises(ModeError, match="double is for dynamic mode"):
            double(paddle.static.data("x", [1]))
    finally:
        paddle.disable_static()


def test_layers_of_packages_are_made_of_the_inner_classes():
    from to_static.nn.layer import conv, norm

    class Valid(conv._ConvNd):
        def __init__(self):
            super().__init__(2, 3, 3, False, 2, data_format="NCHW")

        def forward(self, x):
            return paddle.nn.functional.conv2d(x, self.weight, self.bias, self._stride)

    assert Valid()(paddle.ones([1, 2, 4, 4])).shape == [1, 3, 2, 2]
    assert repr(Valid()) == "Valid(2, 3, kernel_size=[3, 3], data_format=NCHW)"
    assert issubclass(paddle.nn.Conv1DTranspose, conv._ConvNd) and issubclass(paddle.nn.BatchNorm2D, norm._BatchNormBase)


def test_beam_search_can_be_taken_apart():
    class Greedy(paddle.nn.BeamSearchDecoder):
        def _beam_search_step(self, time, logits, next_cell_states, beam_state):
            assert self.batch_size == 2
            found = super()._beam_search_step(time, self._mask_probs(logits, beam_state.finished), next_cell_states, beam_state)
            seen.append(self._gather(logits, found[0].parent_ids, self.batch_size).shape)
            return found

    seen = []
    cell, embedding, projection = paddle.nn.GRUCell(4, 4), paddle.nn.Embedding(5, 4), paddle.nn.Linear(4, 5)
    decoder = Greedy(cell, 0, 1, 3, embedding_fn=embedding, output_fn=projection)
    paddle.nn.dynamic_decode(decoder, inits=cell.get_initial_states(paddle.ones([2, 4])), max_step_num=1)
    assert seen == [[2, 3, 5], [2, 3, 5]]
