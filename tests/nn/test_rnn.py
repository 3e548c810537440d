"""Recurrent layers: names of parameters, loops of unknown length, refusals. (Numbers: test_layers_against_paddle.py.)"""

import numpy as np
import pytest

from to_static import nn
from to_static.compiler.eager.tape import grad
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir.input_spec import InputSpec
from to_static.core import unique_name
from to_static.core.errors import AutogradError, ShapeError
from to_static.jit import load, save, to_static


def sequence(*shape):
    return EagerTensor(np.random.default_rng(0).normal(size=shape).astype("float32"), stop_gradient=False)


def test_parameters_are_named_as_paddles():
    with unique_name.guard():
        net = nn.LSTM(2, 3)
    assert net.full_name() == "lstm_0"
    assert {key: p.name for key, p in net.named_parameters()} == {
        "weight_ih_l0": "lstm_cell_0.w_0", "weight_hh_l0": "lstm_cell_0.w_1", "bias_ih_l0": "lstm_cell_0.b_0",
        "bias_hh_l0": "lstm_cell_0.b_1",
    }  # fmt: skip
    assert list(net.state_dict()) == [
        "weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "0.cell.weight_ih", "0.cell.weight_hh", "0.cell.bias_ih",
        "0.cell.bias_hh",
    ]  # fmt: skip
    both = nn.GRU(2, 3, 2, "bidirectional")
    assert both.weight_hh_l1_reverse is both[1].cell_bw.weight_hh and both.weight_ih_l1.shape == [9, 6]


def test_a_bias_that_is_off_stays_zero():
    net = nn.GRU(2, 3, bias_ih_attr=False)
    assert "bias_ih_l0" not in dict(net.named_parameters(include_sublayers=False)) and net.bias_hh_l0.trainable
    cell = net[0].cell
    assert not cell.bias_ih.numpy().any() and cell.bias_ih.stop_gradient


@pytest.mark.parametrize(
    ("make", "operator"),
    [
        (lambda: nn.LSTM(3, 4, 2), "rnn("),
        (lambda: nn.GRU(3, 4, 1, "bidirect"), "rnn("),
        (lambda: nn.SimpleRNN(3, 4), "rnn("),
        (lambda: nn.RNN(nn.LSTMCell(3, 4)), "while_loop("),
        (lambda: nn.BiRNN(nn.GRUCell(3, 4), nn.GRUCell(3, 4)), "while_loop("),
        (lambda: nn.RNN(nn.SimpleRNNCell(3, 4), is_reverse=True), "while_loop("),
    ],
)
@pytest.mark.parametrize("lengths", [False, True])
def test_sequences_of_unknown_length_compute_the_same(make, operator, lengths):
    net = make()
    more = (EagerTensor(np.array([2, 5])),) if lengths else ()
    specs = [InputSpec([None, None, 3], "float32"), *([InputSpec([None], "int64")] if lengths else [])]

    def run(x, *n):
        return net(x, None, *n)[0] if n else net(x)[0]

    static = to_static(run, input_spec=specs)
    x = sequence(2, 5, 3)
    expected, found = run(x, *more), static(x, *more)
    np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-5, atol=1e-6)
    expected.sum().backward()
    wanted = {key: p.grad.numpy() for key, p in net.named_parameters()}
    x_grad = x.grad.numpy()
    net.clear_gradients()
    x.clear_grad()
    found.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), x_grad, rtol=1e-4, atol=1e-6)
    for key, p in net.named_parameters():
        np.testing.assert_allclose(p.grad.numpy(), wanted[key], rtol=1e-4, atol=1e-5, err_msg=key)
    assert operator in str(static.main_program)


KINDS = {
    "LSTM": (lambda **kw: nn.LSTM(3, 4, **kw), nn.LSTMCell),
    "GRU": (lambda **kw: nn.GRU(3, 4, **kw), nn.GRUCell),
    "RNN_TANH": (lambda **kw: nn.SimpleRNN(3, 4, **kw), nn.SimpleRNNCell),
    "RNN_RELU": (lambda **kw: nn.SimpleRNN(3, 4, activation="relu", **kw), nn.SimpleRNNCell),
}


