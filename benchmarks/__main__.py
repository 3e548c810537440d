"""``python -m benchmarks [NAME ...]``: run the named benchmarks, or all of them, each in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ALL = ["suite", "calls", "changes", "writes", "dynamic", "processes", "serve", "distributed", "startup", "conversion"]


def main(names: list[str]) -> int:
    """Run them in turn; returns the exit status of the first that failed, or 0."""
    for name in names or ALL:
        if name not in ALL:
            print(f"no benchmark is called {name!r}; there are: {', '.join(ALL)}", file=sys.stderr)
            return 2
        print(f"\n== {name}", flush=True)
        status = subprocess.run([sys.executable, str(HERE / f"{name}.py")]).returncode
        if status:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
