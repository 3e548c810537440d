"""The measured table as a picture: a row a workload, and how many times as long as the limit each way takes, in powers of two."""

from __future__ import annotations

import math
from html import escape
from typing import Any

OURS = ("dynamic", "static", "static step", "loaded", "predictor")
KINDS = {  # the ways that share a mark: the quickest of them is drawn
    "to_static": ("#d62728", lambda way: way in OURS[1:]),
    "to_static, dynamic": ("#ff9896", lambda way: way == "dynamic"),
    "PyTorch": ("#ff7f0e", lambda way: way.startswith("torch")),
    "JAX": ("#2ca02c", lambda way: way.startswith("jax")),
    "ONNX Runtime": ("#9467bd", lambda way: way.startswith("ONNX")),
    "Paddle": ("#1f77b4", lambda way: way.startswith("Paddle")),
}
LEFT, WIDTH, LINE, TOP, SIDE = 250, 620, 26, 58, 20  # pixels


def quickest(ways: dict[str, dict[str, float]]) -> dict[str, float]:
    """Of each kind of way that was measured: its best time over the best time of the limit."""
    found = {}
    for kind, (_, belongs) in KINDS.items():
        ratios = [ways[way]["best_ratio"] for way in ways if belongs(way)]
        if ratios:
            found[kind] = min(ratios)
    return found


def svg(title: str, rows: list[dict[str, Any]]) -> str:
    """The picture of the rows of one number of threads, as the text of an SVG file."""
    marks = [(row["title"], quickest(row["ways"])) for row in rows]
    ratios = [ratio for _, found in marks for ratio in found.values()]
    low, high = math.floor(math.log2(min([*ratios, 1]))), math.ceil(math.log2(max([*ratios, 2])))
    bottom = TOP + LINE * len(marks)
    fill = {kind: f'fill="{colour}" fill-opacity="0.9"' for kind, (colour, _) in KINDS.items()}

    def across(ratio: float) -> float:
        return round(LEFT + WIDTH * (math.log2(ratio) - low) / (high - low), 1)

    box = f"0 0 {LEFT + WIDTH + SIDE} {bottom + 30}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{SIDE}" y="20" font-size="14">{escape(title)}</text>',
    ]
    for i, kind in enumerate(KINDS):
        x = SIDE + 5 + 145 * i
        lines.append(f'<circle cx="{x}" cy="40" r="5" {fill[kind]}/><text x="{x + 9}" y="44">{kind}</text>')
    for power in range(low, high + 1):
        x, name = across(2.0**power), f"{2**power}" if power >= 0 else f"1/{2**-power}"
        stroke = 'stroke="black"' if power == 0 else 'stroke="#ddd"'
        lines.append(f'<line x1="{x}" x2="{x}" y1="{TOP}" y2="{bottom}" {stroke}/>')
        lines.append(f'<text x="{x}" y="{bottom + 18}" text-anchor="middle">{name}</text>')
    for i, (name, found) in enumerate(marks):
        y = TOP + LINE * i + LINE // 2
        lines.append(f'<text x="{LEFT - 10}" y="{y + 4}" text-anchor="end">{escape(name.replace("`", ""))}</text>')
        for kind, ratio in reversed(found.items()):  # ours above all
            lines.append(f'<circle cx="{across(ratio)}" cy="{y}" r="5" {fill[kind]}><title>{kind}: {ratio:.2f}</title></circle>')
    return "\n".join([*lines, "</svg>", ""])
