"""Record small quantized models of real Paddle 2.6.2, and what they predict.

For `tests/compiler/formats/paddle/operators/test_quantized.py`.

Run with a Python that has paddlepaddle==2.6.2:  python tests/golden/record_quantized.py
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import numpy as np

OUT = Path(__file__).parent / "quantized"
X = np.random.RandomState(0).randn(4, 1, 4, 4).astype("float32")


def main():
    import paddle
    from paddle.quantization import PTQ, QAT, ImperativePTQ, ImperativeQuantAware, QuantConfig
    from paddle.quantization.observers import AbsmaxObserver
    from paddle.quantization.quanters import FakeQuanterWithAbsMaxObserver
    from paddle.static.quantization import PostTrainingQuantization

    # every op keeps the Python stack it was made on, local paths included: leave it out of recorded files
    paddle.base.framework.traceback.extract_stack = lambda *args, **kwargs: []
    nn, spec = paddle.nn, [paddle.static.InputSpec([None, 1, 4, 4], "float32", "x")]
    x = paddle.to_tensor(X)

    def network():
        paddle.seed(0)
        return nn.Sequential(nn.Conv2D(1, 2, 3), nn.BatchNorm2D(2), nn.ReLU(), nn.Flatten(), nn.Linear(8, 3))

    def train(net):
        optimizer = paddle.optimizer.SGD(0.05, parameters=net.parameters())
        for _ in range(3):
            (net(x) ** 2).mean().backward()
            optimizer.step()
            optimizer.clear_grad()
        net.eval()

    def record(name, folder):
        paddle.enable_static()
        executor = paddle.static.Executor(paddle.CPUPlace())
        program, feeds, fetch = paddle.static.load_inference_model(str(folder / name), executor)
        (result,) = executor.run(program, feed={feeds[0]: X}, fetch_list=fetch)
        paddle.disable_static()
        np.savez_compressed(OUT / f"{name}.npz", x=X, y=result)
        for suffix in (".pdmodel", ".pdiparams"):
            shutil.copy(folder / f"{name}{suffix}", OUT / f"{name}{suffix}")

    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for kind in ("abs_max", "channel_wise_abs_max"):
            for onnx in (False, True):
                net, name = network(), f"aware_{kind}{'_linear' * onnx}"
                aware = ImperativeQuantAware(
                    weight_quantize_type=kind, activation_quantize_type="moving_average_abs_max", onnx_format=onnx
                )
                aware.quantize(net)
                train(net)
                aware.save_quantized_model(net, str(folder / name), input_spec=spec)
                record(name, folder)
        net = network()
        net.eval()
        after = ImperativePTQ()
        net = after.quantize(net)
        net(x)
        after.save_quantized_model(net, str(folder / "after"), input_spec=spec)
        record("after", folder)
        quanter, observer = FakeQuanterWithAbsMaxObserver(), AbsmaxObserver()
        aware = QAT(QuantConfig(activation=quanter, weight=quanter))
        net = aware.quantize(network())
        train(net)
        paddle.jit.save(aware.convert(net), str(folder / "aware_converted"), input_spec=spec)
        record("aware_converted", folder)
        after = PTQ(QuantConfig(activation=observer, weight=observer))
        net = network()
        net.eval()
        net = after.quantize(net)
        net(x)
        paddle.jit.save(after.convert(net), str(folder / "after_converted"), input_spec=spec)
        record("after_converted", folder)
        net = network()
        net.eval()
        paddle.jit.save(net, str(folder / "plain" / "m"), input_spec=spec)

        class Data(paddle.io.Dataset):
            def __len__(self):
                return 4

            def __getitem__(self, i):
                return X[i]

        for onnx in (False, True):
            paddle.enable_static()
            name, feed = f"program{'_linear' * onnx}", paddle.static.data("x", [None, 1, 4, 4])
            loader = paddle.io.DataLoader(
                Data(), feed_list=[feed], batch_size=1, return_list=False, places=paddle.CPUPlace()
            )
            job = PostTrainingQuantization(
                executor=paddle.static.Executor(paddle.CPUPlace()), model_dir=str(folder / "plain"), model_filename="m.pdmodel",
                params_filename="m.pdiparams", data_loader=loader, batch_size=1, batch_nums=4, algo="abs_max", onnx_format=onnx,
                quantizable_op_type=["conv2d", "matmul_v2"],
            )  # fmt: skip
            job.quantize()
            job.save_quantized_model(str(folder), f"{name}.pdmodel", f"{name}.pdiparams")
            record(name, folder)


if __name__ == "__main__":
    OUT.mkdir(exist_ok=True)
    main()
