"""Files exchanged with real PaddlePaddle 2.6.2, which runs in a process and an environment of its own (`make interop`).

The environment variable INTEROP_PYTHON names Paddle's Python; by default it is that of ``.venv-interop``.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from to_static.cli import main
from to_static.compiler.formats.paddle import model_writer as files
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.registry import REGISTRY
from to_static.compiler.ir.spec import spec_of
from to_static.compiler.runtime.interpret import interpret
from to_static.core import backend
from to_static.core.errors import FormatError

os.environ["GOLDEN_LIBRARY"] = "to_static"
ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "golden"))
import models  # noqa: E402

from tests.compiler.ops.operator_table import has_file_form  # noqa: E402
from tests.interop import several_methods, written_cases  # noqa: E402

pytestmark = pytest.mark.interop
paddle = models.paddle
PYTHON = Path(os.environ.get("INTEROP_PYTHON", ROOT / ".venv-interop" / "bin" / "python"))
SAVED = models.MODELS + models.OURS_ONLY
NAMES = [entry[0] for entry in models.MODELS]
WAYS = ("jit", "executor", "inference")


def paddle_side(*args):
    """Run the other side; returns whether it ended well, and what it said."""
    env = {k: v for k, v in os.environ.items() if k not in ("GOLDEN_LIBRARY", "PYTHONPATH")}
    command = [str(PYTHON), str(Path(__file__).with_name("paddle_side.py")), *map(str, args)]
    done = subprocess.run(command, env={**env, "PYTHONHASHSEED": "0"}, capture_output=True, text=True, timeout=900)
    return done.returncode == 0, (done.stdout + done.stderr)[-1500:]


def run_all(way, folder):
    """Let Paddle run every model of a folder, going on after a crash."""
    for _ in range(20):
        if paddle_side("run", way, folder)[0]:
            return


def compare(folder, name, way, tolerance=1e-5):
    """Paddle's outputs against the recorded ones; its inference engine may give [1] for a 0-D output."""
    expected = np.load(folder / f"{name}.npz")
    if way == "inference" and any(np.iscomplexobj(expected[k]) for k in expected.files):
        return  # that engine takes no complex arrays and gives none
    note = folder / f"{name}.{way}.txt"
    if note.exists():
        pytest.fail(f"{name} by {way}: {note.read_text()}")
    found = np.load(folder / f"{name}.{way}.npz")
    keys = [k for k in expected.files if "out_" in k]
    assert sorted(keys) == sorted(found.files)
    for key in keys:
        a, b = found[key], expected[key]
        assert a.dtype == b.dtype, key
        assert a.shape == b.shape or (way == "inference" and a.size == b.size == 1), (key, a.shape, b.shape)
        np.testing.assert_allclose(a.reshape(b.shape), b, rtol=tolerance, atol=tolerance, err_msg=key)


def numbers(function, calls):
    record = {}
    for k, arrays in enumerate(calls):
        prefix = "" if k == 0 else f"call{k}_"
        outputs = function(*[paddle.to_tensor(a) for a in arrays])
        outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
        record.update({f"{prefix}in_{i}": a for i, a in enumerate(arrays)})
        record.update({f"{prefix}out_{i}": t.numpy() for i, t in enumerate(outputs)})
    return record


def run_in_every_way(folder):
    """The folder, all models of which Paddle has run."""
    for way in WAYS:
        run_all(way, folder)
    return folder


def made_by_paddle(tmp_path_factory, what):
    """A folder with what a command of `paddle_side` writes."""
    folder = tmp_path_factory.mktemp(f"theirs_{what}")
    well, text = paddle_side(what, folder)
    assert well, text
    return folder


@pytest.fixture(scope="session")
def ours(tmp_path_factory):
    """Models that we saved, run by Paddle in every way."""
    folder = tmp_path_factory.mktemp("ours")
    for entry in SAVED:
        name, _, specs, calls, _ = entry
        try:
            made = models.make(entry)
            paddle.jit.save(made, str(folder / name), input_spec=specs)
            if hasattr(made, "eval"):
                made.eval()
            np.savez(folder / f"{name}.npz", **numbers(made, calls))
        except Exception as error:  # the tests of this model fail with it, those of the others go on
            for way in WAYS:
                (folder / f"{name}.{way}.txt").write_text(f"before saving: {type(error).__name__}: {error}")
    return run_in_every_way(folder)


