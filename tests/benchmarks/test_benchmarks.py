"""Every benchmark still runs, and all ways of doing a thing agree; nothing is timed."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

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


def test_peers_run_in_processes_of_their_own(room, tmp_path):
    (tmp_path / "paddle.py").write_text("raise ImportError('no such peer')\n")
    peers = importlib.import_module("peers")
    assert peers.start(sys.executable, "a1") == {}, "a Python without the peer has no ways"


def test_the_page_is_written_between_its_marks(room, monkeypatch, tmp_path):
    suite = importlib.import_module("suite")
    page = tmp_path / "performance.md"
    page.write_text(f"before\n{suite.BEGIN}\nold\n{suite.END}\nafter\n")
    monkeypatch.setattr(suite, "PAGE", page)
    row = {"best": 1e-3, "median": 1e-3, "ratio": 1.0, "best_ratio": 1.0}
    results = {1: [{"title": "A", "ways": {"limit": row, "static": {**row, "best": 2e-3, "best_ratio": 2.0}, "Peer": row}}]}
    suite.write(suite.page(results, {"L": {"seconds": 0.5, "peak": 30.0}}))
    text = page.read_text()
    assert text.startswith("before\n") and text.endswith("after\n") and "old" not in text
    assert "| A | 1 |  | 2 |  |  |  | 1 | 2.00 |" in text and "| L | 0.500 | 30 |" in text


def test_all_benchmarks_can_be_run_by_name(monkeypatch, capsys):
    monkeypatch.syspath_prepend(str(BENCHMARKS.parent))
    main = importlib.import_module("benchmarks.__main__")
    scripts = {p.stem for p in BENCHMARKS.glob("*.py") if 'if __name__ == "__main__":' in p.read_text()}
    assert set(main.ALL) == scripts - {"__main__", "peers"}
    ran = []
    monkeypatch.setattr(main.subprocess, "run", lambda command: ran.append(command[1]) or type("Done", (), {"returncode": 0}))
    assert main.main(["calls"]) == 0 and ran[0].endswith("calls.py")
    assert main.main(["nothing"]) == 2 and "no benchmark is called 'nothing'" in capsys.readouterr().err
