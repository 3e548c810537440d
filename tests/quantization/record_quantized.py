"""Record what Paddle computes for the network of `quantized`: tests/quantization/paddle_quantized.json.

    python -m tests.quantization.record_quantized       # with PaddlePaddle 2.6.2
"""

from __future__ import annotations

import json
from pathlib import Path

import paddle
import paddle.quantization.observers
import paddle.quantization.quanters

from tests.quantization.quantized import results

if __name__ == "__main__":
    records = {method: results(paddle, method) for method in ("qat", "ptq")}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in records.items())
    Path(__file__).with_name("paddle_quantized.json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
