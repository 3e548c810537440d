"""What a profiler records is what happened, and it leaves nothing behind."""

from __future__ import annotations

import json
import time

import numpy as np
import pytest

import to_static as paddle
from to_static import nn, profiler
from to_static.compiler.eager.mode import EagerMode
from to_static.compiler.runtime.diagnostics import op_profiler
from to_static.core.errors import ExecutionError, FormatError
from to_static.profiler import RecordEvent, TracerEventType


def recorded(work, **options):
    found = profiler.Profiler(on_trace_ready=lambda _: None, **options)
    with found:
        work()
    return found


def names(found, kind):
    return [e.name for e in found.profiler_result.events if e.event_type is TracerEventType[kind]]


def test_a_training_step_in_dynamic_mode():
    net = nn.Sequential(nn.Linear(4, 3), nn.ReLU())
    opt = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    data = paddle.io.DataLoader([np.ones(4, "float32")] * 4, batch_size=2)

    def work():
        for batch in data:
            with RecordEvent("mine"):
                loss = net(batch).sum()
            loss.backward()
            opt.step()

    apply = EagerMode.apply
    found = recorded(work, record_shapes=True)
    assert EagerMode.apply is apply
    assert names(found, "Forward") == ["Linear", "ReLU", "Sequential"] * 2
    assert names(found, "Backward") == ["Gradient Backward"] * 2
    assert names(found, "Optimization") == ["Optimization Step"] * 2
    assert names(found, "PythonUserDefined") == ["mine"] * 2
    assert len(names(found, "Dataloader")) == 3  # the third finds that there is no more
    assert names(found, "ProfileStep") == ["ProfileStep#0"]
    operators = names(found, "Operator")
    assert {"linear dygraph", "relu dygraph", "sum dygraph"} <= set(operators) or "matmul dygraph" in operators
    shapes = [e.shapes for e in found.profiler_result.events if e.name == "relu dygraph"]
    assert [[2, 3]] in shapes
    mine, *_ = [e for e in found.profiler_result.events if e.name == "mine"]
    inside = [e for e in found.profiler_result.events if mine.begin <= e.begin and e.end <= mine.end]
    assert "Sequential" in {e.name for e in inside}
    count = len(found.profiler_result.events)
    net(paddle.ones([1, 4]))
    assert len(found.profiler_result.events) == count


def test_operators_of_a_program_that_was_there_before():
    @paddle.jit.to_static
    def f(x):
        i = paddle.zeros([], "int32")
        while i < 3:
            x = paddle.tanh(x @ x)
            i = i + 1
        return x

    x = paddle.eye(3)
    before = f(x).numpy()
    results = []
    found = recorded(lambda: results.append(f(x)))
    operators = names(found, "Operator")
    assert operators.count("tanh") == operators.count("matmul") == 3
    assert [name for name in names(found, "UserDefined") if name.startswith("plan ")]
    np.testing.assert_array_equal(results[0].numpy(), before)
    assert op_profiler.recorder() is None
    np.testing.assert_array_equal(f(x).numpy(), before)
    assert len(f.program_cache) == 1


def test_a_static_training_step_is_traced_once():
    net = nn.Linear(3, 1)
    opt = paddle.optimizer.SGD(0.1, parameters=net.parameters())

    @paddle.jit.to_static
    def train(x):
        loss = net(x).sum()
        loss.backward()
        opt.step()
        opt.clear_grad()
        return loss

    x = paddle.ones([2, 3])
    train(x)
    train(x)
    programs = len(train.program_cache)
    found = recorded(lambda: train(x))
    train(x)
    assert len(train.program_cache) == programs
    assert names(found, "Operator")


def test_errors_of_plans_are_told_as_ever():
    @paddle.jit.to_static
    def f(x, i):
        return paddle.gather(x, i)

    x = paddle.ones([3])
    f(x, paddle.to_tensor([1]))

    def fails():
        with pytest.raises((ExecutionError, IndexError), match="gather"):
            f(x, paddle.to_tensor([7]))

    fails()
    recorded(fails)


