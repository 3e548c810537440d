"""What importing costs: `import to_static` against `import numpy`, each in fresh processes, in turn.

    python benchmarks/startup.py
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time


def seconds(code: str) -> float:
    """Wall time of a fresh Python that runs ``code``."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - start


def main() -> None:
    """Print the table."""
    lines = {
        "nothing": "pass",
        "import numpy": "import numpy",
        "import to_static": "import to_static",
        "... and use nn": "import to_static as paddle; paddle.nn.Linear(2, 2)(paddle.ones([1, 2]))",
    }
    times: dict[str, list[float]] = {name: [] for name in lines}
    for code in lines.values():
        seconds(code)  # writes the bytecode files
    for _ in range(20):
        for name, code in lines.items():
            times[name].append(seconds(code))
    print(f"{'':22s} {'median ms':>10s} {'best ms':>9s}   over import numpy (median of differences)")
    for name, found in times.items():
        extra = statistics.median(a - b for a, b in zip(found, times["import numpy"], strict=True))
        print(f"{name:22s} {statistics.median(found) * 1e3:10.1f} {min(found) * 1e3:9.1f}   {extra * 1e3:+.1f} ms")


if __name__ == "__main__":
    main()
