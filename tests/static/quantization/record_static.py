"""Record what Paddle computes for the models of `models`: paddle_static.json.

    python -m tests.static.quantization.record_static       # with PaddlePaddle 2.6.2
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import paddle

from tests.static.quantization.models import AWARE, CALIBRATED, WEIGHTS, aware, calibrated, saved, weights_only

if __name__ == "__main__":
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        saved(paddle, folder)
        paddle.enable_static()
        found["calibrated"] = {kind: calibrated(paddle, folder, kind) for kind in CALIBRATED}
        found["weights"] = {kind: weights_only(paddle, folder, kind) for kind in WEIGHTS}
        found["aware"] = {kind: aware(paddle, folder, kind) for kind in AWARE}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in found.items())
    Path(__file__).with_name("paddle_static.json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
