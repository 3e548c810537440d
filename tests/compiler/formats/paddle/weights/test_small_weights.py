"""Small weights, and the numbers of bfloat16 that files have."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from to_static.compiler.formats.paddle.editing import FileProgram
from to_static.compiler.formats.paddle.weights.params_reader import read_params, widen_bfloat16
from to_static.compiler.formats.paddle.weights.params_writer import nearest_bfloat16, put_params
from to_static.compiler.formats.paddle.weights.small_weights import shrink_weights


def form_of(weight):
    form = FileProgram()
    form.blocks[0].add("w", shape=weight.shape, persistable=True)
    form.arrays["w"] = weight
    return form


@pytest.mark.parametrize("axis", [0, 1])
def test_each_channel_has_its_own_scale(axis):
    weight = np.random.default_rng(0).standard_normal((32, 32)).astype("float32")
    weight *= np.logspace(-3, 3, 32, dtype="float32").reshape([-1 if i == axis else 1 for i in range(2)])
    form = form_of(weight)
    assert shrink_weights(form, "int8") == ["w"]
    (op,) = form.blocks[0].ops
    assert op.attrs == {"quant_axis": axis, "bit_length": 8} and op.output("Y") == ["w"]
    scale = np.abs(weight).max(axis=1 - axis)
    np.testing.assert_array_equal(form.arrays["w.int8.scale"], scale)
    wide = scale.reshape([-1 if i == axis else 1 for i in range(2)]) / 127
    assert (np.abs(form.arrays["w.int8"] * wide - weight) <= wide * 0.501).all()


def test_a_channel_of_zeros_stays_zero():
    weight = np.ones((16, 16), "float32")
    weight[3] = 0
    form = form_of(weight)
    shrink_weights(form, "int8")
    assert not form.arrays["w.int8"][3].any()


@pytest.mark.parametrize(
    "weight, dtype",
    [
        (np.ones((2, 2), "float32"), "int8"),
        (np.ones(1000, "float32"), "int8"),
        (np.ones((32, 32), "float64"), "float16"),
        (np.full((32, 32), 7e4, "float32"), "float16"),
        (np.full((32, 32), np.nan, "float32"), "int8"),
    ],
)
def test_what_stays(weight, dtype):
    form = form_of(weight)
    assert shrink_weights(form, dtype) == [] and form.arrays["w"] is weight


@given(st.lists(st.floats(width=32), min_size=1, max_size=8))
def test_the_nearest_bfloat16(numbers):
    exact = np.array(numbers, "float32")
    file = io.BytesIO()
    put_params(file, [nearest_bfloat16(exact)])
    file.seek(0)
    found = read_params("<memory>", ["x"], file)["x"]
    np.testing.assert_array_equal(np.isnan(found), np.isnan(exact))
    np.testing.assert_array_equal(found[np.isinf(exact)], exact[np.isinf(exact)])
    bits = exact.view(np.uint32) >> 16
    lower, upper = (widen_bfloat16(b.astype(np.uint16)) for b in (bits, bits + 1))
    finite = np.isfinite(exact) & np.isfinite(upper)
    exact, lower, upper, found = (array[finite].astype("float64") for array in (exact, lower, upper, found))
    np.testing.assert_array_equal(abs(found - exact), np.minimum(abs(lower - exact), abs(upper - exact)))
