"""The Layer classes among the cases, saved and loaded: the file gives what the Layer gives."""

import numpy as np
import pytest
from language_table import NETWORKS, fresh, rows

import to_static as paddle
from to_static.core import tree
from to_static.static import InputSpec

rows()


def numbers(results):
    """The numbers of all tensors in a structure."""
    return [np.asarray(x.numpy(), "float64") for x in tree.flatten(results)[0] if isinstance(x, paddle.Tensor)]


@pytest.mark.parametrize("kind", NETWORKS, ids=lambda kind: kind.__name__)
def test_the_file_gives_the_same(kind, tmp_path):
    paddle.seed(3)
    net = kind()
    net.eval()
    first, *more = NETWORKS[kind]
    paddle.jit.save(net, str(tmp_path / "net"), input_spec=[InputSpec.from_tensor(x) for x in first])
    loaded = paddle.jit.load(str(tmp_path / "net"))
    for args in [first, *(args for args in more if [x.shape for x in args] == [x.shape for x in first])]:
        wanted, got = numbers(net(*fresh(args))), numbers(loaded(*fresh(args)))
        assert wanted and all(any(a.shape == b.shape and np.allclose(a, b, atol=1e-4) for b in got) for a in wanted)
