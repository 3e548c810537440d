"""Operators that a plan writes as array-module expressions of their own instead of kernel calls.

A rule gets the generator, the call, the expressions of its inputs and of its buffer ('' for new memory), and returns an
expression, or None to call the kernel after all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

RULES: dict[str, Callable[[Any, Any, list[str], str], str | None]] = {}
