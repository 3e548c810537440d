"""The probe of TO_STATIC_DEBUG=5: it logs the time of every op, and the first NaN."""

from __future__ import annotations

import time
from typing import Any

from to_static.compiler.ir.program import Op
from to_static.core.backend import Backend
from to_static.core.log import log


class Probe:
    """Called after every op of a plan with the op and its results."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self.seconds: dict[Op, float] = {}
        self.suspects: set[Op] = set()
        self._last = time.perf_counter()

    def __call__(self, op: Op, results: tuple[Any, ...]) -> None:
        self.backend.synchronize()
        spent = time.perf_counter() - self._last
        self.seconds[op] = self.seconds.get(op, 0.0) + spent
        log(5, f"{spent * 1e6:9.1f} us  {op.name}  {op.site or ''}")
        for array in results:
            dtype_kind = getattr(getattr(array, "dtype", None), "kind", "")
            if dtype_kind in ("f", "c") and op not in self.suspects and bool(self.backend.xp.isnan(array).any()):
                self.suspects.add(op)
                log(5, f"NaN in the result of {op.name}  {op.site or ''}")
        self._last = time.perf_counter()
