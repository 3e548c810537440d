"""Frequencies as they are heard (mels), banks of filters on them, and loudness in decibels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from to_static.compiler.ops.indexing.where import where
from to_static.compiler.ops.pointwise.min_max import maximum
from to_static.compiler.ops.pointwise.unary import exp, log, log10
from to_static.compiler.ops.shapes.create import full_like, is_tensor, to_tensor
from to_static.compiler.ops.shapes.sequence import linspace

# Slaney's scale ("Auditory Toolbox", 1998): even steps up to 1000 Hz, then 27 steps for each factor 6.4
_STEP = 200.0 / 3
_BEND = 1000.0
_LOG_STEP = math.log(6.4) / 27.0


def hz_to_mel(freq: Any, htk: bool = False) -> Any:
    """Frequencies in Hz as mels.

    Args:
        freq: a number or a floating Tensor.
        htk: True for the formula of HTK, ``2595 log10(1 + f / 700)``; else Slaney's scale (default False).

    Returns:
        A number or a Tensor, as ``freq``.

    Example:
        >>> paddle.audio.functional.hz_to_mel(1000.0)
        15.0
    """
    tensor = is_tensor(freq)
    if htk:
        return 2595.0 * (log10 if tensor else math.log10)(1.0 + freq / 700.0)
    if tensor:
        above = freq > _BEND
        bent = _BEND / _STEP + log(where(above, freq, full_like(freq, _BEND)) / _BEND + 1e-10) / _LOG_STEP
        return where(above, bent, freq / _STEP)
    return freq / _STEP if freq < _BEND else _BEND / _STEP + math.log(freq / _BEND + 1e-10) / _LOG_STEP


def mel_to_hz(mel: Any, htk: bool = False) -> Any:
    """Mels as frequencies in Hz: the inverse of `hz_to_mel`.

    Args:
        mel: a number or a floating Tensor.
        htk: as in `hz_to_mel`.

    Returns:
        A number or a Tensor, as ``mel``.

    Example:
        >>> paddle.audio.functional.mel_to_hz(15.0)
        1000.0
    """
    if htk:
        return 700.0 * (10.0 ** (mel / 2595.0) - 1.0)
    bend = _BEND / _STEP
    if is_tensor(mel):
        above = mel > bend
        return where(above, _BEND * exp(_LOG_STEP * (where(above, mel, full_like(mel, bend)) - bend)), _STEP * mel)
    return _STEP * mel if mel < bend else _BEND * math.exp(_LOG_STEP * (mel - bend))


def mel_frequencies(n_mels: int = 64, f_min: float = 0.0, f_max: float = 11025.0, htk: bool = False, dtype: str = "float32") -> Any:
    """Frequencies in Hz that stand in even steps on the scale of mels, from ``f_min`` to ``f_max``: Tensor [n_mels].

    ``htk``: as in `hz_to_mel`; ``dtype``: of the result (default 'float32').

    Example:
        >>> paddle.audio.functional.mel_frequencies(3, 0.0, 600.0).tolist()
        [0.0, 300.0, 600.0]
    """
    return mel_to_hz(linspace(hz_to_mel(float(f_min), htk), hz_to_mel(float(f_max), htk), n_mels, dtype=dtype), htk)


def fft_frequencies(sr: int, n_fft: int, dtype: str = "float32") -> Any:
    """The frequencies in Hz of a Fourier transform of ``n_fft`` samples at ``sr`` samples a second: Tensor [n_fft // 2 + 1].

    ``dtype``: of the result.

    Example:
        >>> paddle.audio.functional.fft_frequencies(8, 4).tolist()
        [0.0, 2.0, 4.0]
    """
    return linspace(0.0, float(sr) / 2, 1 + n_fft // 2, dtype=dtype)


def compute_fbank_matrix(
    sr: int, n_fft: int, n_mels: int = 64, f_min: float = 0.0, f_max: float | None = None, htk: bool = False, norm: Any = "slaney",
    dtype: str = "float32",
) -> Any:  # fmt: skip
    """A bank of triangular filters, each from its left neighbour's centre to its right one's.

    Args:
        sr: samples a second.
        n_fft: samples of the Fourier transform that the filters are for.
        n_mels: filters (default 64), with even steps between them on the scale of mels.
        f_min, f_max: lowest and highest frequency in Hz (default 0 and half of ``sr``).
        htk: as in `hz_to_mel`.
        norm: 'slaney' (default) for filters of equal area, a number p for rows whose p-norm is 1, None for neither.
        dtype: of the result (default 'float32').

    Returns:
        Tensor [n_mels, n_fft // 2 + 1].

    Example:
        >>> paddle.audio.functional.compute_fbank_matrix(8000, 64, 8).shape
        [8, 33]
    """
    top = float(sr) / 2 if f_max is None else float(f_max)
    steps = np.linspace(hz_to_mel(float(f_min), htk), hz_to_mel(top, htk), n_mels + 2)
    centres = np.asarray([mel_to_hz(step, htk) for step in steps.tolist()])
    rising = (np.linspace(0, float(sr) / 2, 1 + n_fft // 2)[None] - centres[:, None]) / np.maximum(
        np.diff(centres, append=centres[-1] + 1)[:, None], np.finfo(np.float64).tiny
    )
    bank = np.maximum(0, np.minimum(rising[:-2], 1 - rising[1:-1]))
    if norm == "slaney":
        bank *= (2 / (centres[2:] - centres[:-2]))[:, None]
    elif isinstance(norm, (int, float)):
        bank /= np.maximum((bank**norm).sum(1, keepdims=True) ** (1 / norm), 1e-12)
    return to_tensor(bank, dtype)


def power_to_db(spect: Any, ref_value: float = 1.0, amin: float = 1e-10, top_db: float | None = 80.0) -> Any:
    """A power spectrogram in decibels: ``10 log10(spect / ref_value)``.

    Args:
        spect: a floating Tensor.
        ref_value: what is 0 dB (default 1).
        amin: smaller numbers count as this (default 1e-10).
        top_db: what is more than so much below the largest is raised to that (default 80; None: nothing is).

    Returns:
        A Tensor like ``spect``.

    Raises:
        ValueError: ``ref_value`` or ``amin`` is not positive, or ``top_db`` is negative.

    Example:
        >>> float(paddle.audio.functional.power_to_db(paddle.to_tensor(100.0)))
        20.0
    """
    if amin <= 0 or ref_value <= 0:
        raise ValueError(f"power_to_db: amin and ref_value must be strictly positive, got {amin} and {ref_value}")
    if top_db is not None and top_db < 0:
        raise ValueError(f"power_to_db: top_db must be non-negative, got {top_db}")
    decibels = 10.0 * log10(maximum(full_like(spect, amin), spect)) - 10.0 * math.log10(max(ref_value, amin))
    if top_db is not None:
        decibels = maximum(decibels, full_like(spect, 1.0) * (decibels.max() - top_db))
    return decibels


def create_dct(n_mfcc: int, n_mels: int, norm: str | None = "ortho", dtype: str = "float32") -> Any:
    """The matrix of a discrete cosine transform (of the second type) from ``n_mels`` numbers to ``n_mfcc``.

    Args:
        n_mfcc, n_mels: sizes.
        norm: 'ortho' (default) for rows of length 1, None for none.
        dtype: of the result (default 'float32').

    Returns:
        Tensor [n_mels, n_mfcc].

    Raises:
        ValueError: ``norm`` is something else.

    Example:
        >>> paddle.audio.functional.create_dct(2, 3).shape
        [3, 2]
    """
    if norm not in (None, "ortho"):
        raise ValueError(f"create_dct: norm should be 'ortho' or None, got {norm!r}")
    table = np.cos(math.pi / n_mels * (np.arange(n_mels)[:, None] + 0.5) * np.arange(n_mfcc))
    if norm is None:
        return to_tensor(table * 2, dtype)
    table[:, 0] /= math.sqrt(2)
    return to_tensor(table * math.sqrt(2 / n_mels), dtype)
