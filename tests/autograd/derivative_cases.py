"""Derivatives that both this package and Paddle compute: name -> function of the package."""

import numpy as np


def _x(paddle, values):
    return paddle.to_tensor(np.asarray(values, "float32"), stop_gradient=False)


def _jacobian(p):
    x, z = _x(p, [1.0, 2.0]), _x(p, [0.5, -1.0, 3.0])
    J = p.autograd.jacobian(p.concat([x * x, z * z * z]) * x[0], (x, z))
    return [J[0][:], J[1][:], J[0][1], J[1][0, :], J[0][:, 1], J[0] * 2, J[0].shape, J[1].shape]


def _jacobian_small(p):
    x, s = _x(p, [1.0, 2.0]), _x(p, 3.0)
    y = (x * x).sum() * s
    J = p.autograd.jacobian(y, (x, s))
    K = p.autograd.jacobian(x * s, s)
    return [J[0].shape, J[0][:], J[0][1], J[1].shape, J[1] + 1, K.shape, K[:], K[1]]


def _jacobian_batch(p):
    x = _x(p, [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    y = p.concat([x[:, :1] * x[:, 1:], x[:, :1] * x[:, :1] * x[:, :1], x[:, 1:] * x[:, 1:]], 1)
    J = p.autograd.jacobian(y, x, batch_axis=0)
    K = p.autograd.jacobian(x.sum(1), x, batch_axis=0)
    return [J.shape, J[:], J[:, :, 0], K.shape]


def _hessian(p):
    x, z = _x(p, [1.0, 2.0]), _x(p, [0.5])
    y = (x * x * x).sum() * z.sum() + (z * z * z).sum()
    H = p.autograd.hessian(y, (x, z))
    return [H[0][0][:], H[0][1][:], H[1][0][:], H[1][1][:], H[0][0].shape, p.autograd.hessian((x * x * x * x).sum(), x)[:]]


def _hessian_batch(p):
    x = _x(p, [[1.0, 2.0], [3.0, 4.0]])
    return [p.autograd.hessian((x * x * x).sum(1), x, batch_axis=0)[:]]


def _products(p):
    x, v = _x(p, [[1.0, 2.0], [3.0, 4.0]]), _x(p, [[1.0, 0.0], [0.0, 2.0]])
    a = p.incubate.autograd
    ys, g = a.vjp(lambda x: p.matmul(x, x), x, v)
    _, g1 = a.vjp(lambda x, y: (x * y, x * x), [x, v])
    _, d = a.jvp(lambda x: p.matmul(x, x), x, v)
    _, d1 = a.jvp(lambda x, y: (x * y, x * x), [x, v], [v, x])
    return [ys, g, *g1, d, *d1]


def _of_functions(p):
    x, z = _x(p, [1.0, 2.0]), _x(p, [3.0, 4.0])
    a = p.incubate.autograd
    J = a.Jacobian(lambda x, y: p.matmul(x.reshape([2, 1]), y.reshape([1, 2])), [x, z])
    H = a.Hessian(lambda x: (x * x * x).sum(), x)
    B = a.Jacobian(lambda x: x * x[:, :1], _x(p, [[1.0, 2.0], [3.0, 4.0]]), is_batched=True)
    return [J[:], J[1], J.shape, H[:], H.shape, B[:], B.shape]


CASES = {
    "jacobian": _jacobian,
    "jacobian_small": _jacobian_small,
    "jacobian_batch": _jacobian_batch,
    "hessian": _hessian,
    "hessian_batch": _hessian_batch,
    "products": _products,
    "of_functions": _of_functions,
}


def numbers(results):
    """The results as nested lists."""
    return [np.asarray(r.numpy(), "float64").round(5).tolist() if hasattr(r, "numpy") else list(r) for r in results]
