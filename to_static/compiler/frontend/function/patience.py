"""Decides whether a call that needs another Program is traced, or runs in Python.

A trace costs as much as hundreds of calls. If one reason (for example, new values of one argument) has made a few Programs,
further calls that need another Program for this reason run in Python; after more and more of these calls one is traced again.
If many such calls follow each other, most of them skip the lookup, too, so that they cost what Python costs.
"""

from __future__ import annotations

from typing import Any

FEW = 12  # Programs that one reason makes before calls run in Python
_SHAPES = 48  # the same where only shapes and dtypes of tensors are others
_AGAIN = 1000  # calls in Python after which one is traced again; twice as many after that
_IN_A_ROW = 4  # after so many calls that are not traced, some are not looked at
_LONGEST = 1024  # calls that are not looked at

Reason = tuple[str, ...]


class Patience:
    """Counts how often each reason made a Program of one static function.

    ``break_of``: the graph break of reasons that make no further ones; ``left``: how many of the next calls run in Python without a
    look, by ``resting``, that of the call before.
    """

    def __init__(self) -> None:
        self._trace_counts: dict[Reason, int] = {}
        self.break_of: dict[Reason, Any] = {}
        self.left = 0
        self.resting: Any = None
        self._in_a_row = 0
        self._in_python = 0
        self._again = _AGAIN

    def pays(self, reason: Reason, shapes_only: bool) -> bool:
        """True if a call is traced that needs a new Program for this reason; counted."""
        count = self._trace_counts.get(reason, 1)  # the first Program is one for all reasons
        if count >= (_SHAPES if shapes_only else FEW):
            if self._in_python < self._again:
                return False
            self._in_python, self._again = 0, 2 * self._again
        self._trace_counts[reason] = count + 1
        return True

    def missed(self, recorded: Any) -> None:
        """A call was looked at that runs in Python, by the graph break ``recorded``."""
        self._in_python += 1
        self._in_a_row += 2
        if self._in_a_row > 2 * _IN_A_ROW:
            self.resting = recorded
            self.left = min(_LONGEST, 1 << (self._in_a_row - _IN_A_ROW))

    def met(self) -> None:
        """A call was looked at that runs a Program."""
        self._in_a_row = max(0, self._in_a_row - 1)

    def rests(self) -> Any:
        """The graph break by which this call runs without a look; None where it has to be looked at."""
        if self.left <= 0:
            return None
        self.left -= 1
        self._in_python += 1
        return self.resting

    def clear(self) -> None:
        """Forget everything."""
        self.__init__()  # type: ignore[misc]
