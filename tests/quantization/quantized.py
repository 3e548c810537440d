"""A small network, quantized both ways, for this package and for Paddle: its results before and after it is converted."""

from __future__ import annotations

from typing import Any

import numpy as np

RNG = np.random.RandomState(3)
VALUES = {
    "conv": RNG.randn(3, 2, 3, 3).astype("float32"), "conv_bias": RNG.randn(3).astype("float32"),
    "fc": RNG.randn(3 * 16, 2).astype("float32"), "fc_bias": RNG.randn(2).astype("float32"),
}  # fmt: skip
BATCHES = [(RNG.randn(2, 2, 4, 4) * scale).astype("float32") for scale in (1.0, 3.0, 0.5)]


def network(paddle: Any) -> Any:
    nn = paddle.nn

    class Net(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.conv, self.act, self.stub, self.fc = nn.Conv2D(2, 3, 3, padding=1), nn.ReLU(), nn.quant.Stub(), nn.Linear(48, 2)
            for layer, name in ((self.conv, "conv"), (self.fc, "fc")):
                layer.weight.set_value(VALUES[name])
                layer.bias.set_value(VALUES[f"{name}_bias"])

        def forward(self, x: Any) -> Any:
            return self.fc(self.stub(self.act(self.conv(x))).flatten(1))

    return Net()


def results(paddle: Any, algorithm: str) -> dict[str, Any]:
    """What comes out of it, the gradient of its first weight, and of the converted network its weight and results."""
    q = paddle.quantization
    if algorithm == "qat":
        chosen = q.quanters.FakeQuanterWithAbsMaxObserver(moving_rate=0.9)
        method, model = q.QAT(q.QuantConfig(activation=chosen, weight=chosen)), network(paddle)
    else:
        chosen = q.observers.AbsmaxObserver()
        method, model = q.PTQ(q.QuantConfig(activation=chosen, weight=chosen)), network(paddle)
        model.eval()
    quantized = method.quantize(model)
    results: dict[str, Any] = {"seen": [quantized(paddle.to_tensor(batch)).tolist() for batch in BATCHES]}
    out = quantized(paddle.to_tensor(BATCHES[0]))
    if algorithm == "qat":
        (out * out).sum().backward()
        results["gradient"] = quantized.conv.weight.grad.tolist()
    quantized.eval()
    quanters = quantized.conv.weight_quanter, quantized.conv.activation_quanter, quantized.stub._observer
    results["scales"] = [float(layer.scales()) for layer in quanters]
    converted = method.convert(quantized)
    results["weight"] = converted.fc.weight.tolist()
    results["converted"] = converted(paddle.to_tensor(BATCHES[1])).tolist()
    results["remaining"] = method.convert(quantized, remain_weight=True)(paddle.to_tensor(BATCHES[1])).tolist()
    return results