@pytest.fixture(scope="session")
def theirs(tmp_path_factory):
    """Models that Paddle saved."""
    return made_by_paddle(tmp_path_factory, "save")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", [entry[0] for entry in SAVED])
def test_paddle_loads_what_we_save(ours, name, way):
    compare(ours, name, way)


@pytest.fixture(scope="session")
def with_methods(tmp_path_factory):
    """Models with several methods that we saved, run by Paddle."""
    folder = tmp_path_factory.mktemp("methods")
    x = np.random.default_rng(1).normal(size=(3, 2)).astype("float32")
    for name, make in several_methods.MODELS.items():
        layer = make()
        layer.eval()
        paddle.jit.save(layer, str(folder / name))
        results = [getattr(layer, method)(paddle.to_tensor(x)).numpy() for method in several_methods.methods_of(layer)]
        np.savez(folder / f"{name}.npz", in_0=x, **{f"out_{i}": result for i, result in enumerate(results)})
    run_all("methods", folder)
    return folder


@pytest.mark.parametrize("name", several_methods.MODELS)
def test_paddle_loads_all_methods_that_we_save(with_methods, name):
    compare(with_methods, name, "methods")


@pytest.mark.parametrize("name", [*NAMES, "static_fc"])
def test_we_load_what_paddle_saves(theirs, name):
    recorded = np.load(theirs / f"{name}.npz")
    layer = paddle.jit.load(str(theirs / name))
    layer.eval()
    for prefix in ("", "call1_", "call2_"):
        count = sum(k.startswith(f"{prefix}in_") for k in recorded.files)
        if not count or (prefix and name == "counter"):
            continue
        outputs = layer(*[paddle.to_tensor(recorded[f"{prefix}in_{i}"]) for i in range(count)])
        outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
        assert len(outputs) == sum(k.startswith(f"{prefix}out_") for k in recorded.files)
        for i, found in enumerate(outputs):
            expected = recorded[f"{prefix}out_{i}"]
            assert found.numpy().dtype == expected.dtype and found.numpy().shape == expected.shape
            np.testing.assert_allclose(found.numpy(), expected, rtol=1e-5, atol=1e-5)


def test_paddle_goes_on_training_from_our_state(tmp_path):
    paddle.seed(3)
    net = models.BatchNormNet()
    scheduler = paddle.optimizer.lr.StepDecay(0.1, 2)
    optimizer = paddle.optimizer.Adam(scheduler, parameters=net.parameters())

    def step():
        net(paddle.to_tensor(models.f32(3, 2, 5, 5))).square().mean().backward()
        optimizer.step()
        optimizer.clear_grad()

    for _ in range(2):
        step()
        scheduler.step()
    # the layers of the other process are its first ones: give ours the names that it has
    names = {p.name: p.name.rsplit("_", 2)[0] + "_0." + p.name.rsplit(".", 1)[1] for p in net.parameters()}
    paddle.save(net.state_dict(), str(tmp_path / "ours.pdparams"))
    saved = {}
    for key, value in optimizer.state_dict().items():
        old = next((n for n in names if key.startswith(n)), None)
        saved[key if old is None else names[old] + key[len(old) :]] = value
    paddle.save(saved, str(tmp_path / "ours.pdopt"))
    nested = {"tensor": paddle.to_tensor([1.5, 2.5]), "list": [paddle.to_tensor([[1, 2]]), "text", 3, None], 5: (1, 2.5, True)}
    paddle.save(nested, str(tmp_path / "nested.pdparams"))
    record = {f"param:{k}": v.numpy() for k, v in net.state_dict().items()}
    step()
    record.update({f"next:{k}": v.numpy() for k, v in net.state_dict().items()})
    np.savez(tmp_path / "ours.npz", **record)
    well, text = paddle_side("state", tmp_path)
    assert well, text


def test_we_load_paddles_state(theirs):
    expected = np.load(theirs / "state.npz")
    net = models.BatchNormNet()
    net.set_state_dict(paddle.load(str(theirs / "state.pdparams")))
    for key, value in net.state_dict().items():
        np.testing.assert_array_equal(value.numpy(), expected[f"param:{key}"])
    found = paddle.load(str(theirs / "state.pdopt"))
    for key in expected.files:
        if key.startswith("opt:"):
            np.testing.assert_array_equal(np.asarray(found[key[4:]]), expected[key])


# operators -----------------------------------------------------------------------------------------------------------

