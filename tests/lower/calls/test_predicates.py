import pytest
from both import T

import to_static as paddle
import to_static.nn.functional as F
from to_static.static import InputSpec


def in_a_range(x):
    return x + 1 if int(x.sum()) in range(1, 9, 2) else x


# the lines around a break are part of its message: what is looked for stands further down


def test_a_number_of_the_program_in_a_range_is_a_break(graph_breaks):
    found = paddle.jit.to_static(in_a_range)
    with pytest.warns(UserWarning, match=r"`in` of what tensors make[\s\S]*rewrite: a comparison: `a <= k and k < b`"):
        assert found(T([1.0, 2.0])).tolist() == [2, 3]
    assert found(T([1.0, 3.0])).tolist() == [1, 3]


def test_shapes_that_are_known_when_a_program_runs_are_compared_item_by_item():
    def f(x, y):
        assert x.shape[1:2] == [y.shape[1]], "other channels"
        if y.shape[-2:] != x.shape[-2:]:
            y = F.interpolate(y, x.shape[-2:])
        size, three = tuple(x.shape[2:]), [1, 2, 3]
        return x + y, x.shape == y.shape, three == x.shape, size == (4, 8), size != (4, 8), [size[0], 8] == list(size)

    spec = InputSpec([1, None, None, None])
    run = paddle.jit.to_static(f, input_spec=[spec, spec], full_graph=True)
    for a, b in (((4, 8), (4, 8)), ((4, 8), (2, 4)), ((8, 4), (4, 4))):
        x, y = paddle.ones([1, 2, *a]), paddle.ones([1, 2, *b])
        (found, *answers), (wanted, *others) = run(x, y), f(x, y)
        assert answers == others and all(type(v) is type(w) for v, w in zip(answers, others, strict=True))
        assert (found == wanted).all()
    with pytest.raises(AssertionError, match="other channels"):
        run(paddle.ones([1, 2, 4, 4]), paddle.ones([1, 3, 4, 4]))
