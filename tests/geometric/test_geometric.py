"""Graphs: messages, segments and neighbours as real Paddle 2.6.2 has them; gradients; static functions."""

from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from tests import recorded
from to_static import geometric
from to_static.core.errors import FormatError, ShapeError

RECORDS = recorded.records(Path(__file__).with_name("paddle_expressions.json"))


@pytest.mark.parametrize(("text", "record"), RECORDS, ids=[r[0].removeprefix("paddle.geometric.") for r in RECORDS])
def test_as_paddle_eagerly_and_in_a_program(text, record):
    recorded.check(recorded.in_eager_mode(text), record, text)
    recorded.check(recorded.in_a_program(text), record, text)


@pytest.mark.parametrize("how", ["sum", "mean", "max", "min"])
def test_a_layer_of_a_graph_network_trains(how):
    source, target = paddle.to_tensor([0, 1, 2, 0, 3]), paddle.to_tensor([1, 2, 1, 0, 1])

    def network(x, weight):
        return (geometric.send_u_recv(x @ weight, source, target, how) ** 2).sum()

    static = paddle.jit.to_static(network, full_graph=True)
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=shape).astype("float32") for shape in ((4, 3), (3, 2))]
    grads = []
    for function in (network, static):
        x, weight = (paddle.to_tensor(a, stop_gradient=False) for a in arrays)
        function(x, weight).backward()
        grads.append((x.grad.numpy(), weight.grad.numpy()))
    for a, b in zip(*grads, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
    moved, step = arrays[1].copy(), 1e-2
    moved[0, 0] += step
    arguments = [paddle.to_tensor(arrays[0]), paddle.to_tensor(moved)]
    slope = (float(network(*arguments)) - float(network(arguments[0], paddle.to_tensor(arrays[1])))) / step
    assert slope == pytest.approx(grads[0][1][0, 0], rel=0.1, abs=0.1)


def test_draws_are_without_replacement_and_follow_the_weights():
    paddle.seed(0)
    row, colptr = paddle.arange(4), paddle.to_tensor([0, 4])
    nodes = paddle.zeros([2000], "int64")
    drawn, count = geometric.sample_neighbors(row, colptr, nodes, 2)
    pairs = drawn.numpy().reshape(-1, 2)
    assert (pairs[:, 0] != pairs[:, 1]).all() and (count.numpy() == 2).all()
    np.testing.assert_allclose(np.bincount(pairs.ravel()) / 4000, 0.25, atol=0.03)
    weighted, _ = geometric.weighted_sample_neighbors(row, colptr, paddle.to_tensor([1.0, 0.0, 3.0, 0.0]), nodes, 1)
    np.testing.assert_allclose(np.bincount(weighted.numpy(), minlength=4) / 2000, [0.25, 0, 0.75, 0], atol=0.04)


X, E = np.ones((3, 2), "float32"), np.asarray([0, 5])
BAD = [
    (lambda T: geometric.send_u_recv(T(X), T(E * 0), T(E * 0), "median"), ValueError, "sum, mean, max, min"),
    (lambda T: geometric.send_uv(T(X), T(X), T(E * 0), T(E * 0), "pow"), ValueError, "add, sub, mul, div"),
    (lambda T: geometric.send_u_recv(T(X), T(E * 0), T(E), "max"), ShapeError, r"ids must be in \[0, 3\)"),
    (lambda T: geometric.reindex_graph(T(E), T(E), T(E)), ShapeError, "count must tell"),
    (lambda T: geometric.sample_neighbors(T(E), T(E), T(E)), ShapeError, r"nodes must be in \[0, 1\)"),
    (lambda T: geometric.sample_neighbors(T(E), T(E), T(E), return_eids=True), ValueError, "eids"),
]


@pytest.mark.parametrize(("call", "kind", "words"), BAD, ids=[words for _, _, words in BAD])
def test_what_is_refused(call, kind, words):
    with pytest.raises(kind, match=words):
        call(paddle.to_tensor)


class Attention(paddle.nn.Layer):
    """A layer of a graph attention network (Velickovic et al., 2017), and what its nodes have in pairs."""

    def __init__(self):
        super().__init__()
        self.project = paddle.nn.Linear(4, 8)
        self.sends, self.receives = self.create_parameter([8]), self.create_parameter([8])

    def forward(self, x, source, target):
        h, n = self.project(x), x.shape[0]
        sent, received = ((h * w).sum(-1, keepdim=True) for w in (self.sends, self.receives))
        scores = geometric.send_uv(sent, received, source, target)
        scores = paddle.nn.functional.leaky_relu(scores)
        edges = paddle.arange(0, source.shape[0])
        scores = paddle.exp(scores - paddle.gather(geometric.send_u_recv(scores, edges, target, "max", n), target))
        shares = scores / paddle.gather(geometric.send_u_recv(scores, edges, target, "sum", n), target)
        pairs = paddle.arange(0, n) // 2
        parts = geometric.segment_min(h, pairs), geometric.segment_max((h * 100).astype("int32"), pairs.astype("int32"))
        return geometric.send_ue_recv(h, shares, source, target, "mul", "sum"), *parts


def test_graph_attention_is_saved_and_loaded(tmp_path):
    net = Attention()
    specs = [paddle.static.InputSpec(shape, kind) for shape, kind in (([None, 4], "float32"), ([None], "int64"), ([None], "int64"))]
    paddle.jit.save(net, str(tmp_path / "gat"), input_spec=specs)
    loaded = paddle.jit.load(str(tmp_path / "gat"))
    for nodes in (5, 3):
        source, target = paddle.to_tensor([0, 1, 2, 2, 0, 1]), paddle.to_tensor([1, 2, 0, 1, 2, 2])
        x = paddle.randn([nodes, 4])
        for found, wanted in zip(loaded(x, source, target), net(x, source, target), strict=True):
            assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
            np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-6)


