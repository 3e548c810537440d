import numpy as np
import pytest

import to_static as paddle
from tests.compiler.passes.rewriting import becomes, stays
from to_static.compiler.ops.linalg import skinny_matmul
from to_static.compiler.passes.kernel_choice import pack_lstm

HEAD = """
program(%x: f32[5, 2, 3], %h: f32[1, 2, 4], %c: f32[1, 2, 4]) {
  param %wi: f32[16, 3] stop
  param %wh: f32[16, 4] stop
  param %bi: f32[16] stop
  param %bh: f32[16] stop
"""
RNN = (
    "%0: f32[5, 2, 4] stop, %1: f32[1, 2, 4] stop, %2: f32[1, 2, 4] stop, %3: f32[1, 5, 2, 20] stop = "
    'rnn(%x, [%h, %c], [%wi, %wh, %bi, %bh], _) {mode="LSTM", is_bidirec=False}'
)


@pytest.mark.parametrize("small", [False, True], ids=["one product", "products of small matrices"])
def test_an_lstm_gets_packed_weights(monkeypatch, small):
    monkeypatch.setattr(skinny_matmul, "has_small_products", lambda: small)
    becomes(pack_lstm.pack_lstm, HEAD + RNN + "\nreturn %0, %1, %2\n}", HEAD + f"""
      %0: f32[3, 16] stop = pack_gates(%wi) {{rows={small}}}
      %1: f32[4, 16] stop = pack_gates(%wh) {{rows={small}}}
      %2: f32[16] stop = add(%bi, %bh)
      %3: f32[16] stop = pack_gates(%2) {{rows=False}}
      %4: f32[6, 2, 4] stop = packed_lstm(%x, %h, %c, %0, %1, %3) {{backwards=False}}
      %5: f32[5, 2, 4] stop = slice(%4, []) {{axes=(0,), starts=(0,), ends=(5,), steps=(1,), points=()}}
      %6: f32[1, 2, 4] stop = slice(%4, []) {{axes=(0,), starts=(4,), ends=(5,), steps=(1,), points=()}}
      %7: f32[1, 2, 4] stop = slice(%4, []) {{axes=(0,), starts=(5,), ends=(6,), steps=(1,), points=()}}
      return %5, %6, %7
    }}
    """)  # fmt: skip


def test_what_a_backward_pass_needs_is_not_left_out():
    stays(pack_lstm.pack_lstm, HEAD + RNN + "\nreturn %0, %3\n}")


def test_weights_that_a_run_computes_are_not_packed_in_every_run():
    head = HEAD.replace("%c: f32[1, 2, 4])", "%c: f32[1, 2, 4], %f: f32[16])")
    stays(pack_lstm.pack_lstm, head + RNN.replace("%bh]", "%f]") + "\nreturn %0\n}")


@pytest.mark.parametrize("mode", ["LSTM", "GRU"])
@pytest.mark.parametrize("options", [{}, {"direction": "bidirect"}, {"num_layers": 2, "time_major": True}])
def test_numbers_are_those_of_dynamic_mode(mode, options):
    paddle.seed(0)
    net, x = getattr(paddle.nn, mode)(3, 4, **options), paddle.randn([2, 5, 3])
    net.eval()
    static = paddle.jit.to_static(net.forward)
    with paddle.no_grad():
        for _ in range(2):
            y, states = type(net).forward(net, x)
            found, ends = static(x)
            for a, b in zip((found, *ends), (y, *states), strict=True):
                np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-5, atol=1e-6)
            for parameter in net.parameters():  # weights that change are packed again
                parameter.set_value(parameter.numpy() * 0.5)
