"""What is left out when a call is made again that has written something."""

from __future__ import annotations

import collections
import logging
import sys

import pytest

from to_static.compiler.ops.output_tracking import without


def test_characters_and_records_are_left_out_and_streams_come_back(capsys, caplog):
    stdout = sys.stdout
    more = collections.Counter({"stdout": 5, "stderr": 1, "log a": 1})
    with caplog.at_level(logging.INFO), pytest.raises(ValueError), without(more):
        print("abc")  # four characters, with the end of the line
        print("def")
        print("ghi", file=sys.stderr)
        for name in ("a", "b", "a"):
            logging.getLogger(name).info(name)
        raise ValueError
    assert sys.stdout is stdout
    assert capsys.readouterr() == ("ef\n", "hi\n")
    assert [record.name for record in caplog.records] == ["b", "a"]
    logging.getLogger("a").warning("again")
    assert caplog.records[-1].getMessage() == "again"
