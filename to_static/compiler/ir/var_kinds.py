"""The kinds of values of a Program, see `ir.program.Var`."""

from __future__ import annotations

ARG, PARAM, BUFFER, CONST, TEMP = "arg", "param", "buffer", "const", "temp"
