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
from paddle import nn
from paddle.nn import functional as F
from paddle.static import InputSpec

# every op keeps the Python stack it was made on, local paths included: leave it out of recorded files
paddle.base.framework.traceback.extract_stack = lambda *args, **kwargs: []


def f32(*shape, seed=0):
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype("float32")


def spec(shape, dtype="float32", name=None):
    return InputSpec(shape, dtype, name)


class MLP(nn.Layer):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(6, 5)
        self.out = nn.Linear(5, 3)

    def forward(self, x):
        return F.softmax(self.out(F.relu(self.hidden(x))))


class LeNet(nn.Layer):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2D(1, 3, 3, padding=1), nn.ReLU(), nn.MaxPool2D(2, 2),
            nn.Conv2D(3, 4, 5), nn.ReLU(), nn.AvgPool2D(2, 2),
        )  # fmt: skip
        self.fc = nn.Sequential(nn.Linear(16, 8), nn.Linear(8, 4))

    def forward(self, x):
        return self.fc(paddle.flatten(self.features(x), 1))


class BatchNormNet(nn.Layer):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2D(2, 3, 3, bias_attr=False)
        self.bn = nn.BatchNorm2D(3)
        self.fc = nn.Linear(3, 4)
        self.bn1 = nn.BatchNorm1D(4)

    def forward(self, x):
        x = F.relu(self.bn(self.conv(x)))
        return self.bn1(self.fc(F.adaptive_avg_pool2d(x, 1).flatten(1)))


class EmbeddingClassifier(nn.Layer):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(11, 4, padding_idx=0)
        self.norm = nn.LayerNorm(4)
        self.drop = nn.Dropout(0.5)
        self.fc = nn.Linear(4, 2)

    def forward(self, ids):
        mask = (ids != 0).astype("float32").unsqueeze(-1)
        x = (self.embedding(ids) * mask).sum(1) / mask.sum(1)
        return self.fc(self.drop(F.gelu(self.norm(x))))


