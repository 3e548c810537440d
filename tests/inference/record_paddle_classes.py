"""Records the members of the classes of ``paddle.inference`` with their arguments: run with a Paddle 2.6 installation.

    python tests/inference/record_paddle_classes.py
"""

import json
import re
from pathlib import Path

from paddle import inference


def arguments(member):
    """Names of the arguments that the doc of a bound C++ function tells; null for what is no function, or has several."""
    head = (member.__doc__ or "").split(" -> ")[0]
    if "(self" not in head or "Overloaded" in head:
        return None
    return re.findall(r"(?:^|, )(\w+)(?=: )", head.split("(", 1)[1].replace("self: ", "self_: "))[1:]


def main():
    """Write paddle_classes.json."""
    found = {
        name: {m: arguments(getattr(kind, m)) for m in dir(kind) if not m.startswith("_")}
        for name, kind in vars(inference).items()
        if isinstance(kind, type)
    }
    Path(__file__).with_name("paddle_classes.json").write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
