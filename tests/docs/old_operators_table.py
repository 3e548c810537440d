"""The lists of docs/formats.md: operators of older files that are read, and those of PaddlePaddle 2.6.2 that are not."""

from __future__ import annotations

import json
from pathlib import Path

import to_static.compiler.ops  # noqa: F401  (the tables know where the operators are)
from to_static.compiler.formats.paddle.operators.op_compat import OLD_NAMES
from to_static.compiler.formats.paddle.operators.op_resolver import LATE, is_known
from to_static.compiler.formats.paddle.programs.control_reader import CONTROL

PADDLE = Path(__file__).parents[1] / "compiler" / "formats" / "paddle" / "operators" / "attribute_defaults.json"
TITLES = {
    "sequences": "sequences, recurrent networks, tags",
    "ranked_sequences": "`DynamicRNN`",
    "detections": "detection",
    "old_operators": "older names and attributes",
    "fused": "fused by Paddle's optimizer",
}
_MACHINES = (
    "c_ all_ alltoall barrier broadcast global_ mp_ p_ partial_ recv reduce send dist dgc fetch_ heter listen pull_ push_ enqueue "
    "dequeue queue moe number_ limit_ prune_ random_routing assign_pos lookup_table_dequant get_places copy_cross"
)
GROUPS = {  # title: how names begin, or end
    "several machines": tuple(_MACHINES.split()),
    "XPU": ("_xpu",),
    "sparse tensors": ("sparse_",),
    "primitives of Paddle's compiler": ("_p",),
}


def table() -> str:
    """The lists."""
    lines = ["| read | operators |", "|---|---|"]
    for module, title in TITLES.items():
        lines.append(f"| {title} | {', '.join(sorted(kind for kind, home in LATE.items() if home == module))} |")
    lines.append(f"| names of the same operator | {', '.join(f'{old} ({new})' for old, new in sorted(OLD_NAMES.items()))} |")
    missing = [kind for kind in json.loads(PADDLE.read_text(encoding="utf-8")) if not is_known(kind) and kind not in CONTROL]
    lines += ["", "| of PaddlePaddle 2.6.2, not read | operators |", "|---|---|"]
    for title, marks in GROUPS.items():
        of_group = [kind for kind in missing if any(_has(kind, mark) for mark in marks)]
        missing = [kind for kind in missing if kind not in of_group]
        lines.append(f"| {title} | {', '.join(of_group)} |")
    lines.append(f"| others | {', '.join(missing)} |")
    return "\n".join(lines) + "\n"


def _has(kind: str, mark: str) -> bool:
    return kind.endswith(mark) if mark.startswith("_") else kind.startswith(mark)
