"""Records what Paddle computes for `around_cases`: ``PADDLE_PYTHON tests/optimizer/record_around.py``."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import paddle
from around_cases import CASES

path = pathlib.Path(__file__).parent / "paddle_around.json"
path.write_text("{\n" + ",\n".join(f'"{name}": {json.dumps(run(paddle))}' for name, run in CASES.items()) + "\n}\n")
