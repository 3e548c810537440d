"""Cases whose arguments are tensors, as models of Paddle 3 and ONNX: each gives what the model of Paddle 2 gives."""

import daily
import numpy as np
import pytest
from language_table import NETWORKS, ROWS, rows

import to_static as paddle
from to_static.cli.commands import main
from to_static.core.errors import ToStaticError
from to_static.inference import Config, create_predictor
from to_static.static import InputSpec

rows()
CALLS = {row.name: (row.function, row.calls) for row in ROWS if row.kind == "case"}
CALLS.update({kind.__name__: (kind, calls) for kind, calls in NETWORKS.items()})
CALLS = {
    name: (function, calls)
    for name, (function, calls) in CALLS.items()
    if calls and all(calls) and all(isinstance(x, paddle.Tensor) for args in calls for x in args)
}
# in a file that is read again they draw other numbers
RANDOM = ("loops-acting_condition", "loops-random_condition", "effects-randomness", "vision-dropout_switch")
# the size -1 that a tensor gives leaves a dimension as it is in Paddle's files; ONNX has no such size
OTHERWISE = ("kinds-repeated",)


def saved(function, first, alike, path):
    """Save a case for all sizes of its calls; whether it can be saved."""
    sizes = [
        [x.shape[i] if len({tuple(args[k].shape)[i] for args in alike}) == 1 else None for i in range(x.ndim)]
        for k, x in enumerate(first)
    ]
    spec = [InputSpec(shape, x.dtype.name, f"x{i}") for i, (shape, x) in enumerate(zip(sizes, first, strict=True))]
    paddle.seed(3)
    layer = function() if isinstance(function, type) else paddle.jit.to_static(function, full_graph=True)
    if isinstance(function, type):
        layer.eval()
    try:
        paddle.jit.save(layer, path, input_spec=spec)
    except Exception:  # it returns no tensors, has no Program, or is a case of an error
        return False
    return len(create_predictor(Config(path)).get_input_names()) == len(first)  # or defaults are inputs, too


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("form", ["json", "onnx"])
@pytest.mark.parametrize("name", daily.some("cases in other formats", sorted(CALLS.keys() - {*RANDOM, *OTHERWISE}), 20))
def test_every_format_gives_the_same(name, form, tmp_path, capsys):
    function, calls = CALLS[name]
    first = calls[0]
    alike = [args for args in calls if [(x.ndim, x.dtype) for x in args] == [(x.ndim, x.dtype) for x in first]]
    if not saved(function, first, alike, str(tmp_path / "net")):
        return
    if main(["upgrade", str(tmp_path / "net"), "-o", str(tmp_path / "new"), "--to", form]):
        message = capsys.readouterr().err
        assert form == "onnx" and "ONNX models have no state" in message, message
        return
    assert main(["upgrade", str(tmp_path / f"new.{form}"), "-o", str(tmp_path / "back"), "--to", "pdmodel"]) == 0
    for args in alike:
        arrays = [x.numpy() for x in args]
        try:
            expected = create_predictor(Config(str(tmp_path / "net"))).run(arrays)
        except (ToStaticError, IndexError, ValueError):  # an error of the case itself
            continue
        for prefix in (f"new.{form}", "back"):
            predictor = create_predictor(Config(str(tmp_path / prefix)))
            results = predictor.run([arrays[int(key[1:])] for key in predictor.get_input_names()])
            for result, number in zip(results, expected, strict=True):
                assert (result.dtype, result.shape) == (number.dtype, number.shape)
                np.testing.assert_allclose(result, number, rtol=1e-4, atol=1e-5)
