"""What a static function reads from outside: new values are seen, and changes happen in every call."""

import sys
import types

import numpy as np
import pytest

import to_static as paddle
from to_static.core import log
from to_static.core.errors import TranslationError
from to_static.jit import to_static

factor = 2
table = {"k": 2}
trail: list[int] = []
kept = paddle.to_tensor([1.0, 1.0])
config = types.SimpleNamespace(scale=2, inner=types.SimpleNamespace(on=True))
counter = 0


def helper(x):
    return x * factor


def x():
    return paddle.to_tensor([1.0, 2.0])


def values(tensor):
    return tensor.numpy().tolist()


def test_a_global_number(monkeypatch):
    f = to_static(lambda x: x * factor)
    assert values(f(x())) == [2, 4] == values(f(x()))
    monkeypatch.setitem(globals(), "factor", 5)
    assert values(f(x())) == [5, 10]
    monkeypatch.setitem(globals(), "factor", 2)
    assert values(f(x())) == [2, 4] and len(f.program_cache) == 2


def test_a_global_of_a_called_function(monkeypatch):
    f = to_static(lambda x: helper(x) + 1)
    assert values(f(x())) == [3, 5] == values(f(x()))
    monkeypatch.setitem(globals(), "factor", 3)
    assert values(f(x())) == [4, 7]


def test_a_function_that_is_defined_anew(monkeypatch):
    f = to_static(lambda x: helper(x))
    f(x())
    monkeypatch.setitem(globals(), "helper", lambda x: x - 1)
    assert values(f(x())) == [0, 1]


def test_entries_and_tensors(monkeypatch):
    f = to_static(lambda x: x * table["k"] + kept)
    assert values(f(x())) == [3, 5]
    monkeypatch.setitem(table, "k", 3)
    assert values(f(x())) == [4, 7]
    monkeypatch.setitem(globals(), "kept", paddle.to_tensor([0.0, 0.0]))
    assert values(f(x())) == [3, 6]


def test_attributes_of_objects(monkeypatch):
    f = to_static(lambda x: x * config.scale if config.inner.on else x)
    assert values(f(x())) == [2, 4]
    monkeypatch.setattr(config, "scale", 4)
    assert values(f(x())) == [4, 8]
    monkeypatch.setattr(config.inner, "on", False)
    assert values(f(x())) == [1, 2]


def test_a_closed_over_variable():
    k = 2
    f = to_static(lambda x: x * k)
    assert values(f(x())) == [2, 4]
    k = 3
    assert values(f(x())) == [3, 6]


@to_static
def counts(x):
    global counter
    counter += 1
    return x * counter


def test_a_change_happens_in_every_call(monkeypatch):
    monkeypatch.setitem(globals(), "counter", 0)
    assert [values(counts(x()))[0] for _ in range(3)] == [1, 2, 3]
    monkeypatch.setitem(globals(), "counter", 0)
    assert values(counts(x()))[0] == 1 and counter == 1  # the same state as before, and no stale Program


@to_static
def adds_up(x):
    global counter
    counter = counter + float(x.sum())
    return x


def test_a_number_that_tensors_give_a_global(monkeypatch):
    monkeypatch.setitem(globals(), "counter", 0.0)
    for k in range(6):
        adds_up(x() * k)
    assert counter == 45.0


def test_a_list_that_grows():
    @to_static
    def f(x):
        trail.append(1)
        return x * len(trail)

    trail.clear()
    assert [values(f(x()))[0] for _ in range(3)] == [1, 2, 3]
    assert trail == [1, 1, 1]


def test_a_tensor_kept_in_a_global():
    global kept
    before = kept

    @to_static
    def f(x):
        global kept
        kept = kept + x
        return kept * 2

    assert [values(f(x()))[0] for _ in range(3)] == [4, 6, 8]
    np.testing.assert_array_equal(kept.numpy(), [4, 7])
    np.testing.assert_array_equal(before.numpy(), [1, 1])
    kept = before


def test_hooks_with_tensor_conditions_are_translated():
    layer = paddle.nn.Linear(2, 2)
    outer = paddle.nn.Sequential(layer)
    layer.register_forward_post_hook(lambda layer, inputs, out: out * 2 if out.sum() > 1e6 else out - 1)
    layer.register_forward_pre_hook(lambda layer, inputs: (inputs[0] * 3 if inputs[0].sum() > 0 else inputs[0],))
    wanted = [values(outer(v)) for v in (x(), -x())]
    static = to_static(outer)
    assert [values(static(v)) for v in (x(), -x())] == wanted


def iterator(x):
    items = enumerate([1, 2])
    if x.sum() > 0:
        next(items)
    return next(items)


def test_objects_that_a_branch_changes_are_refused():
    with pytest.raises(TranslationError, match=r"next\(\) is called in `next\(items\)`"):
        to_static(iterator)(x())


def test_setattr_in_a_branch():
    def f(x):
        box = types.SimpleNamespace()
        setattr(box, "k", 1)  # noqa: B010
        return box.k

    class Box:
        k = 0

    def g(x):
        box = Box()
        box.k = 1
        if x.sum() > 0:
            setattr(box, "k", 2)  # noqa: B010
        return box.k

    assert [to_static(f)(x()), to_static(g)(x()), to_static(g)(-x())] == [1, 2, 1]


@pytest.mark.filterwarnings("ignore:.*runs in Python")
def test_standard_output_is_written_at_every_run(capsys, graph_breaks):
    @to_static
    def f(x):
        sys.stdout.write("once\n")
        if x.sum() > 0:
            sys.stdout.write("positive\n")
        return x

    for v in (x(), -x(), x()):
        f(v)
    assert capsys.readouterr().out == "once\npositive\nonce\nonce\npositive\n"  # by Python


def test_a_list_of_a_layer():
    class Counts(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.trail = []

        def forward(self, x):
            self.trail.append(1)
            return x * len(self.trail)

    layer = Counts()
    static = to_static(layer)
    assert [values(static(x()))[0] for _ in range(3)] == [1, 2, 3] and layer.trail == [1, 1, 1]


def test_numbers_that_are_others_in_every_call_are_read_in_every_call_and_warn_once(monkeypatch):
    monkeypatch.setattr(log, "_warned", set())
    weight = paddle.to_tensor([1.0, 2.0])

    @paddle.jit.to_static
    def scaled(x):
        return x * float(weight.numpy()[0])

    with pytest.warns(UserWarning, match="scaled has more than 10 static Programs") as caught:
        for k in range(12):
            weight.set_value(np.array([k, 0.0], "float32"))
            assert scaled(paddle.to_tensor(2.0)).item() == 2.0 * k
    assert len(caught) == 1
