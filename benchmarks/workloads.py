"""What the suite runs: each workload is a function that returns a title and ways of doing one thing.

The way called "limit" is NumPy written by hand (`limits/`). Before anything is timed all ways must give the same numbers.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import networks
import numpy as np
from limits import attention, chain, images, lenet, loop, lstm, mlp, regression

import to_static as paddle

FOLDER = Path(tempfile.mkdtemp(prefix="to_static-bench-"))
atexit.register(shutil.rmtree, FOLDER, True)


class Workload(NamedTuple):
    """``ways``: functions without arguments. ``tolerance``: how far results may differ, relative to their largest number.

    ``inputs``, ``weights`` and ``rate`` (of training): what another framework needs to do the same.
    """

    title: str
    ways: dict[str, Callable[[], Any]]
    tolerance: float = 1e-5
    inputs: tuple[np.ndarray, ...] = ()
    weights: tuple[np.ndarray, ...] = ()
    rate: float = 0.0


def draw(*shape: int, scale: float = 1.0, seed: int = 0) -> np.ndarray:
    """Random float32 numbers."""
    return np.random.default_rng(seed).normal(0, scale, shape).astype("float32")


def values(net: Any, name: str = "") -> list[np.ndarray]:
    """Copies of the arrays of a network's weights, in the order of `networks.ordered`."""
    return [np.array(t.numpy()) for t in networks.ordered(paddle, name, net)]


def settled(net: Any) -> Any:
    """The network in evaluation mode, its batch norms with statistics other than the first ones."""
    rng = np.random.default_rng(1)
    for name, buffer in net.named_buffers():
        at = buffer.numpy()
        drawn = rng.uniform(0.5, 1.5, at.shape) if "variance" in name else rng.normal(0, 0.1, at.shape)
        buffer.set_value(drawn.astype(at.dtype))
    net.eval()
    return net


def inference(
    title: str, name: str, net: Any, arrays: list[np.ndarray], limit: Any, weights: list[np.ndarray], tolerance: float = 1e-5
) -> Workload:
    """The ways of running a network without gradients: dynamic, static, from a file, by a predictor.

    ``limit(weights, *arrays)`` is the one by hand.
    """
    tensors = [paddle.to_tensor(a) for a in arrays]
    specs = [paddle.static.InputSpec(list(a.shape), str(a.dtype)) for a in arrays]
    path = str(FOLDER / name)
    paddle.jit.save(net, path, input_spec=specs)
    loaded = paddle.jit.load(path)
    loaded.eval()
    predictor = paddle.inference.create_predictor(paddle.inference.Config(f"{path}.pdmodel", f"{path}.pdiparams"))
    static = paddle.jit.to_static(net.forward)

    def quiet(function):
        def run():
            with paddle.no_grad():
                return function(*tensors)

        return run

    ways = {"limit": limit(weights, *arrays), "dynamic": quiet(lambda *x: type(net).forward(net, *x)), "static": quiet(static)}
    ways |= {"loaded": quiet(loaded), "predictor": lambda: predictor.run(arrays)}
    return Workload(title, ways, tolerance, tuple(arrays), tuple(weights))


def a(batch: int) -> Workload:
    """The d2l book's MLP."""
    net, x = networks.mlp(paddle), draw(batch, 512)
    return inference(f"A MLP 512-256-128-2, batch {batch}", f"a{batch}", net, [x], mlp.mlp, values(net))


def b() -> Workload:
    """A loop with a branch."""
    function = networks.recurrence(paddle)
    x, w, bias = draw(1, 64), draw(64, 64, scale=0.2, seed=1), draw(64, scale=0.1, seed=2)
    tensors = [*map(paddle.to_tensor, (x, w, bias)), paddle.to_tensor(100)]
    static = paddle.jit.to_static(function)
    ways = {"limit": loop.loop(x, w, bias, 100), "dynamic": lambda: function(*tensors), "static": lambda: static(*tensors)}
    return Workload("B `while` of 100 iterations with an `if`", ways, 1e-3, (x, w, bias, np.asarray(100)))


def c(batch: int) -> Workload:
    """LeNet."""
    net, x = networks.lenet(paddle), draw(batch, 1, 28, 28)
    return inference(f"C LeNet, batch {batch}", f"c{batch}", net, [x], lenet.lenet, values(net))


def stepper(net: Any, forward: Any, rate: float, x: Any, y: Any) -> Callable[[], Any]:
    """A training step as users write it."""
    optimizer = paddle.optimizer.SGD(learning_rate=rate, parameters=net.parameters())

    def step():
        loss = paddle.nn.functional.cross_entropy(forward(x), y)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return step