# samples whose program Paddle computes differently, and why
DIFFERENT = {
    "adamw": "Paddle's CPU kernel has no lr_ratio", "momentum.2": "Paddle regularizes in the optimizer, not in this kernel",
    "layer_norm": "auxiliary outputs have another shape", "batch_norm": "auxiliary outputs of inference are not written",
    "log_softmax.5": "Paddle clips at -64", "nll_loss.2": "Total_weight is not written without a reduction",
    "reshape.4": "Paddle refuses -1 beside a dimension of size 0",
    "rnn": "its working memory has another layout, and oneDNN can't plan it",
    "eigvals": "the order of eigenvalues is that of the LAPACK at hand",
    "distribute_fpn_proposals": "numbers of boxes are LoD of the results there, or of the input",
    "warpctc.1": "without lengths Paddle wants LoD", "psroi_pool.1": "without RoisNum Paddle wants LoD, or ends the process",
    "generate_proposals.1": "without variances Paddle ends the process",
    "dot.2": "Paddle refuses shapes that broadcast", "p_norm.4": "Paddle knows no axis of a number",
    "fake_quantize_dequantize_moving_average_abs_max.0": "averages are not written in inference",
    "fake_quantize_moving_average_abs_max.0": "averages are not written in inference",
}  # fmt: skip
NO_INPUTS = ("arange", "constant", "eye", "full")  # Paddle's inference engine needs an input
# that engine takes scales as given, and what is observed in training not at all
GIVEN = (
    "fake_channel_wise_quantize_abs_max", "fake_quantize_dequantize_moving_average_abs_max", "fake_quantize_moving_average_abs_max",
)  # fmt: skip


@pytest.fixture(scope="session")
def samples(tmp_path_factory):
    """Programs of all operator samples that a file can hold, run by Paddle."""
    folder = tmp_path_factory.mktemp("samples")
    for name, opdef in sorted(REGISTRY.items()):
        for i, sample in enumerate(opdef.samples()):
            if sample.file and "random" not in opdef.traits and has_file_form(opdef):
                write_sample(folder / f"{name}.{i}", opdef, sample)
    for way in ("executor", "inference"):
        run_all(way, folder)
    return folder


def write_sample(prefix, opdef, sample):
    builder, feeds = Builder(), []

    def feed(array):
        feeds.append(np.asarray(array))
        return builder.feed(spec_of(feeds[-1]), f"in{len(feeds)}")

    with mode.use(builder):
        inputs = [
            None if x is None else [feed(a) for a in x] if isinstance(x, (list, tuple)) else feed(x) for x in sample.inputs
        ]
        result = opdef.emit(*inputs, **sample.attrs)
    program = builder.finish(list(result) if isinstance(result, tuple) else [result])
    try:
        files.write_model(prefix, program, inference=False)
    except FormatError:
        return  # an operator that Paddle's files can't hold says so
    outputs = interpret(program, feeds, backend.current())
    record = {f"in_{i}": a for i, a in enumerate(feeds)} | {f"out_{i}": np.asarray(a) for i, a in enumerate(outputs)}
    np.savez(f"{prefix}.npz", **record)


@pytest.mark.parametrize("way", ["executor", "inference"])
def test_paddle_computes_every_operator_as_we_do(samples, way):
    names = sorted(p.name[: -len(".pdmodel")] for p in samples.glob("*.pdmodel"))
    wrong = []
    for name in names:
        operator = name.rsplit(".", 1)[0]
        if name in DIFFERENT or operator in DIFFERENT or (way == "inference" and operator in (*NO_INPUTS, *GIVEN)):
            continue
        try:
            compare(samples, name, way, 1e-4)
        except (AssertionError, pytest.fail.Exception) as error:
            wrong.append(f"{name}: {str(error)[:600]}")
    assert len(names) > 300
    assert not wrong, "\n".join(wrong)


# small Programs ------------------------------------------------------------------------------------------------------

# what Paddle's own files give other numbers for, too, or none at all: in two runs, or by its inference engine
ENGINE = {  # what Paddle's inference engine alone computes in another way than its executor
    "nn.Conv3D(2,3,2,data_format='NDHWC',padding=1)(T(r(1,3,4,5,2)))": "oneDNN adds the bias along another dimension",
    "paddle.median(T([1.,4.,2.,3.]))": "a constant of no dimensions becomes one of shape [1]",
    "paddle.median(T([1.,float('nan'),2.]))": "a constant of no dimensions becomes one of shape [1]",
    "paddle.sum(T(F(2,3)),dtype='float64')": "oneDNN's sum keeps float32",
    "paddle.gcd(T([6,-4,0]),T([4,6,5]))": "oneDNN's fusions end at the loop",
    "paddle.lcm(T([6,-4,0]),T([4,6,5]))": "oneDNN's fusions end at the loop",
}
UNSTEADY = ("dropout", "increment(", "rrelu")
# Paddle's files of these fetch what no operator writes, or hold LoD, which has no place in NumPy arrays
NOT_FETCHED = ("linalg.lstsq", "distribute_fpn_proposals")


