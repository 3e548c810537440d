"""Record what Paddle computes and saves for the network of `networks`: paddle_imperative.json.

    python -m tests.quantization.imperative.record_imperative       # with PaddlePaddle 2.6.2
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import paddle
import paddle.nn.quant.quant_layers

from tests.quantization.imperative.networks import BATCHES, OBSERVED, TRAINED, observed, said, trained


def read(path: str) -> dict[str, Any]:
    """What a file says, and computes."""
    paddle.enable_static()
    with paddle.static.scope_guard(paddle.static.Scope()):
        exe = paddle.static.Executor()
        program, feeds, fetches = paddle.static.load_inference_model(path, exe)
        ops = [(op.type, {k: op.attr(k) for k in op.attr_names}) for op in program.global_block().ops]
        [out] = exe.run(program, feed={feeds[0]: BATCHES[1]}, fetch_list=fetches)
    paddle.disable_static()
    return {"said": said(ops), "file": out.tolist()}


if __name__ == "__main__":
    records: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in TRAINED:
            results, path = trained(paddle, name, Path(folder))
            records[name] = {**results, **read(path)}
        for kinds in OBSERVED:
            records["+".join(kinds)] = read(observed(paddle, kinds, Path(folder)))
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in records.items())
    Path(__file__).with_name("paddle_imperative.json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
