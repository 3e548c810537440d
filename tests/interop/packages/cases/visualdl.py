"""visualdl: graphs of layers, scalars and the rest, and Paddle's callback."""

import glob
import json

import numpy as np
import paddle
from suite import case, record


def rd(d):
    from visualdl import LogReader

    return LogReader(file_path=glob.glob(d + "/*vdlrecords*")[0])


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.conv1 = paddle.nn.Conv2D(1, 4, 3, padding=1)
        self.p = paddle.nn.MaxPool2D(2, 2)
        self.fc = paddle.nn.Linear(64, 3)

    def forward(self, x):
        x = self.p(paddle.nn.functional.relu(self.conv1(x)))
        return self.fc(paddle.reshape(x, [x.shape[0], -1]))


def ops(n, spec, name):
    from visualdl import LogWriter

    with LogWriter(logdir="./" + name) as w:
        w.add_graph(model=n, input_spec=spec)
    g = json.loads(open(glob.glob(f"./{name}/vdlgraph*")[0]).read())
    return json.loads(g) if isinstance(g, str) else g


@case
def graph():
    def types():
        g = ops(Net(), [paddle.static.InputSpec([-1, 1, 8, 8], "float32")], "g")
        return [np.asarray(sorted(v["type"] for v in g.values()))] if isinstance(g, dict) else [str(type(g))]

    record("op types", types)

    def names():
        g = ops(Net(), [paddle.static.InputSpec([-1, 1, 8, 8], "float32")], "g2")
        return [np.asarray(sorted(v.get("show_name", "") for v in g.values() if not v["children_node"]))]

    record("names", names)

    def tensor():
        g = ops(Net(), [paddle.ones([1, 1, 8, 8])], "g3")
        return [len(g)]

    record("tensor spec", tensor)
    record(
        "layer kept",
        lambda: [
            (
                lambda n: (
                    ops(n, [paddle.static.InputSpec([-1, 1, 8, 8], "float32")], "g4"),
                    type(n.forward).__name__,
                    n(paddle.ones([1, 1, 8, 8])).shape,
                )[1:][0]
            )(Net())
        ],
    )


@case
def graphs():
    N = paddle.nn
    for n, m, s in (
        ("lstm", N.LSTM(4, 8), [None, 5, 4]),
        ("transformer", N.TransformerEncoder(N.TransformerEncoderLayer(8, 2, 16), 1), [None, 5, 8]),
        ("seq", N.Sequential(N.Linear(4, 4), N.BatchNorm1D(4), N.Tanh(), N.Dropout()), [None, 4]),
        ("resnet", paddle.vision.models.resnet18(), [None, 3, 32, 32]),
    ):

        def f():
            g = ops(m, [paddle.static.InputSpec(s, "float32")], n)
            return [np.asarray(sorted(v["type"] for v in g.values()))]

        record(n, f)


@case
def scalars():
    from visualdl import LogWriter

    def f():
        with LogWriter(logdir="./s") as w:
            n = paddle.nn.Linear(2, 2)
            o = paddle.optimizer.SGD(0.1, parameters=n.parameters())
            for i in range(3):
                l = n(paddle.ones([1, 2])).mean()
                l.backward()
                o.step()
                w.add_scalar("loss", l, i)
                w.add_scalar("loss_f", float(l) * 0 + i, i)
                w.add_scalar("item", l.item(), i)
                w.add_scalars("both", {"a": i, "b": 2 * i}, i)
                w.add_histogram("w", n.weight.numpy(), i, 5)
                w.add_histogram("wt", n.weight, i, 5)
        r = rd("./s")
        return [
            str(sorted((k.split(".log/")[-1], v) for k, v in r.tags().items())),
            np.asarray([d.value for d in r.get_data("scalar", "loss_f")]),
        ]

    record("scalars", f)

    def g():
        with LogWriter(logdir="./h") as w:
            w.add_hparams({"lr": 0.1, "opt": "sgd"}, ["acc"])
            w.add_scalar("acc", paddle.to_tensor(0.5), 0)
            w.add_text("t", "hello", 0)
            w.add_image("i", (np.ones([8, 8, 3]) * 255).astype("uint8"), 0)
            w.add_image("it", paddle.ones([8, 8, 3]).numpy(), 1)
            w.add_embeddings("e", mat=np.ones([3, 2]), metadata=["a", "b", "c"])
            w.add_pr_curve("p", np.array([0, 1, 1]), np.array([0.2, 0.7, 0.5]), 0)
            w.add_roc_curve("r", np.array([0, 1, 1]), np.array([0.2, 0.7, 0.5]), 0)
            w.add_audio("a", np.ones([100, 1], "float32"), 0, 8000)
        return [str(sorted((k.split(".log/")[-1], v) for k, v in rd("./h").tags().items()))]

    record("hparams", g)

    def e():
        with LogWriter(logdir="./e") as w:
            w.add_embeddings("e", mat=paddle.ones([3, 2]), metadata=["a", "b", "c"])
            w.add_pr_curve("p", paddle.to_tensor([0, 1, 1]), paddle.to_tensor([0.2, 0.7, 0.5]), 0)
            w.add_image("i", paddle.ones([8, 8, 3]), 0)
        return [str(rd("./e").tags())]

    record("tensors", e)


@case
def callback():
    def f():
        n = paddle.nn.Sequential(paddle.nn.Flatten(), paddle.nn.Linear(4, 2))
        m = paddle.Model(
            n, paddle.static.InputSpec([None, 4], "float32", "x"), paddle.static.InputSpec([None, 1], "int64", "y")
        )
        m.prepare(
            paddle.optimizer.Adam(parameters=n.parameters()), paddle.nn.CrossEntropyLoss(), paddle.metric.Accuracy()
        )

        class D(paddle.io.Dataset):
            def __len__(self):
                return 8

            def __getitem__(self, i):
                return np.ones(4, "float32") * i, np.array([i % 2])

        m.fit(D(), D(), batch_size=4, epochs=2, verbose=0, callbacks=[paddle.callbacks.VisualDL(log_dir="./cb")])
        return [str(sorted((k.split(".log/")[-1], v) for k, v in rd("./cb").tags().items()))]

    record("VisualDL callback", f)
