"""A small saved model and a static Program that is trained, quantized in each way, for this package and for Paddle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tests.quantization.imperative.networks import network

X = (np.random.RandomState(1).randn(8, 3, 4, 4) * 1.5).astype("float32")
Y = (np.arange(8).reshape(8, 1) % 3).astype("int64")
CALIBRATED: dict[str, dict[str, Any]] = {
    **{name: {"algo": name} for name in ("KL", "hist", "avg", "mse", "emd", "abs_max", "min_max", "ptf")},
    "linear": {"algo": "abs_max", "onnx_format": True},
    "everything": {"algo": "abs_max", "is_full_quantize": True},
    "everything linear": {"algo": "abs_max", "is_full_quantize": True, "onnx_format": True},
    "whole weights": {
        "algo": "abs_max", "weight_quantize_type": "abs_max", "activation_quantize_type": "moving_average_abs_max",
        "quantizable_op_type": ["conv2d", "matmul_v2", "elementwise_add"], "bias_correction": True,
    },
    "folded": {"algo": "abs_max", "optimize_model": True},
}  # fmt: skip
WEIGHTS: dict[str, dict[str, Any]] = {
    "channels": {},
    "whole": {"weight_quantize_type": "abs_max", "threshold_rate": 1e-3, "weight_bits": 16},
}
AWARE: dict[str, dict[str, Any]] = {
    "linear": {"quantize_op_types": ["conv2d"]},
    "more": {"quantize_op_types": ["conv2d", "elementwise_add"], "weight_quantize_type": "abs_max"},
}


def saved(paddle: Any, folder: Path) -> None:
    net = network(paddle)
    net.eval()
    paddle.jit.save(net, str(folder / "model"), input_spec=[paddle.static.InputSpec([None, 3, 4, 4], "float32", "x")])


def run(paddle: Any, folder: Path, name: str = "m") -> Any:
    """What a saved model computes."""
    with paddle.static.scope_guard(paddle.static.Scope()):
        exe = paddle.static.Executor(paddle.CPUPlace())
        program, feeds, fetches = paddle.static.load_inference_model(str(folder / name), exe)
        return np.asarray(exe.run(program, feed={feeds[0]: X}, fetch_list=fetches)[0]).tolist()


def calibrated(paddle: Any, folder: Path, name: str) -> Any:
    """Results of the model in ``folder`` after `PostTrainingQuantization`."""

    class Data(paddle.io.Dataset):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return len(X)

        def __getitem__(self, i: int) -> Any:
            return X[i]

    scope = paddle.static.Scope()
    with paddle.static.scope_guard(scope), paddle.static.program_guard(paddle.static.Program()):
        exe = paddle.static.Executor(paddle.CPUPlace())
        x = paddle.static.data("x", [None, 3, 4, 4], "float32")
        loader = paddle.io.DataLoader(Data(), batch_size=4, return_list=False, feed_list=[x])
        ptq = paddle.static.quantization.PostTrainingQuantization(
            exe, str(folder), scope=scope, model_filename="model.pdmodel", params_filename="model.pdiparams", data_loader=loader,
            **CALIBRATED[name],
        )  # fmt: skip
        ptq.quantize()
        ptq.save_quantized_model(str(folder / name), "m.pdmodel", "m.pdiparams")
    return run(paddle, folder / name)


def weights_only(paddle: Any, folder: Path, name: str) -> Any:
    """Results of the model in ``folder`` after `WeightQuantization`."""
    quantizer = paddle.static.quantization.WeightQuantization(str(folder), "model.pdmodel", "model.pdiparams")
    quantizer.quantize_weight_to_int(
        str(folder / name), "m.pdmodel", "m.pdiparams", quantizable_op_type=["conv2d", "mul"], generate_test_model=True,
        **WEIGHTS[name],
    )  # fmt: skip
    return run(paddle, folder / name / "test_model")


def aware(paddle: Any, folder: Path, name: str) -> dict[str, Any]:
    """Losses of a Program that is trained with quantization, and results of what it becomes."""
    static, scope = paddle.static, paddle.static.Scope()
    with static.scope_guard(scope), paddle.utils.unique_name.guard():
        main, start = static.Program(), static.Program()
        with static.program_guard(main, start):
            x, y = static.data("x", [None, 3, 4, 4], "float32"), static.data("y", [None, 1], "int64")
            h = paddle.nn.functional.max_pool2d(static.nn.conv2d(x, 4, 3, padding=1, act="relu", name="a", bias_attr=False), 2)
            h = h + static.nn.conv2d(h, 4, 3, padding=1, name="b", bias_attr=False)
            p = paddle.sum(h, [2, 3])
            loss = paddle.mean(paddle.nn.functional.cross_entropy(p, y))
            test = main.clone(for_test=True)
            paddle.optimizer.Momentum(0.05).minimize(loss)
        exe, place = static.Executor(paddle.CPUPlace()), paddle.CPUPlace()
        exe.run(start)
        rng = np.random.RandomState(7)
        for weight in sorted(v.name for v in main.all_parameters()):
            tensor = scope.find_var(weight).get_tensor()
            tensor.set((rng.randn(*np.array(tensor).shape) * 0.3).astype("float32"), place)
        q = static.quantization
        trained = q.quant_aware(main, place, AWARE[name], scope=scope, for_test=False)
        tested = q.quant_aware(test, place, AWARE[name], scope=scope, for_test=True)
        feed = {"x": X, "y": Y}
        losses = [float(np.mean(exe.run(trained, feed=feed, fetch_list=[loss])[0])) for _ in range(4)]
        float_results = np.asarray(exe.run(tested, feed=feed, fetch_list=[p.name])[0]).tolist()
        final = q.convert(tested, place, AWARE[name], scope=scope)
        block = final.global_block()
        static.save_inference_model(str(folder / name / "m"), [block.var("x")], [block.var(p.name)], exe, program=final)
    return {"losses": losses, "before": float_results, "file": run(paddle, folder / name)}
