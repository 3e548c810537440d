"""Python's arithmetic in files: by operators of tensors, with the same numbers."""

import math

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.passes.simplify import python_scalars_to_ops


def arithmetic(x):
    n = x.shape[0]
    k = n * 3 // 2
    m = int(math.sqrt(n * n)) + k**2 - round(k / 4) % 5
    s = 0
    for i in range(n):
        s = s + i * k
    while k < 40 and m * 2 > k * 1.5:
        k = k * 2
    return x * (s / 2) + m + abs(-k) + (k / 3 > m) + math.floor(k / 7) + math.ceil(math.log(n + 1.5, 2))


@pytest.mark.parametrize("rows", [1, 2, 4])
def test_a_saved_model_computes_the_same(tmp_path, rows):
    static = paddle.jit.to_static(arithmetic, input_spec=[paddle.static.InputSpec([None, 3])])
    x = paddle.to_tensor(np.ones((rows, 3), "float32"))
    paddle.jit.save(static, str(tmp_path / "m"))
    assert paddle.jit.load(str(tmp_path / "m"))(x).tolist() == static(x).tolist() == arithmetic(x).tolist()


def test_what_has_no_plain_form_stays():
    def f(n):
        return n + math.gcd(int(n), 6)

    static = paddle.jit.to_static(f)
    static(paddle.to_tensor(4))
    program = static.concrete_program.main_program.clone()
    assert python_scalars_to_ops.python_scalars_to_ops(program) == 0 and any(op.name == "python" for op in program.block.walk())
