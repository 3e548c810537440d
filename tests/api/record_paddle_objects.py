"""Records what objects of PaddlePaddle's classes hold: run with the Python of a Paddle 2.6 installation.

    python tests/api/record_paddle_objects.py
"""

import json
from pathlib import Path

import paddle
from objects_made import EXPRESSIONS, public_attributes


def main():
    """Write {expression: [attribute]} to paddle_objects.json."""
    rows = {row: public_attributes(eval(row, {"paddle": paddle})) for row in EXPRESSIONS}  # the table, not a user's text
    lines = ",\n".join(f"{json.dumps(row)}: {json.dumps(names)}" for row, names in rows.items())
    (Path(__file__).parent / "paddle_objects.json").write_text("{\n" + lines + "\n}\n")


if __name__ == "__main__":
    main()
