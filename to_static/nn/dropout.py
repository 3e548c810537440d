"""Dropout layers: active in training, the identity in evaluation."""

from __future__ import annotations

from typing import Any

from to_static.nn.functional_layer import declare


def _row(name: str, function: str, doc: str, **settings: Any) -> Any:
    shape = "[2, 3" + {"2": ", 4, 4", "3": ", 4, 4, 4"}.get(name[-2], "") + "]"
    example = f">>> paddle.nn.{name}(0.5)(paddle.ones({shape})).shape\n{shape}"
    return declare(__name__, name, function, doc, takes_training=True, inputs="input", example=example, **settings)


Dropout = _row(
    "Dropout", "dropout",
    """Sets elements to 0 with probability ``p`` (default 0.5) while training (Srivastava et al., 2014).

    ``axis``: drop along these axes only, together along the others; ``mode``: 'upscale_in_train' (the rest is divided by
    ``1 - p``, the default) or 'downscale_in_infer'.

    Example:
        >>> y = paddle.nn.Dropout(0.3)(x)
    """,
    p=0.5, axis=None, mode="upscale_in_train",
)  # fmt: skip
Dropout2D = _row(
    "Dropout2D", "dropout2d", "Sets whole channels of ``[N, C, H, W]`` to 0 with probability ``p`` while training.",
    p=0.5, data_format="NCHW",
)  # fmt: skip
Dropout3D = _row(
    "Dropout3D", "dropout3d", "Sets whole channels of ``[N, C, D, H, W]`` to 0 with probability ``p`` while training.",
    p=0.5, data_format="NCDHW",
)  # fmt: skip
AlphaDropout = _row(
    "AlphaDropout", "alpha_dropout", "Dropout with probability ``p`` that keeps mean and variance, for `SELU` networks.", p=0.5
)
