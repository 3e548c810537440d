"""ESC-50: five seconds each of fifty kinds of sounds around us."""

from __future__ import annotations

import csv
from typing import Any

from to_static.audio.datasets.dataset import AudioClassificationDataset
from to_static.core.errors import FormatError
from to_static.io.download import unpacked


class ESC50(AudioClassificationDataset):
    """2000 recordings of five seconds, 40 of each of fifty kinds of sounds.

    Args:
        mode: 'train' (default) for all folds but one, else that one.
        split: the fold, from 1 to 5, that is for 'dev' (default 1).
        feat_type: see `AudioClassificationDataset` (default 'raw').
        archive: a dict with the 'url' and 'md5' of the archive (default None: where Paddle has it). It is kept, unpacked, in
            ``~/.cache/to_static/dataset/esc50``; what is there already is not downloaded.
        kwargs: for the layer that makes features.

    Each sample is ``(features, label)``; labels count `label_list`.

    Raises:
        DownloadError: the files are not there and cannot be downloaded.
        FormatError: the table of the archive has other columns.
        ValueError: ``split`` is no fold.

    Example:
        >>> waveform, label = paddle.audio.datasets.ESC50(mode='dev')[0]

    Source: K. J. Piczak, "ESC: Dataset for Environmental Sound Classification", 2015.
    """

    archive = {
        "url": "https://paddleaudio.bj.bcebos.com/datasets/ESC-50-master.zip",
        "md5": "7771e4b9d86d0945acce719c7a59305a",
    }
    label_list = [
        "Dog", "Rooster", "Pig", "Cow", "Frog", "Cat", "Hen", "Insects (flying)", "Sheep", "Crow",
        "Rain", "Sea waves", "Crackling fire", "Crickets", "Chirping birds", "Water drops", "Wind", "Pouring water", "Toilet flush",
        "Thunderstorm",
        "Crying baby", "Sneezing", "Clapping", "Breathing", "Coughing", "Footsteps", "Laughing", "Brushing teeth", "Snoring",
        "Drinking, sipping",
        "Door knock", "Mouse click", "Keyboard typing", "Door, wood creaks", "Can opening", "Washing machine", "Vacuum cleaner",
        "Clock alarm", "Clock tick", "Glass breaking",
        "Helicopter", "Chainsaw", "Siren", "Car horn", "Engine", "Train", "Church bells", "Airplane", "Fireworks", "Hand saw",
    ]  # fmt: skip

    def __init__(self, mode: str = "train", split: int = 1, feat_type: str = "raw", archive: Any = None, **kwargs: Any) -> None:
        if split not in range(1, 6):
            raise ValueError(f"ESC50: split should be an integer from 1 to 5, got {split!r}")
        self.archive = archive or self.archive
        folder = unpacked("esc50", self.archive["url"], self.archive["md5"]) / "ESC-50-master"
        table = folder / "meta" / "esc50.csv"
        with open(table, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        if not rows or not {"filename", "fold", "target"} <= set(rows[0]):
            raise FormatError(str(table), "rows with filename, fold and target", "others")
        chosen = [row for row in rows if (int(row["fold"]) == split) is (mode != "train")]
        files = [str(folder / "audio" / row["filename"]) for row in chosen]
        super().__init__(files, [int(row["target"]) for row in chosen], feat_type, **kwargs)
