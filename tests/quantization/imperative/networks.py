"""A small network, quantized by layers in each way, for this package and for Paddle: its numbers, and what its files say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

RNG = np.random.RandomState(0)
BATCHES = [(RNG.randn(2, 3, 4, 4) * size).astype("float32") for size in (1, 2, 0.5)]
TRAINED = {
    "abs_max": {"weight_quantize_type": "abs_max"},
    "channels": {"weight_quantize_type": "channel_wise_abs_max"},
    "linear": {"weight_quantize_type": "channel_wise_abs_max", "onnx_format": True},
}
OBSERVED = (
    ("AbsmaxQuantizer", "AbsmaxQuantizer"),
    ("HistQuantizer", "PerChannelAbsmaxQuantizer"),
    ("KLQuantizer", "PerChannelAbsmaxQuantizer"),
)
_SAID = ("threshold", "with_quant_attr", "skip_quant", "bit_length", "quant_axis")


def network(paddle: Any) -> Any:
    nn = paddle.nn

    class Net(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.conv, self.bn, self.act = nn.Conv2D(3, 4, 3, padding=1), nn.BatchNorm2D(4), nn.ReLU()
            self.again, self.add = nn.Conv2D(4, 4, 3, padding=1, bias_attr=False), nn.quant.add()
            self.fc = nn.Linear(64, 3)

        def forward(self, x: Any) -> Any:
            y = self.act(self.bn(self.conv(x)))
            return self.fc(paddle.reshape(self.add(y, self.again(y)), [-1, 64]))

    net, rng = Net(), np.random.RandomState(5)
    for name, value in sorted(net.state_dict().items()):
        new = rng.rand(*value.shape) + 0.5 if "variance" in name else rng.randn(*value.shape) * 0.3
        value.set_value(new.astype("float32"))
    return net


def trained(paddle: Any, name: str, folder: Path) -> tuple[dict[str, Any], str]:
    """Losses of three steps, results and scales after them; and where the network was saved."""
    quantizer = paddle.quantization.ImperativeQuantAware(**TRAINED[name])
    net = network(paddle)
    quantizer.quantize(net)
    results: dict[str, Any] = {"layers": [type(layer).__name__ for layer in net.sublayers()], "losses": []}
    opt = paddle.optimizer.SGD(0.02, parameters=net.parameters())
    for batch in BATCHES:
        loss = (net(paddle.to_tensor(batch)) ** 2).mean()
        loss.backward()
        opt.step()
        opt.clear_grad()
        results["losses"].append(float(loss))
    net.eval()
    results["results"] = net(paddle.to_tensor(BATCHES[0])).tolist()
    results["scales"] = {key: value.tolist() for key, value in net.state_dict().items() if key.endswith("_scale")}
    return results, saved(paddle, quantizer, net, folder / name)


def observed(paddle: Any, kinds: tuple[str, str], folder: Path) -> str:
    """Where an observed network was saved."""
    q = paddle.quantization
    method = q.ImperativePTQ(q.PTQConfig(*(getattr(q, quantizer)() for quantizer in kinds)))
    net = network(paddle)
    net.eval()
    quantized = method.quantize(net)
    for batch in BATCHES:
        quantized(paddle.to_tensor(batch))
    return saved(paddle, method, quantized, folder / "_".join(kinds))


def saved(paddle: Any, method: Any, net: Any, path: Path) -> str:
    method.save_quantized_model(net, str(path), input_spec=[paddle.static.InputSpec([None, 3, 4, 4], "float32")])
    return str(path)


def said(operators: Any) -> list[Any]:
    """Of each operator its type and what it says of quantization, but for those that only give shapes."""
    rows = []
    for op_type, attrs in operators:
        if op_type not in ("reshape2", "feed", "fetch"):
            rows.append(
                [op_type, {k: attrs[k] for k in sorted(attrs) if any(part in k for part in _SAID) and attrs[k] is not False}]
            )
    return rows
