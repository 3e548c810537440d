"""Record what real Paddle 2.6.2 does with tensors of another dtype: ``python -m tests.numbers.record_wrong_dtypes``.

Run it from the repository's root with a Python that has paddlepaddle==2.6.2. Writes ``wrong_dtypes.json``: for each line of
``dtype_calls.txt`` and each of its inputs the outcome with every dtype. What ends Paddle's process is 'crash'.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

from tests.numbers.record import answers
from tests.numbers.wrong_dtypes import DTYPES, kinds, outcome

HERE = Path(__file__).parent


def work(cases: list[tuple[str, int, str]], pipe: Any) -> None:
    """Send the outcome of each case (the child process)."""
    import paddle

    warnings.simplefilter("ignore")
    for text, place, dtype in cases:
        paddle.seed(1)
        try:
            pipe.send(kinds(text, paddle) if place < 0 else outcome(text, place, dtype, paddle))
        except Exception as error:
            pipe.send(f"{type(error).__name__}: {str(error).strip()[-300:]}")


def main() -> None:
    """Write the record."""
    texts = (HERE / "dtype_calls.txt").read_text().splitlines()
    known = dict(zip(texts, answers([(t, -1, "") for t in texts], work)))  # noqa: B905  (Paddle's Pythons include 3.8)
    for text in [t for t in texts if isinstance(known[t], str)]:
        print(f"refused as it is: {text}   {known.pop(text)}", file=sys.stderr)
    cases = [(t, k, d) for t, found in known.items() for k, own in enumerate(found) for d in DTYPES if d != own]
    found: dict[str, list[dict[str, str]]] = {t: [{} for _ in own] for t, own in known.items()}
    for (text, place, dtype), answer in zip(cases, answers(cases, work)):  # noqa: B905
        found[text][place][dtype] = answer
    lines = [json.dumps([t, known[t], found[t]], separators=(",", ":")) for t in known]
    (HERE / "wrong_dtypes.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")
    print(f"{len(lines)} calls, {len(cases)} cases")


if __name__ == "__main__":
    main()
