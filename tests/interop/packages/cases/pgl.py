"""pgl: graphs, message passing, the layers and pools."""

import numpy as np
import paddle
from suite import arrays, case, check, fill, image, older_python, record, stage, tensors

older_python()
import pgl

EDGES = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (4, 1), (1, 4), (2, 2), (5, 3)]
FEATURES = image(6, 8)


def graph(as_tensor=True):
    found = pgl.Graph(num_nodes=6, edges=EDGES, node_feat={"x": FEATURES}, edge_feat={"w": image(9, 4, seed=1)})
    return found.tensor() if as_tensor else found


class On(paddle.nn.Layer):
    """A layer on one graph."""

    def __init__(self, layer, *more):
        super().__init__()
        self.layer, self.more = layer, more
        self.graph = graph()

    def forward(self, x):
        return self.layer(self.graph, x, *self.more)


LAYERS = {
    "GCNConv": lambda: pgl.nn.GCNConv(8, 4, activation="relu"),
    "GCNConvPlain": lambda: pgl.nn.GCNConv(8, 4, norm=False),
    "GATConv": lambda: pgl.nn.GATConv(8, 4, feat_drop=0, attn_drop=0, num_heads=2, activation="elu"),
    "GATConvMean": lambda: pgl.nn.GATConv(8, 4, feat_drop=0, attn_drop=0, num_heads=2, concat=False),
    "GATv2Conv": lambda: pgl.nn.GATv2Conv(8, 4, feat_drop=0, attn_drop=0, num_heads=2),
    "APPNP": lambda: pgl.nn.APPNP(k_hop=3),
    "GCNII": lambda: pgl.nn.GCNII(8, k_hop=2, dropout=0),
    "GINConv": lambda: pgl.nn.GINConv(8, 4, activation="relu"),
    "RGCNConv": lambda: None,
    "SGCConv": lambda: pgl.nn.SGCConv(8, 4, k_hop=2),
    "SSGCConv": lambda: pgl.nn.SSGCConv(8, 4, k_hop=3),
    "GPRConv": lambda: pgl.nn.GPRConv(8, 6, 4, drop=0.0, dprate=0.0),
    "LightGCNConv": lambda: pgl.nn.LightGCNConv(),
    "FAConv": lambda: pgl.nn.FAConv(8, drop=0),
    "GraphSage_sum": lambda: pgl.nn.GraphSageConv(8, 4, "sum"),
    "GraphSage_mean": lambda: pgl.nn.GraphSageConv(8, 4, "mean"),
    "GraphSage_max": lambda: pgl.nn.GraphSageConv(8, 4, "max"),
    "NGCFConv": lambda: pgl.nn.NGCFConv(8, 4),
    "GCNII2": lambda: pgl.nn.GCNII(8, activation="relu", lambda_l=0.3),
    "TransformerConv": lambda: pgl.nn.TransformerConv(8, 4, num_heads=2, feat_drop=0, attn_drop=0),
}
for name, make in LAYERS.items():
    kind = (
        name.rstrip("2")
        .replace("Plain", "")
        .replace("Mean", "")
        .partition("_")[0]
        .replace("GraphSage", "GraphSageConv")
    )
    if hasattr(pgl.nn, kind) and name != "RGCNConv":
        case(lambda make=make: check(On(make()), [FEATURES], save=False), name)


@case
def graphs():
    g = graph(False)
    stage("degrees", lambda: [g.indegree(), g.outdegree(), g.sorted_edges("dst")[0], g.nodes])
    stage(
        "neighbours",
        lambda: (
            [np.sort(v) for v in g.successor(np.array([0, 1]))] + [np.sort(v) for v in g.predecessor(np.array([2, 3]))]
        ),
    )
    t = graph()
    record("tensors", lambda: [t.indegree(), t.outdegree(), t.edges, t.nodes])
    both = pgl.Graph.batch([g, g])
    stage("batch", lambda: [both.num_nodes, both.graph_node_id, both.graph_edge_id])
    stage("disjoint", lambda: [pgl.Graph.disjoint([g, g], merged_graph=True).edges])
    stage("numpy", lambda: [t.numpy().edges])

    def kept():
        g.dump("./graph")
        return [pgl.Graph.load("./graph").edges]

    stage("dump", kept)


