"""An input of another dtype than the weights is refused, as Paddle refuses it: never computed in the input's."""

import numpy as np
import pytest

import to_static as paddle
from to_static import nn
from to_static.core.errors import DTypeError
from to_static.nn import functional as F

WRONG = ["int64", "int32", "float64", "bool"]
CALLS = {
    "Linear": lambda x: nn.Linear(4, 3)(x),
    "linear": lambda x: F.linear(x, paddle.ones([4, 3])),
    "matmul": lambda x: paddle.matmul(x, paddle.ones([4, 3])),
    "matmul, right": lambda x: paddle.matmul(paddle.ones([2, 2]), x),
    "mm": lambda x: paddle.mm(x, paddle.ones([4, 3])),
    "bmm": lambda x: paddle.bmm(x.reshape([1, 2, 4]), paddle.ones([1, 4, 3])),
    "mv": lambda x: paddle.mv(x, paddle.ones([4])),
    "dot": lambda x: paddle.dot(x[0], paddle.ones([4])),
    "addmm, x": lambda x: paddle.addmm(paddle.ones([2, 3]), x, paddle.ones([4, 3])),
    "addmm, input": lambda x: paddle.addmm(x, paddle.ones([2, 4]), paddle.ones([4, 4])),
    "Bilinear": lambda x: nn.Bilinear(4, 4, 3)(x, x),
    "attention": lambda x: nn.MultiHeadAttention(4, 2)(x.reshape([1, 2, 4])),
    "GRUCell": lambda x: nn.GRUCell(4, 3)(x),
    "einsum": lambda x: paddle.einsum("ij,jk->ik", x, paddle.ones([4, 3])),
}


@pytest.mark.parametrize("dtype", WRONG)
@pytest.mark.parametrize("call", CALLS)
def test_refused_in_both_modes(call: str, dtype: str) -> None:
    x = paddle.ones([2, 4]).astype(dtype)
    for run in (CALLS[call], paddle.jit.to_static(CALLS[call], full_graph=True)):
        with pytest.raises(DTypeError, match=r"float(32|64)"):
            run(x)
    assert CALLS[call](paddle.ones([2, 4])) is not None


def test_the_error_says_what_to_convert() -> None:
    with pytest.raises(DTypeError, match=r"got int64 and float32; convert the first: `\.astype\('float32'\)`"):
        nn.Linear(4, 3)(paddle.ones([2, 4], "int64"))
    with pytest.raises(DTypeError, match=r"got float64 and float32; convert the first: `\.astype\('float32'\)`"):
        paddle.matmul(paddle.ones([2, 4], "float64"), paddle.ones([4, 3]))


@pytest.mark.filterwarnings("ignore:matmul. the left operand")
def test_the_operator_takes_the_left_dtype() -> None:
    for dtype in ("int64", "float64"):
        assert (paddle.ones([2, 4]).astype(dtype) @ paddle.ones([4, 3])).dtype == getattr(paddle, dtype)
    assert (np.ones([2, 4], "float32") @ paddle.ones([4, 3])).dtype == paddle.float32


LIKE = {
    "mse_loss": lambda x: F.mse_loss(x, paddle.ones([2, 4])),
    "mse_loss, label": lambda x: F.mse_loss(paddle.ones([2, 4]), x),
    "MSELoss": lambda x: nn.MSELoss()(paddle.ones([2, 4]), x),
    "square_error_cost": lambda x: F.square_error_cost(paddle.ones([2, 4]), x),
    "prelu": lambda x: F.prelu(x, paddle.ones([1])),
    "prelu, weight": lambda x: F.prelu(paddle.ones([2, 4]), x[0]),
    "PReLU": lambda x: nn.PReLU()(x),
}


@pytest.mark.parametrize("dtype", WRONG)
@pytest.mark.parametrize("call", LIKE)
def test_two_tensors_of_two_dtypes(call: str, dtype: str) -> None:
    """Paddle subtracts a float64 tensor from a float32 one, and refuses all others here."""
    x = paddle.ones([2, 4]).astype(dtype)
    for run in (LIKE[call], paddle.jit.to_static(LIKE[call], full_graph=True)):
        if dtype == "float64" and "rel" not in call.lower():
            assert run(x).dtype == paddle.float64
        else:
            with pytest.raises(DTypeError, match="expected two tensors of one dtype, such as inputs and weights, got"):
                run(x)
    assert LIKE[call](paddle.ones([2, 4])).dtype == paddle.float32
