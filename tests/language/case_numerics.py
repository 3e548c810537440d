"""Programs of model authors: numerical algorithms"""

import math

import numpy as np
from language_table import NEG, POS, T, case, refused

import to_static as paddle
from to_static.nn import functional as F


def normal(*shape, seed=0):
    return T(np.random.RandomState(seed).standard_normal(shape))


def ints(*values):
    return T(values, "int64")


@case("k-means until the centres stay", (normal(12, 2), 3), (normal(7, 2, seed=1), 2))
def k_means(points, k):
    centres = points[:k]
    for step in range(20):
        distances = ((points.unsqueeze(1) - centres.unsqueeze(0)) ** 2).sum(-1)
        nearest = distances.argmin(axis=1)
        updated = []
        for i in range(k):
            member = (nearest == i).astype("float32").unsqueeze(1)
            count = member.sum()
            updated.append((points * member).sum(axis=0) / count if count > 0 else centres[i])
        new = paddle.stack(updated)
        moved = (new - centres).abs().max()
        centres = new
        if moved < 1e-4:
            break
    return centres, nearest, step


@case("Newton's method with a step that is halved", (T(5.0),), (T(-3.0),), (T(0.1),))
def newton(x):
    def f(v):
        return v**3 - 2 * v + 2

    history = []
    for i in range(30):
        value = f(x)
        history.append(value)
        if abs(value) < 1e-4:
            break
        slope = 3 * x**2 - 2
        if abs(slope) < 1e-6:
            slope = slope + 0.1
        step = 1.0
        while abs(f(x - step * value / slope)) > abs(value) and step > 1e-3:
            step /= 2
        x = x - step * value / slope
    return x, i, len(history), max(history)


@case("power iteration with a tolerance", (T([[2.0, 1.0], [1.0, 3.0]]),), (T([[1.0, 0.0], [0.0, 1.0]]),))
def power_iteration(matrix):
    v = paddle.ones([matrix.shape[0]])
    last = None
    for count in range(100):
        v = matrix @ v
        v = v / v.norm()
        eigenvalue = (v * (matrix @ v)).sum()
        if last is not None and abs(eigenvalue - last) < 1e-6:
            break
        last = eigenvalue
    return eigenvalue, count


@case("a line search that raises when it fails", (T(1.0), T(-2.0)), (T(1.0), T(0.0)))
def line_search(x, slope):
    step = 1.0
    for _ in range(5):
        if (x + step * slope) ** 2 < x**2:
            return step
        step *= 0.5
    raise RuntimeError("no step found")


@case("a polynomial by Horner's rule, with zero coefficients left out", (T(2.0), [1.0, 0.0, 3.0]), (T(0.0), []))
def horner(x, coefficients):
    total = 0.0
    for c in reversed(coefficients):
        total = total * x
        if c:
            total += c
    return total


SPD = T([[4.0, 1.0], [1.0, 3.0]])


@case("conjugate gradients until the residual is small", (SPD, T([1.0, 2.0])), (T(np.eye(2)), T([1.0, 2.0])), (SPD, T([0.0, 0.0])))
def conjugate_gradient(A, b):
    x = paddle.zeros_like(b)
    r = b - A @ x
    p = r.clone()
    rs = (r * r).sum()
    it = 0
    while rs.sqrt() > 1e-5 and it < 50:
        Ap = A @ p
        alpha = rs / (p * Ap).sum()
        x += alpha * p
        r -= alpha * Ap
        rs_new = (r * r).sum()
        p = r + (rs_new / rs) * p
        rs = rs_new
        it += 1
    return x, it, float(rs) < 1e-8


@case("bisection, with None for no change of sign", (T(0.0), T(2.0)), (T(1.0), T(1.0)), (T(2.0), T(3.0)))
def bisection(lo, hi):
    f = lambda v: v * v - 2.0
    if f(lo) * f(hi) > 0:
        return None, 0
    n = 0
    while hi - lo > 1e-3:
        mid = 0.5 * (lo + hi)
        if f(mid) == 0:
            return mid, n
        if f(lo) * f(mid) < 0:
            hi = mid
        else:
            lo = mid
        n += 1
    return (lo + hi) / 2, n


@case("an ODE solver with adaptive steps", (T([1.0, 0.5]),), (T([0.0, 0.0]),), (T([3.0, -2.0]),))
def rk_adaptive(y, t1=1.0, tol=1e-3):
    def f(t, y):
        return paddle.stack([y[1], -y[0] * (1 + t)])

    t, h = 0.0, 0.2
    accepted = rejected = 0
    trace = []
    while t < t1 and accepted + rejected < 60:
        h = min(h, t1 - t)
        k1 = f(t, y)
        k2 = f(t + h, y + h * k1)
        err = (0.5 * h * (k2 - k1)).abs().max()
        if err <= tol:
            t += h
            y = y + h * (k1 + k2) / 2
            accepted += 1
            trace.append(y)
        else:
            rejected += 1
        if err > 0:
            h *= min(2.0, max(0.3, 0.9 * math.sqrt(tol / err)))
    return y, accepted, rejected, trace[-1] if trace else None


