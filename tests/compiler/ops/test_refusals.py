"""Wrong arguments raise what Python's user of Paddle catches: its exception, and its class in the text (`record_refusals`)."""

import builtins
import json
from pathlib import Path

import pytest

import to_static
from tests.compiler.ops.record_paddle_expressions import namespace
from to_static.core.flags import call_stack_level

RECORDS = json.loads((Path(__file__).parent / "paddle_refusals.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("call", RECORDS)
def test_as_paddle_does(call, monkeypatch):
    kind, named = RECORDS[call]
    with pytest.raises(getattr(builtins, kind), match=rf"\({named}\)" if named else None):
        eval(call, namespace(to_static))
    monkeypatch.setattr(call_stack_level, "value", 2)  # where Paddle says `InvalidArgumentError: ...`
    with pytest.raises(getattr(builtins, kind), match=rf"{named}Error" if named else None):
        eval(call, namespace(to_static))
