"""Record models of PaddlePaddle 3 and their numbers, for `test_pir_models`.

Run with a Python that has ``paddlepaddle==3.3.1`` (then with 3.0.0, 3.1.1 and 3.2.2), and this project on its path:
``python tests/compiler/formats/pir/record_pir_models.py FOLDER``. Each model is made in a process of its own, since some of
Paddle's own calls end it. ``python tests/compiler/formats/pir/record_pir_models.py --pack 331 300 311 322`` (folders) chooses the
smallest files that have all operations among them, and writes ``recorded.tar.xz``. Of other versions than 3.3.1 there are networks
and what changed.
"""

import io
import json
import lzma
import os
import signal
import sys
import tarfile
import warnings
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
TESTS = HERE.parents[2]
sys.path[:0] = [str(HERE), str(TESTS / "golden"), str(TESTS / "interop")]
LARGEST = {"331": 40_000, "300": 12_000, "311": 6_000, "322": 6_000}  # bytes of the files of a model, by version
CHANGED = {"1.round", "1.matrix_rank", "1.matrix_rank_tol"}  # what versions compute otherwise


def record(prefix, inputs):
    """Write what Paddle computes with a saved model; ``inputs`` by name."""
    import paddle

    paddle.enable_static()
    executor = paddle.static.Executor(paddle.CPUPlace())
    program, feeds, fetches = paddle.static.load_inference_model(str(prefix), executor)
    feed = {name: inputs[name] for name in feeds}
    outputs = executor.run(program, feed=feed, fetch_list=fetches)
    arrays = {f"in_{name}": a for name, a in feed.items()} | {f"out_{i}": np.asarray(a) for i, a in enumerate(outputs)}
    np.savez(f"{prefix}.npz", **arrays)


def save_network(prefix, make):
    """Save a network of `pir_networks` or of the golden models."""
    import paddle

    paddle.seed(7)
    net, specs, arrays = make()
    if isinstance(net, paddle.nn.Layer):
        net.eval()
    static = isinstance(net, paddle.nn.Layer) or "StaticFunction" in type(net).__name__
    paddle.jit.save(net if static else paddle.jit.to_static(net, full_graph=True), str(prefix), input_spec=specs)
    flat = [array for part in arrays for array in (map(part.get, sorted(part)) if isinstance(part, dict) else [part])]
    named = [s for part in specs or [] for s in (map(part.get, sorted(part)) if isinstance(part, dict) else [part])]
    names = [s.name for s in named]
    if not all(names):
        from to_static.compiler.formats.pir.document import parse_document

        ops = parse_document(Path(f"{prefix}.json").read_bytes(), prefix).block.ops
        names = [op.attrs["name"] for op in ops if op.name == "data"]
    record(prefix, dict(zip(names or ["x"], flat, strict=True)))


def save_case(prefix, text):
    """Save a case of `written_cases`."""
    import paddle
    import written_cases

    paddle.enable_static()
    main, startup, inputs, arrays, results = written_cases.build(paddle, text)
    with paddle.static.scope_guard(paddle.static.Scope()):
        executor = paddle.static.Executor(paddle.CPUPlace())
        executor.run(startup)
        paddle.static.save_inference_model(str(prefix), inputs, results, executor, program=main)
        record(prefix, dict(zip([v.name for v in inputs], arrays, strict=True)))


def jobs():
    """Names of models, each with a function that saves it under a prefix."""
    import models
    import pir_networks
    import written_cases

    for name, make in pir_networks.NETWORKS.items():
        yield name, lambda prefix, make=make: save_network(prefix, make)
    for entry in models.MODELS:
        make = lambda entry=entry: (models.make(entry), entry[2], entry[3][0])
        yield f"m_{entry[0]}", lambda prefix, make=make: save_network(prefix, make)
    for i, text in enumerate(written_cases.texts()):
        yield f"case{i:04}", lambda prefix, text=text: save_case(prefix, text)


def record_all(folder):
    for name, save in jobs():
        child = os.fork()
        if child == 0:
            signal.alarm(120)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    save(folder / name)
            except BaseException as error:
                print(f"left out: {name}: {type(error).__name__}: {str(error)[:100]}", file=sys.stderr)
            os._exit(0)
        os.waitpid(child, 0)


def operations(path):
    """The names of the operations in a file."""
    found, waiting = set(), json.loads(path.read_text())["program"]["regions"]
    while waiting:
        for block in waiting.pop()["blocks"]:
            for op in block["ops"]:
                found.add(op["#"])
                waiting += op.get("regions", [])
    return found


def parts(path):
    return [part for suffix in (".json", ".pdiparams", ".npz") if (part := path.with_suffix(suffix)).exists()]


def small(folder, largest):
    """The models of a folder that are small enough, by file."""
    paths = [path for path in sorted(folder.glob("*.json")) if path.with_suffix(".npz").exists() or "." in path.stem]
    return {path: operations(path) for path in paths if sum(part.stat().st_size for part in parts(path)) < largest}


def pack(newer, *older):
    candidates = small(newer, LARGEST["331"])
    chosen = [path for path in candidates if not path.stem.startswith("case")]
    covered = set().union(*(candidates[path] for path in chosen))
    while rest := {path: names - covered for path, names in candidates.items() if names - covered}:
        best = max(rest, key=lambda path: len(rest[path]) / (1 + path.stat().st_size / 20_000))
        chosen.append(best)
        covered |= candidates[best]
    files = [("331", path) for path in sorted(chosen)]
    for folder in older:
        models = small(folder, LARGEST[folder.name])
        files += [(folder.name, path) for path, names in models.items() if not path.stem.startswith("case") or names & CHANGED]
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for version, path in files:
            for part in parts(path):
                entry = tarfile.TarInfo(f"{version}/{part.name}")
                entry.size = part.stat().st_size
                archive.addfile(entry, io.BytesIO(part.read_bytes()))
    (HERE / "recorded.tar.xz").write_bytes(lzma.compress(packed.getvalue(), preset=9 | lzma.PRESET_EXTREME))
    print(f"{len(files)} models, {len(covered)} operations")


if __name__ == "__main__":
    if sys.argv[1] == "--pack":
        pack(*map(Path, sys.argv[2:]))
    else:
        record_all(Path(sys.argv[1]))
