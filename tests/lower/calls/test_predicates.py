import pytest
from both import T

import to_static as paddle


def in_a_range(x):
    return x + 1 if int(x.sum()) in range(1, 9, 2) else x


# the lines around a break are part of its message: what is looked for stands further down


def test_a_number_of_the_program_in_a_range_is_a_break(graph_breaks):
    found = paddle.jit.to_static(in_a_range)
    with pytest.warns(UserWarning, match=r"`in` of what tensors make[\s\S]*rewrite: a comparison: `a <= k and k < b`"):
        assert found(T([1.0, 2.0])).tolist() == [2, 3]
    assert found(T([1.0, 3.0])).tolist() == [1, 3]
