"""Spectrograms, on the scale of frequencies or of mels, their logarithms, and the cosine transform of these."""

from __future__ import annotations

from typing import Any

from to_static.audio.functional import compute_fbank_matrix, create_dct, get_window, power_to_db
from to_static.compiler.ops.linalg.matmul import matmul
from to_static.compiler.ops.pointwise.power import pow
from to_static.compiler.ops.pointwise.unary import abs
from to_static.compiler.ops.shapes.reshape import transpose
from to_static.compiler.ops.spectral.stft import stft
from to_static.nn.layer import Layer


class Spectrogram(Layer):
    """The size of the short-time Fourier transform of waveforms.

    Args:
        n_fft: samples of a frame (default 512).
        hop_length: samples from one frame to the next (default 512; None: a quarter of ``n_fft``).
        win_length: samples of the window (default None: ``n_fft``).
        window: name of the window, see `paddle.audio.functional.get_window` (default 'hann').
        power: of the size (default 1).
        center: whether frames stand around their times, with the waveform continued by ``pad_mode`` (default True, 'reflect').
        dtype: of waveforms and window (default 'float32').

    Raises ValueError unless ``power`` is positive.

    Example:
        >>> paddle.audio.features.Spectrogram(n_fft=64, hop_length=16)(paddle.randn([2, 160])).shape
        [2, 33, 11]
    """

    def __init__(
        self, n_fft: int = 512, hop_length: int | None = 512, win_length: int | None = None, window: Any = "hann",
        power: float = 1.0, center: bool = True, pad_mode: str = "reflect", dtype: str = "float32",
    ) -> None:  # fmt: skip
        super().__init__()
        if power <= 0:
            raise ValueError(f"Spectrogram: power of spectrogram must be > 0, got {power}")
        self.power = power
        self._n_fft, self._hop_length, self._win_length = n_fft, hop_length, n_fft if win_length is None else win_length
        self._center, self._pad_mode = center, pad_mode
        self.register_buffer("fft_window", get_window(window, self._win_length, True, dtype))

    def forward(self, x: Any) -> Any:
        """``[N, T]`` to ``[N, n_fft // 2 + 1, frames]``."""
        spectrum = stft(x, self._n_fft, self._hop_length, self._win_length, self.fft_window, self._center, self._pad_mode)
        return pow(abs(spectrum), self.power)


class MelSpectrogram(Layer):
    """A `Spectrogram` through a bank of filters on the scale of mels.

    Args:
        sr: samples a second (default 22050).
        n_mels: filters (default 64).
        f_min, f_max: lowest and highest frequency in Hz (default 50, and half of ``sr``).
        htk, norm: see `paddle.audio.functional.compute_fbank_matrix`.

    The other arguments are those of `Spectrogram`; by default ``n_fft`` is 2048 and ``power`` 2.

    Example:
        >>> paddle.audio.features.MelSpectrogram(n_fft=64, hop_length=16, n_mels=8)(paddle.randn([2, 160])).shape
        [2, 8, 11]
    """

    def __init__(
        self, sr: int = 22050, n_fft: int = 2048, hop_length: int | None = 512, win_length: int | None = None, window: Any = "hann",
        power: float = 2.0, center: bool = True, pad_mode: str = "reflect", n_mels: int = 64, f_min: float = 50.0,
        f_max: float | None = None, htk: bool = False, norm: Any = "slaney", dtype: str = "float32",
    ) -> None:  # fmt: skip
        super().__init__()
        self._spectrogram = Spectrogram(n_fft, hop_length, win_length, window, power, center, pad_mode, dtype)
        self.n_mels, self.f_min, self.htk, self.norm = n_mels, f_min, htk, norm
        self.f_max = f_max
        top = sr // 2 if f_max is None else f_max
        self.register_buffer("fbank_matrix", compute_fbank_matrix(sr, n_fft, n_mels, f_min, top, htk, norm, dtype))

    def forward(self, x: Any) -> Any:
        """``[N, T]`` to ``[N, n_mels, frames]``."""
        return matmul(self.fbank_matrix, self._spectrogram(x))


class LogMelSpectrogram(Layer):
    """A `MelSpectrogram` in decibels.

    Args:
        ref_value, amin, top_db: see `paddle.audio.functional.power_to_db` (default 1, 1e-10 and None).

    The other arguments are those of `MelSpectrogram`; by default ``n_fft`` is 512 and ``hop_length`` None.

    Example:
        >>> paddle.audio.features.LogMelSpectrogram(n_fft=64, n_mels=8)(paddle.randn([2, 160])).shape
        [2, 8, 11]
    """

    def __init__(
        self, sr: int = 22050, n_fft: int = 512, hop_length: int | None = None, win_length: int | None = None, window: Any = "hann",
        power: float = 2.0, center: bool = True, pad_mode: str = "reflect", n_mels: int = 64, f_min: float = 50.0,
        f_max: float | None = None, htk: bool = False, norm: Any = "slaney", ref_value: float = 1.0, amin: float = 1e-10,
        top_db: float | None = None, dtype: str = "float32",
    ) -> None:  # fmt: skip
        super().__init__()
        self._melspectrogram = MelSpectrogram(
            sr, n_fft, hop_length, win_length, window, power, center, pad_mode, n_mels, f_min, f_max, htk, norm, dtype
        )
        self.ref_value, self.amin, self.top_db = ref_value, amin, top_db

    def forward(self, x: Any) -> Any:
        """``[N, T]`` to ``[N, n_mels, frames]``."""
        return power_to_db(self._melspectrogram(x), self.ref_value, self.amin, self.top_db)


class MFCC(Layer):
    """Mel-frequency cepstral coefficients: the cosine transform of a `LogMelSpectrogram`.

    Args:
        n_mfcc: coefficients (default 40), at most ``n_mels``.

    The other arguments are those of `LogMelSpectrogram`. Raises ValueError when there are more coefficients than mels.

    Example:
        >>> paddle.audio.features.MFCC(n_fft=64, n_mels=8, n_mfcc=4)(paddle.randn([2, 160])).shape
        [2, 4, 11]
    """

    def __init__(
        self, sr: int = 22050, n_mfcc: int = 40, n_fft: int = 512, hop_length: int | None = None, win_length: int | None = None,
        window: Any = "hann", power: float = 2.0, center: bool = True, pad_mode: str = "reflect", n_mels: int = 64,
        f_min: float = 50.0, f_max: float | None = None, htk: bool = False, norm: Any = "slaney", ref_value: float = 1.0,
        amin: float = 1e-10, top_db: float | None = None, dtype: str = "float32",
    ) -> None:  # fmt: skip
        super().__init__()
        if n_mfcc > n_mels:
            raise ValueError(f"MFCC: n_mfcc cannot be larger than n_mels: {n_mfcc} vs {n_mels}")
        self._log_melspectrogram = LogMelSpectrogram(
            sr, n_fft, hop_length, win_length, window, power, center, pad_mode, n_mels, f_min, f_max, htk, norm, ref_value, amin,
            top_db, dtype,
        )  # fmt: skip
        self.register_buffer("dct_matrix", create_dct(n_mfcc, n_mels, dtype=dtype))

    def forward(self, x: Any) -> Any:
        """``[N, T]`` to ``[N, n_mfcc, frames]``."""
        frames_first = transpose(self._log_melspectrogram(x), [0, 2, 1])
        return transpose(matmul(frames_first, self.dct_matrix), [0, 2, 1])
