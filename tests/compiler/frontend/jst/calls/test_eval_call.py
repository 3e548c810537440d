"""`eval` of an expression's text."""

import pytest

import to_static as paddle

SCALE = 3.0


def by_name(tensors, options, func):
    y = eval(func)(**tensors, **options)
    return y


def by_text(x, text):
    if x.sum() > 0:
        return eval(text)(x) * 2
    return x - eval("SCALE")


def static(function):
    return paddle.jit.to_static(function, full_graph=True)


X = paddle.to_tensor([1.0, -2.0, 3.0])


def test_a_function_whose_name_is_an_argument():
    found = static(by_name)
    assert found({"x": X}, {"axis": 0}, "paddle.cumsum").tolist() == [1, -1, 2]
    assert found({"x": X}, {}, "paddle.nn.functional.relu").tolist() == [1, 0, 3]


@pytest.mark.parametrize("text", ["paddle.sin if SCALE > 5 else paddle.cos", "  paddle.abs\n", "lambda v: v if v.max() > 5 else v"])
def test_expressions_that_read_globals(text):
    for x in (X, -X, X * 10):
        assert static(by_text)(x, text).tolist() == by_text(x, text).tolist()


def test_what_the_text_mentions_is_watched(monkeypatch):
    found = static(by_text)
    assert found(X, "lambda v: v + SCALE").tolist() == [8, 2, 12]
    monkeypatch.setitem(globals(), "SCALE", 4.0)
    assert found(X, "lambda v: v + SCALE").tolist() == [10, 4, 14]
    assert found(-X, "abs").tolist() == [-5, -2, -7]


def test_errors_are_those_of_eval():
    with pytest.raises(SyntaxError, match="invalid syntax"):
        static(by_text)(X, "abs +")
    with pytest.raises(NameError, match="nothing"):
        static(by_text)(X, "nothing")


def test_local_variables_are_pythons(graph_breaks):
    def outer(k, text):
        @paddle.jit.to_static
        def inner(x):
            return eval(text) + k

        return inner

    for text in ("x", "k * x", "len(x) + x"):
        found = outer(5.0, text)
        with pytest.warns(UserWarning, match="eval\\(\\) reads the local variable '[kx]' by its name"):
            assert (found(X) == found.dygraph_function(X)).all()


def test_variables_of_a_comprehension_are_pythons(graph_breaks):
    @paddle.jit.to_static
    def found(x, text):
        return [x + eval(text) for k in (1, 2)]

    with pytest.warns(UserWarning, match="a graph break"):
        assert [y.tolist() for y in found(X, "k")] == [[2, -1, 4], [3, 0, 5]]
    assert "cannot translate `eval()`, which reads local variables by name" in found.explain()
