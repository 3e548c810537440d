"""The harness of `make packages`: what it records, what it calls equal, the rows that it writes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.interop.packages.__main__ import MARKS, row, write
from tests.interop.packages.compare import Tally, compare, difference
from tests.interop.packages.table import PACKAGES

HERE = Path(__file__).parent
CASES = """
import numpy as np
import paddle
from suite import case, net, record, stand_ins

stand_ins("not_to_be_had")
import not_to_be_had

net("linear", lambda: paddle.nn.Linear(3, 2), [np.ones([4, 3], "float32")])

@case
def values():
    record("text", "a")
    record("fails", lambda: [1 / 0])
"""


def side(folder, text=CASES):
    """Run a case file on this package's side."""
    file = folder / "a.py"
    file.write_text(text, "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    command = [sys.executable, str(HERE / "side.py"), "ours", str(HERE.parents[2]), str(file), str(folder / "ours")]
    subprocess.run(command, check=True, env=environment, capture_output=True)
    return {path.stem: json.loads(path.read_text("utf-8")) for path in (folder / "ours").glob("*.json")}


def test_stages_of_a_layer_and_values(tmp_path):
    found = side(tmp_path)
    stages = found["linear"]["stages"]
    assert list(stages) == ["dynamic", "gradients", "static", "static gradients", "save", "loaded"]
    assert not any("error" in stage for stage in stages.values())
    assert found["linear"]["stand-ins"] == ["not_to_be_had"]
    assert "ZeroDivisionError" in found["values"]["stages"]["fails"]["error"]
    same = compare(tmp_path / "ours", tmp_path / "ours")
    assert (same.runs, same.equal, same.differing, same.failing) == (7, 7, [], [])


def test_a_stage_that_differs_or_fails_is_named(tmp_path):
    side(tmp_path, CASES.replace("1 / 0", "1 / 1"))
    (tmp_path / "ours").rename(tmp_path / "theirs")
    side(tmp_path, CASES.replace('"a"', '"b"'))
    found = compare(tmp_path / "ours", tmp_path / "theirs")
    assert found.differing == ["values, text: array 0: 1 of 1 items"]
    assert len(found.failing) == 1 and found.failing[0].startswith("values, fails: ZeroDivisionError")


@pytest.mark.parametrize(
    ("ours", "theirs", "double", "said"),
    [
        ([1.0, 2.0], [1.0, 2.001], False, None),
        ([1.0, 2.0], [1.0, 2.001], True, "array 0: 5.0e-04"),
        ([1.0, np.nan], [1.0, 2.0], False, "array 0: nan or inf"),
        ([1, 2], [1, 3], False, "array 0: 1 of 2 items"),
        ([1, 2], [1.0, 2.0], False, "array 0: int64[2], not float64[2]"),
    ],
)
def test_what_counts_as_different(ours, theirs, double, said):
    assert difference([np.array(ours)], [np.array(theirs)], double) == said


def test_what_is_tiny_beside_the_rest_is_noise():
    one, other = np.array([1e-9]), np.array([-1e-9])
    assert difference([np.array([1.0]), one], [np.array([1.0]), other]) is None
    assert difference([one, one], [one]) == "2 arrays, not 1"


def test_rows_are_put_into_a_page(tmp_path):
    package = PACKAGES[0]
    results = tmp_path / "results" / package.name
    results.mkdir(parents=True)
    line = row(package, Tally(runs=3, equal=2, differing=["a"], seconds=1.6, stand_ins={"b"}))
    assert (
        line.startswith(f"| {package.name} | {package.version} | 3 | 2 | 1 | 0 | 2, 0 |") and "stand-ins for b" in line
    )
    (results / "row.txt").write_text(line, "utf-8")
    page = tmp_path / "page.md"
    page.write_text(f"Before.\n{MARKS[0]}old\n{MARKS[1]}\nAfter.\n", "utf-8")
    write(page, tmp_path)
    text = page.read_text("utf-8")
    assert line in text and "old" not in text and text.startswith("Before.") and text.endswith("After.\n")


def test_the_table_names_packages_once_and_files_that_are_there():
    names = [package.name for package in PACKAGES]
    assert len({*names}) == len(names)
    assert {name for package in PACKAGES for name in package.needs.split()} <= {*names}
    used = {file for package in PACKAGES for file in package.files(HERE / "cases")}
    assert used == {*(HERE / "cases").glob("*.py")}