class DropoutNet(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(self.fc(x))


class Counter(nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", paddle.zeros([1]))

    def forward(self, x):
        self.count = self.count + 1
        return x * self.count


class LoopNet(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        steps = paddle.zeros([1], "int64")
        while x.abs().sum() > 1.0:
            if steps % 2 == 0:
                x = F.tanh(self.fc(x)) * 0.5
            else:
                x = x * 0.25
            steps += 1
        return x, steps


def fn_if(x):
    if x.mean() > 0:
        y = x + 1
    else:
        y = x * 2
    return y


def fn_elif(x):
    y = x * 1
    if x.mean() > 0.5:
        y = y - 1
        z = y * y
    elif x.mean() > 0:
        y = y + 1
        z = y * 2
    else:
        z = y - 3
    return y, z


def fn_while(x):
    n = paddle.zeros([1])
    while x.sum() < 10:
        x = x * 2
        n = n + 1
    return x, n


def fn_for_break(x):
    s = paddle.zeros([1])
    for i in range(x.shape[0]):
        s = s + x[i]
        if s > 1.0:
            break
    return s


def fn_for_range(x, n):
    s = x * 0
    for i in range(n):
        if i == 1:
            continue
        s = s + x * i
    return s


def fn_early_return(x):
    if x.sum() > 0:
        return x - 1
    y = x * 3
    return y + 2


def fn_return_in_loop(x):
    for i in range(paddle.full([1], 5, "int64")):
        x = x + 1
        if x.sum() > 6:
            return x * 10
    return x


def fn_nested(x):
    i = paddle.zeros([1], "int64")
    s = paddle.zeros([1])
    while i < 3:
        j = paddle.zeros([1], "int64")
        while j < i:
            s = s + x.sum()
            j += 1
        i += 1
    return s, i


def fn_while_alias(x):
    y = x
    i = paddle.zeros([1], "int64")
    while i < 3:
        y = y + 1
        i += 1
    return x + y, y


def fn_list_append(x):
    out = []
    for i in range(x.shape[0]):
        out.append(x[i] * 2)
    return paddle.stack(out), paddle.concat(out)


def fn_bool_outputs(x):
    return x > 0, x * 2, paddle.cast(x, "int64") == 0


def fn_logic(x, y):
    if x.sum() > 0 and not y.sum() > 0 or x.max() > 5:  # noqa: RUF021
        return x + y
    return x - y


def fn_slices(x):
    return x[1], x[:, 1:3], x[..., -1], x[0, 2], paddle.concat([x, x], 1), paddle.transpose(x, [1, 0]), x.reshape([-1, 2])


MODELS = [
    # name, model, specs, calls, train mode
    ("mlp", MLP, [spec([None, 6], name="image")], [[f32(2, 6)], [f32(5, 6, seed=1)]], False),
    ("lenet", LeNet, [spec([None, 1, 16, 16])], [[f32(2, 1, 16, 16)]], False),
    ("batchnorm", BatchNormNet, [spec([None, 2, 5, 5])], [[f32(3, 2, 5, 5)]], False),
    ("embedding", EmbeddingClassifier, [spec([None, None], "int64")],
     [[np.array([[1, 2, 0], [10, 3, 4]])]], False),
    ("dropout_train", DropoutNet, [spec([None, 4])], [[f32(2, 4)]], True),
    ("counter", Counter, [spec([None])], [[f32(3)]], False),
    ("loopnet", LoopNet, [spec([None, 3])], [[f32(2, 3)], [f32(2, 3) * 9]], False),
    ("fn_if", fn_if, [spec([None])], [[f32(3) + 2], [f32(3) - 2]], False),
    ("fn_elif", fn_elif, [spec([3])], [[f32(3) + 2], [f32(3) * 0 + 0.25], [f32(3) - 2]], False),
    ("fn_while", fn_while, [spec([2, 2])], [[f32(2, 2) + 1.5], [f32(2, 2) + 9]], False),
    ("fn_for_break", fn_for_break, [spec([None])], [[f32(7) * 0 + 0.3], [f32(3) * 0]], False),
    ("fn_for_range", fn_for_range, [spec([None]), spec([1], "int64")],
     [[f32(2), np.array([4])], [f32(2), np.array([0])]], False),
    ("fn_early_return", fn_early_return, [spec([None])], [[f32(3) + 2], [f32(3) - 2]], False),
    ("fn_return_in_loop", fn_return_in_loop, [spec([2])], [[f32(2)], [f32(2) - 9]], False),
    ("fn_nested", fn_nested, [spec([2])], [[f32(2)]], False),
    ("fn_while_alias", fn_while_alias, [spec([2])], [[f32(2)]], False),
    ("fn_list_append", fn_list_append, [spec([None, 2])], [[f32(3, 2)]], False),
    ("fn_bool_outputs", fn_bool_outputs, [spec([None])], [[f32(3) * 2]], False),
    ("fn_logic", fn_logic, [spec([2]), spec([2])], [[f32(2) + 2, f32(2) - 3], [f32(2) - 2, f32(2)]], False),
    ("fn_slices", fn_slices, [spec([None, 4])], [[f32(2, 4)]], False),
]  # fmt: skip


def settle(layer, calls):
    """A few training steps, so that running statistics and weights are not the initial ones."""
    layer.train()
    optimizer = paddle.optimizer.SGD(0.1, parameters=layer.parameters())
    for _ in range(3):
        layer(*[paddle.to_tensor(a) for a in calls[0]]).square().mean().backward()
        optimizer.step()
        optimizer.clear_grad()


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
    for name, model, specs, calls, train in MODELS:
        paddle.seed(7)
        if isinstance(model, type):
            model = model()
            if name in ("mlp", "lenet", "batchnorm", "embedding"):
                settle(model, calls)
            model.train() if train else model.eval()
        path = os.path.join(folder, name)
        paddle.jit.save(paddle.jit.to_static(model, full_graph=True), path, input_spec=specs)
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


if __name__ == "__main__":
    target = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "paddle")
    os.makedirs(target, exist_ok=True)
    record_models(target)
    record_static(target)
    record_state(target)
