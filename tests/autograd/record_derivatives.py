"""Records what Paddle computes for `derivative_cases`: ``PADDLE_PYTHON tests/autograd/record_derivatives.py``."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import paddle
import paddle.incubate.autograd
from derivative_cases import CASES, numbers

PATH = pathlib.Path(__file__).parent / "paddle_derivatives.json"
PATH.write_text("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(numbers(f(paddle)))}" for k, f in CASES.items()) + "\n}\n")
