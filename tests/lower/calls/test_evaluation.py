"""`eval` of an expression's text."""

import pytest

import to_static as paddle
from to_static.core.errors import TranslationError

SCALE = 3.0


def by_name(tensors, options, func):
    y = eval(func)(**tensors, **options)
    return y


def by_text(x, text):
    n = 2
    if x.sum() > 0:
        return eval(text) * n
    return eval("x - SCALE")


def static(function):
    return paddle.jit.to_static(function, full_graph=True)


X = paddle.to_tensor([1.0, -2.0, 3.0])


def test_a_function_whose_name_is_an_argument():
    found = static(by_name)
    assert found({"x": X}, {"axis": 0}, "paddle.cumsum").tolist() == [1, -1, 2]
    assert found({"x": X}, {}, "paddle.nn.functional.relu").tolist() == [1, 0, 3]


@pytest.mark.parametrize("text", ["x * n if x.max() > 5 else x / n", "  x + SCALE\n", "len(x) + x"])
def test_expressions_that_read_variables_and_globals(text):
    for x in (X, -X, X * 10):
        assert static(by_text)(x, text).tolist() == by_text(x, text).tolist()


def test_what_the_text_mentions_is_watched(monkeypatch):
    found = static(by_text)
    assert found(X, "x + SCALE").tolist() == [8, 2, 12]
    monkeypatch.setitem(globals(), "SCALE", 4.0)
    assert found(X, "x + SCALE").tolist() == [10, 4, 14]
    assert found(-X, "x").tolist() == [-5, -2, -7]


def test_variables_of_the_function_around():
    def outer(k, text):
        @static
        def inner(x):
            return eval(text) + k

        return inner(X)

    assert outer(5.0, "x * k").tolist() == [10, -5, 20]


def test_errors_are_those_of_eval():
    with pytest.raises(SyntaxError, match="invalid syntax"):
        static(by_text)(X, "x +")
    with pytest.raises(NameError, match="nothing"):
        static(by_text)(X, "x + nothing")


def test_variables_that_may_have_no_value_are_not_guessed():
    @static
    def later(x):
        for _ in range(2):
            y = eval("x")
        return y

    with pytest.raises(TranslationError, match="eval"):
        later(X)
