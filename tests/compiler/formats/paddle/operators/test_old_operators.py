"""Operators of older files: Paddle's numbers and offsets of sequences, with all attributes in the file and with few of them."""

from __future__ import annotations

import io
import json
import lzma
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import to_static as paddle
from tests.compiler.formats.paddle.operators.old_operator_cases import CASES
from to_static import static
from to_static.compiler.formats.hub import model_of_bytes
from to_static.compiler.formats.paddle.messages import schema
from to_static.core.errors import FormatError, ShapeError
from to_static.framework.lod_tensor import LoDTensor
from to_static.inference import Config, create_predictor

NO_REFERENCE: tuple[str, ...] = ()


@cache
def recorded() -> dict[str, dict[str, Any]]:
    """The entries of the table by case."""
    data = lzma.decompress(Path(__file__).with_name("old_operators.npz.xz").read_bytes())
    entries: dict[str, dict[str, Any]] = {}
    with np.load(io.BytesIO(data)) as table:
        for key in table.files:
            name, part = key.split("/")
            entries.setdefault(name, {})[part] = table[key]
    return entries


def without_defaults(program: bytes, kind: str, told: set[str]) -> bytes:
    """The program whose operator has only the attributes that the case tells."""
    desc = schema.new("ProgramDesc")
    desc.ParseFromString(program)
    for op in (op for op in desc.blocks[0].ops if op.type == kind):
        remaining = [attr for attr in op.attrs if attr.name in told]
        del op.attrs[:]
        op.attrs.extend(remaining)
    return bytes(desc.SerializePartialToString())


def results(entry: dict[str, Any], program: bytes) -> Any:
    """What a predictor gives for the inputs of a case: arrays and offsets."""
    config = Config()
    config.set_model_buffer(program, len(program), b"", 0)
    predictor = create_predictor(config)
    lods = json.loads(bytes(entry["lods"]))
    for name in predictor.get_input_names():
        handle = predictor.get_input_handle(name)
        handle.copy_from_cpu(entry[f"in {name}"])
        handle.set_lod(lods[f"in {name}"])
    predictor.run()
    handles = [predictor.get_output_handle(name) for name in predictor.get_output_names()]
    return [handle.copy_to_cpu() for handle in handles], [handle.lod() for handle in handles]


def test_the_table_is_whole():
    assert list(recorded()) == [name for name in CASES if name not in NO_REFERENCE]


@pytest.mark.parametrize("name", [name for name in CASES if name not in NO_REFERENCE])
def test_numbers_are_paddles(name):
    kind, _, _, attrs = CASES[name]
    entry = recorded()[name]
    lods = json.loads(bytes(entry["lods"]))
    program = bytes(entry["program"])
    for data in (program, without_defaults(program, kind, set(attrs))):
        arrays, offsets = results(entry, data)
        expected = [part for part in entry if part.startswith("out ")]
        assert len(arrays) == len(expected)
        for part, array, levels in zip(expected, arrays, offsets, strict=True):
            assert (array.shape, array.dtype) == (entry[part].shape, entry[part].dtype), part
            np.testing.assert_allclose(array, entry[part], rtol=2e-5, atol=2e-6, err_msg=part)
            assert levels == lods[part], part


def _lstm(tmp_path: Path) -> tuple[str, Any, Any]:
    entry = recorded()["lstm"]
    (tmp_path / "net.pdmodel").write_bytes(bytes(entry["program"]))
    lods = json.loads(bytes(entry["lods"]))
    names = [part.removeprefix("in ") for part in entry if part.startswith("in ")]
    inputs = {name: LoDTensor(entry[f"in {name}"], lods[f"in {name}"]) for name in names}
    return str(tmp_path / "net"), inputs, (entry["out Hidden_out0"], lods["out Hidden_out0"])


def test_an_executor_feeds_and_fetches_offsets(tmp_path):
    prefix, inputs, (hidden, offsets) = _lstm(tmp_path)
    exe = static.Executor()
    program, feeds, fetches = static.load_inference_model(prefix, exe)
    assert feeds == list(inputs)
    [found, _] = exe.run(program, feed=inputs, fetch_list=fetches, return_numpy=False)
    np.testing.assert_allclose(np.asarray(found), hidden, rtol=2e-5, atol=2e-6)
    assert found.lod() == offsets
    with pytest.raises(ShapeError, match="sequences without offsets"):
        exe.run(program, feed={name: np.asarray(value) for name, value in inputs.items()}, fetch_list=fetches)


def test_a_loaded_layer_takes_tensors_with_offsets(tmp_path):
    prefix, inputs, (hidden, _) = _lstm(tmp_path)
    layer = paddle.jit.load(prefix)
    found, _ = layer(*inputs.values())
    np.testing.assert_allclose(found.numpy(), hidden, rtol=2e-5, atol=2e-6)
    with pytest.raises(ShapeError, match="sequences without offsets"):
        layer(*(np.asarray(value) for value in inputs.values()))


def test_sequences_have_gradients(tmp_path):
    prefix, inputs, _ = _lstm(tmp_path)
    layer = paddle.jit.load(prefix)
    x, *others = inputs.values()
    rows = paddle.to_tensor(np.asarray(x), stop_gradient=False)
    offsets = paddle.to_tensor(np.asarray([1, len(x.lod()[0]), *x.lod()[0]]))
    hidden, _ = layer(rows, *(paddle.to_tensor(np.asarray(value)) for value in others), offsets)
    hidden.sum().backward()
    step, sums = 1e-2, []
    for way in (step, -step):
        moved = np.asarray(x).copy()
        moved[2, 5] += way
        sums.append(float(layer(LoDTensor(moved, x.lod()), *others)[0].sum()))
    assert rows.grad[2, 5].item() == pytest.approx((sums[0] - sums[1]) / (2 * step), rel=2e-2)


def test_a_large_tensor_of_sizes_is_refused_before_its_numbers_are_read():
    """The slowest damaged file of 132,000: a million sizes, each of which became an operator."""
    name = next(name for name in CASES if CASES[name][0] == "nearest_interp" and "OutSize" in CASES[name][1])
    desc = schema.new("ProgramDesc")
    desc.ParseFromString(bytes(recorded()[name]["program"]))
    (sizes,) = (var for var in desc.blocks[0].vars if var.name == "outsize_0")
    sizes.type.lod_tensor.tensor.dims[:] = [1_000_000]
    with pytest.raises(FormatError, match="at most 3 sizes, a tensor of 1000000 says them"):
        model_of_bytes(bytes(desc.SerializeToString())).program()
