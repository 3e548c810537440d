"""deepxde: networks, derivatives, and equations that are solved for some steps."""

import os

os.environ["DDE_BACKEND"] = "paddle"
import numpy as np
import paddle
from suite import case, image, net, older_python, stage, stand_ins

older_python()
stand_ins("skopt")
import deepxde as dde

SMOOTH = np.linspace(0, 1, 7)[:, None].astype("float32")
net("FNN", lambda: dde.nn.FNN([2, 8, 8, 1], "tanh", "Glorot uniform"), [image(5, 2)], save=False)
net("PFNN", lambda: dde.nn.PFNN([2, [4, 4], [4, 4], 2], "tanh", "Glorot uniform"), [image(5, 2)], save=False)
net(
    "MsFFN",
    lambda: dde.nn.MsFFN([2, 8, 8, 1], "tanh", "Glorot uniform", sigmas=[1, 2]),
    [image(5, 2)],
    save=False,
    train=False,
    static=False,
)
for name in ("DeepONet", "DeepONetCartesianProd"):
    inputs = [image(5, 3), image(5, 2)]
    net(name, lambda n=name: getattr(dde.nn, n)([3, 8, 4], [2, 8, 4], "tanh", "Glorot normal"), [inputs], save=False)


def filled(network):
    from suite import fill

    fill(network, 0.3)
    return network


def solved(data, network, steps=15, metrics=None, optimizer="adam"):
    """The losses of some steps of training, and predictions."""

    def run():
        dde.config.set_random_seed(0)
        model = dde.Model(data, filled(network))
        model.compile(optimizer, lr=1e-2, metrics=metrics)
        history, _ = model.train(iterations=steps, display_every=5)
        return [
            np.asarray(history.loss_train, "float64").sum(-1),
            np.asarray(model.predict(data.train_x[:5]), "float64"),
        ]

    return run


@case
def poisson():
    def equation(x, y):
        return -dde.grad.hessian(y, x) - np.pi**2 * paddle.sin(np.pi * x)

    line = dde.geometry.Interval(-1, 1)
    edge = dde.icbc.DirichletBC(line, lambda x: 0, lambda _, on: on)
    data = dde.data.PDE(
        line, equation, edge, 8, 2, train_distribution="uniform", solution=lambda x: np.sin(np.pi * x), num_test=10
    )
    stage("solved", solved(data, dde.nn.FNN([1, 8, 8, 1], "tanh", "Glorot uniform"), metrics=["l2 relative error"]))


@case
def heat():
    def equation(x, y):
        return dde.grad.jacobian(y, x, i=0, j=1) - 0.4 * dde.grad.hessian(y, x, i=0, j=0)

    domain = dde.geometry.GeometryXTime(dde.geometry.Interval(0, 1), dde.geometry.TimeDomain(0, 1))
    conditions = [
        dde.icbc.DirichletBC(domain, lambda x: 0, lambda _, on: on),
        dde.icbc.IC(domain, lambda x: np.sin(np.pi * x[:, :1]), lambda _, on: on),
    ]
    data = dde.data.TimePDE(domain, equation, conditions, 12, 4, 4, train_distribution="uniform", num_test=8)
    stage("solved", solved(data, dde.nn.FNN([2, 8, 1], "tanh", "Glorot uniform")))


@case
def system():
    def equation(x, y):
        a, b = y[:, 0:1], y[:, 1:]
        return [dde.grad.jacobian(y, x, i=0) - b, dde.grad.jacobian(y, x, i=1) + a]

    time = dde.geometry.TimeDomain(0, 3)
    start = [dde.icbc.IC(time, lambda x: k, lambda _, on: on, component=k) for k in (0, 1)]
    data = dde.data.PDE(time, equation, start, 9, 2, train_distribution="uniform", num_test=9)
    stage("solved", solved(data, dde.nn.FNN([1, 8, 2], "sin", "Glorot uniform")))


@case
def inverse():
    unknown = dde.Variable(1.0)

    def equation(x, y):
        return unknown * dde.grad.hessian(y, x) + paddle.sin(x)

    line = dde.geometry.Interval(0, 2)
    seen = dde.icbc.PointSetBC(SMOOTH, np.sin(SMOOTH))
    data = dde.data.PDE(line, equation, [seen], 6, 2, train_distribution="uniform", anchors=SMOOTH, num_test=6)

    def run():
        dde.config.set_random_seed(0)
        model = dde.Model(data, filled(dde.nn.FNN([1, 8, 1], "tanh", "Glorot uniform")))
        model.compile("adam", lr=1e-2, external_trainable_variables=unknown)
        model.train(iterations=10, display_every=5)
        return [float(unknown)]

    stage("variable", run)


@case
def function():
    line = dde.geometry.Interval(-1, 1)
    data = dde.data.Function(line, lambda x: x * np.sin(5 * x), 8, 8, train_distribution="uniform")
    stage("fitted", solved(data, dde.nn.FNN([1, 8, 1], "tanh", "Glorot uniform"), metrics=["l2 relative error"]))


@case
def boundaries():
    square = dde.geometry.Rectangle([0, 0], [1, 1])

    def equation(x, y):
        return dde.grad.hessian(y, x, i=0, j=0) + dde.grad.hessian(y, x, i=1, j=1)

    conditions = [
        dde.icbc.NeumannBC(square, lambda x: 0, lambda x, on: on and np.isclose(x[0], 1)),
        dde.icbc.RobinBC(square, lambda x, y: y, lambda x, on: on and np.isclose(x[0], 0)),
        dde.icbc.OperatorBC(
            square, lambda x, y, _: dde.grad.jacobian(y, x, i=0, j=1), lambda x, on: on and np.isclose(x[1], 0)
        ),
    ]
    data = dde.data.PDE(square, equation, conditions, 9, 12, train_distribution="uniform", num_test=9)
    stage("solved", solved(data, dde.nn.FNN([2, 8, 1], "tanh", "Glorot uniform"), steps=5))


@case
def derivatives():
    from suite import record

    def run():
        x = paddle.to_tensor(image(4, 2))
        x.stop_gradient = False
        y = paddle.concat([x[:, :1] ** 3 * x[:, 1:], paddle.sin(x[:, :1] * x[:, 1:])], 1)
        dde.grad.clear()
        parts = [dde.grad.jacobian(y, x, i=i, j=j) for i in (0, 1) for j in (0, 1)]
        return [*parts, dde.grad.hessian(y, x, component=0, i=0, j=1), dde.grad.hessian(y, x, component=1, i=1, j=1)]

    record("values", run)


@case
def losses():
    from deepxde import losses as L
    from suite import record

    a, b = paddle.to_tensor(image(4, 2)), paddle.to_tensor(image(4, 2, seed=1))
    record(
        "values",
        lambda: [L.get(name)(a, b) for name in ("mean squared error", "mean absolute error", "mean l2 relative error")],
    )
