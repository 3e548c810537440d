"""Dynamic calls beside PaddlePaddle's, with the same arguments at each call and with others: microseconds, and ours / Paddle.

    python benchmarks/dynamic.py [--peer PYTHON_WITH_PADDLE] [--rounds 12] [--all] [--seeded] [--limits] [--only words of rows]

Two processes of one thread each take turns, row by row, in short rounds, by the time that the processor spends on them; the best
round of each counts. Every row runs without gradients, with gradients recorded, and (where it has any) with a backward pass.
``--seeded``: after `paddle.seed`, from where on random numbers are Paddle's own and cost more. ``--limits``: the rows that
``limits/calls.py`` has by hand with NumPy, whose times stand beside ours.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from typing import Any

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"  # before NumPy is imported

CONSTANT = """
A + B; A - B; A * B; A / B; A + v16; A * 2.0; A + 1; A / 3.0; 1.0 - A; A ** 2; -A; A > B; A == B; A > 0.5; A @ B
paddle.matmul(A, B, transpose_y=True); paddle.dot(v16, v16); paddle.bmm(I3, I3); paddle.mv(A, v16); paddle.addmm(C16, A, B)
paddle.einsum('ij,jk->ik', A, B); paddle.outer(v16, v16); F.relu(A); F.gelu(A); F.sigmoid(A); F.tanh(A); F.silu(A)
F.leaky_relu(A); F.elu(A); F.softplus(A, beta=2.0); F.hardswish(A); F.softmax(A); F.log_softmax(A); F.dropout(A, 0.5)
F.normalize(A); F.linear(A, B, v16); F.layer_norm(A, 16); LN(A); BN(A); F.cross_entropy(T, LAB); F.mse_loss(A, B)
F.l1_loss(A, B); F.smooth_l1_loss(A, B); F.nll_loss(T, LAB); F.kl_div(A, B); F.binary_cross_entropy_with_logits(A, B)
F.binary_cross_entropy(A, B); F.one_hot(LAB, 10); F.embedding(LAB, BIG); F.pad(A, [1, 1, 1, 1]); F.max_pool2d(IMG, 2)
F.avg_pool2d(IMG, 2); F.conv2d(IMG, K); F.interpolate(IMG, scale_factor=2); F.unfold(IMG, 2); A.mean(); A.sum(); A.sum(0)
A.mean(-1, keepdim=True); A.max(); A.max(1); A.min(); A.prod(); A.var(); A.std(); A.argmax(1); A.argmin(); paddle.norm(A)
paddle.norm(A, 2, 1); paddle.dist(A, B, 2); paddle.dist(A, B, 1.5); A.cumsum(0); A.sort(); A.argsort(); paddle.logsumexp(A)
paddle.topk(A, 3); paddle.kthvalue(A, 3); paddle.median(A); paddle.unique(LAB); paddle.nonzero(M); paddle.allclose(A, B)
paddle.equal_all(A, B); M.any(); M.all(); paddle.logical_and(M, M); paddle.isnan(A); paddle.exp(A); paddle.log(A); A.sqrt()
paddle.rsqrt(A); A.abs(); A.sin(); A.square(); A.floor(); A.round(); A.sign(); paddle.erf(A); paddle.clip(A, 0.2, 0.8)
paddle.maximum(A, B); A.astype('float64'); A.astype('int64'); paddle.where(M, A, B); paddle.scale(A, 2.0); A.reshape([4, 64])
A.transpose([1, 0]); A.T; A.flatten(); A.unsqueeze(0); A1.squeeze(0); paddle.concat([A, B]); paddle.stack([A, B])
paddle.split(A, 2); paddle.chunk(A, 4); paddle.unbind(A); paddle.tile(A, [2, 1]); v16.expand([4, 16]); paddle.roll(A, 1)
paddle.flip(A, 0); paddle.tril(A); paddle.triu(A); paddle.diag(v16); paddle.gather(BIG, LAB); paddle.index_select(A, IDS)
paddle.take_along_axis(A, IDX, 1); paddle.masked_select(A, M); paddle.scatter(A, IDS, B2); paddle.gather_nd(A, ND)
paddle.meshgrid(v16, v16); A[0]; A[1:3]; A[:, 2]; A[::2]; A[1, 2]; A[None]; A[IDS]; A[M]; A[..., -1]
C.__setitem__((slice(None), 4), 1.0); C.__setitem__(3, 1.0); C.__setitem__((2, 3), 1.0); paddle.zeros([4, 4])
paddle.ones([4, 4]); paddle.full([4, 4], 2.0); paddle.arange(10); paddle.eye(4); paddle.linspace(0, 1, 10)
paddle.zeros_like(A); paddle.ones_like(A); paddle.rand([4, 4]); paddle.randn([4, 4]); paddle.uniform([4, 4])
paddle.normal(0.0, 1.0, [4]); paddle.randint(0, 10, [4]); paddle.randperm(10); paddle.bernoulli(P); paddle.multinomial(P1, 2)
paddle.to_tensor([1.0, 2.0]); paddle.to_tensor(1.0); paddle.to_tensor(ARRAY); A.numpy(); float(v16[0]); S.item(); A.shape
A.clone(); A.detach(); A.cos(); A.tanh(); paddle.log1p(A); A.reciprocal(); A.pow(3); paddle.floor_divide(N, N2); paddle.mod(N, N2)
paddle.atan2(A, B); paddle.minimum(A, B); paddle.add_n([A, B]); A // B; A % B; N + N2; N * 2; N / N2; A < B; A != B; ~M; M & M
paddle.isclose(A, B); paddle.isfinite(A); F.relu6(A); F.hardsigmoid(A); F.mish(A); F.selu(A); F.glu(A); F.softsign(A)
F.log_sigmoid(A); F.prelu(A, v1); F.hardtanh(A); F.gelu(A, approximate=True); F.cosine_similarity(A, B); F.group_norm(IMG, 3)
F.instance_norm(IMG); F.adaptive_avg_pool2d(IMG, 1); F.conv1d(SEQ, K1); F.conv2d_transpose(IMG, KT); F.pixel_shuffle(IMG4, 2)
F.label_smooth(T); F.softmax_with_cross_entropy(T, LAB1); F.margin_ranking_loss(A, B, ONE); F.square_error_cost(A, B)
F.log_loss(P10, P01); LIN(A); CONV(IMG); EMB(LAB); DROP(A); SEQUENTIAL(A); F.scaled_dot_product_attention(Q, Q, Q)
paddle.linalg.inv(SQ); paddle.linalg.det(SQ); paddle.linalg.solve(SQ, SQ); paddle.linalg.cholesky(SPD); paddle.linalg.svd(SQ)
paddle.linalg.qr(SQ); paddle.linalg.eigh(SPD); paddle.trace(A); paddle.inner(A, B); paddle.tensordot(A, B, 1); paddle.t(A)
paddle.kron(P, P); A[[0, 2]]; A[A > 0.5]; A[:, IDS]; A[-1]; A[2:8, 3:9]; A[:, None]; paddle.index_add(A, IDS, 0, B2)
paddle.put_along_axis(A, IDX, 1.0, 1); paddle.masked_fill(A, M, 0.0); paddle.index_sample(A, IDX); A.sort(descending=True)
A.argsort(descending=True); paddle.searchsorted(v16s, v16); paddle.unique(LAB, return_counts=True); paddle.mode(A)
paddle.quantile(A, 0.5); A.amax(1); A.amin(); paddle.nansum(A); paddle.nanmean(A); paddle.count_nonzero(A); A.cumprod(0)
paddle.logcumsumexp(A, 0); M.any(1); M.all(0); A.mean([0, 1]); A.std(0); A.var(0); A.argmax(); N.sum(); N.max(); N.mean()
paddle.empty([4, 4]); paddle.full_like(A, 2.0); paddle.to_tensor([[1, 2], [3, 4]]); paddle.assign(A); paddle.logspace(0, 1, 5)
paddle.diagflat(v16); paddle.randint_like(N, 0, 5); paddle.standard_normal([4, 4]); A.tolist(); A.astype('float16')
A.astype('bool'); N.astype('float32'); A.cast('float32'); A.unsqueeze([0, 2]); paddle.moveaxis(A, 0, 1); paddle.rot90(A)
paddle.repeat_interleave(A, 2, 0); paddle.broadcast_to(v16, [4, 16]); v16.expand_as(A); paddle.slice(A, [0], [1], [4])
paddle.unstack(P); paddle.shape(A); paddle.numel(A); paddle.diff(A); paddle.histogram(A, 10); paddle.bincount(LAB)
paddle.flatten(IMG, 1); paddle.cross(V3, V3); paddle.cdist(A, B); paddle.nan_to_num(A); paddle.std(A); A.trunc(); A.lerp(B, 0.5)
D.add_(B); D.scale_(1.0); D.zero_(); D.fill_(1.0); D.clip_(0.0, 1.0); D.__setitem__(M, 0.0); D.__setitem__(IDS, B2)
paddle.ones([64, 64]); H + H; H * 2.0; H @ H; H.sum(); H.mean(1); F.softmax(H); F.gelu(H); F.relu(H); H.exp(); H.max(); H[3]
H.transpose([1, 0]); F.layer_norm(H, 100); F.sigmoid(H); H.cumsum(0); H.argmax(1); paddle.concat([H, H]); paddle.randn([100, 100])
F.dropout(H); H.astype('float64'); paddle.where(H > 0.5, H, H); paddle.erf(H); F.softplus(H); H.sort(); paddle.topk(H, 5)
paddle.einsum('bij,bjk->bik', I3, I3); paddle.einsum('ij->ji', A); paddle.einsum('i,j->ij', v16, v16)
paddle.einsum('ii->i', A); A[IDS, IDS]; A[:, ::-1]; A[[1, 3], 2:5]; A[M.any(1)]; I3[:, 1]; I3[..., None, 2]; A[IDS, :3]
A[-3:, -2:]; IMG[:, 0]; BIG[LAB]; C.__setitem__((slice(1, 9), slice(2, 5)), 0.5); C.__setitem__((slice(None), IDS), 1.0)
D.__setitem__(D > 0.5, 0.0); paddle.index_put(A, (IDS, IDS), v2); paddle.scatter_nd(ND, v2, [16, 16])
paddle.scatter_nd_add(A, ND, v2); paddle.put_along_axis(A, IDX, 1.0, 1, reduce='add'); paddle.index_fill(A, IDS, 0, 0.5)
paddle.where(M); paddle.nn.functional.interpolate(IMG, size=[8, 8], mode='bilinear'); F.avg_pool1d(SEQ, 2)
F.max_pool1d(SEQ, 2); F.adaptive_max_pool2d(IMG, 2); F.conv2d(IMG, K, padding=1, stride=2); F.conv1d(SEQ, K1, padding=1)
F.pad(IMG, [1, 1, 1, 1]); F.batch_norm(A, v16, v16, v16, v16); F.local_response_norm(IMG, 3); F.pixel_unshuffle(IMG4, 2)
F.fold(COLS, [4, 4], 2); F.cross_entropy(T, LAB, reduction='none'); F.cross_entropy(T, SOFT, soft_label=True)
F.cross_entropy(T, LAB, label_smoothing=0.1); F.softmax(T, axis=0); F.gumbel_softmax(T); F.swish(A); F.thresholded_relu(A)
F.hardshrink(A); F.maxout(IMG4, 2); F.cosine_embedding_loss(A, B, SIGNS); F.triplet_margin_loss(A, B, C16)
F.pairwise_distance(A, B); F.soft_margin_loss(A, ONE); paddle.norm(A, 1, 0); paddle.norm(A, 'fro')
paddle.linalg.norm(A, float('inf')); paddle.linalg.matrix_power(SQ, 3); paddle.linalg.lstsq(SQ, SQ); paddle.linalg.pinv(SQ)
paddle.linalg.slogdet(SQ); paddle.linalg.matrix_rank(SQ); paddle.linalg.multi_dot([A, B, A]); paddle.linalg.eigvalsh(SPD)
paddle.linalg.triangular_solve(SPD, SQ); D.subtract_(B); D.multiply_(ONE); D.exp_(); D.sqrt_(); D.tanh_()
D.reshape_([256]).reshape_([16, 16]); D.uniform_(); D.normal_(); D.copy_(B, True); D.set_value(B); A.item(3); A.dim()
A.numel(); A.contiguous(); A.is_contiguous(); len(A); A.T.contiguous(); A.clip(0.2, 0.8); A.max(0, keepdim=True); A.topk(2)
A.unbind(); A.gather(IDS); A.matmul(B); A.norm(); A.isnan().any(); paddle.stack([v16, v16, v16, v16, v16, v16, v16, v16])
paddle.to_tensor(SAMPLES); paddle.concat([v16, v16, v16, v16]); paddle.vsplit(A, 2); paddle.bitwise_and(N, N2)
paddle.gcd(N, N2); paddle.heaviside(A, B); paddle.frac(A); paddle.logit(A); paddle.lgamma(A); paddle.digamma(A)
paddle.rad2deg(A); paddle.hypot(A, B); paddle.expm1(A); paddle.trapezoid(v16); paddle.vander(v16, 4)
paddle.renorm(A, 2.0, 0, 1.0); paddle.cummax(A, 1); paddle.nanmedian(A); paddle.bucketize(v16, v16s)
paddle.unflatten(A, 0, [4, 4]); paddle.take(A, IDX); paddle.as_complex(PAIRS)
"""

CHANGING = """
F.dropout(A, f() / 10); C.__setitem__((n(64), n(63)), 1.0); C.__setitem__((n(64), n(63)), f()); C.__setitem__(n(64), V64)
C.__setitem__((slice(None), n(64)), f()); C.__setitem__((n(16), n(15)), paddle.dot(A[n(16)], B[:, n(15)]))
C.__setitem__(slice(n(8), 10), f()); paddle.topk(A, n(15) + 1); paddle.kthvalue(A, n(15) + 1); paddle.roll(A, n(1000))
F.relu(BIG[:n(200) + 2]); A[n(16), n(15)]; A[n(16)]; A[:, n(16)]; A[n(8):10]; A[n(4):n(4) + 8, n(8)]; float(A[n(16), n(15)])
BIG[n(100):200].sum(); paddle.uniform([4, 4], min=-f(), max=f()); paddle.normal(f(), f(), [4])
paddle.randint(0, n(50) + 1, [4]); F.leaky_relu(A, f()); F.elu(A, f()); F.softplus(A, beta=f()); F.celu(A, f())
F.hardtanh(A, -f(), f()); F.label_smooth(T, epsilon=f() / 10); F.normalize(A, p=1.0 + f()); paddle.dist(A, B, 1.0 + f())
paddle.scale(A, f()); paddle.scale(A, f(), bias=f()); A * f(); A + f(); A / f(); f() - A; f() / A; A ** f(); A > f()
A * n(50); A + n(50); paddle.clip(A, f() / 100, f()); paddle.lerp(A, B, f()); paddle.addmm(C16, A, B, beta=f(), alpha=f())
paddle.pow(A, f()); paddle.where(A > f(), A, B); A.add_(B) * f(); paddle.tile(A, [n(5) + 1, 1]); F.pad(A, [n(5), 1, n(3), 1])
v16.expand([n(20) + 1, 16]); BIG[:n(100) * 2 + 2].reshape([-1, 32]); A.sum(n(2)); A.mean(n(2)); paddle.full([4, 4], f())
paddle.full([n(50) + 1, 4], 1.0); paddle.zeros([n(50) + 1, 4]); paddle.ones([n(50) + 1]); paddle.arange(n(500))
paddle.arange(n(50), 60); paddle.linspace(0, f(), 10); paddle.eye(n(30) + 1); paddle.tril(A, n(10)); paddle.triu(A, n(10))
paddle.diagonal(A, n(10)); F.one_hot(LAB, n(50) + 10); paddle.index_select(A, IDSN[n(16)]); paddle.gather(A, IDSN[n(16)])
A[IDSN[n(16)]]; paddle.to_tensor(f()); paddle.to_tensor([f(), f()]); paddle.to_tensor(n(50)); paddle.split(A, [n(15) + 1, -1])
paddle.concat([A, BIG[:n(50) + 1]]); paddle.allclose(A, B, rtol=f() / 1000); paddle.multiply(A, paddle.to_tensor(f()))
paddle.matmul(BIG[:n(50) + 1], A); F.softmax(BIG[:n(50) + 1]); paddle.randn([n(50) + 1, 4]); F.linear(BIG[:n(50) + 1], B, v16)
S.set_value(paddle.to_tensor(f())); A[n(16), IDS]; A[IDSN[n(16)], n(16)]; I3[n(4), :, n(16)]; IMG[:, :, n(8):n(8) + 8]
C.__setitem__((slice(n(8), 16), slice(n(8), 12)), f()); C.__setitem__(IDSN[n(16)], V64); D.__setitem__(D > f(), 0.0)
paddle.masked_fill(A, A > f(), f()); paddle.clip(A, max=f()); paddle.index_fill(A, IDS, 0, f())
paddle.argsort(BIG[:n(50) + 1], 0); paddle.sort(BIG[:n(50) + 1]); (lambda k: F.cross_entropy(T[:k], LAB[:k]))(n(30) + 1)
F.embedding(LAB[:n(30) + 1], BIG); paddle.norm(A, 1.0 + f()); F.interpolate(IMG, size=[n(8) + 4, 8])
F.max_pool2d(IMG, n(3) + 2); F.avg_pool2d(IMG[:, :, :n(8) + 8], 2); F.unfold(IMG, n(3) + 1); F.layer_norm(BIG[:n(50) + 1], 16)
F.gelu(BIG[:n(50) + 1]); F.log_softmax(BIG[:n(50) + 1]); F.dropout(BIG[:n(50) + 1], 0.1)
paddle.stack([A[i] for i in range(n(8) + 1)]); paddle.concat([A[i] for i in range(n(8) + 1)])
paddle.to_tensor([f()] * (n(20) + 1)); paddle.einsum('ij,jk->ik', BIG[:n(50) + 1], A); paddle.gather_nd(A, ND % (n(3) + 1))
paddle.cumsum(BIG[:n(50) + 1], 0); A.item(n(256)); paddle.linspace(f(), 2.0, n(30) + 2)
paddle.repeat_interleave(A, n(4) + 1, 0); paddle.where(A > f(), f() * A, A); F.relu(A * f()).sum(); D.scale_(1.0 + f() / 1e6)
D.add_(paddle.full([16, 16], f())); D.fill_(f()); D.clip_(0.0, f()); BIG[n(200)].tolist(); LAB[n(30)] == 3
"""

NO_GRADIENT = (
    "A >", "A ==", "__setitem__", "argm", "unique", "nonzero", "allclose", "equal_all", "M.", "logical", "isnan", "zeros",
    "ones", "paddle.full", "arange", "eye", "linspace", "rand", "uniform", "normal", "bernoulli", "multinomial", "to_tensor",
    "numpy", "float(", "item", "shape", "detach", "one_hot", "int64", "floor", "round", "sign(", "argsort", "add_", "set_value",
    "N ", "N.", "A <", "A !=", "A //", "A %", "~M", "isclose", "isfinite", "searchsorted", "count_nonzero", "empty", "full_like",
    "tolist", "bool", "D.", "diagflat", "histogram", "bincount", "numel", "linalg", "standard_normal", "mode", "eigh", "trunc",
    "P10", "mod(", "D > ", "A.dim", "contiguous", "len(", "where(M)", "gcd", "bitwise", "scatter_nd(", "heaviside", "SAMPLES",
    "LAB[", "tolist", "bucketize", "isnan", "lstsq", "renorm", "as_complex", "frac(", "ND %", "local_response",
)  # fmt: skip


MODES = ("plain", "recorded", "backward")


def chosen(text: str, mode: str, words: list[str] | None = None) -> list[str]:
    """The expressions of a table that are of interest in a mode."""
    rows = [row.strip() for line in text.splitlines() for row in line.split(";") if row.strip()]
    written = "__setitem__" if mode == "recorded" else "nothing"
    rows = [row for row in rows if mode == "plain" or written in row or not any(part in row for part in NO_GRADIENT)]
    return [row for row in rows if not words or any(word in row for word in words)]


# -- in each of the two processes --------------------------------------------------------------------------------------------


def space(paddle: Any) -> dict[str, Any]:
    """What the expressions name: tensors, and functions of which each call gives another number."""
    import numpy as np

    random = np.random.RandomState(0)
    nn = paddle.nn

    def t(*shape: int) -> Any:
        return paddle.to_tensor(np.asarray(random.rand(*shape) * 0.9 + 0.05, "float32"))

    def ints(*values: Any) -> Any:
        return paddle.to_tensor(np.array(values))

    count = [0]
    values = [0.001 * i + 0.1 for i in range(5000)]

    def f() -> float:
        count[0] += 1
        return values[count[0] % 5000]

    def n(max_count: int) -> int:
        count[0] += 1
        return count[0] % max_count

    return {
        "paddle": paddle, "F": nn.functional, "f": f, "n": n, "A": t(16, 16), "B": t(16, 16), "C16": t(16, 16), "A1": t(1, 16, 16),
        "B2": t(2, 16), "BIG": t(256, 16), "v16": t(16), "IMG": t(2, 3, 16, 16), "K": t(4, 3, 3, 3), "I3": t(4, 16, 16),
        "T": t(32, 10), "S": t(), "C": t(64, 64), "V64": t(64), "P": t(4, 4), "P1": t(10), "M": t(16, 16) > 0.5,
        "LAB": paddle.to_tensor(random.randint(0, 10, (32,))), "IDS": ints(1, 5), "ND": ints([1, 2], [3, 4]),
        "IDX": paddle.to_tensor(random.randint(0, 16, (16, 3))), "IDSN": [ints(i) for i in range(16)],
        "ARRAY": random.rand(4, 4).astype("float32"), "LN": nn.LayerNorm(16), "BN": nn.BatchNorm1D(16),
        "N": paddle.to_tensor(random.randint(1, 10, (16, 16))), "N2": paddle.to_tensor(random.randint(1, 10, (16, 16))),
        "v1": t(1), "SEQ": t(2, 3, 16), "K1": t(4, 3, 3), "KT": t(3, 4, 3, 3), "IMG4": t(2, 4, 8, 8), "D": t(16, 16), "V3": t(5, 3),
        "LAB1": paddle.to_tensor(random.randint(0, 10, (32, 1))), "ONE": t(16, 16) * 0 + 1, "P10": t(8, 1), "P01": t(8, 1),
        "LIN": nn.Linear(16, 16), "CONV": nn.Conv2D(3, 4, 3), "EMB": nn.Embedding(10, 16), "DROP": nn.Dropout(0.1),
        "SEQUENTIAL": nn.Sequential(nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 4)), "Q": t(2, 8, 2, 4), "SQ": t(6, 6),
        "v2": t(2), "COLS": t(1, 8, 9), "SOFT": nn.functional.softmax(t(32, 10)), "PAIRS": t(8, 2),
        "SIGNS": paddle.to_tensor(np.where(random.rand(16) > 0.5, 1, -1)),
        "SAMPLES": [random.rand(4).astype("float32") for _ in range(8)],
        "SPD": paddle.to_tensor((np.eye(6) * 6 + 1).astype("float32")),
        "v16s": paddle.to_tensor(np.linspace(0, 1, 16).astype("float32")), "H": t(100, 100),
    }  # fmt: skip


LEAVES = ("A", "B", "C16", "A1", "B2", "BIG", "v16", "IMG", "K", "I3", "T", "H", "SEQ", "K1", "KT", "IMG4", "Q", "V3", "v1", "P")


def prepared(paddle: Any, mode: str, row: str) -> Any:
    """What runs a row so many times, and says how many seconds that took."""
    named = space(paddle)
    if mode != "plain":
        for name in LEAVES:
            named[name].stop_gradient = False
        if ".add_(" in row:
            named["A"] = named["A"] * 1.0
    done = f"first({row}).sum().backward()" if mode == "backward" else row
    named |= {"clock": time.thread_time, "first": lambda y: y[0] if isinstance(y, (list, tuple)) else y}
    code = f"def timed(calls):\n t = clock()\n for _ in range(calls): {done}\n return clock() - t"
    exec(code, named)
    run = named["timed"]

    def without(calls: int) -> float:
        with paddle.no_grad():
            return run(calls)

    return without if mode == "plain" else run


def by_hand(row: str) -> Any:
    """What runs the NumPy of a row so many times, and says how many seconds that took."""
    from limits.calls import CALLS

    import to_static as paddle

    arrays = {name: value.numpy() for name, value in space(paddle).items() if isinstance(value, paddle.Tensor)}
    call = CALLS[row]

    def timed(calls: int) -> float:
        start = time.thread_time()
        for _ in range(calls):
            call(arrays)
        return time.thread_time() - start

    return timed


def serve(package: str, seeded: bool) -> None:
    """Answer lines ``mode TAB row TAB calls`` with seconds, or with what went wrong."""
    import importlib

    paddle = importlib.import_module("to_static" if package == "limits" else package)
    importlib.import_module(paddle.__name__ + ".nn.functional")
    if seeded:
        paddle.seed(0)
    known: dict[tuple[str, str], Any] = {}
    for line in sys.stdin:
        mode, row, calls = line.rstrip("\n").split("\t")
        try:
            if (mode, row) not in known:
                known.clear()
                known[mode, row] = by_hand(row) if package == "limits" else prepared(paddle, mode, row)
            print(known[mode, row](int(calls)), flush=True)
        except Exception as error:
            print("#", " ".join(f"{type(error).__name__}: {error}".split())[:200], flush=True)


class Worker:
    """A process that runs rows."""

    def __init__(self, python: str, package: str, seeded: bool) -> None:
        root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        environment = os.environ | ({"PYTHONPATH": root} if package != "paddle" else {})
        command = [python, os.path.abspath(__file__), "--serve", package, *["seeded"] * seeded]
        self._started = lambda: subprocess.Popen(
            command, text=True, env=environment, cwd=os.path.dirname(python), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.process = self._started()

    def seconds(self, mode: str, row: str, calls: int) -> float | None:
        """For so many calls; None where the row does not run."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{mode}\t{row}\t{calls}\n")
        self.process.stdin.flush()
        said = self.process.stdout.readline()
        try:
            return float(said)
        except ValueError:
            if not said.startswith("#"):  # the process has crashed
                self.process.kill()
                self.process.wait()
                self.process = self._started()
            print(f"{mode}: {row}: {said.strip() or 'crashed'}", file=sys.stderr)
            return None


