"""Library code called with values of several kinds"""

from language_table import BOTH, T, case, refused

import to_static as paddle
import to_static.nn.functional as F
from to_static.core.errors import TracedValueError

WEIGHT, BIAS, LABELS = T([[1.0, 2.0], [0.5, -1.0]]), T([0.25, -0.5]), T([0, 1], "int64")
WIDE = ((T([[1.0, 2.0], [3.0, 4.0]]),), (T([[-1.0, -2.0], [0.5, 0.0]]),))


def positives(x):
    return sum(e for e in x if e > 0)  # 0 of Python where there is none


@case("a bias, weight or mask that is None or a tensor", *WIDE)
def none_or_tensor(x):
    bias = None
    if x.sum() > 0:
        bias = BIAS
    y = F.layer_norm(F.linear(x, WEIGHT, bias), [2], weight=bias)
    q = x.reshape([1, 2, 1, 2])
    mask = None
    if x.max() > 2:
        mask = paddle.zeros([1, 1, 2, 2])
    return y, F.scaled_dot_product_attention(q, q, q, attn_mask=mask), F.cross_entropy(x, LABELS, weight=bias)


@case("a number of Python or a tensor", *BOTH)
def number_or_tensor(x):
    h = positives(x)
    low = paddle.where(x > 0, h, x)
    return low, paddle.add(x, h), paddle.clip(x, h), paddle.full([2], h), paddle.full_like(x, h), paddle.to_tensor(h)


@case("one that is made in the call, and one in a list", *BOTH)
def inside(x):
    return paddle.where(x > 0, positives(x), x), paddle.stack([positives(x) + x[0], positives(x - 1) + 1.0 * x[0]])


@case("`paddle.is_tensor` of it", *BOTH)
def is_tensor(x):
    y = x if paddle.is_tensor(positives(x)) else x - 1
    return y, paddle.is_tensor(positives(x))


@case("an operator that Python can't be given None", *BOTH)
def none_refused(x):
    y = None
    if x.sum() > 0:
        y = x
    return paddle.exp(y)


@case("an axis that is None or a number", *WIDE)
def none_or_axis(x):
    axis = None
    if x.sum() > 0:
        axis = 1
    return paddle.sum(x, axis=axis), x.mean(axis), paddle.argmax(x, axis=axis)


@case("an axis that is one of two numbers", *WIDE)
def axis(x):
    n = 0
    if x.sum() > 0:
        n = 1
    joined = paddle.concat([x, x * 2], axis=n)
    return joined, F.softmax(x, axis=n), paddle.stack([x, x], n + 1), x.unsqueeze(n - 1), paddle.split(x, 2, axis=n), n


@case("a permutation, a shape, an equation", *WIDE)
def shapes(x):
    shape, order, equation = [4], [1, 0], "ij,jk->ik"
    if x.sum() > 0:
        shape, order, equation = [2, 2], [0, 1], "ij,kj->ik"
    return x.reshape(shape), x.transpose(order), paddle.einsum(equation, x, WEIGHT), paddle.zeros(shape)


@case("modes and flags", *WIDE)
def modes(x):
    reduction, flag, p, kind = "mean", False, 0.25, "float32"
    if x.sum() > 0:
        reduction, flag, p, kind = "sum", True, 0.5, "int64"
    loss = F.mse_loss(x, WEIGHT, reduction=reduction) + F.cross_entropy(x, LABELS, reduction=reduction)
    return loss, paddle.matmul(x, WEIGHT, transpose_y=flag), F.leaky_relu(x, p), x.astype(kind), paddle.sort(x, descending=flag)


@case("an axis that is one of three numbers", *WIDE, (T([[9.0, 9.0], [9.0, 9.0]]),))
def one_of_three(x):
    n = 0
    if x.sum() > 20:
        n = -1
    elif x.sum() > 0:
        n = 1
    return paddle.cumsum(x, axis=n), paddle.flip(x, axis=n)


@case("the gradient through it", *WIDE)
def gradient(x):
    x = x.detach()
    x.stop_gradient = False
    n, bias = 0, None
    if x.sum() > 0:
        n, bias = 1, x[0] * 2
    loss = (F.softmax(F.linear(x, WEIGHT, bias), axis=n) ** 2).sum()
    return paddle.grad(loss, x)[0]


@refused("an axis that is counted in a tensor loop", (WEIGHT, T(1, "int64")), error=TracedValueError)
def counted_axis(x, n):
    axis = 0
    for _ in range(n):
        axis += 1
    return paddle.sum(x, axis=axis)
