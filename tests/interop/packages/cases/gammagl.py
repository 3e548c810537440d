"""gammagl over tensorlayerx with its Paddle backend: models and convolutions on a graph of six nodes, segments, a trained network."""

import former_fluid
import numpy as np
import paddle
from suite import case, fill, gradients, leaves, loss_of, older_python, record, stand_ins, tensors

older_python()
former_fluid.install()
stand_ins("pymongo gridfs h5py rdkit torch ogb texttable numba")
import tensorlayerx as tlx
from gammagl import mpops
from gammagl.layers import conv
from gammagl.models import (
    AGNNModel,
    APPNPModel,
    FAGCNModel,
    FILMModel,
    GATModel,
    GATV2Model,
    GCNIIModel,
    GCNModel,
    GPRGNNModel,
    SGCModel,
)

R = np.random.RandomState(0)
X = R.standard_normal([6, 5]).astype("float32")
EDGES = np.array([[0, 1, 2, 3, 4, 5, 0, 2, 4, 1], [1, 2, 3, 4, 5, 0, 3, 5, 1, 4]])
WEIGHTS = R.uniform(0.2, 1, [10]).astype("float32")
NODES = 6


def network(name, make, *args):
    """A case of one network: what it gives, and gradients."""

    def run():
        net = make()

        def results():
            fill(net)
            net.set_eval()
            return [leaf.detach() for leaf in leaves(net(*tensors(list(args))))]

        def trained():
            net.set_train()
            loss_of(net(*tensors(list(args)))).backward()
            return gradients(net)

        if record("results", results) and net.parameters():
            record("gradients", trained)

    case(run, name)


network("gcn", lambda: GCNModel(5, 4, 3, drop_rate=0.0), X, EDGES, WEIGHTS, NODES)
network("gat", lambda: GATModel(5, 4, 3, heads=2, drop_rate=0.0, num_layers=2), X, EDGES, NODES)
network("gatv2", lambda: GATV2Model(5, 4, 2, 3, 0.0), X, EDGES, NODES)
network("sgc", lambda: SGCModel(5, 3, 2), X, EDGES, WEIGHTS, NODES)
network("appnp", lambda: APPNPModel(5, 3, 3, 0.1, 0.0), X, EDGES, WEIGHTS, NODES)
network("gcnii", lambda: GCNIIModel(5, 4, 3, 2, 0.1, [0.5, 0.3], 0.5, True, 0.0), X, EDGES, WEIGHTS, NODES)
network("agnn", lambda: AGNNModel(5, 4, 3, 2, 0.0), X, EDGES, NODES)
network("film", lambda: FILMModel(5, 4, 3, 2, 0.0), X, EDGES)
network("fagcn", lambda: FAGCNModel(5, 4, 3, 0.0, 0.3, 2), X, EDGES, WEIGHTS, NODES)
network("gprgnn", lambda: GPRGNNModel(5, 4, 3, 0.0, 3, "PPR", 0.1, 0.0), X, EDGES, WEIGHTS, NODES)
network("gcn_conv", lambda: conv.GCNConv(5, 3), X, EDGES, WEIGHTS, NODES)
network("gat_conv", lambda: conv.GATConv(5, 3, heads=2, dropout_rate=0.0), X, EDGES, NODES)
network("sage_conv", lambda: conv.SAGEConv(5, 3, aggr="mean"), X, EDGES)


@case
def segments():
    rows, ids = paddle.to_tensor(X), paddle.to_tensor([0, 2, 1, 0, 2, 2])
    for name in ("unsorted_segment_sum", "unsorted_segment_mean", "unsorted_segment_max", "segment_sum", "segment_mean"):
        keys = ids if name.startswith("un") else paddle.sort(ids)
        record(name, lambda name=name, keys=keys: [getattr(mpops, name)(rows, keys, 3)])


@case
def training():
    net = GCNModel(5, 4, 3, drop_rate=0.0)
    fill(net)
    optimizer = tlx.optimizers.Adam(lr=0.05)

    class Loss(tlx.model.WithLoss):
        def forward(self, data, label):
            out = self.backbone_network(data["x"], data["edges"], data["weights"], NODES)
            return self._loss_fn(out, label)

    loss = Loss(net, loss_fn=tlx.losses.softmax_cross_entropy_with_logits)
    step = tlx.model.TrainOneStep(loss, optimizer, net.trainable_weights)
    data = {"x": paddle.to_tensor(X), "edges": paddle.to_tensor(EDGES), "weights": paddle.to_tensor(WEIGHTS)}
    record("losses", lambda: [float(step(data, paddle.to_tensor([0, 1, 2, 0, 1, 2]))) for _ in range(5)])


network("cheb_conv", lambda: conv.ChebConv(5, 3, K=2), X, EDGES, NODES, WEIGHTS)
network("mixhop_conv", lambda: conv.MixHopConv(5, 3, p=[0, 1, 2]), X, EDGES, WEIGHTS, NODES)
network("gcnii_conv", lambda: conv.GCNIIConv(5, 5, 0.1, 0.4, False), X, X, EDGES, WEIGHTS, NODES)
network("sgc_conv", lambda: conv.SGConv(5, 3, 2), X, EDGES, WEIGHTS, NODES)
network("appnp_conv", lambda: conv.APPNPConv(5, 3, 3, 0.1, 0.0), X, EDGES, WEIGHTS, NODES)
network("film_conv", lambda: conv.FILMConv(5, 3), X, EDGES)
network("gatv2_conv", lambda: conv.GATV2Conv(5, 3, heads=2, dropout_rate=0.0), X, EDGES, NODES)
network("sage_pool", lambda: conv.SAGEConv(5, 3, aggr="pool"), X, EDGES)
network("hardgat_conv", lambda: conv.HardGATConv(5, 3, k=2, heads=2, dropout_rate=0.0), X, EDGES, NODES)
