"""Record what Paddle computes for operators of older files: tests/compiler/formats/paddle/operators/old_operators.npz.xz.

    python -m tests.compiler.formats.paddle.operators.record_old_operators       # with PaddlePaddle 2.6.2

Of each case the program is kept as Paddle writes it, with its inputs and results and the offsets of sequences in them.
"""

from __future__ import annotations

import io
import json
import lzma
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import paddle
from paddle.base import core

from tests.compiler.formats.paddle.operators.old_operator_cases import CASES, listed

TABLE = Path(__file__).with_name("old_operators.npz.xz")


def _declared(block: Any, name: str, value: Any) -> Any:
    array, lengths = value if isinstance(value, tuple) else (value, [])
    shape = [-1, *array.shape[1:]] if lengths else list(array.shape)
    block.create_var(name=name, shape=shape, dtype=str(array.dtype), lod_level=len(lengths), need_check_feed=True)
    tensor = core.LoDTensor()
    tensor.set(array, paddle.CPUPlace())
    if lengths:
        tensor.set_recursive_sequence_lengths(lengths)
    return tensor


def recorded(kind: str, inputs: Any, outputs: Any, attrs: Any) -> dict[str, Any]:
    """The entry of one case."""
    program = paddle.static.Program()
    block = program.global_block()
    feeds: dict[str, Any] = {}
    ins, outs, fetched = {}, {}, []
    for slot, value in inputs.items():
        names = []
        for i, item in enumerate(listed(value)):
            names.append(f"{slot}_{i}".lower())
            feeds[names[-1]] = _declared(block, names[-1], item)
        ins[slot] = names
    for slot, count in outputs.items():
        names = [slot + "_out" + str(i) for i in range(abs(count))]
        for name in names:
            block.create_var(name=name, dtype="float32")
        outs[slot] = names
        fetched += names if count > 0 else []
    block.append_op(type=kind, inputs=ins, outputs=outs, attrs=dict(attrs))
    block.create_var(name="feed", type=core.VarDesc.VarType.FEED_MINIBATCH, persistable=True)
    block.create_var(name="fetch", type=core.VarDesc.VarType.FETCH_LIST, persistable=True)
    runnable = program.clone()
    for i, name in enumerate(feeds):
        block._prepend_op(type="feed", inputs={"X": ["feed"]}, outputs={"Out": [name]}, attrs={"col": i})
    for i, name in enumerate(fetched):
        block.append_op(type="fetch", inputs={"X": [name]}, outputs={"Out": ["fetch"]}, attrs={"col": i})
    for op in block.ops:
        op.desc.remove_attr("op_callstack")
    exe = paddle.static.Executor(paddle.CPUPlace())
    results = exe.run(runnable, feed=feeds, fetch_list=fetched, return_numpy=False)
    entry: dict[str, Any] = {"program": np.frombuffer(program.desc.serialize_to_string(), np.uint8)}
    lods = {}
    for name, tensor in feeds.items():
        entry[f"in {name}"] = np.asarray(tensor)
        lods[f"in {name}"] = tensor.lod()
    for name, tensor in zip(fetched, results, strict=True):
        entry[f"out {name}"] = np.asarray(tensor)
        lods[f"out {name}"] = tensor.lod()
    entry["lods"] = np.frombuffer(json.dumps(lods).encode(), np.uint8)
    return entry


def main() -> None:
    paddle.enable_static()
    table: dict[str, Any] = {}
    for name, (kind, inputs, outputs, attrs) in CASES.items():
        try:
            entry = recorded(kind, inputs, outputs, attrs)
        except Exception as error:
            lines = [line.strip() for line in str(error).splitlines() if "Error" in line] or [str(error)[:200]]
            print(name, type(error).__name__, lines[-1][:300], file=sys.stderr)
            continue
        table.update({f"{name}/{key}": value for key, value in entry.items()})
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        for key, value in table.items():
            array = io.BytesIO()
            np.save(array, value)
            file.writestr(zipfile.ZipInfo(f"{key}.npy", (1980, 1, 1, 0, 0, 0)), array.getvalue())
    TABLE.write_bytes(lzma.compress(stream.getvalue(), preset=9))


if __name__ == "__main__":
    main()
