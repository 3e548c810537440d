"""Arrays that are cut into pieces, each of which one tensor holds: how many references to such memory are theirs."""

from __future__ import annotations

from typing import Any

from to_static.core.weak import WeakKeys

WHOLES: WeakKeys[Any, int] = WeakKeys()  # into how many pieces an array is cut, which whoever cuts keeps beside it
