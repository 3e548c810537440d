"""LeNet."""

from __future__ import annotations

from typing import Any

from to_static import nn
from to_static.nn.layer import Layer


class LeNet(Layer):
    """LeNet for images of one channel and 28 x 28 pixels.

    Args:
        num_classes: how many scores it gives (default 10); 0 for the features [N, 16, 5, 5].

    Takes [N, 1, 28, 28], gives [N, num_classes].

    Example:
        >>> paddle.vision.models.LeNet()(paddle.ones([1, 1, 28, 28])).shape
        [1, 10]

    Source: LeCun et al., "Gradient-Based Learning Applied to Document Recognition".
    """

    def __init__(self, num_classes: int = 10) -> None:
        super().__init__()
        self.num_classes = num_classes
        self.features = nn.Sequential(
            nn.Conv2D(1, 6, 3, padding=1), nn.ReLU(), nn.MaxPool2D(2, 2), nn.Conv2D(6, 16, 5), nn.ReLU(), nn.MaxPool2D(2, 2)
        )
        if num_classes > 0:
            self.fc = nn.Sequential(nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, num_classes))

    def forward(self, inputs: Any) -> Any:
        """Scores, without softmax."""
        x = self.features(inputs)
        return self.fc(x.flatten(1)) if self.num_classes > 0 else x
