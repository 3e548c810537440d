"""All 100 steps beside Paddle's recorded losses, in each mode: ``python -m tests.training.compare_curves [NAME ...]``.

Prints the largest relative difference, and fails where it is more than 1e-4.
"""

import json
import pathlib
import sys
import time

import to_static
from tests.training.curve_cases import CASES, MODES, curve

RECORDED = json.loads((pathlib.Path(__file__).parent / "paddle_curves.json").read_text())


def main(names):
    failed = False
    for name in names or CASES:
        for mode in MODES:
            start = time.perf_counter()
            found = curve(to_static, name, mode)
            seconds = time.perf_counter() - start
            worst = max(abs(a - b) / abs(b) for a, b in zip(found, RECORDED[name], strict=True))
            failed |= not worst <= 1e-4
            print(f"{name:12} {mode:8} {worst:.1e}  from {found[0]:.4f} to {found[-1]:.4f}  {seconds:.1f} s", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
