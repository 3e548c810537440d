"""Record what Paddle computes for the cases of sequences: tests/static/paddle_sequences.json.

    python -m tests.static.record_sequences       # with PaddlePaddle 2.6.2
"""

from __future__ import annotations

import json
from pathlib import Path

import paddle

from tests.static.sequence_cases import CASES, results

if __name__ == "__main__":
    paddle.enable_static()
    found = {name: results(paddle, name) for name in CASES}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in found.items())
    Path(__file__).with_name("paddle_sequences.json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
