"""Shapes"""

import numpy as np
from language_table import POS, T, case, refused, scenario

import to_static as paddle
import to_static.nn.functional as F
from to_static.static import InputSpec

SIZES = [T([[1.0, 2.0, 3.0]]), T([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), T([[0.5, 0.5, 0.5]] * 5)]


def unknown(title, spec=(None, 3)):
    """A scenario that runs ``function`` on several sizes through one Program with an unknown dimension."""

    def decorate(function):
        def run(to_static):
            static = to_static(function, input_spec=[InputSpec(list(spec), "float32", "x")])
            return [static(x) for x in SIZES]

        run.__name__, run.__module__ = function.__name__, function.__module__
        return scenario(title)(run)

    return decorate


@case("`x.shape`, `ndim`, `size`, `dtype` known", POS)
def known(x):
    return x.shape, x.ndim, x.shape[0] * 2, x.dtype is paddle.float32, len(x), x.shape == [2]


@case("loops and conditions on known dimensions stay Python", POS)
def known_flow(x):
    total = 0
    for i in range(x.shape[0]):
        total += i
    return x if x.shape[-1] == 2 else -x, total


@unknown("arithmetic with an unknown dimension computes as Python ints do")
def arithmetic(x):
    n = x.shape[0]
    return n, n * 2, n / 2, n // 2, n % 2, -n, n ** 2, n + 0.5, 10 - n, x * n, x.sum() / n


@unknown("an unknown dimension as a condition")
def condition(x):
    if x.shape[0] > 1:
        return x * 2
    return x


@unknown("`range` of an unknown dimension")
def ranges(x):
    total = 0
    for i in range(x.shape[0]):
        total = total + i
    return total


def pair_of(x):
    first, second = x
    print(first.sum())
    return first - second


def second_of(x):
    print(x.shape[0])
    assert x.shape[0] > 1, "one row"
    return x[1]


@scenario("`a, b = x`, and what goes wrong before a shape does, where a dimension is unknown")
def fails_in_order(to_static):
    found = []
    for function in (pair_of, second_of):
        static = to_static(function, input_spec=[InputSpec([None, 3], "float32", "x")])
        for x in (*SIZES, SIZES[0]):
            try:
                found.append(static(x))
            except (ValueError, AssertionError) as error:
                found.append(repr(error))
    return found


@unknown("sizes for `F.interpolate` from an unknown dimension")
def resized(x):
    picture = x.reshape([1, 1, -1, 3])
    same = F.interpolate(picture[:, :, ::2], paddle.shape(picture)[2:], mode="bilinear")
    wide = F.interpolate(picture, size=[picture.shape[2] * 2, 4])
    picture.stop_gradient = False
    (slope,) = paddle.grad(F.interpolate(picture, size=(x.shape[0] + 1, 2), mode="bicubic").exp().sum(), [picture])
    return same, wide, slope


@unknown("`for` over an unknown dimension")
def iteration(x):
    total = paddle.zeros([3])
    for row in x:
        total = total + row
    return total


@unknown("`reshape`, `zeros`, `expand`, slices with an unknown dimension")
def uses(x):
    b, c = x.shape
    return x.reshape([b * c]), paddle.zeros([b, 2]), x.reshape([-1, 3]), x[: b - 1], paddle.ones([b]).sum()


@unknown("unpacking `x.shape`, `len`, products")
def products(x):
    b, c = x.shape
    return b * c, len(x), x.numel() if False else b, max(b, c), min(b, 2)


@unknown("an unknown dimension compared and joined")
def joined(x):
    n = x.shape[0]
    m = n if n > 1 else 7
    return m, n == 2, 0 < n < 3, n > 1 and n < 5


@unknown("`x.shape` in a string that is printed")
def printed(x):
    print(f"batch {x.shape[0]}")
    return x.sum()


@unknown("f-string of a known dimension")
def known_string(x):
    return f"{x.shape[1]} columns"


@scenario("a sum that starts as 0 over an unknown number of rows, none and many, with gradients")
def sum_from_zero(to_static):
    def f(x):
        total = 0
        for row in x:
            total = total + (row * row).sum()
        return total

    static = to_static(f, input_spec=[InputSpec([None, 3], "float32", "x", stop_gradient=False)])
    seen = [static(paddle.zeros([0, 3]))]
    for x in SIZES:
        x = T(x.numpy(), stop_gradient=False)
        static(x).backward()
        seen.append(x.grad)
    return seen


@unknown("shapes compared with lists, tuples and each other")
def compared_shapes(x):
    y = x.transpose([1, 0])
    if x.shape == [2, 3]:
        return x.sum()
    other = x.shape != [5, 3], tuple(x.shape) == (1, 3), x.shape[:1] == [5], x.shape == y.shape, list(x.shape) == [1, 3, 1]
    assert x.shape != [7, 3], f"{x.shape[0]} rows"
    return other, paddle.repeat_interleave(x, x.shape[0], axis=0)


ROWS = T([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
NUMBERED = [(ROWS, T(n, "int64")) for n in (2, 1, 3)]


LENGTHS = [(T(v, "int64"), T(3, "int64")) for v in ([1, 3, 2], [0, 0], [5])]


@case("masks of lengths: up to the longest, a number or a tensor", *LENGTHS)
def length_masks(lengths, n):
    return F.sequence_mask(lengths), *(F.sequence_mask(lengths, maxlen=k, dtype="bool") for k in (n, int(n), 2))


@case("slices with a step from a tensor, read and set", *NUMBERED, (ROWS, T(-2, "int64")), (ROWS, T(0, "int64")))
def stepped(x, n):
    y = x * 1
    y[::n] = 0
    y[0, 2::-n] = paddle.ones([1])
    return x[::n], x[:, -1::n], x[n::n, 1], x[None, ::n], y


@case("a slice, an index, an axis's place or a dtype chosen by a tensor", *NUMBERED)
def chosen_index(x, n):
    part = slice(0, 2) if n > 1 else slice(None, None, 2)
    y = x * 1
    y[part, 1] = -1.0
    other = x.astype("int64" if n > 1 else "float64")
    return x[part], x[:, part], x[None if n > 1 else 0], x[1:] if n > 1 else x[:, None], y, other


@case("padding by numbers of tensors", *NUMBERED, (ROWS, T(-1, "int64")), (ROWS, T(4, "int64")))
def padded(x, n):
    k, image = int(n), x.reshape([1, 1, 3, 3])
    wide = F.pad(x, [0, k, k, 1], value=2.0), F.pad(image, [k, 0, 1, k], value=1.0), F.pad(image, k)
    if k == 3:
        return wide
    return wide, [F.pad(image, [k, 1, 0, k], mode=mode) for mode in ("replicate", "circular", "reflect")]


@case("counts, shifts and sizes from tensors", *NUMBERED, (ROWS, T(4, "int64")), (ROWS, T(0, "int64")))
def sized(x, n):
    k = int(n)
    made = paddle.eye(k), paddle.eye(n, 2, dtype="int64"), paddle.linspace(0, 1, k), paddle.linspace(3.0, -2, n + 1, dtype="int32")
    moved = paddle.roll(x, k), paddle.roll(x, n, axis=1), x.roll([k, -k], axis=[0, 1])
    codes = F.one_hot(paddle.to_tensor([0, 1]), k + 1)
    return made, moved, codes, paddle.triu(x, diagonal=n), x.topk(k), x.topk(n, axis=0, largest=False), paddle.kthvalue(x, k)[0]


@case("`split` into sizes from tensors", *NUMBERED, (ROWS, T(5, "int64")))
def split_sizes(x, n):
    k = int(n)
    return paddle.split(x, [k, -1], axis=1), paddle.split(x, [k, 3 - k])


@unknown("images resized, padded and shifted by sizes that are unknown", (None, None))
def image_sizes(x):
    h, w = x.shape
    image = x.unsqueeze([0, 1])
    wide = F.interpolate(image, size=[h * 2, w + 1], mode="bilinear"), F.interpolate(image, size=(h + 1) * 2), x.topk(min(2, w))[0]
    shapes = F.interpolate(wide[0], size=image.shape[2:], mode="bicubic"), paddle.eye(w), F.one_hot(paddle.arange(h), h)
    return *wide, *shapes, F.pad(x, [0, 6 - h, 0, 0]), paddle.roll(x, w // 2, axis=1), paddle.linspace(0, 1, h)


@scenario("gradients through sizes from tensors")
def gradients_of_sizes(to_static):
    def f(x, n):
        k, image = int(n), x.reshape([1, 1, 3, 3])
        resized = F.interpolate(image, size=[k + 1, 4], mode="bilinear")
        ringed = F.pad(image, [k, 1, 0, k], mode="reflect")
        squares = [(y**2).sum() for y in (F.pad(x, [0, k, k, 1]), resized, ringed, x[::n], x.roll(k, 0), x.topk(k)[0])]
        return sum(squares) + (x.roll(n) * x).sum()

    found = []
    function = to_static(f)
    for n in (1, 2):
        x = ROWS.detach()
        x.stop_gradient = False
        function(x, T(n, "int64")).backward()
        found.append(x.grad)
    return found


@refused("an axis from a tensor", (ROWS, T(1, "int64")))
def traced_axis(x, n):
    return x.sum(axis=int(n))


@refused("an argument that shapes the operator, from a tensor", (ROWS, T(2, "int64")))
def traced_kernel(x, n):
    return F.max_pool2d(x.reshape([1, 1, 3, 3]), int(n))


@refused("NumPy's functions of unknown sizes", (ROWS, T(2, "int64")))
def numpy_of_sizes(x, n):
    return paddle.ones([np.prod([int(n), 3])])
