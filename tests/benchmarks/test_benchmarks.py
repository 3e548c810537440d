"""Every benchmark still runs, and all ways of doing a thing agree; nothing is timed."""

import importlib
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def shown(monkeypatch):
    """The ways that a benchmark would time; each has run once."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    timing = importlib.import_module("timing")
    seen = []

    def report(title, ways, base, seconds=2.0):
        assert base in ways
        for way in ways.values():
            way()
        seen.append((title, list(ways)))

    monkeypatch.setattr(timing, "report", report)
    return seen


@pytest.mark.parametrize("name", ["calls", "loop", "training", "conversion"])
def test_benchmarks_with_one_case(shown, name):
    importlib.import_module(name).main()
    assert any("to_static" in way for way in shown[0][1])


@pytest.mark.parametrize("name", ["mlp", "lenet"])
def test_benchmarks_by_batch(shown, name):
    importlib.import_module(name).compare(2)
    assert "to_static(net)(x)" in shown[0][1]


def test_ratios_are_paired(monkeypatch, capsys):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    timing = importlib.import_module("timing")
    monkeypatch.setattr(timing, "measure", lambda ways, seconds: {"a": [1.0, 2.0, 30.0], "b": [2.0, 4.0, 30.0]})
    assert timing.report("title", {"a": None, "b": None}, "a") == {"a": 1.0, "b": 2.0}
    assert "2.00" in capsys.readouterr().out


def test_measuring_calls_every_way_in_every_round(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    timing = importlib.import_module("timing")
    calls = []
    times = timing.measure({"a": lambda: calls.append("a"), "b": lambda: calls.append("b")}, seconds=0.001, rounds=3)
    assert [len(t) for t in times.values()] == [3, 3]
    assert {"a", "b"} == set(calls)


def test_all_benchmarks_can_be_run_by_name(monkeypatch, capsys):
    monkeypatch.syspath_prepend(str(BENCHMARKS.parent))
    main = importlib.import_module("benchmarks.__main__")
    assert sorted(main.ALL) == sorted(
        p.stem for p in BENCHMARKS.glob("*.py") if p.stem not in ("__main__", "timing")
    )
    ran = []
    monkeypatch.setattr(main.subprocess, "run", lambda command: ran.append(command[1]) or type("Done", (), {"returncode": 0}))
    assert main.main(["loop"]) == 0 and ran[0].endswith("loop.py")
    assert main.main(["nothing"]) == 2 and "no benchmark is called 'nothing'" in capsys.readouterr().err
