"""Record how real Paddle 2.6.2 writes the operators of `written_cases`, for the test of our files that runs without Paddle.

Run with a Python that has paddlepaddle==2.6.2, and this project on its path:  python tests/interop/record_operators.py
"""

import json
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import paddle  # noqa: E402
import written_cases  # noqa: E402


def main():
    """Write ``paddle_operators.json`` beside this file, a case a line."""
    with tempfile.TemporaryDirectory() as folder:
        for _, text, error in written_cases.save_all(paddle, Path(folder)):
            if error:
                print(f"left out: {text}: {error[:100]}", file=sys.stderr)
        lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in written_cases.record(Path(folder)))
    (HERE / "paddle_operators.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
