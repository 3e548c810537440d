"""Convolutions with channels last and one image at a time: buffers are made once, weights are packed, batch norms folded."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import as_strided

from limits.arrays import aligned, number, packed

_INPUT = {
    2: [[1, 0, -1, 0], [0, 1, 1, 0], [0, -1, 1, 0], [0, 1, 0, -1]],
    4: [
        [4, 0, -5, 0, 1, 0], [0, -4, -4, 1, 1, 0], [0, 4, -4, -1, 1, 0],
        [0, -2, -1, 2, 1, 0], [0, 2, -1, -2, 1, 0], [0, 4, 0, -5, 0, 1],
    ],
}  # fmt: skip
_KERNEL = {
    2: [[1, 0, 0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0, 0, 1]],
    4: [
        [1 / 4, 0, 0], [-1 / 6, -1 / 6, -1 / 6], [-1 / 6, 1 / 6, -1 / 6],
        [1 / 24, 1 / 12, 1 / 6], [1 / 24, -1 / 12, 1 / 6], [0, 0, 1],
    ],
}  # fmt: skip
_OUTPUT = {
    2: [[1, 1, 1, 0], [0, 1, -1, -1]],
    4: [[1, 1, 1, 1, 1, 0], [0, 1, -1, 2, -2, 0], [0, 1, 1, 4, 4, 0], [0, 1, -1, 8, -8, 1]],
}  # fmt: skip
ZERO, ONE, THREE, SIX, SIXTH = map(number, (0, 1, 3, 6, 1 / 6))
_work = {}


def folded(weight, gain, shift, mean, variance, epsilon=1e-5):
    """Weight and bias of a convolution that does the batch norm after it, too."""
    rate = gain / np.sqrt(variance + epsilon)
    return weight * rate.reshape(-1, 1, 1, 1), shift - mean * rate


def convolve(x, weight, bias, stride=1, pad=0, act=None, add=None):
    """A function that convolves ``x`` (height, width, channels), and its result. ``act`` works in place."""
    count, channels, size, _ = weight.shape
    height = (x.shape[0] + 2 * pad - size) // stride + 1
    y = aligned(height, height, count)
    if size == 1:
        run = _pointwise(x, weight, y, stride)
    elif size == 3 and stride == 1 and channels >= 16:
        run = _winograd(x, weight, y, 4 if height > 10 else 2, pad)
    else:
        run = _columns(x, weight, y, stride, pad)
    bias, plus = packed(bias), np.add

    def whole():
        run()
        plus(y, bias, y)
        if add is not None:
            plus(y, add, y)
        if act is not None:
            act(y)

    return whole, y


def relu(x):
    """In place."""
    np.maximum(x, ZERO, out=x)


def hardswish(x):
    """In place."""
    w = _work.get(x.shape)
    if w is None:
        w = _work[x.shape] = aligned(*x.shape)
    np.add(x, THREE, w)
    np.maximum(w, ZERO, out=w)
    np.minimum(w, SIX, out=w)
    np.multiply(w, SIXTH, w)
    np.multiply(x, w, x)


def padded(x, pad, extra=0):
    """A wide buffer, and the part of it that ``x`` is copied to."""
    h, w, c = x.shape
    padded_image = aligned(h + 2 * pad + extra, w + 2 * pad + extra, c, fill=0)
    return padded_image, padded_image[pad : pad + h, pad : pad + w]


def _pointwise(x, weight, y, stride):
    w, flat = packed(weight[:, :, 0, 0].T), y.reshape(-1, y.shape[2])
    if stride == 1:
        matrix = x.reshape(-1, x.shape[2])
        return lambda: np.dot(matrix, w, flat)
    part, source = aligned(*y.shape[:2], x.shape[2]), x[::stride, ::stride]
    matrix = part.reshape(-1, x.shape[2])

    def run():
        np.copyto(part, source)
        np.dot(matrix, w, flat)

    return run


def _columns(x, weight, y, stride, pad):
    size, out, channels = weight.shape[2], y.shape[0], x.shape[2]
    padded_image, inner = padded(x, pad)
    w = packed(weight.transpose(2, 3, 1, 0).reshape(-1, weight.shape[0]))
    rows = max(1, min(out, (1 << 18) // (out * w.shape[0])))
    a, b, c = padded_image.strides
    windows = as_strided(padded_image, (out, out, size, size, channels), (a * stride, b * stride, a, b, c))
    columns, parts = aligned(rows, out, size, size, channels), []
    for i in range(0, out, rows):
        n = min(rows, out - i)
        parts.append((columns[:n], windows[i : i + n], columns[:n].reshape(n * out, -1), y[i : i + n].reshape(n * out, -1)))

    def run():
        np.copyto(inner, x)
        for target, source, matrix, result in parts:
            np.copyto(target, source)
            np.dot(matrix, w, result)

    return run


def _winograd(x, weight, y, m, pad):
    t, out, channels, count = m + 2, y.shape[0], x.shape[2], weight.shape[0]
    tiles = -(-out // m)
    padded_image, inner = padded(x, pad, tiles * m - out)
    turn_in, turn_w, turn_out = (np.asarray(table[m], "float64") for table in (_INPUT, _KERNEL, _OUTPUT))
    w = packed(np.einsum("ai,bj,mcij->abcm", turn_w, turn_w, weight.astype("float64")).reshape(t * t, channels, count))
    into, back = packed(np.kron(turn_in, turn_in)), packed(np.kron(turn_out, turn_out))
    a, b, c = padded_image.strides
    windows = as_strided(padded_image, (t, t, tiles, tiles, channels), (a, b, a * m, b * m, c))
    gathered, turned = aligned(t, t, tiles, tiles, channels), aligned(t * t, tiles * tiles * channels)
    product, spread = aligned(t * t, tiles * tiles, count), aligned(m * m, tiles * tiles * count)
    flat, turned3, product2 = gathered.reshape(t * t, -1), turned.reshape(t * t, -1, channels), product.reshape(t * t, -1)
    source = spread.reshape(m, m, tiles, tiles, count).transpose(2, 0, 3, 1, 4)
    big = y if tiles * m == out else aligned(tiles * m, tiles * m, count)
    target, part = big.reshape(tiles, m, tiles, m, count), big[:out, :out]

    def run():
        np.copyto(inner, x)
        np.copyto(gathered, windows)
        np.dot(into, flat, turned)
        np.matmul(turned3, w, product)
        np.dot(back, product2, spread)
        np.copyto(target, source)
        if big is not y:
            np.copyto(y, part)

    return run


def depthwise(x, weight, bias, stride, act):
    """Shifted products, added up a few rows at a time."""
    size, channels = weight.shape[2], x.shape[2]
    out = (x.shape[0] - 1) // stride + 1
    padded_image, inner = padded(x, size // 2)
    w = packed(weight[:, 0].transpose(1, 2, 0))
    y, bias = aligned(out, out, channels), packed(bias)
    rows = max(1, min(out, (1 << 14) // (out * channels)))
    work, parts = aligned(rows, out, channels), []
    reach = (out - 1) * stride + 1
    for i in range(0, out, rows):
        n = min(rows, out - i)
        taps = [
            (padded_image[i * stride + u : i * stride + u + (n - 1) * stride + 1 : stride, v : v + reach : stride], w[u, v])
            for u in range(size)
            for v in range(size)
        ]
        parts.append((y[i : i + n], work[:n], taps[0], taps[1:]))

    def run():
        np.copyto(inner, x)
        for result, product, (source, tap), others in parts:
            np.multiply(source, tap, result)
            for source, tap in others:
                np.multiply(source, tap, product)
                np.add(result, product, result)
            np.add(result, bias, result)
        act(y)

    return run, y


def resnet18(weights, x):
    """F. ``weights``: of each convolution its weight and the batch norm's four arrays, in order; then the last layer's two."""
    steps, arrays = [], iter(weights)

    def conv(x, stride, pad, act=None, add=None):
        parts = [next(arrays) for _ in range(5)]
        run, y = convolve(x, *folded(*parts), stride, pad, act, add)
        steps.append(run)
        return y

    start = aligned(224, 224, 3)
    h = conv(start, 2, 3, relu)
    padded_image = aligned(114, 114, 64, fill=0)  # after ReLU nothing is below 0
    inner, rows, pooled = padded_image[1:113, 1:113], aligned(56, 114, 64), aligned(56, 56, 64)

    def pool(h=h):
        np.copyto(inner, h)
        np.maximum(padded_image[0:111:2], padded_image[1:112:2], out=rows)
        np.maximum(rows, padded_image[2:113:2], out=rows)
        np.maximum(rows[:, 0:111:2], rows[:, 1:112:2], out=pooled)
        np.maximum(pooled, rows[:, 2:113:2], out=pooled)

    steps.append(pool)
    h, in_channels = pooled, 64
    for channels, stride in ((64, 1), (128, 2), (256, 2), (512, 2)):
        for step in (stride, 1):
            short = h
            inside = conv(h, step, 1, relu)
            if step != 1 or in_channels != channels:
                second = [next(arrays) for _ in range(5)]
                short = conv(h, step, 0)
                run, h = convolve(inside, *folded(*second), 1, 1, relu, short)
                steps.append(run)
            else:
                h = conv(inside, 1, 1, relu, short)
            in_channels = channels
    w, b = packed(next(arrays)), next(arrays)
    flat, share = h.reshape(49, 512), np.full((1, 49), 1 / 49, np.float32)

    def run():
        np.copyto(start, x[0].transpose(1, 2, 0))
        for step in steps:
            step()
        return np.dot(np.dot(share, flat), w) + b

    return run


def mobilenet(weights, x, table):
    """K. MobileNetV3-small, in the same form; ``table`` has a row for each block."""
    steps, arrays = [], iter(weights)

    def normal():
        return folded(*[next(arrays) for _ in range(5)], epsilon=1e-3)

    def conv(x, stride, pad, act=None, add=None):
        run, y = convolve(x, *normal(), stride, pad, act, add)
        steps.append(run)
        return y

    def squeeze(x):
        w1, b1, w2, b2 = (next(arrays) for _ in range(4))
        w1, w2 = packed(w1[:, :, 0, 0].T), packed(w2[:, :, 0, 0].T)
        flat = x.reshape(-1, x.shape[2])
        share = np.full((1, len(flat)), 1 / len(flat), np.float32)

        def run():
            s = np.maximum(np.dot(np.dot(share, flat), w1) + b1, ZERO)
            s = np.dot(s, w2) + b2
            s = np.minimum(np.maximum(s * SIXTH + number(0.5), ZERO), ONE)
            np.multiply(flat, s, flat)

        steps.append(run)

    start = aligned(224, 224, 3)
    h = conv(start, 2, 1, hardswish)
    for _, expanded, out_channels, excite, swish, stride in table:
        act, short = hardswish if swish else relu, h
        if expanded != h.shape[2]:
            h = conv(h, 1, 0, act)
        weight, bias = normal()
        run, h = depthwise(h, weight, bias, stride, act)
        steps.append(run)
        if excite:
            squeeze(h)
        h = conv(h, 1, 0, None, short if stride == 1 and short.shape[2] == out_channels else None)
    h = conv(h, 1, 0, hardswish)
    w1, b1, w2, b2 = (next(arrays) for _ in range(4))
    w1, w2 = np.asfortranarray(w1), np.asfortranarray(w2)
    flat = h.reshape(49, -1)
    share = np.full((1, 49), 1 / 49, np.float32)

    def run():
        np.copyto(start, x[0].transpose(1, 2, 0))
        for step in steps:
            step()
        s = np.dot(np.dot(share, flat), w1) + b1
        hardswish(s)
        return np.dot(s, w2) + b2

    return run
