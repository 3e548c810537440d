"""Every benchmark still runs, and all ways of doing a thing agree; nothing is timed."""

import importlib
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import to_static as paddle
from to_static.nn import functional

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def room(monkeypatch):
    """The folder of benchmarks on the path."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))


@pytest.mark.parametrize("name", ["calls", "conversion"])
def test_benchmarks_with_one_case(room, monkeypatch, name):
    timing = importlib.import_module("timing")
    seen = []

    def report(title, ways, base, seconds=2.0):
        assert base in ways
        for way in ways.values():
            way()
        seen.append(list(ways))

    monkeypatch.setattr(timing, "report", report)
    importlib.import_module(name).main()
    assert any("to_static" in way for way in seen[0])


@pytest.mark.parametrize("name", ["a1", "a64", "b", "c1", "ct", "d", "e1", "j"])
def test_ways_agree_with_numpy_by_hand(room, name):
    workloads = importlib.import_module("workloads")
    workloads.paddle.seed(0)
    workload = workloads.WORKLOADS[name]()
    assert {"limit", "dynamic", "static"} <= set(workload.ways)
    workloads.check(workload)


def test_other_numbers_are_noticed(room):
    workloads = importlib.import_module("workloads")
    wrong = workloads.Workload("w", {"limit": lambda: np.ones(2), "static": lambda: np.array([1, 1.1])})
    with pytest.raises(AssertionError, match="w: static"):
        workloads.check(wrong)


def test_ratios_are_paired(room):
    timing = importlib.import_module("timing")
    found = timing.summary({"a": [1.0, 2.0, 30.0], "b": [2.0, 4.0, 30.0]}, "a")
    assert found["b"]["ratio"] == 2.0 and found["b"]["best"] == 2.0 and found["b"]["best_ratio"] == 2.0


def test_measuring_calls_every_way_in_every_round(room):
    timing = importlib.import_module("timing")
    calls = []
    times = timing.measure({"a": lambda: calls.append("a"), "b": lambda: calls.append("b")}, seconds=0.001, rounds=3)
    assert [len(t) for t in times.values()] == [3, 3]
    assert {"a", "b"} == set(calls)


def _row(title, **best):
    own = {way: {"best": b, "median": b * 2, "best_ratio": b, "ratio": b * 3} for way, b in best.items()}
    return {"title": title, "ways": own}


def test_the_picture_has_the_quickest_of_each_kind(room):
    plot = importlib.import_module("plot")
    rows = [_row("A & B", limit=1, dynamic=4, static=2, loaded=1.5, torch=9), _row("C", limit=1, static=0.3)]
    assert plot.quickest(rows[0]["ways"]) == {"to_static": 1.5, "to_static, dynamic": 4, "PyTorch": 9}
    root = ElementTree.fromstring(plot.svg("title", rows))
    told = [t.text for t in root.iter("{http://www.w3.org/2000/svg}title")]
    assert told == ["PyTorch: 9.00", "to_static, dynamic: 4.00", "to_static: 1.50", "to_static: 0.30"]
    circles = list(root.iter("{http://www.w3.org/2000/svg}circle"))[len(plot.KINDS) :]
    across = [float(c.get("cx")) for c in circles]
    assert across[0] > across[1] > across[2] > across[3] >= plot.LEFT


def test_the_page_is_written_between_its_marks_with_best_times_medians_and_pictures(room, monkeypatch, tmp_path):
    suite = importlib.import_module("suite")
    monkeypatch.setattr(suite, "PAGE", tmp_path / "performance.md")
    suite.PAGE.write_text(f"before\n{suite.BEGIN}\nold\n{suite.END}\nbehind\n")
    results = {1: [_row("A", limit=0.001, static=0.002, torch=0.004)], 2: [_row("A", limit=0.001, static=0.003)]}
    suite.write(suite.page(results, {"L start": {"seconds": 0.1, "peak": 30}}), results)
    text = suite.PAGE.read_text()
    assert (
        text.startswith("before\n")
        and text.endswith("behind\n")
        and "old" not in text
        and "| L start | 0.100 | 30 |" in text
    )
    assert "| A | 1 |  | 2 |  |  |  | 4 | 0.00 | 0.50 |" in text  # the best, and the best of others: two to four
    assert "| A | 2 |  | 4 |  |  |  | 8 | 0.01 | 0.50 |" in text  # medians
    for threads in (1, 2):
        name = f"performance-{threads}.svg"
        assert name in text and (tmp_path / name).read_text().startswith("<svg")


class Ours:
    """The primitives of `frameworks.nets`, by to_static."""

    linear, matmul = staticmethod(functional.linear), staticmethod(paddle.matmul)
    reshape, transpose, split = staticmethod(paddle.reshape), staticmethod(paddle.transpose), staticmethod(paddle.split)

    def conv(self, x, w, b, stride, pad, groups):
        return functional.conv2d(x, w, b, stride, pad, groups=groups)

    def batch_norm(self, x, scale, shift, mean, variance, epsilon):
        return functional.batch_norm(x, mean, variance, scale, shift, epsilon=epsilon)

    def layer_norm(self, x, scale, shift):
        return functional.layer_norm(x, x.shape[-1:], scale, shift)

    def max_pool(self, x, size, stride, pad):
        return functional.max_pool2d(x, size, stride, pad)

    def mean(self, x):
        return functional.adaptive_avg_pool2d(x, 1)

    def act(self, kind, x):
        return getattr(functional, kind)(x)

    def concat(self, x, y, axis):
        return paddle.concat([x, y], axis)


@pytest.mark.parametrize("name", ["a1", "c1", "d", "e1", "j", "k"])
def test_networks_written_for_other_frameworks_are_ours(room, name):
    workloads, peers = importlib.import_module("workloads"), importlib.import_module("peers")
    nets = importlib.import_module("frameworks.nets")
    paddle.seed(0)
    workload = workloads.WORKLOADS[name]()
    weights, tensors = [paddle.to_tensor(w) for w in workload.weights], [paddle.to_tensor(x) for x in workload.inputs]
    if name in nets.STEPS:
        found = functional.cross_entropy(nets.STEPS[name](Ours(), tensors[0], weights), tensors[1])
    else:
        found = nets.NETS[name](Ours(), *tensors, weights)
    expected = workloads.check(workload)
    assert peers.different(workloads.flat(found), expected, 1e-4) == ""
    assert "other numbers" in peers.different([2 * a for a in workloads.flat(found)], expected, 1e-4)


def test_peers_run_in_processes_of_their_own(room, tmp_path, monkeypatch, capsys):
    (tmp_path / "paddle.py").write_text("raise ImportError('no such peer')\n")
    (tmp_path / "torch.py").write_text("")
    (tmp_path / "onnxruntime.py").write_text("")
    frameworks = tmp_path / "frameworks"
    frameworks.mkdir()
    (frameworks / "with_paddle.py").write_text("import paddle\n")
    right = "def ways(name, weights, inputs, rate): return {'right': lambda: lambda: weights[0] + inputs[0]}\n"
    (frameworks / "with_torch.py").write_text(right)
    (frameworks / "with_onnx.py").write_text(right.replace("+", "-").replace("right", "wrong"))
    for name in ("peers.py",):
        (tmp_path / name).write_bytes((BENCHMARKS / name).read_bytes())
    workloads, peers = importlib.import_module("workloads"), importlib.import_module("peers")
    workload = workloads.Workload("w", {}, inputs=(np.ones(2),), weights=(np.ones(2),))
    workloads.put_down(workload, [np.full(2, 2.0)], str(tmp_path / "w.npz"))
    monkeypatch.setattr(peers, "__file__", str(tmp_path / "peers.py"))
    found = peers.start(sys.executable, "w", str(tmp_path / "w.npz"))
    assert list(found) == ["right"] and found["right"].timed(2) > 0
    found["right"].process.communicate()
    told = capsys.readouterr().err
    assert "no such peer" in told and "wrong gives other numbers" in told


def test_all_benchmarks_can_be_run_by_name(monkeypatch, capsys):
    monkeypatch.syspath_prepend(str(BENCHMARKS.parent))
    main = importlib.import_module("benchmarks.__main__")
    scripts = {p.stem for p in BENCHMARKS.glob("*.py") if 'if __name__ == "__main__":' in p.read_text()}
    others = {
        "__main__",
        "peers",
        "engine_worker",
        "serve_ocr",
    }  # the last two: a worker of `serve`, and one of downloaded models
    assert set(main.ALL) == scripts - others
    ran = []
    monkeypatch.setattr(
        main.subprocess, "run", lambda command: ran.append(command[1]) or type("Done", (), {"returncode": 0})
    )
    assert main.main(["calls"]) == 0 and ran[0].endswith("calls.py")
    assert main.main(["nothing"]) == 2 and "no benchmark is called 'nothing'" in capsys.readouterr().err


def test_static_and_dynamic_agree_while_something_changes(room, monkeypatch):
    changes = importlib.import_module("changes")
    monkeypatch.setattr(changes.base, "WARM", 10)
    monkeypatch.setattr(changes.base, "COUNTED", 10)
    found = list(changes.rows(["float argument", "self.", "mode"]))
    assert len(found) > 5 and all(worst < 1e-5 for *_, worst in found)


def test_every_way_of_the_table_of_writes_runs(room, tmp_path):
    writes = importlib.import_module("writes")
    for way, (name, make) in enumerate(writes.WAYS.items()):
        folder = tmp_path / str(way)
        folder.mkdir()
        assert writes.microseconds(make(writes.BODIES[-1 - way], 64, str(folder))) > 0, name


def test_every_row_of_the_table_of_writes_runs(room):
    writes = importlib.import_module("writes")
    times = [writes.microseconds(make(64)) for make in writes.ROWS.values()]
    assert len(times) > 9 and all(time > 0 for time in times)


@pytest.mark.parametrize("mode", ["plain", "recorded", "backward"])
@pytest.mark.filterwarnings("ignore::UserWarning")  # rows compute between dtypes, too
def test_every_row_of_dynamic_calls_runs(room, mode):
    dynamic = importlib.import_module("dynamic")
    for row in dynamic.chosen(dynamic.CONSTANT + dynamic.CHANGING, mode):
        assert dynamic.prepared(paddle, mode, row)(2) >= 0