@case(
    "Gauss-Jordan elimination with pivots, and an error for a singular matrix",
    (T([[2.0, 1.0], [1.0, 3.0]]),),
    (T(np.eye(2)),),
    (T(np.zeros((2, 2))),),
)
def gauss_jordan(a):
    n = a.shape[0]
    aug = paddle.concat([a, paddle.eye(n)], axis=1)
    for col in range(n):
        pivot = col
        for row in range(col + 1, n):
            if aug[row, col].abs() > aug[pivot, col].abs():
                pivot = row
        if aug[pivot, col].abs() < 1e-8:
            raise ZeroDivisionError("singular matrix")
        if pivot != col:
            tmp = aug[col].clone()
            aug[col] = aug[pivot]
            aug[pivot] = tmp
        aug[col] = aug[col] / aug[col, col]
        for row in range(n):
            if row != col:
                aug[row] = aug[row] - aug[row, col] * aug[col]
    return aug[:, n:]


@case("Euclid's algorithm", (ints(27, 6),), (ints(0, 3),), (ints(7, 0),))
def gcd_loop(v):
    a, b = v[0], v[1]
    while b:
        a, b = b, a % b
    return a


@case("a loop with `else` that gives up", (T(27, "int64"),), (T(1, "int64"),), (T(6, "int64"),))
def collatz(n):
    path = [n]
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        path.append(n)
        if len(path) > 12:
            break
    else:
        return len(path), "reached"
    return len(path), "gave up"


@case("the spectral norm by power iteration", (normal(3, 3, seed=1),), (normal(3, 3, seed=2) * 0.01,))
def spectral_norm_fn(w, eps=1e-6):
    u = paddle.ones([w.shape[0]]) / math.sqrt(w.shape[0])
    sigma = None
    for _ in range(30):
        v = F.normalize(w.t() @ u, axis=0)
        u = F.normalize(w @ v, axis=0)
        new = u @ (w @ v)
        if sigma is not None and (new - sigma).abs() < eps:
            break
        sigma = new
    return w / new if new > 1 else w


@case("Sinkhorn iterations until nothing moves", (normal(2, 5, 5),), (normal(2, 3, 3, seed=3),))
def sinkhorn(cost, eps=0.5, n_iter=50):
    b, n, m = cost.shape
    u, v = paddle.zeros([b, n]), paddle.zeros([b, m])
    K = -cost / eps
    for i in range(n_iter):
        u_prev = u
        u = -paddle.logsumexp(K + v.unsqueeze(1), axis=2)
        v = -paddle.logsumexp(K + u.unsqueeze(2), axis=1)
        if (u - u_prev).abs().mean() < 1e-3:
            break
    return paddle.exp(K + u.unsqueeze(2) + v.unsqueeze(1)), i


@case("expectation maximization with a tolerance", (normal(6, 2),), (normal(3, 2, seed=2),))
def em_gaussians(x, k=2, iters=10):
    mu, var, pi = x[:k], paddle.ones([k]), paddle.full([k], 1 / k)
    last = -math.inf
    for it in range(iters):
        d = ((x.unsqueeze(1) - mu.unsqueeze(0)) ** 2).sum(-1)
        logp = paddle.log(pi) - d / (2 * var) - paddle.log(var)
        ll = paddle.logsumexp(logp, axis=1).sum()
        r = F.softmax(logp, axis=1)
        nk = r.sum(0)
        mu = (r.t() @ x) / nk.unsqueeze(1)
        var = paddle.clip((r * d).sum(0) / (2 * nk), min=1e-2)
        pi = nk / x.shape[0]
        if ll - last < 0.05:
            break
        last = ll
    return mu, var, it


@case("a temperature found by bisection", (T([0.3, 0.6, 0.1]),), (T([0.9, 0.05, 0.05]),))
def entropy_temperature(p_, target=0.8):
    lo, hi = 0.1, 10.0
    for _ in range(20):
        temp = (lo + hi) / 2
        q = F.softmax(paddle.log(p_) / temp)
        h = -(q * q.log()).sum()
        if abs(h.item() - target) < 1e-3:
            break
        lo, hi = (temp, hi) if h < target else (lo, temp)
    return temp, h


@refused("a number of NumPy beside one of the Program, which computes as Python does", POS)
def numpy_number(x):
    return int(x.sum()) * np.float64(1.5)


@case("numbers of the Program beside tensors of booleans and of double precision", (POS, T(2)), (NEG, T(0)), (NEG, T(1)))
def numbers_beside_tensors(x, n):
    k, wide, flags = int(n), x.astype("float64"), x > 0
    shares = k / wide, (k + 1) / (x.astype("int64") + 5), float(n) / x.astype("float16")
    return shares, flags < k, k >= flags, flags == k, paddle.not_equal(flags, k), wide > k, x.astype("int32") < float(n) + 0.5


@case("the smaller of a number that a loop carries and one that a tensor makes", (POS, T(1)), (NEG, T(3)))
def smaller_of_both(x, n):
    best = 5
    for _ in range(n):
        best = min(best + 1, 2 + (x.sum() > 0))
    return best
