"""When a further trace of a static function pays."""

import warnings

import to_static as paddle
from tests.compiler.frontend.function.test_graph_breaks import told
from to_static.compiler.frontend.function.patience import FEW, Patience

X = paddle.ones([2])


def test_one_reason_makes_a_few_programs_and_then_ever_fewer():
    patience, broken = Patience(), object()
    assert [patience.allows_trace(("a",), False) for _ in range(FEW)] == [True] * (FEW - 1) + [False]
    assert patience.allows_trace(("b",), False) and not patience.allows_trace(("a",), False)
    tried = []
    for call in range(10_000):
        if patience.next_skipped() is None:
            if patience.allows_trace(("a",), False):
                tried.append(call)
            else:
                patience.count_python_call(broken)
    assert len(tried) == 3 and tried[0] >= 1000 and tried[1] - tried[0] >= 2000


def test_calls_that_are_not_traced_are_looked_at_less_and_less_until_one_has_a_program():
    patience, looked = Patience(), []
    for call in range(3000):
        if patience.next_skipped() is None:
            looked.append(call)
            patience.count_python_call("broken")
    assert len(looked) < 20
    for _ in range(100):
        patience.count_program_call()
    patience.skipped_left = 0
    patience.count_python_call("broken")
    assert patience.next_skipped() is None


def test_values_without_end_run_in_python_with_the_right_numbers(graph_breaks):
    static = paddle.jit.to_static(lambda x, name: x * len(name))

    def run():
        for i in range(200):
            assert static(X, f"name {'a' * i}").tolist() == [5.0 + i] * 2

    _, texts = told(run)
    assert len(static.program_cache) == FEW and static.graph_breaks == 1
    assert any("another name" in text and "each of 12 calls" in text for text in texts)
    assert static(X, "name ").tolist() == [5.0] * 2


def test_full_graph_goes_on():
    static = paddle.jit.to_static(lambda x, name: x * len(name), full_graph=True)
    told(lambda: [static(X, "a" * i) for i in range(30)])
    assert len(static.program_cache) == 30


def test_resting_calls_do_not_ask_what_has_changed(monkeypatch, graph_breaks):
    from to_static.compiler.frontend.tracing.guards import Guards

    asked = []
    same = Guards.same
    monkeypatch.setattr(Guards, "same", lambda self: asked.append(1) or same(self))

    def f(x, seen=[]):  # noqa: B006
        seen.append(1.0)
        return x * 2

    static = paddle.jit.to_static(f)
    x = paddle.ones([2])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(150):
            static(x)
        asked.clear()
        for _ in range(100):
            assert static(x).tolist() == [2.0, 2.0]
    assert len(asked) < 20
    assert len(f.__defaults__[0]) == 250
