"""The table of the README: some rows and columns of what the benchmarks measured, as docs/performance.md has them."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "performance.md"
ROWS = ("A MLP 512-256-128-2, batch 1", "B `", "C LeNet training", "E Transformer block, batch 1", "F ResNet-18", "I LSTM")
OURS, PADDLE = ("static", "static step", "loaded", "predictor"), ("Paddle to_static", "Paddle predictor, oneDNN")
TORCH = ("torch", "torch, no_grad", "torch.compile")
COLUMNS = {"NumPy by hand": ("limit",), "to_static": OURS, "PaddlePaddle": PADDLE, "PyTorch": TORCH,
           "jax.jit": ("jax.jit",), "ONNX Runtime": ("ONNX Runtime",)}  # fmt: skip


def table() -> str:
    """A row for each of `ROWS`: the quickest way of each framework, milliseconds per call on one thread."""
    text = PAGE.read_text(encoding="utf-8")
    measured = re.search(r"^Measured on (.*)\.$", text, re.M)
    part = re.search(r"^### 1 thread: milliseconds per call.*?\n\n(.*?)\n\n", text, re.M | re.S)
    assert measured and part, f"{PAGE} has no measured tables: make bench-peers"
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in part[1].splitlines()]
    lines = [f"| milliseconds per call, 1 thread | {' | '.join(COLUMNS)} |", "|---|" + "---|" * len(COLUMNS)]
    for row in rows:
        if row[0].startswith(ROWS):
            times = dict(zip(head, row, strict=True))
            best = [min((float(times[name]) for name in names if times.get(name)), default=None) for names in COLUMNS.values()]
            lines.append(f"| {row[0][2:]} | {' | '.join('' if time is None else f'{time:.3g}' for time in best)} |")
    return "\n".join([*lines, "", f"Measured on {measured[1]}."])
