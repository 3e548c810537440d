"""Which results follow `set_default_dtype`, and which stay float32 as in Paddle 2.6.2: integers and booleans that meet floats."""

import pytest

import to_static as paddle
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.core import dtypes

FLOAT32 = (
    "i * 2.0", "2.0 - i", "i / 2", "1 / i", "i / i", "i ** 0.5", "2.0 ** i", "i // 2.5", "i % 1.5", "i + 1e3", "b * 1.5", "1.5 + b",
    "b / 2", "i.cast('uint8') * 1.5", "i.cast('int8') / 2", "paddle.exp(i)", "paddle.log(i)", "paddle.log2(i)", "paddle.expm1(i)",
    "paddle.deg2rad(i)", "paddle.nn.functional.one_hot(i, 3)", "paddle.median(i)", "paddle.logaddexp(i, i)",
)  # fmt: skip
FLOAT64 = (
    "paddle.to_tensor(1.5)", "paddle.full([1], 1.5)", "paddle.arange(0, 1, 0.5)", "paddle.arange(f)", "paddle.linspace(0, 1, 3)",
    "paddle.eye(2)", "paddle.rand([1])", "paddle.nn.Linear(1, 1).weight", "paddle.ldexp(i, i)",
)  # fmt: skip


@pytest.fixture
def double():
    dtypes.set_default_dtype("float64")
    yield
    dtypes.set_default_dtype("float32")


@pytest.mark.parametrize(("text", "expected"), [(t, "float32") for t in FLOAT32] + [(t, "float64") for t in FLOAT64])
@pytest.mark.parametrize("static", [False, True])
@pytest.mark.filterwarnings("ignore:divide. the left operand")
def test_dtypes_while_the_default_is_double(double, text, expected, static):
    names = {"i": paddle.to_tensor([1, 2]), "b": paddle.to_tensor([True, False]), "f": paddle.to_tensor(2.0, dtype="float32")}
    if not static:
        assert eval(text, {"paddle": paddle, **names}).dtype.name == expected
        return
    builder = Builder()
    with mode.use(builder):
        feeds = {name: builder.feed(value.spec, name) for name, value in names.items()}
        assert eval(text, {"paddle": paddle, **feeds}).dtype.name == expected
