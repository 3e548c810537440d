"""Compare what `evaluate` finds with a record: a list of differences in words."""

from __future__ import annotations

from typing import Any

import numpy as np


def arrays_differ(actual: np.ndarray, record: list[Any], dtype: str) -> str | None:
    """How an array differs from a recorded one, or None."""
    shape, numbers = record
    if list(actual.shape) != shape:
        return f"shape {list(actual.shape)}, Paddle's {shape}"
    if actual.dtype.kind == "c":
        actual, shape = np.stack([actual.real, actual.imag], -1), [*shape, 2]
    expected = np.asarray(numbers, "float64").reshape(shape)
    found = actual.astype("float64")
    rough = 2e-3 if dtype == "float16" else 2e-5
    if not np.allclose(found, expected, rtol=rough, atol=rough / 10, equal_nan=True):
        return f"{found.ravel()[:12].tolist()}, Paddle's {expected.ravel()[:12].tolist()}"
    return None


def differences(found: dict[str, Any], record: dict[str, Any]) -> list[str]:
    """All differences between an evaluation and a record."""
    words: list[str] = []
    if len(found["results"]) != len(record["results"]):
        return [f"{len(found['results'])} results, Paddle's {len(record['results'])}"]
    for k, (actual, expected) in enumerate(zip(found["results"], record["results"], strict=True)):
        if isinstance(actual, str) or isinstance(expected, str):
            if actual != expected:
                words.append(f"result {k}: {actual}, Paddle's {expected}")
            continue
        if actual[0] != expected[0]:
            words.append(f"result {k}: {actual[0]}, Paddle's {expected[0]}")
            continue
        if difference := arrays_differ(actual[1], expected[1:3], expected[0]):
            words.append(f"result {k}: {difference}")
        if actual[2] != bool(expected[3]) and expected[0].startswith(
            "float"
        ):  # integers never take part in differentiation
            words.append(f"result {k}: stop_gradient={actual[2]}, Paddle's {bool(expected[3])}")
    for k, (actual, expected) in enumerate(zip(found["gradients"], record["gradients"], strict=True)):
        if actual is None or expected is None:
            if actual is not expected and (actual is None or actual.size):  # an empty gradient is as good as none
                have = "no gradient" if actual is None else f"gradient {actual.ravel()[:6].tolist()}"
                words.append(f"input {k}: {have}, Paddle's {expected}")
        elif difference := arrays_differ(actual, expected, "float32"):
            words.append(f"gradient {k}: {difference}")
    return words
