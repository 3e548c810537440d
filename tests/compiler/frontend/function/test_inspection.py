"""Looking inside: Programs, plans and the ladder TO_STATIC_DEBUG."""

import runpy
import warnings

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.ir.parser import parse_program
from to_static.core import flags
from to_static.static import InputSpec


def make():
    w = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]], stop_gradient=False)

    @paddle.jit.to_static
    def f(x):
        return paddle.exp(x.T.T @ w + 2.0)

    return f


def test_a_function_shows_its_program_before_and_after_the_passes():
    f = make()
    f(paddle.ones([3, 2]))
    assert {"transpose", "matmul", "add", "exp"} <= {op.name for op in f.main_program.block.ops}
    names = [op.name for op in f.optimized_program.block.ops]
    assert names.count("transpose") == 0 and names[0] == "matmul" and names[-1] == "exp"
    assert [op.name for op in parse_program(str(f.optimized_program)).block.ops] == names


def test_a_function_shows_the_python_that_runs():
    f = make()
    x = paddle.ones([3, 2])
    expected = f(x)
    assert "def run(x0):" in f.plan and "x0.dot(" in f.plan and "test_inspection.py" in f.plan
    with paddle.no_grad():
        assert (f(x) == expected).all()
    assert f.concrete_program.plans()[0][1].source == f.plan


def test_plans_of_unknown_sizes_are_shown_before_the_first_call():
    f = paddle.jit.to_static(lambda x: paddle.exp(x) + 1, input_spec=[InputSpec([None, 2], "float32", "x")])
    assert "exp(x0" in f.plan and "f32[?, 2]" in str(f.optimized_program)
    f(paddle.ones([3, 2]))
    assert "of (f32[3, 2])" in f.explain(plan=True)


def test_explain_shows_all_plans_of_a_call_and_makes_no_program():
    f = make()
    x = paddle.ones([3, 2])
    assert "makes a new Program" in f.explain(x, plan=True)
    f(x).sum().backward()
    for text in (f.explain(x, plan=True), f.explain(plan=True)):
        for kind in ("calls without gradients", "calls with gradients", "the gradients of these calls"):
            assert f"the plan of {kind}, " in text
        assert text.count("def make(") == 3
    assert "def make(" not in f.explain(x)
    assert f.get_traced_count() == 1


LADDER = {
    1: ["f: this call makes a new Program (0 in the cache)"],
    2: ["pass eliminate_dead_code: ", "bytes of buffers"],
    3: ["translated ", "traced f:\nprogram(%x: f32[3, 2])", "optimized program:\nprogram(%x: f32[3, 2])"],
    4: ["def make("],
    5: [" us  exp  net.py:6"],
}


@pytest.mark.parametrize("level", range(6))
def test_each_level_tells_what_those_below_it_tell_and_more(level, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(flags.debug, "value", level)
    path = tmp_path / "net.py"  # what was translated before is not translated again
    path.write_text("import to_static as paddle\n\n\n@paddle.jit.to_static\ndef f(x):\n    return paddle.exp(x + 1)\n")
    runpy.run_path(str(path))["f"](paddle.ones([3, 2]))
    told = capsys.readouterr()
    assert told.out == ""
    for step, texts in LADDER.items():
        for text in texts:
            assert (text in told.err) == (step <= level), (step, text)


def test_a_new_program_is_told_with_what_is_different(monkeypatch, capsys):
    f = paddle.jit.to_static(lambda x, k: x * k)
    f(paddle.ones([2]), 1)
    monkeypatch.setattr(flags.debug, "value", 1)
    f(paddle.ones([2]), 1)
    assert capsys.readouterr().err == ""
    f(paddle.ones([2]), 5)
    told = capsys.readouterr().err
    assert "this call makes a new Program (1 in the cache); the closest is Program 1:\n  k: any int here" in told


def test_graph_breaks_and_where_the_first_nan_is_are_told(graph_breaks, monkeypatch, capsys):
    monkeypatch.setattr(flags.debug, "value", 5)

    @paddle.jit.to_static
    def f(x):
        return paddle.log(x) * 2

    @paddle.jit.to_static
    def broken(x):
        return x.numpy()

    with np.errstate(invalid="ignore"):
        f(paddle.to_tensor([-1.0]))
    with pytest.warns(UserWarning, match="graph break"):
        broken(paddle.ones([1]))
    told = capsys.readouterr().err
    assert "NaN in the result of log  test_inspection.py" in told
    assert "broken: graph break: " in told


def test_explain_says_that_the_limit_of_graph_breaks_is_reached(graph_breaks):
    @paddle.jit.to_static
    def f(x, breaks):
        return x * x.numpy().max() if breaks else x + 1

    limit = "4 graph breaks are the limit for new traces; `program_cache.clear()` makes all calls be traced again"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for size in (1, 2, 3):
            f(paddle.ones([size]), True)
        assert "limit" not in f.explain() and "this call makes a new Program" in f.explain(paddle.ones([2]), False)
        f(paddle.ones([4]), True)
    assert f.explain().splitlines()[-1] == f"  Further kinds of calls run in Python: {limit}"
    assert f.explain(paddle.ones([2]), False) == f"f: this call runs in Python without a trace: {limit}"
    assert f.explain(paddle.ones([4]), True).startswith("f: this call runs in Python, a graph break: .numpy()")
    assert f(paddle.ones([2]), False).tolist() == [2, 2] and f.get_traced_count() == 0
    f.program_cache.clear()
    assert f(paddle.ones([2]), False).tolist() == [2, 2] and f.get_traced_count() == 1


@pytest.mark.parametrize("text", ["lots", "1.5"])
def test_a_level_that_is_no_number_is_an_error_that_names_the_flag(text):
    with pytest.raises(ValueError, match=f"TO_STATIC_DEBUG='{text}': expected a value of type int"):
        flags.debug.parse(text)
