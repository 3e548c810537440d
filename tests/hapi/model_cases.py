"""Networks, data and runs of `Model` that both this package and Paddle do."""

import contextlib
import io
import re

import numpy as np


def lenet(nn):
    return nn.Sequential(
        nn.Conv2D(1, 6, 3, padding=1), nn.BatchNorm2D(6), nn.ReLU(), nn.MaxPool2D(2, 2), nn.Conv2D(6, 16, 5, groups=2),
        nn.LeakyReLU(), nn.AvgPool2D(2, 2), nn.Flatten(), nn.Linear(400, 120), nn.Dropout(), nn.Linear(120, 10),
    )  # fmt: skip


def two_inputs(nn):
    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.a = nn.Linear(4, 3)
            self.b = nn.Linear(5, 3)
            self.b.weight.stop_gradient = True
            self.rnn = nn.LSTM(3, 7)

        def forward(self, x, y):
            return self.rnn((self.a(x) + self.b(y)).unsqueeze(1))

    return Net()


TABLES = {
    "lenet": lambda p: p.summary(lenet(p.nn), (1, 1, 28, 28)),
    "unknown": lambda p: p.summary(lenet(p.nn), [(None, 1, 28, 28)]),
    "two": lambda p: p.summary(two_inputs(p.nn), [(2, 4), (2, 5)]),
    "alone": lambda p: p.summary(p.nn.Linear(4, 3), (2, 4)),
    "input": lambda p: p.summary(p.nn.Sequential(p.nn.Linear(4, 3)), input=p.ones([7, 4])),
    "int64": lambda p: p.summary(p.nn.Sequential(p.nn.Embedding(10, 3)), (2, 5), dtypes="int64"),
    "flops": lambda p: p.flops(lenet(p.nn), [2, 1, 28, 28], print_detail=True),
}


def printed(function, *args):
    """What a function returns, and the lines that it prints, without times and names of classes."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        result = function(*args)
    text = re.sub(r" - \d+(s|ms|us)/step", "", out.getvalue())
    text = re.sub(r"<class '[\w.]+\.(\w+)'>", r"\1", text)
    return result, text.split("\n")


def data_of(p, count):
    class Data(p.io.Dataset):
        def __init__(self):
            random = np.random.RandomState(0)
            self.x = random.randn(count, 8).astype("float32")
            self.y = (self.x.sum(1, keepdims=True) > 0).astype("int64")

        def __getitem__(self, i):
            return self.x[i], self.y[i]

        def __len__(self):
            return count

    return Data()


def fitted(p, static=None, verbose=2):
    """A model fitted for two epochs on equal weights and batches; what evaluation and prediction give."""
    net = p.nn.Sequential(p.nn.Linear(8, 16, bias_attr=False), p.nn.BatchNorm1D(16), p.nn.ReLU(), p.nn.Linear(16, 2))
    random = np.random.RandomState(1)
    for w in [w for w in net.parameters() if not w.stop_gradient]:
        w.set_value(random.uniform(-0.3, 0.3, w.shape).astype("float32"))
    if static is not None:
        net = static(net)
    model = p.Model(net)
    rate = p.optimizer.lr.StepDecay(0.01, 5)
    opt = p.optimizer.Adam(rate, parameters=net.parameters(), grad_clip=p.nn.ClipGradByGlobalNorm(1.0))
    model.prepare(opt, p.nn.CrossEntropyLoss(), [p.metric.Accuracy(topk=(1, 2))])
    train, test = data_of(p, 50), data_of(p, 20)
    model.fit(train, test, batch_size=16, epochs=2, verbose=verbose, log_freq=2, shuffle=False, accumulate_grad_batches=2)
    return model, model.evaluate(test, 8, verbose=0), model.predict(test, 8, stack_outputs=True, verbose=0)[0].tolist()
