"""Sound files with labels, as waveforms or features."""

from __future__ import annotations

from typing import Any

from to_static.audio.backends.wave_backend import load
from to_static.audio.features import MFCC, LogMelSpectrogram, MelSpectrogram, Spectrogram
from to_static.io.dataset import Dataset

_FEATURES = {
    "raw": None, "melspectrogram": MelSpectrogram, "mfcc": MFCC, "logmelspectrogram": LogMelSpectrogram,
    "spectrogram": Spectrogram,
}  # fmt: skip


class AudioClassificationDataset(Dataset):
    """Sound files with labels.

    Args:
        files: their paths.
        labels: an int for each.
        feat_type: 'raw' (default, the waveform), 'spectrogram', 'melspectrogram', 'logmelspectrogram' or 'mfcc'.
        sample_rate: that of the file read last.
        kwargs: for the layer that makes features, see `paddle.audio.features`.

    Each sample is ``(features, label)``: Tensor [samples] or [features, frames], and an int.

    Raises ValueError for another ``feat_type``.
    """

    def __init__(
        self, files: list[str], labels: list[int], feat_type: str = "raw", sample_rate: int | None = None, **kwargs: Any
    ) -> None:
        super().__init__()
        if feat_type not in _FEATURES:
            raise ValueError(f"unknown feat_type {feat_type!r}, it must be one of {list(_FEATURES)}")
        self.files, self.labels, self.feat_type, self.sample_rate, self.feat_config = files, labels, feat_type, sample_rate, kwargs

    def __getitem__(self, idx: int) -> tuple[Any, int]:
        waveform, self.sample_rate = load(self.files[idx])
        layer = _FEATURES[self.feat_type]
        if layer is None:
            return waveform.squeeze(0), self.labels[idx]
        rate_argument: dict[str, Any] = {} if layer is Spectrogram else {"sr": self.sample_rate}
        return layer(**rate_argument, **self.feat_config)(waveform).squeeze(0), self.labels[idx]

    def __len__(self) -> int:
        return len(self.files)
