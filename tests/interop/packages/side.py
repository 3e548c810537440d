"""Runs a case file on one side: ``python side.py paddle|ours CHECKOUT CASES.py FOLDER [CASE ...]``, a process a case.

``FOLDER`` gets one ``CASE.json`` for each case, with its stages, and the arrays of each stage. ``CASE_SECONDS`` bounds a case;
with ``REUSE`` a case that is in the folder is not run again.
"""

import contextlib
import json
import os
import random
import signal
import sys
import warnings

SIDE, CHECKOUT, FILE, FOLDER = sys.argv[1], sys.argv[2], os.path.abspath(sys.argv[3]), os.path.abspath(sys.argv[4])
if SIDE == "ours":
    sys.path.append(CHECKOUT)
    import to_static

    to_static.install_as_paddle()
warnings.filterwarnings("ignore")


def main(names):
    """Run all cases of the file, or those that are named."""
    import numpy as np
    import paddle
    import suite

    paddle.set_device("cpu")
    suite.in_double(suite.Record.double)
    os.makedirs(FOLDER, exist_ok=True)
    os.chdir(FOLDER)
    with open(FILE, encoding="utf-8") as file:
        exec(compile(file.read(), FILE, "exec"), {"__name__": "cases", "__file__": FILE})
    for name in names or suite.CASES:
        path = os.path.join(FOLDER, f"{name}.json")
        if os.environ.get("REUSE") and os.path.exists(path):
            continue
        pid = os.fork()  # a case can't hurt the next one
        if pid:
            _, status = os.waitpid(pid, 0)
            if status:
                write(
                    path,
                    {"whole case": {"error": f"the process ended with status {status}", "seconds": 0}},
                    suite.STAND_INS,
                )
            continue
        suite.Record.name, suite.Record.folder, suite.Record.stages = name, FOLDER, {}
        paddle.seed(0)
        np.random.seed(0)
        random.seed(0)  # transforms of packages draw from it, too
        signal.alarm(int(os.environ.get("CASE_SECONDS", "300")))
        try:
            suite.CASES[name]()
        except BaseException as error:
            suite.Record.stages["whole case"] = {"error": suite.described(error), "seconds": 0}
        write(path, suite.Record.stages, suite)
        with contextlib.suppress(Exception):
            sys.stdout.flush()
        os._exit(0)


def write(path, stages, suite):
    """What came of a case."""
    found = {"stages": stages, "stand-ins": sorted(suite.MISSING), "double": suite.Record.double}
    with open(path, "w", encoding="utf-8") as file:
        json.dump(found, file)


main(sys.argv[5:])
