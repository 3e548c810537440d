"""Programs whose sizes only a run knows: dynamic, static, saved and loaded; and as PaddlePaddle 2.6.2 saves them.

`record_late_sizes.py` records what that is.
"""

from __future__ import annotations

import json
import lzma

import daily
import pytest
from record_late_sizes import CASES, RECORDED, alike, functions, runs, specs

import to_static as paddle

RECORDS = json.loads(lzma.decompress(RECORDED.read_bytes()))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return dict(zip(CASES, functions(paddle, tmp_path_factory.mktemp("late")), strict=True))


@pytest.mark.parametrize("case", daily.some("late sizes", list(CASES), 90))
def test_static_and_saved_as_dynamic(made, case, tmp_path):
    expected = runs(paddle, made[case], case)
    static = paddle.jit.to_static(made[case], input_spec=specs(paddle, case))
    alike(runs(paddle, static, case), expected)
    paddle.jit.save(static, str(tmp_path / "m"))
    alike(runs(paddle, paddle.jit.load(str(tmp_path / "m")), case), expected)


@pytest.mark.parametrize("case", daily.some("late sizes of Paddle", list(RECORDS), 90))
def test_as_paddle_saves_them(made, case, tmp_path):
    (tmp_path / "m.pdmodel").write_bytes(bytes.fromhex(RECORDS[case]))
    alike(runs(paddle, paddle.jit.load(str(tmp_path / "m")), case), runs(paddle, made[case], case))


def test_records_are_of_these_programs():
    assert set(RECORDS) <= set(CASES)
    assert len(RECORDS) > len(CASES) / 2
