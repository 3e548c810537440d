"""What real PaddlePaddle does in the interop tests; run with its own Python, in a process of its own.

``save FOLDER``: save the golden models, states and their numbers there.
``run WAY FOLDER``: load every ``NAME.pdmodel`` there and run it on the inputs in ``NAME.npz``; write ``NAME.WAY.npz`` with the
outputs, or ``NAME.WAY.txt`` with the error. WAY is 'jit' (paddle.jit.load), 'executor' (load_inference_model), 'inference'
(a predictor) or 'methods' (paddle.jit.load; all methods of the model, in the order of their names).
Models that have their result already are left alone, so that the caller can go on after a crash.
``cases FOLDER``: write the small Programs of `written_cases` there.
``state FOLDER``: load ``ours.pdparams`` and ``ours.pdopt`` into a layer and an optimizer and compare with ``ours.npz``.
"""

import os
import pathlib
import sys

import numpy as np
import paddle

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "golden"))


def times(prefix):
    """How often to run a model: twice, so that nothing is left over from a run, unless it counts its runs."""
    return 1 if os.path.basename(prefix) == "counter" else 2


def by_jit(prefix, arrays):
    layer = paddle.jit.load(prefix)
    layer.eval()
    outputs = layer(*[paddle.to_tensor(a) for a in arrays])
    return [t.numpy() for t in (outputs if isinstance(outputs, (list, tuple)) else [outputs])]


def by_methods(prefix, arrays):
    layer = paddle.jit.load(prefix)
    layer.eval()
    folder, stem = os.path.split(prefix)
    names = [name.split(".")[1] for name in sorted(os.listdir(folder)) if name.startswith(stem + ".") and name.endswith(".pdmodel")]
    return [getattr(layer, name.replace("pdmodel", "forward"))(*map(paddle.to_tensor, arrays)).numpy() for name in names]


def by_executor(prefix, arrays):
    paddle.enable_static()
    try:
        executor = paddle.static.Executor(paddle.CPUPlace())
        with paddle.static.scope_guard(paddle.static.Scope()):
            program, feeds, fetches = paddle.static.load_inference_model(prefix, executor)
            for _ in range(times(prefix)):
                outputs = executor.run(program, feed=dict(zip(feeds, arrays)), fetch_list=fetches)  # noqa: B905
            return outputs
    finally:
        paddle.disable_static()


def by_inference(prefix, arrays):
    from paddle import inference

    params = prefix + ".pdiparams"
    config = inference.Config(prefix + ".pdmodel", params if os.path.exists(params) else "")
    config.disable_glog_info()
    predictor = inference.create_predictor(config)
    for _ in range(times(prefix)):
        for name, array in zip(predictor.get_input_names(), arrays):  # noqa: B905
            handle = predictor.get_input_handle(name)
            handle.reshape(array.shape)
            handle.copy_from_cpu(array)
        predictor.run()
    return [predictor.get_output_handle(name).copy_to_cpu() for name in predictor.get_output_names()]


def inputs(path):
    """Recorded calls: ``(prefix, arrays)``."""
    recorded = np.load(path)
    for prefix in ("", "call1_", "call2_"):
        names = [k for k in recorded.files if k.startswith(f"{prefix}in_")]
        if names or not prefix:
            yield prefix, [recorded[f"{prefix}in_{i}"] for i in range(len(names))]


def run(way, folder):
    function = {"jit": by_jit, "executor": by_executor, "inference": by_inference, "methods": by_methods}[way]
    names = (n[:-8] for n in os.listdir(folder) if n.endswith(".pdmodel"))
    for name in sorted(n for n in names if "." not in n or n.rpartition(".")[2].isdigit()):  # NAME, SAMPLE.0, no NAME.method
        prefix = os.path.join(folder, name)
        done = f"{prefix}.{way}"
        if os.path.exists(done + ".npz") or os.path.exists(done + ".txt"):
            continue
        with open(done + ".txt", "w") as note:
            note.write("crashed")  # stands if this process dies
        try:
            found = {}
            for call, arrays in inputs(prefix + ".npz"):
                for i, array in enumerate(function(prefix, arrays)):
                    found[f"{call}out_{i}"] = np.asarray(array)
            np.savez(done + ".npz", **found)
            os.unlink(done + ".txt")
        except Exception as error:
            with open(done + ".txt", "w") as note:
                note.write(f"{type(error).__name__}: {error}"[-1500:])


def state(folder):
    from models import BatchNormNet, f32

    expected = np.load(os.path.join(folder, "ours.npz"))
    net = BatchNormNet()
    missing, unexpected = net.set_state_dict(paddle.load(os.path.join(folder, "ours.pdparams")))
    assert not missing and not unexpected, (missing, unexpected)
    for key, value in net.state_dict().items():
        np.testing.assert_array_equal(value.numpy(), expected[f"param:{key}"])
    optimizer = paddle.optimizer.Adam(paddle.optimizer.lr.StepDecay(0.1, 2), parameters=net.parameters())
    saved = paddle.load(os.path.join(folder, "ours.pdopt"))
    names = {p.name for p in net.parameters() if p.trainable}
    assert {k.rsplit("_moment1_0")[0] for k in saved if k.endswith("_moment1_0")} == names, sorted(saved)
    optimizer.set_state_dict(saved)
    net(paddle.to_tensor(f32(3, 2, 5, 5))).square().mean().backward()
    optimizer.step()
    for key, value in net.state_dict().items():
        if key == "fc.bias":
            continue  # its gradient is 0 but for rounding, which Adam blows up: batch norm takes any shift out again
        np.testing.assert_allclose(value.numpy(), expected[f"next:{key}"], rtol=1e-4, atol=1e-5, err_msg=key)
    nested = paddle.load(os.path.join(folder, "nested.pdparams"))
    np.testing.assert_array_equal(nested["tensor"].numpy(), [1.5, 2.5])
    assert nested["list"][1:] == ["text", 3, None] and nested[5] == (1, 2.5, True)


if __name__ == "__main__":
    if sys.argv[1] == "save":
        from record_paddle import record

        record(sys.argv[2])
    elif sys.argv[1] == "run":
        run(sys.argv[2], sys.argv[3])
    elif sys.argv[1] == "cases":
        sys.path.insert(0, HERE)
        import written_cases

        for _ in written_cases.save_all(paddle, pathlib.Path(sys.argv[2])):
            pass
    else:
        state(sys.argv[2])
