"""Where NumPy's generator is, also while somebody else draws from it."""

import numpy as np
import pytest

from to_static.core.random import numpy_draws


def test_what_is_read_without_the_lock_is_the_state():
    np.random.seed(3)
    np.random.rand(700)
    source = np.random.get_bit_generator()
    found, state = numpy_draws._words(source), source.state
    assert numpy_draws._equal(found, state) and found.keys() == state.keys()
    before = np.random.rand()
    np.random.set_state({**found, "has_gauss": 0, "gauss": 0.0})
    assert np.random.rand() == before


@pytest.mark.parametrize("kind", [np.random.MT19937, np.random.PCG64])
def test_draws_are_seen(kind):
    own = np.random.get_bit_generator()
    np.random.set_bit_generator(kind(5))
    try:
        before = numpy_draws.draws()
        assert numpy_draws.same(before, numpy_draws.draws())
        first = np.random.rand()
        assert not numpy_draws.same(before, numpy_draws.draws())
        numpy_draws.go_back(before)
        assert np.random.rand() == first
    finally:
        np.random.set_bit_generator(own)
