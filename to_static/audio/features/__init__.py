"""Layers that make features of waveforms (``paddle.audio.features``)."""

from to_static.audio.features.layers import MFCC, LogMelSpectrogram, MelSpectrogram, Spectrogram
from to_static.core.diagnostics.missing_names import names_missing

__all__ = ["MFCC", "LogMelSpectrogram", "MelSpectrogram", "Spectrogram"]

__getattr__ = names_missing(__name__)
