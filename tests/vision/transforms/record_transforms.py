"""Record what Paddle 2.6.2's transforms give for `transform_cases.CASES`, for `test_transforms_as_paddle.py`.

Run with a Python that has paddlepaddle==2.6.2, Pillow and opencv-python 4.10:  python tests/vision/transforms/record_transforms.py
"""

import json
import sys
from pathlib import Path

import numpy as np
import paddle
import transform_cases


def main():
    """Write ``paddle_transforms.json`` beside this file, a case a line."""
    lines = []
    for kind, text in transform_cases.CASES:
        try:
            made, dtype, array = transform_cases.result(paddle, kind, text)
        except Exception as error:
            print(f"left out: {kind} {text}: {type(error).__name__}: {error}", file=sys.stderr)
            continue
        numbers = np.round(array.astype("float64"), 4).ravel().tolist() if dtype.startswith("f") else array.ravel().tolist()
        lines.append(json.dumps([kind, text, made, dtype, list(array.shape), numbers], separators=(",", ":")))
    (Path(__file__).parent / "paddle_transforms.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main()
