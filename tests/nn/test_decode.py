"""`dynamic_decode` and beam search: against all sequences there are, and in static functions and files as in eager mode."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import to_static as paddle
from to_static import nn

VOCABULARY, HIDDEN, END = 4, 5, 1


class Speaker(nn.Layer):
    """A cell, an embedding and a projection, decoded by beam search."""

    def __init__(self, beams, steps):
        super().__init__()
        paddle.seed(5)
        self.cell, self.embedding, self.head = (
            nn.GRUCell(3, HIDDEN),
            nn.Embedding(VOCABULARY, 3),
            nn.Linear(HIDDEN, VOCABULARY),
        )
        for parameter in self.parameters():
            parameter.set_value(paddle.randn(parameter.shape) * 1.5)
        self.decoder = nn.BeamSearchDecoder(self.cell, 0, END, beams, embedding_fn=self.embedding, output_fn=self.head)
        self.steps = steps

    def forward(self, state):
        tokens, states, lengths = nn.dynamic_decode(self.decoder, state, max_step_num=self.steps, return_length=True)
        return tokens, states.log_probs, lengths


def all_sequences(net, state, steps):
    """Every sequence of ``steps`` tokens that stays at the end token once it has ended, with its log-probability."""
    found = {}
    for tokens in itertools.product(range(VOCABULARY), repeat=steps):
        if any(a == END and b != END for a, b in itertools.pairwise(tokens)):
            continue
        total, hidden, last = 0.0, state, 0
        for token in tokens:
            output, hidden = net.cell(net.embedding(paddle.to_tensor([last])), hidden)
            total += float(nn.functional.log_softmax(net.head(output))[0, token])
            if token == END:
                break
            last = token
        found[tokens] = total
    return sorted(found.items(), key=lambda item: -item[1])


def test_beams_wide_enough_find_the_best_of_all():
    net = Speaker(beams=VOCABULARY**2, steps=2)  # step numbers 0, 1, 2
    state = paddle.randn([2, HIDDEN])
    tokens, log_probs, lengths = net(state)
    for row in range(2):
        expected = all_sequences(net, state[row : row + 1], 3)
        assert [tuple(t) for t in tokens.numpy()[row].T[:5]] == [t for t, _ in expected[:5]]
        np.testing.assert_allclose(log_probs.numpy()[row, :5], [v for _, v in expected[:5]], rtol=1e-4)
        ends = [t.index(END) + 1 if END in t else 3 for t, _ in expected[:5]]
        assert lengths.numpy()[row, :5].tolist() == ends


def test_static_and_saved_as_eager(tmp_path):
    net = Speaker(beams=3, steps=9)
    net.eval()
    static = paddle.jit.to_static(Speaker(beams=3, steps=9), full_graph=True)
    static.eval()
    path = str(tmp_path / "speaker")
    paddle.jit.save(static, path, [paddle.static.InputSpec([None, HIDDEN], "float32")])
    loaded = paddle.jit.load(path)
    for batch in (1, 3):
        state = paddle.randn([batch, HIDDEN])
        expected = net(state)
        for other in (static(state), loaded(state)):
            assert [t.numpy().tolist() for t in (other[0], other[2])] == [
                t.numpy().tolist() for t in (expected[0], expected[2])
            ]
            np.testing.assert_allclose(other[1].numpy(), expected[1].numpy(), rtol=1e-5)


class Counter(nn.decode.Decoder):
    """Counts down; each sequence ends at 0. Ends do not change places, so the loop keeps account of them."""

    def initialize(self, inits):
        return inits, inits * 10, inits <= 0

    def step(self, time, inputs, states, by=1):
        left = inputs - by
        return {"left": left, "time": time + 0 * left}, states + 1, left, left <= 0


@pytest.mark.parametrize("impute", [False, True])
@pytest.mark.parametrize("static", [False, True])
def test_a_decoder_of_ones_own(impute, static):
    def run(start):
        return nn.dynamic_decode(
            Counter(), start, max_step_num=7, impute_finished=impute, return_length=True, output_time_major=True, by=1
        )

    function = paddle.jit.to_static(run, full_graph=True) if static else run
    outputs, states, lengths = function(paddle.to_tensor([3, 1]))
    assert outputs["left"].tolist() == [[2, 0], [1, -1], [0, -2]] and outputs["time"].tolist() == [
        [0, 0],
        [1, 1],
        [2, 2],
    ]
    assert lengths.tolist() == [2, 0]
    assert states.tolist() == ([32, 10] if impute else [33, 13])


def test_the_limit_of_steps():
    outputs, _ = nn.dynamic_decode(Counter(), paddle.to_tensor([100]), max_step_num=4)
    assert outputs["left"].shape == [1, 5]


def test_tiled_for_beams():
    tiled = nn.BeamSearchDecoder.tile_beam_merge_with_batch(paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]]), 2)
    assert tiled.tolist() == [[1.0, 2.0], [1.0, 2.0], [3.0, 4.0], [3.0, 4.0]]
