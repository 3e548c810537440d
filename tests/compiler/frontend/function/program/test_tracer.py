"""One pass over a function: a Program, or a refusal that leaves nothing behind."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest
from both import T, check

import to_static as paddle
from to_static.compiler.frontend.function.program.tracer import holds_traced, unique
from to_static.compiler.ir.rewriter import prune
from to_static.compiler.passes.manager import every_block
from to_static.core.errors import ToStaticError

X = T([1.0, -2.0, 3.0])


class Box:
    def __init__(self) -> None:
        self.seen: list[Any] = []
        self.count = 0


BREAKS = {
    "numpy": lambda x: x.numpy().sum(), "key": lambda x: {0: x}[int(x.sum())], "random": lambda x: x * random.random(),
    "recursion": lambda x: endless(x),
}  # fmt: skip


def endless(x: Any) -> Any:
    return endless(x - 1) if x.sum() > 0 else x


@pytest.mark.parametrize("name", BREAKS)
@pytest.mark.filterwarnings("ignore:.*runs in Python")
def test_a_break_leaves_nothing_done_twice_and_nothing_undone(name: str, graph_breaks: Any, capsys: Any) -> None:
    def f(x: Any, box: Box, table: dict[str, Any]) -> Any:
        box.count += 1
        box.seen.append(box.count)
        table["n"] = box.count
        if x.sum() > 0:
            box.seen.append("positive")
        print("printed")
        return BREAKS[name](x), paddle.rand([2])

    found = []
    for function in (f, paddle.jit.to_static(f)):
        paddle.seed(7)
        random.seed(7)
        box, table = Box(), {"n": 0}
        results = [function(X, box, table) for _ in range(3)] if name != "key" else []
        if name == "key":
            for _ in range(3):
                with pytest.raises(KeyError):
                    function(X, box, table)
        found.append((repr(results), box.count, box.seen, table, capsys.readouterr().out))
    assert found[0] == found[1]


@pytest.mark.parametrize("name", ["numpy", "recursion"])
def test_a_refusal_writes_nothing(name: str, capsys: Any) -> None:
    box, state = Box(), random.getstate()

    def f(x: Any) -> Any:
        box.count += 1
        box.seen.append(x)
        print("printed")
        return BREAKS[name](x)

    with pytest.raises(ToStaticError):
        paddle.jit.to_static(f, full_graph=True)(X)
    assert (box.count, box.seen, capsys.readouterr().out) == (0, [], "") and random.getstate() == state


def test_a_run_that_fails_has_written_what_python_has() -> None:
    def f(x: Any, box: Box) -> Any:
        box.count += 1
        assert x.sum() > 0, "negative"
        box.seen.append(box.count)
        return x

    static = paddle.jit.to_static(lambda x: f(x, outer), full_graph=True)
    outer, other = Box(), Box()
    for x in (X, -X, X, -X):
        for function, args in ((f, (x, other)), (static, (x,))):
            if x is X:
                function(*args)
            else:
                with pytest.raises(AssertionError, match="negative"):
                    function(*args)
        assert (outer.count, outer.seen) == (other.count, other.seen)


def test_one_tensor_twice_is_one_feed() -> None:
    def f(a: Any, b: Any) -> Any:
        a.add_(b)
        return a + b

    static = paddle.jit.to_static(f)
    a, b = T([1.0]), T([1.0])
    assert static(a, a).tolist() == f(b, b).tolist() and a.tolist() == b.tolist()
    assert len(static.main_program.feeds) == 1


def test_containers_of_the_caller_get_what_is_written() -> None:
    def f(x: Any, items: list[Any], table: dict[str, Any]) -> Any:
        items.append(x * 2)
        if x.sum() > 0:
            table["k"] = x
        return len(items)

    check(f, (X, [], {"k": T([0.0, 0.0, 0.0])}), (-X, [1], {"k": T([0.0, 0.0, 0.0])}))


@pytest.mark.parametrize("way", ["branch", "loop", "list", "optional"])
def test_gradients_are_those_of_python(way: str) -> None:
    def branch(x: Any) -> Any:
        y = x * x if x.sum() > 0 else x * 3
        return y.sum()

    def loop(x: Any) -> Any:
        y = x
        while y.sum() < 50:
            y = y * y + x
        return y.sum()

    def grown(x: Any) -> Any:
        items = []
        for row in x:
            if row > -1:
                items.append(row * row)
        return paddle.stack(items).sum()

    def optional(x: Any) -> Any:
        found = None
        for row in x:
            if row > 2:
                found = row * row
        return x.sum() if found is None else found * x.sum()

    function = {"branch": branch, "loop": loop, "list": grown, "optional": optional}[way]
    static = paddle.jit.to_static(function, full_graph=True)
    for values in ([1.0, -2.0, 3.0], [4.0, 0.5, 1.0], [0.5, 1.0, 1.5]):
        grads = []
        for f in (function, static):
            x = paddle.to_tensor(values, stop_gradient=False)
            f(x).backward()
            grads.append(x.grad.numpy())
        np.testing.assert_allclose(grads[1], grads[0], rtol=1e-5)


def test_names_of_feeds() -> None:
    taken: list[str] = []
    for name in ("x", "x", "x"):
        taken.append(unique(name, taken))
    assert len(set(taken)) == 3 and taken[:2] == ["x", "x_0"]


def test_what_holds_nothing_of_the_program() -> None:
    for value in (1, "a", [1, {"k": (2,)}], X, paddle.nn.Linear(2, 2), Box()):
        assert not holds_traced(value)
    assert holds_traced(iter([1])) and holds_traced([x for x in [iter([])]])


def _loops(x: Any) -> Any:
    unused, total = x * 3, x.sum()
    while (x * x).sum() > 1:
        x = x / 2
        unused = unused + total
    return x


def _branches(x: Any) -> Any:
    unused = x
    if x.sum() > 0:
        y, unused = x + 1, unused - 1
    else:
        y, unused = x * 2, unused / 2
    return y


def _sizes(x: Any) -> Any:
    n, *rest = x.shape
    return x.reshape([n, -1]).mean() if len(rest) > 1 else x.sum()


def _lists(x: Any) -> Any:
    found, count = [], 0
    for i, v in enumerate(x):
        if v.sum() > 0:
            found.append(v * i)
            count += 1
    return paddle.stack(found).sum()


@pytest.mark.parametrize("function", [_loops, _branches, _sizes, _lists])
@pytest.mark.parametrize("rows", [None, 3])
def test_programs_hold_nothing_that_nobody_needs(function: Any, rows: Any) -> None:
    static = paddle.jit.to_static(function, input_spec=[paddle.static.InputSpec([rows, 2], "float32", "x")])
    program = static.main_program
    text = str(program)
    assert prune(program.block) == 0, text
    numbers = [op for op in program.block.walk() if op.name in ("constant", "dim_size", "list_len")]
    read = {var for block in every_block(program) for var in block.results}
    read |= {var for op in program.block.walk() for var in op.operands()}
    assert all(op.out in read for op in numbers), text


def test_what_python_says_of_a_stand_in_is_no_reason() -> None:
    @paddle.jit.to_static(full_graph=True)
    def f(x: Any) -> str:
        return json.dumps({"mean": float(x.mean())})

    with pytest.raises(ToStaticError) as caught:
        f(T([1.0, 2.0]))
    text = caught.value.args[0]
    assert text.reason.startswith("a value that depends on tensors is used in `json.dumps({'mean': float(x.mean())})` as only")
    assert "test_tracer.py" in text.place and text.rewrite.startswith("return it")
    with pytest.raises(AttributeError, match="'list' object has no attribute 'shape'"):
        paddle.jit.to_static(lambda n: [v for v in paddle.arange(n)].shape, full_graph=True)(T(3))  # type: ignore[attr-defined]


def test_a_function_that_tests_whether_gradients_are_recorded_is_a_program_inside_no_grad():
    linear = paddle.nn.Linear(2, 2)

    def scaled(x):
        y = linear(x)
        return y * 2 if y.stop_gradient else y * 3  # as models do that recompute only where a gradient is needed

    run = paddle.jit.to_static(scaled, full_graph=True)
    x = paddle.to_tensor([[1.0, -2.0]])
    for around in (paddle.no_grad, paddle.enable_grad, paddle.no_grad, paddle.enable_grad):
        with around():
            assert run(x).tolist() == scaled(x).tolist()
            assert run(x).stop_gradient == scaled(x).stop_gradient
    assert run.graph_breaks == 0 and len(run.program_cache) == 2


def test_what_a_function_did_before_that_test_happens_once(capsys):
    written = []

    def scaled(x, weight):
        print("once")
        written.append(1)
        return x if (x * weight).stop_gradient else x * 3

    weight = paddle.ones([1])
    weight.stop_gradient = False
    run = paddle.jit.to_static(scaled, full_graph=True)
    with paddle.no_grad():
        assert run(paddle.ones([1]), weight).item() == 1
    assert written == [1] and capsys.readouterr().out == "once\n"
