"""Record small files with real PaddlePaddle 2.6.2, and what it computes with them.

Run with PYTHONHASHSEED=0 (Paddle orders loop variables by hash) and a Python that has ``paddlepaddle==2.6.2`` and ``numpy<2``:
``python tests/golden/record_paddle.py [FOLDER]``
(default folder: ``paddle`` beside this script).  Every model ``NAME`` becomes ``NAME.pdmodel``, ``NAME.pdiparams`` and
``NAME.pdiparams.info`` plus ``NAME.npz`` with its inputs ``in_0, in_1, ...`` and outputs ``out_0, ...`` in the file's own order
(several calls: ``call1_in_0``, ...).  State files come with ``state.npz``.
"""

import os
import sys

import numpy as np
import paddle
from models import MODELS, BatchNormNet, F, f32, make

# every op keeps the Python stack it was made on, local paths included: leave it out of recorded files
paddle.base.framework.traceback.extract_stack = lambda *args, **kwargs: []


def run_file(path, calls):
    """Outputs of the saved inference program, in its own fetch order."""
    paddle.enable_static()
    exe = paddle.static.Executor(paddle.CPUPlace())
    record = {}
    for k, arrays in enumerate(calls):
        scope = paddle.static.Scope()
        with paddle.static.scope_guard(scope):
            program, feeds, fetches = paddle.static.load_inference_model(path, exe)
            outputs = exe.run(program, feed=dict(zip(feeds, arrays, strict=True)), fetch_list=fetches)
        prefix = "" if k == 0 else f"call{k}_"
        record.update({f"{prefix}in_{i}": a for i, a in enumerate(arrays)})
        record.update({f"{prefix}out_{i}": np.asarray(a) for i, a in enumerate(outputs)})
    paddle.disable_static()
    return record


def record_models(folder):
    for entry in MODELS:
        name, _, specs, calls, train = entry
        path = os.path.join(folder, name)
        with paddle.utils.unique_name.guard():
            paddle.jit.save(make(entry), path, input_spec=specs)
        record = run_file(path, calls)
        if train:
            loaded = paddle.jit.load(path)
            loaded.eval()
            record["out_0"] = loaded(paddle.to_tensor(calls[0][0])).numpy()
        np.savez(path + ".npz", **record)


def record_static(folder):
    """A program of the static API: fc layers are `mul` ops there."""
    paddle.enable_static()
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup):
        x = paddle.static.data("x", [None, 4])
        out = F.sigmoid(paddle.static.nn.fc(x, 3, activation="relu"))
        exe = paddle.static.Executor(paddle.CPUPlace())
        exe.run(startup)
        path = os.path.join(folder, "static_fc")
        paddle.static.save_inference_model(path, [x], [out], exe)
    paddle.disable_static()
    np.savez(path + ".npz", **run_file(path, [[f32(3, 4)]]))


def record_state(folder):
    paddle.seed(3)
    with paddle.utils.unique_name.guard():
        net = BatchNormNet()
    optimizer = paddle.optimizer.Adam(paddle.optimizer.lr.StepDecay(0.1, 2), parameters=net.parameters())
    for _ in range(2):
        net(paddle.to_tensor(f32(3, 2, 5, 5))).square().mean().backward()
        optimizer.step()
        optimizer._learning_rate.step()
        optimizer.clear_grad()
    paddle.save(net.state_dict(), os.path.join(folder, "state.pdparams"))
    paddle.save(optimizer.state_dict(), os.path.join(folder, "state.pdopt"))
    paddle.save(net.state_dict(), os.path.join(folder, "state_protocol2.pdparams"), protocol=2)
    arrays = {f"param:{k}": v.numpy() for k, v in net.state_dict().items()}
    arrays |= {f"opt:{k}": v.numpy() for k, v in optimizer.state_dict().items() if hasattr(v, "numpy")}
    np.savez(os.path.join(folder, "state.npz"), **arrays)
    thing = {
        "tensor": paddle.to_tensor([1.5, 2.5]), "list": [paddle.to_tensor([[1, 2]]), "text", 3, None],
        "half": paddle.to_tensor([1.0, 2.0]).astype("bfloat16"), 5: (1, 2.5, True), "array": np.arange(3),
        "scalar": paddle.to_tensor(True), "nested": {"empty": paddle.zeros([0, 2])},
    }  # fmt: skip
    paddle.save(thing, os.path.join(folder, "nested.pdparams"))
    paddle.save(paddle.to_tensor([3, 4], dtype="int32"), os.path.join(folder, "bare.pdtensor"))
    paddle.save(paddle.to_tensor([3, 4], dtype="int32"), os.path.join(folder, "binary.pdtensor"), use_binary_format=True)


def record(folder):
    os.makedirs(folder, exist_ok=True)
    record_models(folder)
    record_static(folder)
    record_state(folder)


if __name__ == "__main__":
    record(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "paddle"))
