"""Runs tests that a package ships, on one side: ``python own_tests.py paddle|ours CHECKOUT FILE FOLDER``.

``FOLDER`` gets one record as a case does, a stage a test: "passed", or what was raised.
"""

import json
import os
import sys
from pathlib import Path

SIDE, CHECKOUT, FILE, FOLDER = sys.argv[1], sys.argv[2], os.path.abspath(sys.argv[3]), os.path.abspath(sys.argv[4])
if SIDE == "ours":
    sys.path.append(CHECKOUT)
    import to_static

    to_static.install_as_paddle()

import pytest


class Noted:
    """Notes the outcome of each test."""

    def __init__(self):
        self.stages = {}

    def pytest_runtest_logreport(self, report):
        """A test that fails in its preparation or afterwards failed; skipped ones do not count."""
        name = report.nodeid.split("::", 1)[-1]
        if report.failed:
            said = str(getattr(report.longrepr, "reprcrash", None) or report.longrepr).strip().splitlines()
            self.stages[name] = {"error": " | ".join(said[:3])[:400], "seconds": round(report.duration, 3)}
        elif report.when == "call" and report.passed:
            self.stages[name] = {"seconds": round(report.duration, 3)}

    def pytest_collectreport(self, report):
        """A file that can't be imported is one stage that fails."""
        if report.failed:
            self.stages["import"] = {"error": str(report.longrepr).strip().splitlines()[-1][:400], "seconds": 0}
        elif report.nodeid.endswith(".py"):
            self.stages["import"] = {"seconds": 0}


os.makedirs(FOLDER, exist_ok=True)
if os.environ.get("REUSE") and os.listdir(FOLDER):
    sys.exit()
noted = Noted()
options = ["-q", "--no-header", "-p", "no:cacheprovider", "-o", "addopts=", "-W", "ignore", FILE]
code = pytest.main(options, plugins=[noted])
Path(FOLDER, f"{Path(FILE).stem}.json").write_text(
    json.dumps({"stages": noted.stages, "stand-ins": [], "double": False}), "utf-8"
)
os._exit(int(code))
