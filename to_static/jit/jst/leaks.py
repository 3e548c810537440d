"""Python's errors about one of our own stand-ins: Python would have met another value there, so that they are refusals."""

from __future__ import annotations

import re

from to_static.core.errors import ToStaticError, TracedValueError
from to_static.core.site import of_error, report

_OURS = re.compile(r"\b(Choice|TensorList|TensorTuple|Rows|Counted|Text|Unbound|Maybe|Number|Joined|Variable)\b")
_NUMBERS = re.compile(r"^(unsupported operand|.* not supported between)(?!.*(Choice|Tensor[LT]|Rows))")  # a number would fail, too


def leaked(error: BaseException | None) -> Exception | None:
    """The refusal in place of an error whose words name a class of ours (``'Choice' object is not iterable``), or None."""
    if not isinstance(error, (TypeError, AttributeError, ValueError)) or isinstance(error, ToStaticError):
        return None
    text = error.args[0] if error.args else ""
    if not isinstance(text, str) or not _OURS.search(text) or _NUMBERS.search(text):
        return None
    told = _OURS.sub("value", text).replace("'value'", "value")
    return TracedValueError(
        report(
            f"Python's own code needs a value here that depends on a tensor ({told}), and tensors have values only when the static "
            "Program runs",
            of_error(error),
            "compute with tensors here, or choose the value with `if` / `else` in translated code and use it in each branch",
        )
    )
