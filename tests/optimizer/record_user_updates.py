"""Records what Paddle's parameters are after steps of users' optimizer classes: run with a Paddle 2.6 installation.

    python tests/optimizer/record_user_updates.py
"""

import json
from pathlib import Path

import paddle
from user_update_cases import cases, trained

if __name__ == "__main__":
    rows = {name: trained(paddle, make) for name, make in cases(paddle).items()}
    text = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items())
    (Path(__file__).parent / "paddle_user_updates.json").write_text("{\n" + text + "\n}\n")
