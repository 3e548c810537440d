"""Buffers that begin at a cache line, and the pieces that several workloads share."""

from __future__ import annotations

import numpy as np

f32 = np.float32


def aligned(*shape, fill=None):
    """A float32 array that begins at a cache line."""
    nbytes = 4 * int(np.prod(shape))
    raw = np.empty(nbytes + 64, "uint8")
    skip = -raw.ctypes.data % 64
    array = raw[skip : skip + nbytes].view(f32).reshape(shape)
    if fill is not None:
        array[...] = fill
    return array


def packed(array):
    """An aligned copy in row-major order."""
    copy = aligned(*array.shape)
    copy[...] = array
    return copy


def number(value):
    """A 0-d array, which costs a ufunc less than a Python number."""
    return np.asarray(value, f32)


def norm(x, out, work, gain, shift, epsilon=1e-5):
    """Layer norm over the last axis of a matrix, from ``x`` into ``out``."""
    add, multiply, subtract = np.add, np.multiply, np.subtract
    size = x.shape[1]
    ones, share, small = np.full((size,), 1 / size, f32), number(1 / size), number(epsilon)
    mean, spread = aligned(x.shape[0]), aligned(x.shape[0])
    column_mean, column_spread = mean[:, None], spread[:, None]

    def run():
        np.dot(x, ones, mean)
        subtract(x, column_mean, out)
        np.einsum("ij,ij->i", out, out, out=spread)
        multiply(spread, share, spread)
        add(spread, small, spread)
        np.sqrt(spread, spread)
        np.divide(out, column_spread, out)
        multiply(out, gain, out)
        add(out, shift, out)

    return run


def gelu(x, work, square):
    """GELU in place in cache-sized parts, by a tanh of an odd polynomial (absolute error below 3e-6)."""
    coefficients = gelu_polynomial()
    point_five, one = number(0.5), number(1)
    parts = [x.reshape(-1)[i : i + work.size] for i in range(0, x.size, work.size)]

    def run():
        for part in parts:
            w, s = work[: part.size], square[: part.size]
            np.multiply(part, part, s)
            np.minimum(s, number(30), out=s)
            np.multiply(s, coefficients[0], w)
            for c in coefficients[1:-1]:
                np.add(w, c, w)
                np.multiply(w, s, w)
            np.add(w, coefficients[-1], w)
            np.multiply(w, part, w)
            np.tanh(w, w)
            np.add(w, one, w)
            np.multiply(w, point_five, w)
            np.multiply(part, w, part)

    return run


def gelu_polynomial(degree=4):
    """Coefficients (highest first) of p where ``tanh(x p(x**2))`` is ``erf(x / sqrt(2))``."""
    from math import erf

    x = np.linspace(1e-3, 3.2, 4000)
    exact = np.arctanh(np.clip([erf(v / 2**0.5) for v in x], -1 + 1e-12, 1 - 1e-12)) / x
    weight = (1 - np.tanh(x * exact) ** 2) * x * x
    found = np.polyfit(x * x, exact, degree, w=weight)
    return [number(c) for c in found]
