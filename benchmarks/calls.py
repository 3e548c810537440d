"""What a call of a static function costs beyond its plan, once its Program is known: three small arguments.

    python benchmarks/calls.py

What counts: microseconds of `f(x, y, z)` over "the plan alone".
"""

from __future__ import annotations

import timing  # isort: skip (it fixes the number of BLAS threads, before NumPy looks)

import to_static as paddle


@paddle.jit.to_static
def f(x, y, z):
    """Two operations."""
    return x + y * z


def main() -> None:
    """Print the table."""
    x, y, z = (paddle.ones([4]) for _ in range(3))
    f(x, y, z)
    plan = f.concrete_program.plan
    arrays = x._array, y._array, z._array
    ways = {
        "the plan alone": lambda: plan(*arrays),
        "to_static f(x, y, z)": lambda: f(x, y, z),
        "f(x, y, z)": lambda: f.dygraph_function(x, y, z),
    }
    timing.report("a known call of three arguments", ways, "the plan alone")


if __name__ == "__main__":
    main()
