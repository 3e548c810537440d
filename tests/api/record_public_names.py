"""Record which public names optimizers, schedules, datasets, transforms, metrics and further layers of Paddle have.

Run with a Python that has paddlepaddle==2.6.2:  python -m tests.api.record_public_names
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

OPTIMIZERS = ("SGD", "Momentum", "Adam", "AdamW", "Adamax", "Adagrad", "Adadelta", "RMSProp", "Lamb", "LBFGS")
ARGUMENTS: dict[str, dict[str, tuple[Any, ...]]] = {
    "optimizer.lr": {
        "NoamDecay": (4, 2), "PiecewiseDecay": ([1, 2], [0.1, 0.2, 0.3]), "NaturalExpDecay": (0.1, 0.1),
        "InverseTimeDecay": (0.1, 0.1), "PolynomialDecay": (0.1, 5), "LinearWarmup": (0.1, 2, 0.0, 0.1),
        "ExponentialDecay": (0.1, 0.9), "MultiStepDecay": (0.1, [1, 2]), "StepDecay": (0.1, 2), "LambdaDecay": (0.1, abs),
        "ReduceOnPlateau": (0.1,),
        "CosineAnnealingDecay": (0.1, 3), "MultiplicativeDecay": (0.1, abs), "OneCycleLR": (0.1, 5), "CyclicLR": (0.1, 0.2, 3),
        "LinearLR": (0.1, 5), "CosineAnnealingWarmRestarts": (0.1, 3),
    },
    "vision.transforms": {
        "BaseTransform": (), "BrightnessTransform": (0.1,), "CenterCrop": (4,), "ColorJitter": (), "Compose": ([],),
        "ContrastTransform": (0.1,), "Grayscale": (), "HueTransform": (0.1,), "Normalize": (), "Pad": (2,), "RandomAffine": (3,),
        "RandomCrop": (4,), "RandomErasing": (), "RandomHorizontalFlip": (), "RandomPerspective": (), "RandomResizedCrop": (4,),
        "RandomRotation": (3,), "RandomVerticalFlip": (), "Resize": (4,), "SaturationTransform": (0.1,), "ToTensor": (),
        "Transpose": (),
    },
    "metric": {"Accuracy": (), "Precision": (), "Recall": (), "Auc": ()},
    "audio.features": {"Spectrogram": (), "MelSpectrogram": (), "LogMelSpectrogram": (), "MFCC": ()},
    "sparse.nn": {
        "ReLU": (), "ReLU6": (), "LeakyReLU": (), "Softmax": (), "BatchNorm": (3,), "SyncBatchNorm": (3,), "Conv3D": (2, 3, 3),
        "SubmConv3D": (2, 3, 3), "MaxPool3D": (2,),
    },
    "incubate.nn": {
        "FusedLinear": (2, 3), "FusedMultiHeadAttention": (4, 2), "FusedFeedForward": (4, 2, 8),
        "FusedTransformerEncoderLayer": (4, 2, 8), "FusedBiasDropoutResidualLayerNorm": (4,), "FusedDropoutAdd": (),
    },
}  # fmt: skip
CLASSES = ("vision.datasets", "text.datasets", "audio.datasets", "vision.models")  # by their classes: instances need files, or time


def rooms(paddle: Any, path: str) -> Any:
    """The module of a path below ``paddle``."""
    for name in path.split("."):
        paddle = getattr(paddle, name)
    return paddle


def public_names(paddle: Any) -> dict[str, list[str]]:
    """The public names of an object of each class, or of the class, by its path."""
    parameters = paddle.nn.Linear(2, 2).parameters()
    objects = {f"optimizer.{n}": getattr(paddle.optimizer, n)(learning_rate=0.1, parameters=parameters) for n in OPTIMIZERS}
    for path, table in ARGUMENTS.items():
        objects |= {f"{path}.{name}": getattr(rooms(paddle, path), name)(*arguments) for name, arguments in table.items()}
    for path in CLASSES:
        objects |= {f"{path}.{n}": c for n, c in vars(rooms(paddle, path)).items() if isinstance(c, type) and n[0].isupper()}
    return {path: sorted(n for n in dir(value) if not n.startswith("_")) for path, value in sorted(objects.items())}


if __name__ == "__main__":
    import paddle

    lines = ",\n".join(f"{json.dumps(path)}: {json.dumps(names)}" for path, names in public_names(paddle).items())
    Path(__file__).with_name("paddle_public_names.json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
