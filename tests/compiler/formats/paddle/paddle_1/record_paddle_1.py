"""Record models of PaddlePaddle 1.8.5 and their numbers, for `test_paddle_1`.

Run with a Python 3.8 that has ``paddlepaddle==1.8.5``, ``protobuf<3.21`` and ``numpy<1.24``:
``python tests/compiler/formats/paddle/paddle_1/record_paddle_1.py``. Each model is a folder with ``__model__`` and a file for each
parameter.
"""

import io
import lzma
import tarfile
import tempfile
from pathlib import Path

import numpy as np
import paddle.fluid as fluid

L = fluid.layers


def f(*shape, seed=0):
    return np.random.RandomState(seed).randn(*shape).astype("float32")


def sequences(array, lengths):
    return fluid.create_lod_tensor(array, [lengths], fluid.CPUPlace())


def data(name, shape, dtype="float32", lod=0):
    return fluid.data(name, shape, dtype, lod_level=lod)


def words():
    return sequences(np.random.RandomState(0).randint(0, 20, (7, 1)).astype("int64"), [3, 4])


def static_rnn():
    x, rnn = data("x", [6, -1, 4]), L.StaticRNN()
    with rnn.step():
        row = rnn.step_input(x)
        before = rnn.memory(shape=[-1, 5], batch_ref=row)
        state = L.fc(L.concat([row, before], 1), 5, act="tanh")
        rnn.update_memory(before, state)
        rnn.step_output(state)
        rnn.output(L.reduce_sum(state, 1, keep_dim=True))
    return [x], list(rnn()), {"x": f(6, 3, 4)}


def static_rnn_with_first_states():
    x, first, rnn = data("x", [5, 2, 4]), data("b", [2, 4]), L.StaticRNN()
    with rnn.step():
        row = rnn.step_input(x)
        p, q = rnn.memory(init=first), rnn.memory(shape=[-1, 4], batch_ref=row, init_value=0.5)
        state = L.fc(row, 4) + p * q
        rnn.update_memory(p, state)
        rnn.update_memory(q, L.sigmoid(state))
        rnn.step_output(state)
    return [x, first], [rnn()], {"x": f(5, 2, 4), "b": f(2, 4)}


def reversed_cell():
    x = data("x", [-1, 5, 4])
    out, state = L.rnn(L.GRUCell(6), x, is_reverse=True)
    return [x], [out, state], {"x": f(2, 5, 4)}


def lstmp():
    x = data("x", [-1, 7], lod=1)
    out = L.dynamic_lstmp(L.fc(x, 16), 16, 3, use_peepholes=True, proj_activation="tanh")
    return [x], list(out), {"x": sequences(f(6, 7), [2, 4])}


def lstmp_with_bounds():
    x = data("x", [-1, 7], lod=1)
    options = {"use_peepholes": False, "is_reverse": True, "proj_activation": "identity", "cell_clip": 0.3, "proj_clip": 0.2}
    return [x], list(L.dynamic_lstmp(L.fc(x, 16), 16, 3, **options)), {"x": sequences(f(6, 7), [2, 4])}


def tagger():
    x = data("x", [-1, 1], "int64", 1)
    table = L.embedding(x, [20, 8])
    states = [L.dynamic_gru(L.fc(table, 18), 6, is_reverse=reverse) for reverse in (False, True)]
    scores = L.fc(L.concat(states, 1), 4)
    L.create_parameter([6, 4], "float32", name="transitions")
    return [x], [L.crf_decoding(scores, fluid.ParamAttr(name="transitions")), scores], {"x": words()}


def dynamic_rnn():
    x, rnn = data("x", [-1, 4], lod=1), L.DynamicRNN()
    with rnn.block():
        row, before = rnn.step_input(x), rnn.memory(shape=[5], value=0.0)
        state = L.fc([row, before], 5, act="tanh")
        rnn.update_memory(before, state)
        rnn.output(state)
    return [x], [L.sequence_last_step(rnn()), rnn()], {"x": sequences(f(7, 4), [3, 4])}


