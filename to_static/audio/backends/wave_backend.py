"""WAV files of integer samples (PCM), read and written by Python's ``wave``."""

from __future__ import annotations

import contextlib
import wave
from collections.abc import Iterator
from typing import Any

import numpy as np

from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops.shapes.create import to_tensor
from to_static.core.errors import FormatError, ShapeError


class AudioInfo:
    """The description of a file: ``sample_rate``, ``num_samples``, ``num_channels``, ``bits_per_sample`` and ``encoding``."""

    def __init__(self, sample_rate: int, num_samples: int, num_channels: int, bits_per_sample: int, encoding: str) -> None:
        self.sample_rate, self.num_samples, self.num_channels = sample_rate, num_samples, num_channels
        self.bits_per_sample, self.encoding = bits_per_sample, encoding


@contextlib.contextmanager
def _opened(filepath: Any) -> Iterator[wave.Wave_read]:
    with filepath if hasattr(filepath, "read") else open(filepath, "rb") as file:
        try:
            with wave.open(file) as wave_file:
                yield wave_file
        except (wave.Error, EOFError) as error:
            raise FormatError(filepath, "a WAV file of integer samples (PCM)", str(error) or "less") from error


def info(filepath: Any) -> AudioInfo:
    """Sample rate, length and form of a WAV file, a path or a file object (which is closed).

    Raises FormatError when it is no WAV file of integer samples.
    ``filepath``: the file.

    Example:
        >>> paddle.audio.save('test.wav', paddle.zeros([1, 8000]), 16000)
        >>> paddle.audio.info('test.wav').num_samples
        8000
    """
    with _opened(filepath) as file:
        bits = file.getsampwidth() * 8
        return AudioInfo(file.getframerate(), file.getnframes(), file.getnchannels(), bits, "PCM_S" if bits > 8 else "PCM_U")


def _samples(data: bytes, width: int) -> np.ndarray:
    """Samples of ``width`` bytes as float32 numbers, those of one byte around 0, too."""
    if width == 1:
        return np.frombuffer(data, np.uint8).astype(np.float32) - 128
    if width == 3:
        words = np.zeros((len(data) // 3, 4), np.uint8)
        words[:, 1:] = np.frombuffer(data, np.uint8).reshape(-1, 3)
        return (words.reshape(-1).view("<i4") >> 8).astype(np.float32)
    return np.frombuffer(data, f"<i{width}").astype(np.float32)


def load(
    filepath: Any, frame_offset: int = 0, num_frames: int = -1, normalize: bool = True, channels_first: bool = True
) -> tuple[Any, int]:
    """The waveform of a WAV file, and its sample rate.

    Args:
        filepath: a path or a file object (which is closed).
        frame_offset: where to begin (default 0).
        num_frames: how many samples of each channel (default -1: all that are left).
        normalize: whether the numbers are from -1 to 1 (default True), or the integers of the file.
        channels_first: whether the result is [channels, samples] (default True), or [samples, channels].

    Returns:
        ``(waveform, sample_rate)``: float32 Tensor and int.

    Raises:
        FormatError: it is no WAV file of integer samples.

    Example:
        >>> paddle.audio.save('test.wav', paddle.full([1, 4], 0.5), 16000)
        >>> waveform, rate = paddle.audio.load('test.wav')
        >>> waveform.tolist(), rate
        ([[0.5, 0.5, 0.5, 0.5]], 16000)
    """
    with _opened(filepath) as file:
        channels, width, rate = file.getnchannels(), file.getsampwidth(), file.getframerate()
        samples = _samples(file.readframes(file.getnframes()), width).reshape(-1, channels)
    samples = samples[frame_offset : None if num_frames == -1 else frame_offset + num_frames]
    if normalize:
        samples = samples / np.float32(2 ** (8 * width - 1))
    return to_tensor(np.ascontiguousarray(samples.T) if channels_first else samples), rate


def save(
    filepath: Any, src: Tensor, sample_rate: int, channels_first: bool = True, encoding: str | None = None,
    bits_per_sample: int | None = 16,
) -> None:  # fmt: skip
    """Write a waveform to a WAV file of 16 bits a sample.

    Args:
        filepath: a path or a file object.
        src: Tensor [channels, samples]: floating numbers from -1 to 1 (others are cut off), or int16.
        sample_rate: samples a second.
        channels_first: whether channels come first (default True), or samples.
        encoding: not used; there for compatibility.
        bits_per_sample: 16 or None, the only form.

    Raises:
        ShapeError: ``src`` is not 2-D.
        ValueError: ``bits_per_sample`` is another.
        TypeError: ``src`` holds other numbers.

    Example:
        >>> paddle.audio.save('test.wav', paddle.zeros([1, 8000]), 16000)
    """
    if len(src.shape) != 2:  # type: ignore[attr-defined]
        raise ShapeError(f"save: expected a 2-D tensor, [channels, samples], got shape {list(src.shape)}")  # type: ignore[attr-defined]
    if bits_per_sample not in (None, 16):
        raise ValueError(f"save: invalid bits_per_sample, only 16 bits are written, got {bits_per_sample}")
    samples: np.ndarray = src.numpy()  # type: ignore[attr-defined]
    if samples.dtype.kind == "f":
        samples = (samples.astype(np.float64) * 2**15).clip(-(2**15), 2**15 - 1).astype("<i2")
    elif samples.dtype != np.int16:
        raise TypeError(f"save: expected floating numbers or int16, got {samples.dtype}")
    samples = samples.T if channels_first else samples
    with wave.open(filepath if hasattr(filepath, "write") else str(filepath), "wb") as file:
        file.setnchannels(samples.shape[1])
        file.setsampwidth(2)
        file.setframerate(int(sample_rate))
        file.writeframes(np.ascontiguousarray(samples, "<i2").tobytes())
