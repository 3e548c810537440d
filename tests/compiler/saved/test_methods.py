"""Models with several methods: each gives its numbers, from files that list the variables of all of them."""

from __future__ import annotations

import numpy as np
import pytest

import to_static as paddle
from tests.interop.several_methods import MODELS, methods_of
from to_static.compiler.formats.hub import saved_methods
from to_static.compiler.formats.paddle.model_reader import SavedModel
from to_static.compiler.formats.paddle.weights.info import read_info


@pytest.mark.parametrize("again", [False, True], ids=["saved", "saved again"])
@pytest.mark.parametrize("name", MODELS)
def test_every_method_gives_its_numbers(name, again, tmp_path):
    layer, prefix = MODELS[name](), str(tmp_path / "net")
    layer.eval()
    x = paddle.to_tensor(np.random.default_rng(0).normal(size=(3, 2)).astype("float32"))
    paddle.jit.save(layer, prefix)
    loaded = paddle.jit.load(prefix)
    if again:
        paddle.jit.save(loaded, prefix)
        loaded = paddle.jit.load(prefix)
    for method in methods_of(layer):
        expected = getattr(layer, method)(x).numpy()
        np.testing.assert_allclose(getattr(loaded, method)(x).numpy(), expected, rtol=1e-5, atol=1e-6)
        alone = paddle.jit.load(prefix if method == "forward" else f"{prefix}.{method}")
        np.testing.assert_allclose(alone(x).numpy(), expected, rtol=1e-5, atol=1e-6)
    known = {key: value.numpy() for key, value in layer.to_static_state_dict().items()}
    for key, value in loaded.state_dict().items():
        if not key.startswith("captured"):
            np.testing.assert_array_equal(value.numpy(), known[key])


@pytest.mark.parametrize("name", MODELS)
def test_the_variables_of_all_methods_are_listed_beside_the_model(name, tmp_path):
    layer, prefix = MODELS[name](), str(tmp_path / "net")
    paddle.jit.save(layer, prefix)
    listed = read_info(prefix + ".pdiparams.info")
    for path in saved_methods(prefix).values():
        assert set(SavedModel(path).arrays) <= set(listed), path
    assert (tmp_path / "net.pdiparams").exists()


def test_names_are_known_where_only_the_model_lists_them(tmp_path):
    layer, prefix = MODELS["own"](), str(tmp_path / "net")
    paddle.jit.save(layer, prefix)
    (tmp_path / "net.score.pdiparams.info").unlink()  # Paddle writes none
    assert set(layer.to_static_state_dict()) == set(paddle.jit.load(prefix).state_dict())
