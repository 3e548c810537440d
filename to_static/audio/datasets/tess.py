"""TESS: 200 words, spoken by two actresses in seven moods."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from to_static.audio.datasets.dataset import AudioClassificationDataset
from to_static.core.errors import FormatError
from to_static.io.download import unpacked


class TESS(AudioClassificationDataset):
    """The Toronto emotional speech set: 2800 recordings in seven moods.

    Args:
        mode: 'train' (default) for all folds but one, else that one.
        n_folds: parts of the set (default 5).
        split: the part, from 1, that is for 'dev' (default 1).
        feat_type: see `AudioClassificationDataset` (default 'raw').
        archive: a dict with the 'url' and 'md5' of the archive (default None: where Paddle has it). It is kept, unpacked, in
            ``~/.cache/to_static/dataset/tess``; what is there already is not downloaded.
        kwargs: for the layer that makes features.

    Each sample is ``(features, label)``; labels count `label_list`.

    Raises:
        DownloadError: the files are not there and cannot be downloaded.
        FormatError: a file's name has no mood of the list.
        ValueError: ``split`` is no fold.

    Example:
        >>> waveform, label = paddle.audio.datasets.TESS(mode='dev')[0]

    Source: K. Dupuis, M. K. Pichora-Fuller, https://doi.org/10.5683/SP2/E8H2MF.
    """

    archive = {
        "url": "https://bj.bcebos.com/paddleaudio/datasets/TESS_Toronto_emotional_speech_set.zip",
        "md5": "1465311b24d1de704c4c63e4ccc470c7",
    }
    label_list = ["angry", "disgust", "fear", "happy", "neutral", "ps", "sad"]
    audio_path = "TESS_Toronto_emotional_speech_set"

    def __init__(
        self, mode: str = "train", n_folds: int = 5, split: int = 1, feat_type: str = "raw", archive: Any = None, **kwargs: Any
    ) -> None:
        if not isinstance(n_folds, int) or n_folds < 1:
            raise ValueError(f"TESS: n_folds should be a positive integer, got {n_folds!r}")
        if split not in range(1, n_folds + 1):
            raise ValueError(f"TESS: split should be an integer from 1 to {n_folds}, got {split!r}")
        self.archive = archive or self.archive
        folder = unpacked("tess", self.archive["url"], self.archive["md5"]) / self.audio_path
        files = sorted(folder.rglob("*.wav"))
        chosen = [file for i, file in enumerate(files) if (i % n_folds + 1 == split) is (mode != "train")]
        super().__init__([str(file) for file in chosen], [self._label(file) for file in chosen], feat_type, **kwargs)

    def _label(self, file: Path) -> int:
        mood = file.stem.rpartition("_")[2]
        if mood not in self.label_list:
            raise FormatError(str(file), f"a name speaker_word_mood with one of {self.label_list}", mood)
        return self.label_list.index(mood)
