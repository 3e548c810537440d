import numpy as np
import pytest

from to_static.compiler.eager.tensor import EagerTensor
from to_static.metric import Metric
from to_static.metric.metric import as_array


class Sum(Metric):
    def __init__(self):
        self.reset()

    def reset(self):
        self.value = 0

    def update(self, x, y):
        self.value += x + y

    def accumulate(self):
        return self.value

    def name(self):
        return "sum"


def test_compute_hands_its_arguments_on():
    metric = Sum()
    metric.update(*metric.compute(1, 2))
    metric.update(*metric.compute(3, 4))
    assert metric.accumulate() == 10


def test_a_metric_must_be_whole():
    class Part(Metric):
        pass

    with pytest.raises(TypeError, match="accumulate"):
        Part()


def test_as_array():
    assert as_array(EagerTensor(np.ones(2)), "x").tolist() == [1, 1]
    assert as_array(np.float32(2), "x").shape == ()
    with pytest.raises(TypeError, match="'x' should be a Tensor or NumPy array, got list"):
        as_array([1, 2], "x")