def compared(workers: list[Worker], mode: str, row: str, rounds: int) -> list[float] | None:
    """Microseconds of a call by each worker."""
    calls = []
    for worker in workers:
        once = worker.seconds(mode, row, 120)
        if once is None:
            return None
        calls.append(max(10, min(2000, int(0.004 / max(once / 120, 1e-7)))))
    best = [1e9] * len(workers)
    for _ in range(rounds):
        for i, worker in enumerate(workers):
            best[i] = min(best[i], (worker.seconds(mode, row, calls[i]) or 1e9) / calls[i] * 1e6)
    return best


def limits(workers: list[Worker], rounds: int) -> None:
    """Print the rows that `limits.calls` has: ours, NumPy by hand and the peer, in microseconds, and ours by each of these."""
    from limits.calls import CALLS

    workers = [workers[0], Worker(sys.executable, "limits", False), *workers[1:]]
    print("| call | ours, µs | NumPy by hand | Paddle | ours / NumPy | ours / Paddle |\n|---|---|---|---|---|---|")
    for row in CALLS:
        times = compared(workers, "plain", row, rounds)
        if times is not None:
            cells = [*(f"{t:.1f}" for t in times), *(f"{times[0] / t:.2f}" for t in times[1:])]
            print(f"| `{row}` | {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Print a table for each group of rows and each mode."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--peer", help="the interpreter of an environment with PaddlePaddle; without it ours alone are measured")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--all", action="store_true", help="print all rows, not those above 1.5")
    parser.add_argument("--mode", choices=MODES, action="append")
    parser.add_argument("--only", nargs="+", dest="words", help="words of the rows that are wanted")
    parser.add_argument("--seeded", action="store_true", help="measure what is random after a seed")
    parser.add_argument("--limits", action="store_true", help="print ours, NumPy by hand and the peer, and the ratios to both")
    options = parser.parse_args()
    workers = [Worker(sys.executable, "to_static", options.seeded)]
    workers += [Worker(options.peer, "paddle", options.seeded)] if options.peer else []
    if options.limits:
        limits(workers, options.rounds)
        return
    summary = []
    for group, table in (("constant", CONSTANT), ("changing", CHANGING)):
        for mode in options.mode or MODES:
            found = []
            for row in chosen(table, mode, options.words):
                times = compared(workers, mode, row, options.rounds)
                if times is not None:
                    found.append((times[0] / times[-1], row, times))
            if not found:
                continue
            middle = statistics.median(one[0] for one in found)
            line = f"{group} arguments, {mode}: {len(found)} rows, median {middle:.2f}, above 2: {sum(one[0] > 2 for one in found)}"
            summary.append(line)
            print(line)
            for ratio, row, times in sorted(found, reverse=True):
                if options.all or options.words or not options.peer or ratio > 1.5:
                    print(f"  {ratio:5.2f}  {''.join(f'{one:8.1f} ' for one in times)} {row}", flush=True)
    print("\n" + "\n".join(summary))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve(sys.argv[2], len(sys.argv) > 3)
    else:
        main()
