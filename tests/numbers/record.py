"""Record what real Paddle 2.6.2 gives for every call in ``calls/*.txt``: ``python -m tests.numbers.record [name ...]``.

Run it from the repository's root with a Python that has paddlepaddle==2.6.2. Writes ``recorded/<name>.json``. Calls that Paddle
refuses are left out: there we are free to do better. Each list is run in a process of its own, which is started again when
Paddle crashes.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from tests.numbers.evaluate import evaluate

HERE = Path(__file__).parent


def short(array: np.ndarray) -> Any:
    """An array as a shape and numbers with seven digits, those of complex ones in pairs."""
    if array.dtype.kind == "c":
        return [list(array.shape), short(np.stack([array.real, array.imag], -1))[1]]
    if array.dtype.kind == "f":
        return [list(array.shape), [float(f"{v:.7g}") for v in array.astype("float64").ravel()]]
    return [list(array.shape), [int(v) for v in array.ravel()]]


def as_json(found: dict[str, Any]) -> dict[str, Any]:
    """What `evaluate` found, as JSON."""
    return {
        "results": [r if isinstance(r, str) else [r[0], *short(r[1]), int(r[2])] for r in found["results"]],
        "gradients": [None if g is None else short(g) for g in found["gradients"]],
    }


def work(texts: list[str], pipe: Any) -> None:
    """Evaluate texts and send each answer (the child process)."""
    import paddle

    warnings.simplefilter("ignore")
    for text in texts:
        paddle.seed(1)
        try:
            answer: Any = as_json(evaluate(text, paddle))
        except Exception as error:
            answer = f"{type(error).__name__}: {str(error).strip()[-300:]}"
        pipe.send(answer)


def answers(texts: list[Any], work: Any = work) -> list[Any]:
    """One answer of ``work`` for each text; 'crash' where Paddle's process died or did not come back."""
    found: list[Any] = []
    while len(found) < len(texts):
        ours, theirs = multiprocessing.Pipe()
        child = multiprocessing.Process(target=work, args=(texts[len(found) :], theirs))
        child.start()
        theirs.close()
        try:
            while len(found) < len(texts):
                if not ours.poll(60):
                    raise EOFError
                found.append(ours.recv())
        except EOFError:
            found.append("crash")
        child.kill()
        child.join()
    return found


def main(names: list[str]) -> None:
    """Write the records of the lists with these names."""
    for name in names or sorted(p.stem for p in (HERE / "calls").glob("*.txt")):
        texts = (HERE / "calls" / f"{name}.txt").read_text().splitlines()
        lines, refused = [], []
        for text, answer in zip(texts, answers(texts)):  # noqa: B905  (Paddle's Pythons include 3.8)
            if isinstance(answer, str):
                refused.append(text)
                print(f"refused: {text}   {answer}", file=sys.stderr)
            else:
                lines.append(json.dumps([text, answer], separators=(",", ":")))
        (HERE / "recorded" / f"{name}.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")
        print(f"{name}: {len(lines)} recorded, {len(refused)} refused by Paddle")


if __name__ == "__main__":
    main(sys.argv[1:])
