"""Single calls of the table of dynamic calls, written by hand with NumPy: a function of the arrays for each expression."""

from __future__ import annotations

import math

import numpy as np


def _erf(x):
    """Abramowitz and Stegun 7.1.26, to 1.5e-7."""
    size = np.abs(x)
    t = 1 / (1 + 0.3275911 * size)
    series = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
    return np.sign(x) * (1 - series * np.exp(-size * size))


def _gelu(x):
    return 0.5 * x * (1 + _erf(x * np.float32(math.sqrt(0.5))))


def _gelu_by_tanh(x):
    return 0.5 * x * (1 + np.tanh(np.float32(math.sqrt(2 / math.pi)) * (x + 0.044715 * x * x * x)))


def _histogram(x, bins):
    x = x.reshape(-1).astype("float64")
    low, high = x.min(), x.max()
    return np.bincount(np.minimum(((x - low) * (bins / (high - low))).astype("int64"), bins - 1), None, bins)


def _mode(x):
    rows = [np.unique(row, return_counts=True) for row in x]
    best = np.array([values[counts.argmax()] for values, counts in rows])
    return best, x.shape[1] - 1 - (x == best[:, None])[:, ::-1].argmax(1)


def _added(x, index, values):
    y = x.copy()
    np.add.at(y, index, values)
    return y


def _put(x, index, values):
    y = x.copy()
    y[index] = values
    return y


def _digamma(x):
    x = x.astype("float64")
    total = sum(-1 / (x + k) for k in range(10))
    y = 1 / (x + 10)
    square = y * y
    series = square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square * (1 / 240 - square * (1 / 132)))))
    return (total - np.log(y) - y / 2 - series).astype("float32")


def _cummax(x):
    best = np.maximum.accumulate(x, 1)
    return best, np.maximum.accumulate(np.where(x == best, np.arange(x.shape[1]), 0), 1)


def _renorm(x):
    length = np.sqrt((x * x).sum(1, keepdims=True))
    return x * np.where(length > 1, 1 / (length + 1e-7), 1).astype("float32")



def _selu(x):
    return np.float32(1.0507010) * np.where(x > 0, x, np.float32(1.6732632) * np.expm1(np.minimum(x, 0)))


_draw = np.random.default_rng(0)

CALLS = {
    "paddle.erf(A)": lambda n: _erf(n["A"]),
    "paddle.erf(H)": lambda n: _erf(n["H"]),
    "F.gelu(A)": lambda n: _gelu(n["A"]),
    "F.gelu(A, approximate=True)": lambda n: _gelu_by_tanh(n["A"]),
    "F.selu(A)": lambda n: _selu(n["A"]),
    "F.hardshrink(A)": lambda n: np.where(np.abs(n["A"]) > 0.5, n["A"], 0),
    "F.hardsigmoid(A)": lambda n: np.clip(n["A"] * np.float32(1 / 6) + np.float32(0.5), 0, 1),
    "F.log_loss(P10, P01)": lambda n: -n["P01"] * np.log(n["P10"] + 1e-4) - (1 - n["P01"]) * np.log(1 - n["P10"] + 1e-4),
    "paddle.isclose(A, B)": lambda n: np.isclose(n["A"], n["B"]),
    "paddle.lgamma(A)": lambda n: np.array(list(map(math.lgamma, n["A"].reshape(-1).tolist())), "float32").reshape(n["A"].shape),
    "paddle.digamma(A)": lambda n: _digamma(n["A"]),
    "H.cumsum(0)": lambda n: n["H"].cumsum(0),
    "A.cumsum(0)": lambda n: n["A"].cumsum(0),
    "A.cumprod(0)": lambda n: n["A"].cumprod(0),
    "paddle.cummax(A, 1)": lambda n: _cummax(n["A"]),
    "H.sum()": lambda n: n["H"].sum(),
    "paddle.histogram(A, 10)": lambda n: _histogram(n["A"], 10),
    "paddle.mode(A)": lambda n: _mode(n["A"]),
    "paddle.nanmedian(A)": lambda n: np.nanmedian(n["A"]),
    "paddle.renorm(A, 2.0, 0, 1.0)": lambda n: _renorm(n["A"]),
    "paddle.multinomial(P1, 2)": lambda n: _draw.choice(len(n["P1"]), 2, replace=False, p=n["P1"] / n["P1"].sum()),
    "paddle.index_add(A, IDS, 0, B2)": lambda n: _added(n["A"], n["IDS"], n["B2"]),
    "paddle.scatter(A, IDS, B2)": lambda n: _put(n["A"], n["IDS"], n["B2"]),
    "paddle.scatter_nd_add(A, ND, v2)": lambda n: _added(n["A"], (n["ND"][:, 0], n["ND"][:, 1]), n["v2"]),
    "paddle.linalg.inv(SQ)": lambda n: np.linalg.inv(n["SQ"]),
    "paddle.linalg.cholesky(SPD)": lambda n: np.linalg.cholesky(n["SPD"]),
    "paddle.linalg.qr(SQ)": lambda n: np.linalg.qr(n["SQ"]),
    "paddle.linalg.det(SQ)": lambda n: np.linalg.det(n["SQ"]),
    "paddle.linalg.triangular_solve(SPD, SQ)": lambda n: np.linalg.solve(np.triu(n["SPD"]), n["SQ"]),
    "paddle.cross(V3, V3)": lambda n: np.cross(n["V3"], n["V3"]),
    "paddle.kron(P, P)": lambda n: np.kron(n["P"], n["P"]),
    "paddle.trace(A)": lambda n: np.trace(n["A"]),
    "F.adaptive_max_pool2d(IMG, 2)": lambda n: n["IMG"].reshape(2, 3, 2, 8, 2, 8).max((3, 5)),
    "F.maxout(IMG4, 2)": lambda n: n["IMG4"].reshape(2, 2, 2, 8, 8).max(2),
}