@pytest.mark.parametrize("mode", KINDS)
@pytest.mark.parametrize("direction", ["forward", "bidirect"])
@pytest.mark.parametrize("lengths", [None, [4, 1, 3]])
def test_a_layer_is_its_cells_step_by_step(mode, direction, lengths):
    net = KINDS[mode][0](num_layers=2, direction=direction)
    lengths = None if lengths is None else EagerTensor(np.array(lengths))

    def by_cells(x):
        for layer in net:
            x = layer(x, None, lengths, zero_padding=True)[0]
        return x

    def gradients(function):
        x = sequence(3, 4, 3)
        y = function(x)
        (y * y).sum().backward()
        found = [y.numpy(), x.grad.numpy(), *(p.grad.numpy() for p in net.parameters())]
        net.clear_gradients()
        return found

    for mine, expected in zip(gradients(lambda x: net(x, None, lengths)[0]), gradients(by_cells), strict=True):
        np.testing.assert_allclose(mine, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("mode", KINDS)
def test_files_have_it_as_one_operator(mode, tmp_path):
    net = KINDS[mode][0](num_layers=2, direction="bidirect", time_major=True)
    net.eval()
    x, lengths = sequence(5, 2, 3).detach(), EagerTensor(np.array([5, 2]))
    spec = [InputSpec([None, None, 3], "float32"), InputSpec([None], "int64")]
    path = str(tmp_path / "net")
    save(to_static(lambda x, n: net(x, None, n), input_spec=spec), path)
    loaded = load(path)
    assert str(loaded.program()).count("= rnn(") == 2
    outputs, states = net(x, None, lengths)
    states = states if isinstance(states, tuple) else (states,)
    for mine, expected in zip(loaded(x, lengths), [outputs, *states], strict=True):
        np.testing.assert_allclose(mine.numpy(), expected.numpy(), rtol=1e-5, atol=1e-6)


def test_its_gradient_has_none():
    x = sequence(2, 3, 3)
    (g,) = grad(nn.GRU(3, 4)(x)[0].sum(), x, create_graph=True)
    with pytest.raises(AutogradError, match="recurrent layer cannot be differentiated again"):
        g.sum().backward()


def test_a_cell_of_ones_own():
    class Sum(nn.RNNCellBase):
        state_shape = (3,)

        def forward(self, x, states, scale=1.0):
            states = states + x * scale
            return states, states

    outputs, last = nn.RNN(Sum())(EagerTensor(np.ones((2, 4, 3), "float32")), scale=2.0)
    assert outputs.numpy()[0, :, 0].tolist() == [2.0, 4.0, 6.0, 8.0] and last.numpy()[1, 1] == 8.0


def test_dropout_between_layers_in_training_only():
    net = nn.LSTM(3, 4, 2, dropout=0.5)
    x = sequence(2, 5, 3)
    assert not np.allclose(net(x)[0].numpy(), net(x)[0].numpy())
    net.eval()
    np.testing.assert_array_equal(net(x)[0].numpy(), net(x)[0].numpy())
    assert repr(net).startswith("LSTM(3, 4, num_layers=2, dropout=0.5\n  (0): RNN(\n    (cell): LSTMCell(3, 4)\n  )\n")


def test_wrong_arguments_are_refused():
    for make in (
        lambda: nn.GRUCell(2, 0),
        lambda: nn.SimpleRNNCell(2, 3, activation="gelu"),
        lambda: nn.LSTM(2, 3, direction="backward"),
        lambda: nn.BiRNN(nn.GRUCell(2, 3), nn.GRUCell(4, 3)),
        lambda: nn.MultiHeadAttention(5, 2),
        lambda: nn.TransformerEncoderLayer(4, 2, 0),
        lambda: nn.TransformerEncoderLayer(4, 2, 8, weight_attr=[None]),
        lambda: nn.Transformer(4, 2, 1, 1, 8, weight_attr=[None] * 4),
    ):
        with pytest.raises(ValueError):
            make()


@pytest.mark.parametrize(
    ("layer", "shape", "said"),
    [
        (nn.LSTM(4, 8), [2, 4], r"LSTM: inputs must be \[batch, time, input_size\] with input_size=4, got \[2, 4\]"),
        (nn.GRU(4, 8), [2, 3, 5], r"GRU: inputs must be \[batch, time, input_size\] with input_size=4, got \[2, 3, 5\]"),
        (nn.SimpleRNN(4, 8, time_major=True), [4], r"SimpleRNN: inputs must be \[time, batch, input_size\]"),
    ],
)
def test_inputs_of_another_shape_are_refused_with_the_one_that_is_wanted(layer, shape, said):
    with pytest.raises(ShapeError, match=said):
        layer(sequence(*shape))


def test_states_of_another_number_are_refused():
    with pytest.raises(ShapeError, match=r"LSTM: initial_states must be a pair \(h, c\) of tensors \[1, batch, 8\], got one"):
        nn.LSTM(4, 8)(sequence(2, 3, 4), sequence(1, 2, 8))
    with pytest.raises(ShapeError, match=r"GRU: initial_states must be a tensor \[2, batch, 8\], got 2 values"):
        nn.GRU(4, 8, 2)(sequence(2, 3, 4), [sequence(2, 2, 8), sequence(2, 2, 8)])
