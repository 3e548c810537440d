"""Every transform gives what Paddle's gives, for images of every kind: what kind, dtype and shape, and the numbers."""

import json
from pathlib import Path

import numpy as np
import pytest
import transform_cases

import to_static as paddle

RECORD = json.loads((Path(__file__).parent / "paddle_transforms.json").read_text())


@pytest.mark.parametrize(("kind", "text", "made", "dtype", "shape", "numbers"), RECORD, ids=[f"{r[0]}-{r[1]}" for r in RECORD])
def test_transform(kind, text, made, dtype, shape, numbers):
    if kind == "pil":
        pytest.importorskip("PIL.Image")
    found = transform_cases.result(paddle, kind, text)
    assert found[:2] == (made, dtype) and list(found[2].shape) == shape
    # whole numbers may be rounded the other way, by other versions of Pillow and by other orders of sums
    near = np.isclose(found[2].astype("float64").ravel(), numbers, rtol=1e-3, atol=1 if dtype == "uint8" else 2e-3)
    edge = 3 if "Perspective" in text and kind == "pil" else 0  # a pixel on the edge may fall outside, as rounding has it
    assert (~near).sum() <= edge, (found[2].ravel()[~near], np.asarray(numbers)[~near])
