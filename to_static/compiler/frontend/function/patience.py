"""Decides whether a call that needs another Program is traced, or runs in Python.

A trace costs as much as hundreds of calls. If one reason (for example, new values of one argument) has made a few Programs,
further calls that need another Program for this reason run in Python; after more and more of these calls one is traced again.
If many such calls follow each other, most of them skip the lookup, too, so that they cost what Python costs. Such calls are
called "skipped".
"""

from __future__ import annotations

from typing import Any

FEW = 12  # how many Programs one reason makes before calls run in Python
_SHAPES = 48  # the same if the calls differ only in the shapes and dtypes of tensors
_AGAIN = 1000  # how many calls run in Python before one is traced again; this doubles with each such trace
_IN_A_ROW = 4  # how many calls in a row run in Python before some are skipped
_LONGEST = 1024  # the most skipped calls in a row

Reason = tuple[str, ...]


class Patience:
    """Counts how often each reason made a Program of one static function.

    Attributes:
        break_of: for each reason that makes no further Programs, the graph break of its calls.
        skipped_left: how many of the next calls run in Python without a lookup.
        break_of_skipped: the graph break by which these calls run, that of the last call with a lookup.
    """

    def __init__(self) -> None:
        self._trace_counts: dict[Reason, int] = {}
        self.break_of: dict[Reason, Any] = {}
        self.skipped_left = 0
        self.break_of_skipped: Any = None
        self._streak = 0
        self._python_calls = 0
        self._retrace_after = _AGAIN

    def allows_trace(self, reason: Reason, shapes_only: bool) -> bool:
        """Count a call that needs a new Program for this reason; return True if it may be traced.

        ``shapes_only``: whether it differs from other calls only in the shapes and dtypes of tensors.
        """
        count = self._trace_counts.get(reason, 1)  # the first Program counts for every reason
        if count >= (_SHAPES if shapes_only else FEW):
            if self._python_calls < self._retrace_after:
                return False
            self._python_calls, self._retrace_after = 0, 2 * self._retrace_after
        self._trace_counts[reason] = count + 1
        return True

    def count_python_call(self, recorded: Any) -> None:
        """Count a call with a lookup that runs in Python by the graph break ``recorded``; the next ones may be skipped."""
        self._python_calls += 1
        self._streak += 2
        if self._streak > 2 * _IN_A_ROW:
            self.break_of_skipped = recorded
            self.skipped_left = min(_LONGEST, 1 << (self._streak - _IN_A_ROW))

    def count_program_call(self) -> None:
        """Count a call with a lookup that runs a Program: fewer calls are skipped later."""
        self._streak = max(0, self._streak - 1)

    def next_skipped(self) -> Any:
        """Return the graph break by which this call runs without a lookup, and count it; None if it needs a lookup."""
        if self.skipped_left <= 0:
            return None
        self.skipped_left -= 1
        self._python_calls += 1
        return self.break_of_skipped

    def clear(self) -> None:
        """Forget everything."""
        self.__init__()  # type: ignore[misc]
