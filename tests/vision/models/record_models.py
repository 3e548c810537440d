"""Record what Paddle 2.6.2's networks hold and compute, for `test_models.py`.

Run with a Python that has paddlepaddle==2.6.2:  python tests/vision/models/record_models.py
"""

import json
from pathlib import Path

import paddle
import small_networks


def main():
    """Write ``paddle_models.json`` beside this file, a network a line."""
    states = {}
    for name in small_networks.ARCHITECTURES:
        with paddle.utils.unique_name.guard():
            states[name] = small_networks.described(getattr(paddle.vision.models, name)())
    found = {name: small_networks.outputs(paddle, name)[1].numpy().ravel()[:40].tolist() for name in small_networks.RUN}
    rows = [f'"{kind}": {{\n' + ",\n".join(f'"{k}": {json.dumps(v)}' for k, v in table.items()) + "\n}"
            for kind, table in (("states", states), ("outputs", found))]  # fmt: skip
    (Path(__file__).parent / "paddle_models.json").write_text("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    main()
