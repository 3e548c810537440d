"""Records what Paddle prints and computes for `model_cases`: ``PADDLE_PYTHON tests/hapi/record_models.py``."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import paddle
from model_cases import TABLES, fitted, printed

found = {}
for name, make in TABLES.items():
    with paddle.utils.unique_name.guard():
        result, lines = printed(make, paddle)
        found[name] = [{k: int(v) for k, v in result.items()} if isinstance(result, dict) else int(result), lines]
(_, evaluated, predicted), lines = printed(fitted, paddle)
found["fit"] = [lines, {k: [float(x) for x in v] if isinstance(v, list) else float(v) for k, v in evaluated.items()}, predicted]
path = pathlib.Path(__file__).parent / "paddle_models.json"
path.write_text("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in found.items()) + "\n}\n")
