"""The table of docs/paddle.md: how many of Paddle's public names there are, module by module, and which are not.

Paddle's names are those of `to_static/core/diagnostics/paddle_names.py`, which `tests/golden/record_names.py` recorded from
PaddlePaddle 2.6.2. Members of its classes are those of `tests/api/paddle_members.json`.
"""

from __future__ import annotations

import importlib
import re
import textwrap
from typing import Any

import to_static as paddle
from tests.api import members
from to_static.core.diagnostics.paddle_names import NAMES

KINDS = {  # the classes whose names were recorded together; of some an object, which has names that its class lacks
    "Tensor": lambda: [paddle.ones([2]), paddle.static.Variable],
    "Layer": lambda: [paddle.nn.Linear(2, 2), paddle.nn.LayerList, paddle.nn.Sequential, paddle.nn.LayerDict],
    "Optimizer": lambda: [paddle.optimizer.Adam(parameters=paddle.nn.Linear(2, 2).parameters())],
    "LRScheduler": lambda: [paddle.optimizer.lr.StepDecay(0.1, 2)],
    "Program": lambda: [paddle.static.Program()],
    "Model": lambda: [paddle.Model],
}
WHY = [  # the first that fits "module.name" says why
    (r"(?i)(\b|_)(ipu|xpu|npu|custom_?place)|Ipu|cinn|trt", "hardware and compilers that are not here"),
    (r"static\.nn\.(sequence_|nce)", "sequences of several lengths in one tensor (level of detail)"),
    (r"distributed|py_func|Slot|Entry", "more than one process, or Paddle's own workers"),
    (r"quant", "quantization"),
    (r"onnx", "other formats"),
]


def there(scope: str) -> list[Any]:
    """The module of that name, or what has the names of that class; nothing where there is none."""
    if scope in KINDS:
        return KINDS[scope]()
    try:
        return [importlib.import_module("to_static" if scope == "paddle" else f"to_static.{scope}")]
    except ModuleNotFoundError:
        above, _, last = scope.rpartition(".")
        return [getattr(found, last) for found in (there(above) if above else ()) if hasattr(found, last)]


def missing() -> dict[str, list[str]]:
    """The names that are not there, by module or class."""
    return {
        scope: sorted(name for name in names if not any(hasattr(thing, name) for thing in things))
        for scope, names in NAMES.items()
        for things in [there(scope)]
    }


def _members() -> tuple[str, list[str]]:
    """In a sentence how many members of classes are there, and a table of the others."""
    lacking = {key: members.lacking(key) for key in members.RECORDED}
    counts = {key: len(members.members(key)) for key in members.RECORDED}
    total, missing = sum(counts.values()), sum(map(len, lacking.values()))
    shares = [1 - len(lacking[key]) / count for key, count in counts.items() if count]
    sentence = (
        f"Of the {total} members (methods, properties, settings) that Paddle's {len(counts)} public classes have, "
        f"{total - missing} are there; on average a class has {sum(shares) / len(shares):.1%} of its members. "
        "Methods have Paddle's arguments and defaults."
    )
    rows = ["| class | there | not there | why |", "|---|---|---|---|"]
    for key, names in lacking.items():
        if names:
            listed = "all" if len(names) == counts[key] > 3 else " ".join(f"`{name}`" for name in names)
            rows.append(f"| `{key}` | {counts[key] - len(names)} of {counts[key]} | {listed} | {members.why_not(key)} |")
    return textwrap.fill(sentence, 120, break_on_hyphens=False), rows


def table() -> str:
    """Markdown: whole modules in one line, then a row for each that lacks something, then why."""
    gaps = missing()
    total, lacking = sum(map(len, NAMES.values())), sum(map(len, gaps.values()))
    whole = ", ".join(f"`{scope}` ({len(NAMES[scope])})" for scope, names in gaps.items() if not names)
    lines = [f"{total - lacking} of {total} names are there. These modules and classes are complete: {whole}.", ""]
    lines += ["| module or class | there | not there |", "|---|---|---|"]
    for scope, names in gaps.items():
        if names:
            listed = "all" if len(names) == len(NAMES[scope]) > 3 else " ".join(f"`{name}`" for name in names)
            lines.append(f"| `{scope}` | {len(NAMES[scope]) - len(names)} of {len(NAMES[scope])} | {listed} |")
    whole_classes, of_classes = _members()
    whys: dict[str, int] = {}
    for scope, names in gaps.items():
        for name in names:
            why = next((why for pattern, why in WHY if re.search(pattern, f"{scope}.{name}")), "not written yet")
            whys[why] = whys.get(why, 0) + 1
    reasons = "; ".join(f"{count}: {why}" for why, count in sorted(whys.items(), key=lambda item: -item[1]))
    first, *later_lines = lines
    modules = [textwrap.fill(first, 120, break_on_hyphens=False), *later_lines, "", f"Missing, and why: {reasons}."]
    return "\n".join([*modules, "", whole_classes, "", *of_classes])
