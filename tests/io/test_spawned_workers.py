"""Workers of DataLoaders where there is no fork, as on Windows and macOS."""

import multiprocessing
import types

import pytest

from tests.io.spawned import Squares, first_value
from to_static.io import DataLoader, pool


@pytest.mark.slow
def test_workers_that_are_spawned(monkeypatch):
    asked = []

    def get_context(kind):
        asked.append(kind)
        return multiprocessing.get_context("spawn")

    monkeypatch.setattr(pool, "sys", types.SimpleNamespace(platform="win32"))
    monkeypatch.setattr(pool, "multiprocessing", types.SimpleNamespace(get_context=get_context))
    loader = DataLoader(Squares(), batch_size=2, num_workers=2, worker_init_fn=first_value)
    batches = list(loader)
    assert asked == [None] and len(batches) == 5
    for batch, (values, places) in enumerate(batches):
        assert places.tolist() == [2 * batch, 2 * batch + 1]
        assert values.shape == [2, 200, 100] and values[:, 0, 0].tolist() == [float(i * i) for i in places.tolist()]
