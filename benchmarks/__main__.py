"""All benchmarks, or the named ones: ``python -m benchmarks [mlp startup ...]``."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
NAMES = ("startup", "mlp", "lenet", "loop", "training")


def main(chosen: list[str]) -> int:
    """Run benchmarks by name; 2 for an unknown name."""
    unknown = [name for name in chosen if name not in NAMES]
    if unknown:
        print(f"unknown benchmark {', '.join(unknown)}; there are {', '.join(NAMES)}", file=sys.stderr)
        return 2
    sys.path.insert(0, str(FOLDER))  # as if each were run as a script
    for name in chosen or NAMES:
        print(f"== {name}", flush=True)
        runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")
    return 0


sys.exit(main(sys.argv[1:]))