@case
def messages():
    g = graph()
    x = tensors(FEATURES)
    x.stop_gradient = False

    def passed(reduce):
        def run():
            got = g.send(lambda src, dst, edge: {"h": src["h"] * 2.0}, src_feat={"h": x})
            found = g.recv(reduce_func=lambda m: getattr(m, reduce)(m["h"]), msg=got)
            (found * found).sum().backward()
            gradient = x.grad
            x.clear_gradient()
            return [found, gradient]

        return run

    for reduce in ("reduce_sum", "reduce_mean", "reduce_max", "reduce_min"):
        record(reduce, passed(reduce))
    record("send_recv", lambda: [g.send_recv(x, op) for op in ("sum", "mean", "max", "min")])
    record(
        "softmax",
        lambda: [
            g.recv(
                lambda m: m.reduce_sum(m.reduce_softmax(m["h"]) * m["h"]),
                g.send(lambda s, d, e: {"h": s["h"]}, src_feat={"h": x}),
            )
        ],
    )


@case
def pools():
    both = pgl.Graph.batch([graph(False), graph(False)]).tensor()
    x = tensors(np.concatenate([FEATURES, FEATURES * 0.5]))
    record("pool", lambda: [pgl.nn.GraphPool(kind)(both, x) for kind in ("sum", "mean", "max", "min")])
    record("norm", lambda: [pgl.nn.GraphNorm()(both, x)])
    ids = tensors(np.array([0, 0, 1, 1, 1, 3]))
    record(
        "segments",
        lambda: [
            getattr(pgl.math, n)(tensors(FEATURES), ids)
            for n in ("segment_sum", "segment_mean", "segment_min", "segment_max", "segment_softmax")
        ],
    )
    record("padding", lambda: list(pgl.math.segment_padding(tensors(FEATURES), ids))[:2])
    record(
        "topk",
        lambda: list(pgl.math.segment_topk(tensors(FEATURES), tensors(FEATURES[:, 0]), ids, 0.5, return_index=True)),
    )

    def set2set():
        layer = pgl.nn.Set2Set(8, 2)
        fill(layer)
        return [layer(both, x)]

    record("set2set", set2set)

    def pooled():
        layer = pgl.nn.SAGPool(8, 0.5)
        fill(layer)
        return arrays(layer(both, x)[1:2])

    stage("sag", pooled)


@case
def relations():
    hetero = pgl.HeterGraph(
        edges=[("a", "e1", "b")] and {"e1": EDGES[:4], "e2": EDGES[4:]},
        node_types=[(i, "n") for i in range(6)],
        node_feat={"x": FEATURES},
    )
    record("types", lambda: [hetero.num_nodes, sorted(hetero.edge_types)])

    class Relations(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.layer = pgl.nn.RGCNConv(8, 4, etypes=["e1", "e2"], num_bases=2)
            self.graph = hetero.tensor()

        def forward(self, x):
            return self.layer(self.graph, x)

    check(Relations(), [FEATURES], save=False)


@case
def bipartite():
    g = pgl.BiGraph(
        edges=[(0, 1), (1, 0), (2, 1)], src_num_nodes=3, dst_num_nodes=2, src_node_feat={"x": FEATURES[:3]}
    ).tensor()
    record("receive", lambda: [g.send_recv(tensors(FEATURES[:3]), "sum"), g.indegree(), g.outdegree()])


@case
def training():
    def run():
        net = pgl.nn.GCNConv(8, 3)
        fill(net)
        g = graph()
        adam = paddle.optimizer.Adam(0.05, parameters=net.parameters())
        found = []
        for _ in range(6):
            loss = paddle.nn.functional.cross_entropy(net(g, tensors(FEATURES)), tensors(np.array([0, 1, 2, 0, 1, 2])))
            loss.backward()
            adam.step()
            adam.clear_grad()
            found.append(float(loss))
        return [np.array(found)]

    stage("losses", run)


@case
def sampling():
    g = graph(False)

    def run():
        np.random.seed(0)
        return [
            np.array([len(v) for v in g.sample_successor(np.array([0, 1]), 1)]),
            np.array([len(w) for w in g.random_walk([0, 1], 3)]),
        ]

    stage("sizes", run)
