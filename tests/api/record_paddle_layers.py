"""Records the attributes of PaddlePaddle's layers: run with the Python of a Paddle 2.6 installation.

    python tests/api/record_paddle_layers.py
"""

import inspect
import json
from pathlib import Path

import paddle
from layers_made import OTHERS, attributes, make


def main():
    """Write {class: {attribute: text}} and the text of each layer to paddle_layers.json."""
    rows = {}
    base = paddle.nn.Layer()
    for name in sorted(n for n in paddle.nn.__all__ if inspect.isclass(getattr(paddle.nn, n)) and n not in OTHERS):
        layer = make(paddle.nn, name)
        rows[name] = {"repr": repr(layer), "attributes": attributes(layer, base)}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items())
    (Path(__file__).parent / "paddle_layers.json").write_text("{\n" + lines + "\n}\n")


if __name__ == "__main__":
    main()