def dynamic_rnn_with_first_states():
    x, first, rnn = data("x", [-1, 4], lod=1), data("h0", [-1, 5]), L.DynamicRNN()
    with rnn.block():
        row = rnn.step_input(x)
        p, q = rnn.memory(init=first, need_reorder=True), rnn.memory(shape=[5], value=0.5)
        hidden, cells = L.lstm_unit(row, p, q)
        rnn.update_memory(p, hidden)
        rnn.update_memory(q, cells)
        rnn.output(hidden, L.fc(hidden, 2))
    return [x, first], list(rnn()), {"x": sequences(f(9, 4), [2, 4, 3]), "h0": f(3, 5)}


def assigned_targets():
    """Ground truth for prior boxes, chosen by matched rows, with and without negative ones."""
    truth = data("truth", [-1, 5, 4], lod=1)
    labels = data("labels", [-1, 1, 1], "int32", lod=1)
    matched = data("matched", [-1, 5], "int32")
    negative = data("negative", [-1, 1], "int32", lod=1)
    boxes, box_weights = L.target_assign(truth, matched, mismatch_value=0)
    classes, class_weights = L.target_assign(labels, matched, negative_indices=negative, mismatch_value=7)
    feed = {
        "truth": sequences(f(5, 5, 4), [2, 3]),
        "labels": sequences(np.arange(1, 6).reshape(5, 1, 1).astype("int32"), [2, 3]),
        "matched": np.asarray([[0, -1, 1, -1, 0], [2, 2, -1, 1, -1]], "int32"),
        "negative": sequences(np.asarray([[1], [1], [4]], "int32"), [1, 2]),
    }
    return [truth, labels, matched, negative], [boxes, box_weights, classes, class_weights], feed


def warped_regions():
    """Quadrangles of two feature maps: upright, turned, skewed, beyond the border, without area."""
    x, quads = data("x", [2, 2, 12, 12]), data("quads", [-1, 8], lod=1)
    results = [L.roi_perspective_transform(x, quads, *size)[:2] for size in ((4, 5, 1.0), (3, 6, 0.5))]
    corners = [
        [1, 1, 9, 1, 9, 8, 1, 8], [2, 1, 9, 3, 8, 10, 1, 7], [5, 0, 10, 5, 5, 10, 0, 5],
        [-3, -2, 6, -1, 14, 9, 2, 15], [3, 3, 3, 3, 3, 3, 3, 3], [8, 2, 10, 7, 4, 9, 2, 3.5],
    ]  # fmt: skip
    return [x, quads], [y for pair in results for y in pair], {
        "x": f(2, 2, 12, 12), "quads": sequences(np.asarray(corners, "float32"), [2, 4]),
    }  # fmt: skip


MODELS = (
    static_rnn, static_rnn_with_first_states, reversed_cell, lstmp, lstmp_with_bounds, tagger, dynamic_rnn,
    dynamic_rnn_with_first_states, assigned_targets, warped_regions,
)  # fmt: skip


def record(make, folder):
    """Save a model in a folder, and what Paddle computes with it."""
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = 3
    with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        inputs, outputs, feed = make()
        executor = fluid.Executor(fluid.CPUPlace())
        executor.run(startup)
        fluid.io.save_inference_model(str(folder), [v.name for v in inputs], outputs, executor, main)
        program, _, fetches = fluid.io.load_inference_model(str(folder), executor)
        results = executor.run(program, feed=feed, fetch_list=fetches, return_numpy=False)
    arrays = {f"out_{i}": np.array(result) for i, result in enumerate(results)}
    for name, value in feed.items():
        arrays[f"in_{name}"] = np.array(value)
        if not isinstance(value, np.ndarray):
            arrays[f"lod_{name}"] = np.array(value.lod()[0])
    np.savez(str(folder / "numbers.npz"), **arrays)


if __name__ == "__main__":
    packed = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder, tarfile.open(fileobj=packed, mode="w") as archive:
        for make in MODELS:
            record(make, Path(folder) / make.__name__)
        for path in sorted(path for path in Path(folder).rglob("*") if path.is_file()):
            entry = tarfile.TarInfo(str(path.relative_to(folder)))
            entry.size = path.stat().st_size
            archive.addfile(entry, io.BytesIO(path.read_bytes()))
    Path(__file__).with_name("recorded.tar.xz").write_bytes(lzma.compress(packed.getvalue(), preset=9 | lzma.PRESET_EXTREME))
