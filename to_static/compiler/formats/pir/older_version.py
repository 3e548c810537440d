"""`to_oldest_version` converts a document to the oldest version that can hold it, so that PaddlePaddle 3.0 to 3.3 read it.

A newer PaddlePaddle converts attributes of older versions; an older one accepts only its own. `PirWriter` writes the attributes of
version 4. Attributes that had another type in version 1 are converted here. Source: Paddle's
`paddle/fluid/pir/serialize_deserialize/patch`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

OLDEST = 1  # PaddlePaddle 3.0
_SCALES = tuple(f"{mode}_interp" for mode in ("bicubic", "bilinear", "linear", "nearest", "trilinear"))
_OLD_TYPES = {
    "0.a_i32": {
        "expand_as": ("target_shape",), "kthvalue": ("k",), "lp_pool2d": ("strides", "paddings"), "pool2d": ("strides", "paddings"),
        "pool3d": ("kernel_size", "strides", "paddings"), "top_p_sampling": ("seed",),
    },
    "0.a_f32": {
        "group_norm": ("epsilon",), "leaky_relu": ("negative_slope",), "logit": ("eps",), "pad3d": ("pad_value",),
        "softplus": ("beta", "threshold"), **dict.fromkeys(_SCALES, ("scale",)),
    },
}  # fmt: skip
_BY_OPERATION = {(name, attribute): code for code, rows in _OLD_TYPES.items() for name in rows for attribute in rows[name]}


def to_oldest_version(content: dict[str, Any]) -> None:
    """Change a document of version 4 to version 1, in place, if numbers keep their meaning.

    A scale of an image that is no float32 keeps it at version 4: PaddlePaddle 3.3 would compute another size from the float32.
    """
    attributes = list(_retyped_attributes(content["program"]))
    if any(name in _SCALES and not _is_float32(value) for name, values, _ in attributes for value in values):
        return
    for _, values, code in attributes:
        for value in values:
            value["#"] = code
            if code == "0.a_f32" and "D" in value:
                value["D"] = float(np.float32(value["D"]))
    content["base_code"]["version"] = OLDEST


def _retyped_attributes(part: dict[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]], str]]:
    """The attributes of other types: the name of the operation, the numbers, and the older type."""
    for region in part.get("regions", ()):
        for block in region["blocks"]:
            for op in block["ops"]:
                name = op["#"].split(".", 1)[-1].removesuffix("_")
                for attribute in op["A"] if op["#"] != "p" else ():
                    code = _BY_OPERATION.get((name, attribute["N"]))
                    if code is not None:
                        value = attribute["AT"]
                        yield name, value["D"] if isinstance(value.get("D"), list) else [value], code
                yield from _retyped_attributes(op)


def _is_float32(value: dict[str, Any]) -> bool:
    return "D" not in value or float(np.float32(value["D"])) == value["D"]
