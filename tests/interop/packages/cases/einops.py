"""einops: its functions on tensors, and its layers."""

import numpy as np
import paddle
from suite import case, check, record

X = np.random.RandomState(0).standard_normal([2, 6, 4, 3]).astype("float32")


def t(a=X):
    v = paddle.to_tensor(a)
    v.stop_gradient = False
    return v


@case
def functions():
    from einops import asnumpy, einsum, pack, parse_shape, rearrange, reduce, repeat, unpack

    for p, kw in [
        ("b c h w -> b h w c", {}),
        ("b (c d) h w -> (b d) c (h w)", {"d": 2}),
        ("b c h w -> b (c h w)", {}),
        ("b c h w -> b c 1 h w", {}),
    ]:
        record("rearrange " + p, lambda: [rearrange(t(), p, **kw)])
    for op in ("mean", "max", "min", "sum", "prod"):
        record("reduce " + op, lambda: [reduce(t(), "b (c d) h w -> b d w", op, d=3)])
    for op in ("any", "all"):
        record("reduce " + op, lambda: [reduce(t() > 0, "b c h w -> b w", op)])
    record("repeat", lambda: [repeat(t(), "b c h w -> b (c r) h (w s)", r=2, s=3)])
    record("einsum", lambda: [einsum(t(), t(), "b c h w, b d h w -> b c d")])

    def pk():
        y, ps = pack([t(), t(X[:, 0])], "b * w")
        return [y] + unpack(y, ps, "b * w")

    record("pack", pk)
    record("list", lambda: [rearrange([t(), t()], "k b c h w -> b k c h w")])
    record("parse_shape", lambda: [str(parse_shape(t(), "b c _ w"))])
    record("asnumpy", lambda: [asnumpy(t())])

    def g():
        v = t()
        (
            reduce(
                repeat(rearrange(v, "b (c d) h w -> b c d h w", d=2), "b c d h w -> b c d h w r", r=2),
                "b c d h w r -> b c w",
                "max",
            )
            ** 2
        ).sum().backward()
        return [v.grad]

    record("grad", g)


@case
def layers():
    from einops.layers.paddle import Rearrange, Reduce

    nn = paddle.nn
    check(nn.Sequential(Rearrange("b c h w -> b (h w) c"), nn.Linear(6, 5), Reduce("b n c -> b c", "mean")), [X])


@case
def maxpool():
    from einops.layers.paddle import Rearrange, Reduce

    nn = paddle.nn
    check(
        nn.Sequential(
            nn.Conv2D(6, 4, 3, padding=1),
            Reduce("b c (h h2) w -> b c h w", "max", h2=2),
            nn.ReLU(),
            Rearrange("b c h w -> b (c h w)"),
            nn.Linear(24, 3),
        ),
        [X],
    )


@case
def einmix():
    from einops.layers.paddle import EinMix

    check(EinMix("b c h w -> b h w d", weight_shape="c d", bias_shape="d", c=6, d=5), [X])


@case
def einmix_heads():
    from einops.layers.paddle import EinMix

    check(EinMix("b c h w -> b (k e) h w", weight_shape="k c e", bias_shape="k e", c=6, k=2, e=3), [X])


@case
def einmix_full():
    from einops.layers.paddle import EinMix

    check(EinMix("b c h w -> b d", weight_shape="c h w d", bias_shape=None, c=6, h=4, w=3, d=5), [X])


@case
def fun_in_net():
    from einops import rearrange, repeat

    class A(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.q = paddle.nn.Linear(8, 24)
            self.cls = self.create_parameter([1, 1, 8])

        def forward(self, x):
            x = paddle.concat([repeat(self.cls, "() n d -> b n d", b=x.shape[0]), x], 1)
            q, k, v = (rearrange(u, "b n (h d) -> b h n d", h=2) for u in self.q(x).chunk(3, -1))
            return rearrange(paddle.nn.functional.softmax(q @ k.transpose([0, 1, 3, 2])) @ v, "b h n d -> b n (h d)")

    check(A(), [X.reshape(2, 9, 8)])
