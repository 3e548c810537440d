"""Records what Paddle computes for `derivative_cases`: ``PADDLE_PYTHON tests/autograd/record_derivatives.py``."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import paddle  # noqa: E402
import paddle.incubate.autograd  # noqa: E402
from derivative_cases import CASES, numbers  # noqa: E402

PATH = pathlib.Path(__file__).parent / "paddle_derivatives.json"
PATH.write_text("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(numbers(f(paddle)))}" for k, f in CASES.items()) + "\n}\n")
