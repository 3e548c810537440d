"""Loading and predicting need NumPy, and nothing else: neither protobuf nor gast nor astor nor the translator."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS.parent), str(Path(__file__).parent)])}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=environment)


def test_models_load_and_run_where_all_else_is_blocked():
    run = python(str(Path(__file__).with_name("bare_environment.py")), str(TESTS / "golden" / "paddle"))
    assert run.returncode == 0, run.stderr
    assert run.stdout == "7\n"


def test_all_else_is_blocked():
    ours = (
        "to_static.compiler.frontend.transpile",
        "to_static.compiler.frontend.jst.operators",
        "to_static.compiler.frontend.function.program.tracer",
    )
    for module in ("gast", "astor", "google", *ours, "pytest"):
        run = python("-c", f"import bare_environment, {module}")
        assert f"{module} is blocked" in run.stderr
