"""The refusal of a recursion that a tensor bounds."""

from __future__ import annotations

import collections
import linecache
import re
import types

from to_static.core.conditions import condition_of
from to_static.core.errors import TranslationError
from to_static.core.site import Site, is_generated, of_instruction, report


def endless(error: RecursionError) -> Exception:
    """What to say when tracing a function that calls itself came to no end: who calls whom, where, and what to write instead.

    The error itself where no tensor decides whether it calls itself again.
    """
    sites = []
    steps = []
    blocks = 0
    trace: types.TracebackType | None = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        blocks += code.co_name == "trace_block"
        if is_generated(code.co_filename):
            sites.append(of_instruction(code, trace.tb_lineno, trace.tb_lasti))
            steps.append(trace)
        trace = trace.tb_next
    if blocks < 5:
        return error
    # the calls are on the lines that come again and again, and hold the name of a function that does
    names = {name for name, _ in collections.Counter(s.function for s in sites[len(sites) // 2 :]).most_common(3)}
    again = {s for s, count in collections.Counter(sites[len(sites) // 2 :]).items() if count > 1}
    calls = re.compile(rf"(?<!def )\b({'|'.join(map(re.escape, names))})\(")
    place: Site | None = next((s for s in sites if s in again and calls.search(linecache.getline(s.file, s.line))), None)
    name = place.function if place is not None else "function"
    test = next(filter(None, map(condition_of, steps[len(steps) // 2 :])), "")
    test = test and f", `{test}`, which is known only when the Program runs"
    made = TranslationError(
        report(
            f"`{name}()` calls itself under a tensor condition{test}, so tracing never ends: both branches are traced, and "
            f"with them the call of `{name}()`",
            place,
            f"a loop, `while n > 1: result, n = result * n, n - 1`, or a Python number that bounds it, `def {name}(n, depth=8):`",
        )
    )
    if place is not None:
        made.filename, made.lineno = place.file, place.line
    return made
