"""Gradient clipping by value, norm and global norm."""

import numpy as np
import pytest

from to_static.compiler.eager.tensor import EagerTensor
from to_static.nn import ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue
from to_static.nn.parameter import ParamAttr, Parameter


def pairs(*grads, dtype="float32", **attr):
    params = [Parameter(np.zeros(len(g), dtype), f"p{i}", ParamAttr(**attr)) for i, g in enumerate(grads)]
    return [(p, EagerTensor(np.asarray(g, dtype))) for p, g in zip(params, grads, strict=True)]


def values(found):
    return [g.numpy().tolist() for _, g in found]


def test_by_value():
    assert values(ClipGradByValue(1.0)(pairs([3, -3, 0.5]))) == [[1.0, -1.0, 0.5]]
    assert values(ClipGradByValue(1.0, -2.0)(pairs([3, -3]))) == [[1.0, -2.0]]
    with pytest.raises(ValueError, match="positive"):
        ClipGradByValue(-1.0)


def test_by_norm_each_gradient_alone():
    found = ClipGradByNorm(1.0)(pairs([3, 4], [0.3, 0.4]))
    np.testing.assert_allclose(found[0][1].numpy(), [0.6, 0.8], rtol=1e-6)
    assert values(found)[1] == values(pairs([0.3, 0.4]))[0]  # not touched at all
    for wrong in (-1.0, 0.0):
        with pytest.raises(ValueError, match="clip_norm must be positive"):
            ClipGradByNorm(wrong)(pairs([3, 4]))


def test_by_global_norm_all_together():
    found = ClipGradByGlobalNorm(6.5)(pairs([3, 4], [12]))
    np.testing.assert_allclose(found[0][1].numpy(), [1.5, 2.0], rtol=1e-6)
    np.testing.assert_allclose(found[1][1].numpy(), [6.0], rtol=1e-6)
    assert values(ClipGradByGlobalNorm(13.0)(pairs([3, 4], [12]))) == [[3.0, 4.0], [12.0]]
    assert ClipGradByGlobalNorm(1.0)([]) == []


def test_half_precision_squares_do_not_overflow():
    [(_, g)] = ClipGradByGlobalNorm(1.0)(pairs([300, 400], dtype="float16"))
    assert g.dtype.name == "float16"
    np.testing.assert_allclose(g.numpy(), [0.6, 0.8], rtol=1e-3)
    mixed = ClipGradByGlobalNorm(5.0)(pairs([6.0], dtype="float64") + pairs([8.0]))
    assert [g.dtype.name for _, g in mixed] == ["float64", "float32"] and mixed[0][1].numpy() == pytest.approx(3.0)


def test_what_is_left_out():
    fixed, clipped = pairs([9.0], need_clip=False) + pairs([9.0])
    assert values(ClipGradByGlobalNorm(1.0)([fixed, clipped])) == [[9.0], [1.0]]
    assert ClipGradByNorm(1.0)([(fixed[0], None)]) == []


def test_text():
    assert str(ClipGradByGlobalNorm(1.0)) == "Gradient Clip By GlobalNorm, global_norm=1.000000"
    assert str(ClipGradByNorm(0.5)) == "Gradient Clip By Norm, clip_norm=0.500000"
    assert str(ClipGradByValue(2.0)) == "Clip Gradient By Value, min = -2.000000, max=2.000000"
