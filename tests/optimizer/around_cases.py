"""Runs of LBFGS, LookAhead and ModelAverage that both this package and Paddle do: name -> function that gives numbers."""

import numpy as np


def _net(p):
    net = p.nn.Sequential(p.nn.Linear(3, 4), p.nn.Tanh(), p.nn.Linear(4, 1))
    random = np.random.RandomState(0)
    for w in net.parameters():
        w.set_value(random.uniform(-0.5, 0.5, w.shape).astype("float32"))
    x = p.to_tensor(random.randn(8, 3).astype("float32"))
    return net, x, p.sin(x.sum(1, keepdim=True))


def _lbfgs(p, steps, **settings):
    net, x, y = _net(p)
    opt = p.optimizer.LBFGS(parameters=net.parameters(), **settings)

    def closure():
        opt.clear_grad()
        loss = ((net(x) - y) ** 2).mean()
        loss.backward()
        return loss

    return [float(opt.step(closure)) for _ in range(steps)] + [float(closure())]


def _lookahead(p):
    net, x, y = _net(p)
    inner = p.optimizer.Momentum(0.1, parameters=net.parameters())
    opt = p.incubate.LookAhead(inner, alpha=0.4, k=3)
    losses = []
    for _ in range(8):
        loss = ((net(x) - y) ** 2).mean()
        loss.backward()
        opt.step()
        opt.clear_grad()
        losses.append(float(loss))
    return losses


def _average(p):
    net, x, y = _net(p)
    opt = p.optimizer.SGD(0.2, parameters=net.parameters())
    average = p.incubate.ModelAverage(0.5, parameters=net.parameters(), min_average_window=2, max_average_window=4)
    losses = []
    for _ in range(9):
        loss = ((net(x) - y) ** 2).mean()
        loss.backward()
        opt.step()
        average.step()
        opt.clear_grad()
        with average.apply(need_restore=True):
            losses.append(float(((net(x) - y) ** 2).mean()))
        losses.append(float(loss))
    return losses


CASES = {
    "lbfgs": lambda p: _lbfgs(p, 3, learning_rate=0.5, max_iter=6),
    "lbfgs_wolfe": lambda p: _lbfgs(p, 3, max_iter=6, line_search_fn="strong_wolfe"),
    "lbfgs_short": lambda p: _lbfgs(p, 4, max_iter=4, history_size=2, line_search_fn="strong_wolfe"),
    "lookahead": _lookahead,
    "average": _average,
}