def test_schedules(tmp_path):
    given = []
    steps = profiler.make_scheduler(closed=1, ready=1, record=2, repeat=2, skip_first=1)
    assert [steps(i).value for i in range(11)] == [0, 0, 1, 2, 3, 0, 1, 2, 3, 0, 0]

    def keep(found):
        given.append(names(found, "ProfileStep"))
        found.export(str(tmp_path / "trace.json"))

    with profiler.Profiler(scheduler=steps, on_trace_ready=keep) as found:
        for _ in range(12):
            paddle.ones([2]) + 1
            found.step()
    assert given == [["ProfileStep#3", "ProfileStep#4"], ["ProfileStep#7", "ProfileStep#8"]]
    trace = json.loads((tmp_path / "trace.json").read_text())
    assert {e["ph"] for e in trace["traceEvents"]} == {"X"}
    again = profiler.load_profiler_result(str(tmp_path / "trace.json"))
    kept = found.profiler_result.events
    assert [(e.name, e.event_type, e.thread) for e in again.events] == [(e.name, e.event_type, e.thread) for e in kept]
    assert [e.duration for e in again.events] == [e.duration for e in kept]


@pytest.mark.parametrize("begin, steps", [(0, ["ProfileStep#0", "ProfileStep#1"]), (2, ["ProfileStep#2", "ProfileStep#3"])])
def test_a_range_of_steps(begin, steps):
    given = []
    with profiler.Profiler(scheduler=(begin, begin + 2), on_trace_ready=given.append) as found:
        for _ in range(6):
            found.step()
    assert [names(found, "ProfileStep") for found in given] == [steps]


def test_tables(capsys):
    def work():
        with RecordEvent("mine"):
            paddle.tanh(paddle.ones([2]))

    found = recorded(work)
    found.summary(time_unit="us")
    text = capsys.readouterr().out
    for word in ("Overview Summary", "Model Summary", "Operator Summary", "UserDefined Summary", "tanh dygraph", "mine"):
        assert word in text
    found.summary(views=profiler.SummaryView.UDFView, thread_sep=True, sorted_by=profiler.SortedKeys.CPUMax)
    text = capsys.readouterr().out
    assert "mine" in text and "tanh" not in text
    found.summary(views=[profiler.SummaryView.OperatorView], op_detail=False)
    text = capsys.readouterr().out
    assert "all operators" in text and "tanh" not in text
    with pytest.raises(ValueError, match="time_unit"):
        found.summary(time_unit="h")


def test_steps_are_timed(capsys):
    data = paddle.io.DataLoader([np.ones(2, "float32")] * 24, batch_size=2)
    other = paddle.io.DataLoader([np.ones(2, "float32")] * 4, batch_size=2)
    found = profiler.Profiler(timer_only=True)
    found.start()
    for i, _ in enumerate(data()):
        if i == 1:
            for _ in other:  # an evaluation: its steps are not counted
                found.step(num_samples=2)
        time.sleep(0.001)
        found.step(num_samples=2)
        if i == 4:
            text = found.step_info(unit="images")
    found.stop()
    assert "reader_cost:" in text and "batch_cost: 0.0" in text and text.endswith("images/s")
    out = capsys.readouterr().out
    assert "Perf Summary" in out and "reader_cost" in out and "ips" in out
    assert found.step_info() == ""


def test_outside_of_a_recording_nothing_is_kept():
    event = RecordEvent("alone")
    event.begin()
    event.end()
    found = recorded(lambda: None)
    assert not names(found, "PythonUserDefined")


def test_what_is_not_done_is_said(tmp_path):
    with pytest.raises(FormatError, match="protobuf"):
        profiler.export_protobuf(str(tmp_path))
    with pytest.raises(FormatError, match="protobuf"):
        recorded(lambda: None).export(str(tmp_path / "x"), "pb")
    (tmp_path / "x").write_bytes(b"\x0a\x00")
    with pytest.raises(FormatError, match="expected a Chrome trace"):
        profiler.load_profiler_result(str(tmp_path / "x"))
    with pytest.warns(UserWarning, match="GPU is not supported"):
        profiler.Profiler(targets=[profiler.ProfilerTarget.GPU], on_trace_ready=print)
    with pytest.warns(UserWarning, match="paddle.flops"):
        profiler.Profiler(with_flops=True, on_trace_ready=print)
    with pytest.raises(AssertionError, match="begin < end"):
        profiler.Profiler(scheduler=(3, 3), on_trace_ready=print)
    with pytest.raises(AssertionError, match="record 1 or more"):
        profiler.make_scheduler(closed=0, ready=1, record=0)
    with pytest.warns(UserWarning, match="noisy"):
        profiler.make_scheduler(closed=0, ready=0, record=1)
