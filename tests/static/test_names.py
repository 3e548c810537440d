"""The public names of the static API."""

import importlib

import pytest

import to_static as paddle


def test_every_name_is_there():
    for name in paddle.static.__all__:
        assert getattr(paddle.static, name) is not None
    assert set(paddle.static.__all__) <= set(dir(paddle.static))
    for name in paddle.static.nn.__all__:
        assert callable(getattr(paddle.static.nn, name))


def test_unknown_names():
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        paddle.static.nothing
    assert importlib.import_module("to_static.static").InputSpec is paddle.static.InputSpec


def test_accuracy(static):
    scores, label = static.data("scores", [None, 3]), static.data("label", [None, 1], "int64")
    result = static.accuracy(scores, label)
    got = static.Executor().run(feed={"scores": [[0, 1, 2], [5, 1, 2]], "label": [[2], [1]]}, fetch_list=[result])
    assert float(got[0]) == 0.5
