"""Translating a module of about 1,000 lines, dense in control flow, against compiling it.

    python benchmarks/conversion.py
"""

from __future__ import annotations

import timing  # isort: skip

from to_static.compiler.frontend.transpile import transpile_module

FUNCTION = '''
@to_static
def f{number}(x, n, items=None):
    """Every construct once."""
    total = x * 0
    seen = []
    for i in range(n):
        if i % 3 == 0 and x.sum() > i:
            continue
        for item in items or ():
            if item is None:
                break
            total = total + item * i
        while total.sum() < 10 and not total.min() < -5:
            total = total * 2 + x
            if total.max() > 100:
                return total, seen
        seen.append(total.mean() if i else x.mean())
    assert total.sum() >= 0, "negative"
    return total, seen
'''
LINES = 1000


def module() -> str:
    """Text of the module."""
    count = LINES // (FUNCTION.count("\n") + 1)
    return "from to_static import to_static\n" + "\n".join(FUNCTION.format(number=i) for i in range(count))


def main() -> None:
    """Print the table."""
    text = module()
    ways = {
        "compile()": lambda: compile(text, "module.py", "exec"),
        "to_static convert": lambda: transpile_module(text, "module.py"),
    }
    timing.report(f"a module of {text.count(chr(10))} lines", ways, "compile()", seconds=8.0)


if __name__ == "__main__":
    main()
