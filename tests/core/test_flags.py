from __future__ import annotations

import os
import subprocess
import sys

import pytest

from to_static.core import flags


def test_flags_are_read_from_the_environment():
    code = "from to_static.core import flags; print(flags.debug.value, flags.full_traceback.value)"
    env = {**os.environ, "TO_STATIC_DEBUG": "2", "TO_STATIC_FULL_TRACEBACK": "yes"}
    out = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert out.stdout.split() == ["2", "True"]


@pytest.mark.parametrize(("flag", "text"), [(flags.debug, "loud"), (flags.full_traceback, "maybe")])
def test_bad_values_name_the_flag(flag, text):
    with pytest.raises(ValueError, match=flag.name):
        flag.parse(text)


def test_set_and_get():
    saved = flags.debug.value
    flags.set_flags({"TO_STATIC_DEBUG": 0})
    assert flags.get_flags("TO_STATIC_DEBUG") == {"TO_STATIC_DEBUG": 0}
    flags.debug.value = saved
    with pytest.raises(KeyError, match="known flags"):
        flags.set_flags({"TO_STATIC_SPEED": 1})


def test_every_flag_says_what_it_does():
    assert all(flag.help for flag in flags.FLAGS.values())


def test_paddles_flags_are_taken_too(monkeypatch):
    monkeypatch.setattr(flags.call_stack_level, "value", 1)
    flags.set_flags({"FLAGS_call_stack_level": 2, "FLAGS_benchmark": True})
    assert flags.call_stack_level.value == 2
    assert flags.get_flags(["FLAGS_call_stack_level", "FLAGS_benchmark"]) == {"FLAGS_call_stack_level": 2, "FLAGS_benchmark": True}
    flags.set_flags({"FLAGS_benchmark": False})