@pytest.fixture(scope="session")
def our_cases(tmp_path_factory):
    """The Programs of `written_cases` that we write, run by Paddle."""
    folder = tmp_path_factory.mktemp("our_cases")
    for _ in written_cases.save_all(paddle, folder):
        pass
    return run_in_every_way(folder)


@pytest.fixture(scope="session")
def their_cases(tmp_path_factory):
    """Those that Paddle writes."""
    return made_by_paddle(tmp_path_factory, "cases")


def cases(folder):
    """Name and text of the cases that are in a folder and always give the same numbers."""
    for i, text in enumerate(written_cases.texts()):
        unsteady = text in written_cases.RANDOM or any(word in text for word in (*UNSTEADY, *NOT_FETCHED))
        if (folder / f"case{i:04}.npz").exists() and not unsteady:
            yield f"case{i:04}", text


@pytest.mark.parametrize("way", WAYS)
def test_paddle_gives_our_numbers_for_every_case(our_cases, way):
    wrong, count = [], 0
    for name, text in cases(our_cases):
        count += 1
        if way == "inference" and text in ENGINE:
            continue
        try:
            compare(our_cases, name, way, 1e-4)
        except (AssertionError, pytest.fail.Exception) as error:
            if way == "inference" and "the type it holds" in str(error) and "fetch" in str(error):
                continue  # of what depends on no input, whoever wrote it
            wrong.append(f"{text}: {str(error)[-400:]}")
    assert count > 780
    assert not wrong, "\n".join(wrong)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # Paddle's own `cov` divides by 0 in a file
def test_we_give_paddles_numbers_for_every_case(their_cases):
    wrong, count = [], 0
    for name, text in cases(their_cases):
        count += 1
        recorded = np.load(their_cases / f"{name}.npz")
        try:
            layer = paddle.jit.load(str(their_cases / name))
            layer.eval()
            arrays = [recorded[f"in_{i}"] for i in range(sum(k.startswith("in_") for k in recorded.files))]
            found = layer(*[paddle.to_tensor(a) for a in arrays])
            found = found if isinstance(found, (list, tuple)) else [found]
            assert len(found) == sum(k.startswith("out_") for k in recorded.files)
            for i, value in enumerate(found):
                expected = recorded[f"out_{i}"]
                assert (value.numpy().dtype, value.numpy().shape) == (expected.dtype, expected.shape)
                np.testing.assert_allclose(value.numpy(), expected, rtol=1e-4, atol=1e-5)
        except Exception as error:
            wrong.append(f"{text}: {str(error)[-400:]}")
    assert count > 780
    assert not wrong, "\n".join(wrong)


@pytest.fixture(scope="module")
def small_weights(tmp_path_factory):
    """A model whose weights are stored in 8 and 16 bits, run by Paddle in every way."""
    folder, old = tmp_path_factory.mktemp("small"), str(tmp_path_factory.mktemp("old") / "net")
    paddle.seed(0)
    nn = paddle.nn
    branch = nn.Sequential(nn.Conv2D(3, 16, 3), nn.BatchNorm2D(16), nn.Conv2DTranspose(16, 8, 3), nn.Flatten(), nn.Linear(512, 32))
    branch.eval()
    paddle.jit.save(branch, old, input_spec=[paddle.static.InputSpec([None, 3, 8, 8], "float32", "x")])
    x = np.random.default_rng(0).standard_normal((2, 3, 8, 8)).astype("float32")
    for dtype in ("int8", "float16", "bfloat16"):
        assert main(["quantize", old, "--weights", dtype, "-o", str(folder / dtype)]) == 0
        np.savez(folder / f"{dtype}.npz", **numbers(paddle.jit.load(str(folder / dtype)), [[x]]))
    for way in WAYS:
        run_all(way, folder)
    return folder


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("dtype", ["int8", "float16", "bfloat16"])
def test_paddle_runs_models_with_small_weights(small_weights, dtype, way):
    compare(small_weights, dtype, way)