def training(title: str, make: Any, batch: int, shape: tuple[int, ...], limit: Any) -> Workload:
    """The ways of making a step; every way has weights of its own, and all make the same steps."""
    rate, x, y = 1e-4, draw(batch, *shape), np.random.default_rng(3).integers(0, 10, batch)
    tensors = paddle.to_tensor(x), paddle.to_tensor(y)
    net, copy, third = make(paddle), make(paddle), make(paddle)
    for copied in (copy, third):
        copied.set_state_dict(net.state_dict())
    whole = paddle.jit.to_static(stepper(third, third, rate, *tensors))
    weights = values(net)
    ways = {
        "limit": limit(weights, x, y, rate),
        "dynamic": stepper(net, net, rate, *tensors),
        "static": stepper(copy, paddle.jit.to_static(copy), rate, *tensors),
        "static step": whole,
    }
    return Workload(title, ways, 1e-4, (x, y), tuple(np.array(w) for w in weights), rate)


def c_training() -> Workload:
    """LeNet, SGD."""
    return training("C LeNet training step, batch 64", networks.lenet, 64, (1, 28, 28), lenet.lenet_step)


def d() -> Workload:
    """Softmax regression, SGD."""
    return training("D softmax regression step, batch 16", networks.softmax_regression, 16, (784,), regression.step)


def e(batch: int) -> Workload:
    """A Transformer encoder's block."""
    net, x = networks.encoder(paddle), draw(batch, 128, 256)
    net.eval()
    return inference(f"E Transformer block, batch {batch}", f"e{batch}", net, [x], attention.encoder, values(net, "encoder"), 1e-4)


def f() -> Workload:
    """ResNet-18."""
    net, x = settled(networks.resnet18(paddle)), draw(1, 3, 224, 224)
    return inference("F ResNet-18, 224x224", "f", net, [x], images.resnet18, values(net, "resnet18"), 1e-4)


def g() -> Workload:
    """Elementwise operators on four million numbers."""
    function, x = networks.chain(paddle), draw(1 << 22)
    static, tensor = paddle.jit.to_static(function), paddle.to_tensor(x)
    ways = {"limit": chain.chain(x), "dynamic": lambda: function(tensor), "static": lambda: static(tensor)}
    return Workload("G elementwise chain, 4 M floats", ways, 1e-5, (x,))


def i() -> Workload:
    """An LSTM."""
    net, x = networks.lstm(paddle), draw(1, 64, 128)
    return inference("I LSTM(128), 64 steps", "i", net, [x], lstm.lstm, values(net))


def j() -> Workload:
    """A token through a block of a decoder."""
    net, x = networks.gpt(paddle), draw(1, 1, 256)
    keys, cached = draw(1, 4, 127, 64, seed=1), draw(1, 4, 127, 64, seed=2)
    net.eval()
    return inference("J GPT block, one token after 127", "j", net, [x, keys, cached], attention.decoder, values(net))


def k() -> Workload:
    """MobileNetV3-small."""
    net, x = settled(networks.mobilenet(paddle)), draw(1, 3, 224, 224)

    def limit(weights, x):
        return images.mobilenet(weights, x, networks.MOBILE)

    return inference("K MobileNetV3-small, 224x224", "k", net, [x], limit, values(net, "mobilenet"), 1e-4)


WORKLOADS: dict[str, Callable[[], Workload]] = {
    "a1": lambda: a(1), "a64": lambda: a(64), "b": b, "c1": lambda: c(1), "c64": lambda: c(64), "ct": c_training, "d": d,
    "e1": lambda: e(1), "e8": lambda: e(8), "f": f, "g": g, "i": i, "j": j, "k": k,
}  # fmt: skip


def flat(result: Any) -> list[np.ndarray]:
    """Arrays of what a way returns."""
    if isinstance(result, (list, tuple)):
        return [array for item in result for array in flat(item)]
    return [result.numpy() if hasattr(result, "numpy") else np.asarray(result)]


def check(workload: Workload) -> list[np.ndarray]:
    """Raise AssertionError where a way gives other numbers than the limit (in the results that it has, which are returned)."""
    expected = flat(workload.ways["limit"]())
    for name, way in workload.ways.items():
        for wanted, found in zip(expected, flat(way()) if name != "limit" else expected, strict=False):
            atol = workload.tolerance * float(np.abs(wanted).max())
            message = f"{workload.title}: {name}"
            np.testing.assert_allclose(found.reshape(wanted.shape), wanted, rtol=0, atol=atol, err_msg=message)
    return expected


def put_down(workload: Workload, results: list[np.ndarray], path: str) -> None:
    """Write what another framework needs into an `.npz` file: see `peers`."""
    entries: dict[str, Any] = {"tolerance": workload.tolerance, "rate": workload.rate}
    for kind, arrays in (("input", workload.inputs), ("weight", workload.weights), ("output", results)):
        entries[f"{kind}s"] = len(arrays)
        entries.update({f"{kind}{i}": array for i, array in enumerate(arrays)})
    np.savez(path, **entries)
