"""paddlesde: stochastic differential equations, their Brownian motion and gradients."""

import numpy as np
import paddle
import paddlesde
from suite import case, fill, image, stage, tensors


class Equation(paddle.nn.Layer):
    noise_type, sde_type = "diagonal", "ito"

    def __init__(self):
        super().__init__()
        self.drift, self.noise = paddle.nn.Linear(3, 3), paddle.nn.Linear(3, 3)

    def f(self, t, y):
        return self.drift(y)

    def g(self, t, y):
        return paddle.nn.functional.sigmoid(self.noise(y))


def solved(method, sde_type, solve):
    def run():
        equation = Equation()
        equation.sde_type = sde_type
        fill(equation)
        times = paddle.linspace(0, 1, 4)
        motion = paddlesde.BrownianInterval(t0=0.0, t1=1.0, size=(2, 3), entropy=7)
        found = solve(equation, tensors(image(2, 3)), times, method=method, dt=0.25, bm=motion)
        return [list(found.shape), bool(np.isfinite(found.numpy()).all())]

    return run


@case
def solvers():
    for method, kind in {
        "euler": "ito",
        "milstein": "ito",
        "srk": "ito",
        "midpoint": "stratonovich",
        "heun": "stratonovich",
    }.items():
        stage(method, solved(method, kind, paddlesde.sdeint))


@case
def motion():
    def run():
        found = paddlesde.BrownianInterval(t0=0.0, t1=1.0, size=(2, 3), entropy=7)
        whole, parts = found(0.0, 1.0), [found(0.0, 0.5), found(0.5, 1.0)]
        return [float(np.abs((whole - parts[0] - parts[1]).numpy()).max()) < 1e-5]

    stage("adds up", run)
