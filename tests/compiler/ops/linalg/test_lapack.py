"""NumPy's decompositions called directly: the bits, dtypes and errors of `numpy.linalg`."""

import numpy as np
import pytest

from to_static.compiler.ops.linalg import lapack

SQUARES = [(4, 4), (3, 4, 4), (2, 3, 2, 2), (0, 3, 3), (1, 1), (0, 0)]
RECTANGLES = [(4, 3), (3, 4), (2, 3, 5), (2, 5, 3), (1, 1), (0, 2, 2)]


def _same(actual, expected):
    assert actual.dtype == expected.dtype and actual.shape == expected.shape
    np.testing.assert_array_equal(actual, expected)


@pytest.fixture(params=["ufuncs", "without"])
def way(request, monkeypatch):
    if request.param == "without":
        monkeypatch.setattr(lapack, "_ufuncs", None)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_results_are_those_of_numpy(way, dtype):
    rng = np.random.default_rng(0)
    for shape in SQUARES:
        x = rng.normal(size=shape).astype(dtype)
        _same(lapack.inv(np, x), np.linalg.inv(x))
        _same(lapack.det(np, x), np.linalg.det(x))
        positive = x @ x.swapaxes(-1, -2) + np.eye(shape[-1], dtype=dtype)
        _same(lapack.cholesky(np, positive), np.linalg.cholesky(positive))
        _same(lapack.slogdet(np, x), np.stack(list(np.linalg.slogdet(x))))
        y = rng.normal(size=(*shape[:-1], 2)).astype(dtype)
        _same(lapack.solve(np, x, y), np.linalg.solve(x, y))
        for without in (0, 1):
            _same(lapack.triangle(np, x, True, without), np.triu(x, without))
            _same(lapack.triangle(np, x, False, without), np.tril(x, -without))
    for shape in RECTANGLES:
        x = rng.normal(size=shape).astype(dtype)
        before = x.copy()
        for actual, expected in zip(lapack.qr(np, x), np.linalg.qr(x), strict=True):
            _same(actual, expected)
        _same(x, before)


def test_numbers_that_are_not_finite_stay_numpys(way):
    for value in (np.nan, np.inf):
        x = np.eye(3)
        x[1, 2] = value
        with np.errstate(invalid="ignore"):
            for actual, expected in zip(lapack.qr(np, x), np.linalg.qr(x), strict=True):
                _same(actual, expected)
            _same(lapack.det(np, x), np.linalg.det(x))
            _same(lapack.inv(np, x), np.linalg.inv(x))


def test_matrices_that_have_no_result_are_refused_in_numpys_words(way):
    for function, name, x in ((lapack.inv, "inv", np.zeros((2, 3, 3))), (lapack.cholesky, "cholesky", -np.eye(3, dtype="float32"))):
        with pytest.raises(np.linalg.LinAlgError) as expected:
            getattr(np.linalg, name)(x)
        with pytest.raises(np.linalg.LinAlgError) as actual:
            function(np, x)
        assert str(actual.value) == str(expected.value)
