import sys

import numpy as np
import pytest

from to_static.vision.datasets import Digits


@pytest.fixture(scope="module", autouse=True)
def scikit_learn():
    pytest.importorskip("sklearn")


def test_the_two_parts_are_the_whole_set():
    train, test = Digits(), Digits("TEST")
    assert (len(train), len(test)) == (1498, 299)
    image, label = train[0]
    assert image.shape == (8, 8)
    assert image.dtype == np.uint8
    assert label.tolist() == [0]
    assert train.images.max() == 255
    assert train.images.min() == 0
    counts = np.bincount(np.concatenate([train.labels, test.labels]))
    assert counts.tolist() == [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]


def test_size_and_transform():
    image, _ = Digits(size=28, transform=lambda image: image / 255)[3]
    assert image.shape == (28, 28)
    small = Digits()[3][0] / 255
    assert image.mean() == pytest.approx(small.mean(), abs=0.02)


def test_unknown_mode():
    with pytest.raises(ValueError, match="valid"):
        Digits("valid")


def test_without_scikit_learn(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    with pytest.raises(ImportError, match="pip install scikit-learn"):
        Digits()
