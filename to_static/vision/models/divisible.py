"""Widths of scaled networks."""

from __future__ import annotations


def divisible(width: float, divisor: int = 8, least: int | None = None) -> int:
    """The multiple of ``divisor`` next to ``width``: at least ``least`` (default: ``divisor``), and nine tenths of ``width``.

    Source: Sandler et al., "MobileNetV2", whose published networks have such widths.
    """
    channels = max(divisor if least is None else least, int(width + divisor / 2) // divisor * divisor)
    return channels + divisor if channels < 0.9 * width else channels
