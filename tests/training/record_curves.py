"""Records the losses of Paddle: ``PADDLE_PYTHON tests/training/record_curves.py``."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import paddle
from curve_cases import CASES, curve

path = pathlib.Path(__file__).parent / "paddle_curves.json"
path.write_text("{\n" + ",\n".join(f'"{name}": {json.dumps(curve(paddle, name))}' for name in CASES) + "\n}\n")
