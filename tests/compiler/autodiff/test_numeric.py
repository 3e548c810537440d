import numpy as np

from to_static.compiler.autodiff.numeric import numeric_gradient


def test_known_derivatives():
    x, y = np.array([[1.0, -2.0]]), np.array(3.0)
    np.testing.assert_allclose(numeric_gradient(lambda a, b: (a**2 * b).sum(), [x, y], 0), 6 * x, rtol=1e-8)
    np.testing.assert_allclose(numeric_gradient(lambda a, b: (a**2 * b).sum(), [x, y], 1), 5, rtol=1e-8)
    assert x.tolist() == [[1, -2]]


def test_the_rounded_step_is_divided_by():
    x = np.array([1000.0], "float32")
    np.testing.assert_allclose(numeric_gradient(lambda a: a.astype("float64").sum(), [x], 0, 1e-4), 1, rtol=1e-6)
