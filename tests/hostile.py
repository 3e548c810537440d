"""Texts that would run if they came into generated code, and somebody who listens whether they do."""

from __future__ import annotations

import builtins
import sys
import types
from typing import Any

import daily

MARK = "PWN" + "ED"  # occurs in no file, so that reading the source of a test is no alarm
CODE = f"__import__('builtins').{MARK}.append(1)"
BREAKS = ["\n", "\r", "\r\n", "\f", "\v", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\\\n", "\x00\n"]
OTHERS = ["'", '"', "'''", '"""', "\\", "{", "}", "{0.__class__}", "{{", "%(a)s", "#", ")", "]", ";", "\t"]
OTHERS += ["\x1b[2J", "\x9b2J", "\u202e"]
# in a body (the plan's, the entry's), at the top, and with what closes a string, a bracket, a comment
TEXTS = [
    *(f"w{mark}{indent}{CODE}{mark}{indent}{CODE} #" for mark in BREAKS for indent in ("        ", "    ", "")),
    *(f"w{mark}+{CODE}+{mark}" for mark in OTHERS),
    f"{{{CODE}}}", f"w = {CODE}", CODE, f'w"), {CODE}, ("', f"{{0.__class__.__init__.__globals__[{MARK}]}}",
]  # fmt: skip
ALL = "".join(f"{mark}        {CODE}" for mark in [*OTHERS, *BREAKS]) + "\n"  # all in one
FEW = daily.some("texts with code", TEXTS, 4)


class Listener:
    """Whether code was made of such a text: ``compile``, ``exec`` and ``eval`` were given one, or it ran."""

    def __init__(self, monkeypatch: Any) -> None:
        self.heard: list[str] = []
        monkeypatch.setattr(builtins, MARK, self.heard, raising=False)
        for name in ("compile", "exec", "eval"):
            monkeypatch.setattr(builtins, name, self._listening(name, getattr(builtins, name)))

    def _listening(self, name: str, real: Any) -> Any:
        def listening(source: Any, *args: Any, **kwargs: Any) -> Any:
            if _holds(source):
                self.heard.append(f"{name}({source!r:.300})")
            if name != "compile" and not args and not kwargs:  # in the caller's namespace, as the real ones do it
                frame = sys._getframe(1)
                args = frame.f_globals, frame.f_locals
            return real(source, *args, **kwargs)

        return listening

    def silent(self) -> None:
        """Nothing was heard."""
        assert not self.heard, self.heard[:3]


def _holds(source: Any) -> bool:
    if isinstance(source, (bytes, bytearray)):
        return MARK.encode() in source
    if isinstance(source, types.CodeType):
        return any(map(_holds, (*source.co_names, *source.co_varnames, *source.co_consts)))
    return isinstance(source, str) and MARK in source