def test_other_kinds_of_numbers_are_no_operator_of_a_file(tmp_path):
    specs = [paddle.static.InputSpec([None, 4], "uint8"), paddle.static.InputSpec([None], "int64")]
    with pytest.raises(FormatError, match="has no uint8"):
        paddle.jit.save(paddle.jit.to_static(geometric.segment_max, input_spec=specs), str(tmp_path / "f"))


_IDS, _TARGETS = np.asarray([0, 0, 1, 3, 3]), np.asarray([1, 2, 0, 0, 4])
_X, _Y = (np.random.default_rng(i).normal(size=(5, 3)).astype("float32") for i in range(2))
_FILE = {  # what Paddle 2.6.2 writes for these calls, and then runs
    "segment_max(x, i)": ("segment_pool", {"X": _X, "SegmentIds": _IDS}, {"pooltype": "MAX"}),
    "segment_min(x, i)": ("segment_pool", {"X": _X, "SegmentIds": _IDS}, {"pooltype": "MIN"}),
    "segment_sum(x, i)": ("segment_pool", {"X": _X, "SegmentIds": _IDS}, {"pooltype": "SUM"}),
    "segment_mean(x, i)": ("segment_pool", {"X": _X, "SegmentIds": _IDS}, {"pooltype": "MEAN"}),
    "send_u_recv(x, i, j, 'max')": (
        "graph_send_recv", {"X": _X, "Src_index": _IDS, "Dst_index": _TARGETS}, {"reduce_op": "MAX", "out_size": [0]},
    ),
    "send_u_recv(x, i, j, 'mean', 7)": (
        "graph_send_recv", {"X": _X, "Src_index": _IDS, "Dst_index": _TARGETS}, {"reduce_op": "MEAN", "out_size": [7]},
    ),
    "send_u_recv(x, i, j, 'sum', paddle.to_tensor([6]))": (
        "graph_send_recv", {"X": _X, "Src_index": _IDS, "Dst_index": _TARGETS, "Out_size": np.asarray([6])},
        {"reduce_op": "SUM", "out_size": [0]},
    ),
    "send_ue_recv(x, y, i, j, 'mul', 'min')": (
        "graph_send_ue_recv", {"X": _X, "Y": _Y, "Src_index": _IDS, "Dst_index": _TARGETS},
        {"message_op": "MUL", "reduce_op": "MIN", "out_size": [0]},
    ),
    "send_uv(x, y, i, j, 'sub')": (
        "graph_send_uv", {"x": _X, "y": _Y, "src_index": _IDS, "dst_index": _TARGETS}, {"message_op": "SUB"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", _FILE)
def test_operators_of_paddles_files(text):
    kind, inputs, attrs = _FILE[text]
    given = {k: paddle.to_tensor(v) for k, v in {"x": _X, "y": _Y, "i": _IDS, "j": _TARGETS}.items()}
    wanted = eval(f"geometric.{text}", {"geometric": geometric, "paddle": paddle, **given})
    main = paddle.static.Program()
    paddle.enable_static()
    try:
        with paddle.static.program_guard(main):
            feeds = {k: paddle.static.data(k, [None, *v.shape[1:]], str(v.dtype)) for k, v in inputs.items()}
            helper = paddle.base.layer_helper.LayerHelper(kind)
            out = helper.create_variable_for_type_inference("float32")
            helper.append_op(type=kind, inputs=feeds, outputs={"out" if kind == "graph_send_uv" else "Out": out}, attrs=attrs)
        [found] = paddle.static.Executor().run(main, feed=inputs, fetch_list=[out])
    finally:
        paddle.disable_static()
    np.testing.assert_allclose(found, wanted.numpy(), rtol=1e-6)
