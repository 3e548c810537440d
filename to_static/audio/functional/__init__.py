"""Functions of sound (``paddle.audio.functional``): windows, mels, decibels."""

from to_static.audio.functional.mel import (
    compute_fbank_matrix,
    create_dct,
    fft_frequencies,
    hz_to_mel,
    mel_frequencies,
    mel_to_hz,
    power_to_db,
)
from to_static.audio.functional.windows import get_window
from to_static.core.diagnostics.missing_names import names_missing

__all__ = [
    "compute_fbank_matrix", "create_dct", "fft_frequencies", "get_window", "hz_to_mel", "mel_frequencies", "mel_to_hz",
    "power_to_db",
]  # fmt: skip

__getattr__ = names_missing(__name__)
