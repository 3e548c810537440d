"""Two parameters with the values that the recording started from."""

import pytest

from tests.optimizer.golden import recorded
from to_static.core import unique_name
from to_static.nn.parameter import Parameter


@pytest.fixture
def parameters():
    with unique_name.guard():
        yield [Parameter(recorded()[f"start{i}"].copy(), f"p_{i}") for i in range(2)]
