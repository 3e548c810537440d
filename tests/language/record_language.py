"""Records what each row of the table becomes in tests/golden/language.json: ``python tests/language/record_language.py [REGEX]``.

Each row is run as `tests/language/test_language.py` runs it; with REGEX only those in whose names it is found. The name of a row is
its module's (without `case_`) and its function's, as `iterators-product`; it is not the title in ``@case``. A row that is not as in
Python is printed, and recorded as one that differs.
"""

from __future__ import annotations

import contextlib
import json
import pathlib
import re
import signal
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS.parent), str(TESTS), str(TESTS / "language")]  # this checkout, not one that happens to be installed
from language_table import rows, run  # noqa: E402

PATH = TESTS / "golden" / "language.json"


class Late(BaseException):
    """A row runs far too long."""


def written():
    """What is recorded: the name of a row -> what `language_table.run` returns."""
    return json.loads(PATH.read_text()) if PATH.exists() else {}


def record(pattern="", seconds=30):
    """Run the rows; returns how many failed."""
    known, made, failed = written(), {}, 0
    for row in rows():
        if not re.search(pattern, row.name):
            made |= {row.name: known[row.name]} if row.name in known else {}
            continue
        try:
            with limited(seconds):
                made[row.name] = run(row)
        except (Exception, Late) as error:
            failed += 1
            made[row.name] = {"differs": type(error).__name__}
            print(f"== {row.name}: {type(error).__name__}: {error}\n", flush=True)
    PATH.write_text(json.dumps(made, indent=0, ensure_ascii=False) + "\n")
    return failed


@contextlib.contextmanager
def limited(seconds):
    """Ends what runs longer."""

    def late(*_):
        raise Late

    old_handler = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old_handler)


if __name__ == "__main__":
    sys.exit(record(*sys.argv[1:2]) > 0)
