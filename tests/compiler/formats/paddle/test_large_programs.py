"""What is done with a file of twice the size is twice the work: counted in lines of ours that run, not in seconds."""

import sys
from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from tests.compiler.formats.paddle import large_programs
from tests.compiler.formats.paddle.large_programs import SHAPES, write
from to_static import inference
from to_static.compiler.formats.paddle.programs import program_reader
from to_static.compiler.runtime import codegen, schedule
from to_static.compiler.runtime.memory_plan import arena as memory
from to_static.compiler.runtime.memory_plan import branch_memory
from to_static.core.errors import FormatError

OURS = str(Path(paddle.__file__).parent)
ONES = np.ones((2, 3), "float32")
FEW = 48


class Work:
    """Lines of the package that ran, by what was done."""

    def __init__(self):
        self.lines = {}

    def of(self, name, function, *args):
        """Do it, and count."""
        count = 0

        def inside(frame, event, argument):
            nonlocal count
            count += 1
            return inside

        def enter(frame, event, argument):
            return inside if frame.f_code.co_filename.startswith(OURS) else None

        before = sys.gettrace()
        sys.settrace(enter)
        try:
            return function(*args)
        finally:
            sys.settrace(before)
            self.lines[name] = count


def work(shape, n, folder):
    prefix = str(folder / f"{shape}_{n}")
    message, values = SHAPES[shape](n)
    write(message, prefix, values)
    done = Work()
    net = done.of("load", paddle.jit.load, prefix)
    x = paddle.ones(net.forward.input_spec[0].shape)
    with paddle.no_grad():
        done.of("run", net, x)
    done.of("print", str, net.program())
    result = done.of("run for gradients", net, x)
    if not result.stop_gradient:
        done.of("backward", lambda: result.sum().backward())
    done.of("save", paddle.jit.save, net, prefix + "_again")
    predictor = done.of("predictor", inference.create_predictor, inference.Config(prefix + ".pdmodel", prefix + ".pdiparams"))
    predictor.get_input_handle(predictor.get_input_names()[0]).copy_from_cpu(x.numpy())
    done.of("predict", predictor.run)
    return done.lines


@pytest.mark.parametrize("shape", SHAPES)
def test_twice_the_size_is_twice_the_work(shape, tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "LOOKS", 0)  # what is done as long as there are few goes without saying
    monkeypatch.setattr(branch_memory, "MANY", 4)
    monkeypatch.setattr(schedule, "MANY", 4)
    monkeypatch.setattr(codegen, "SHARED", 4)
    work(shape, 3, tmp_path)  # modules are loaded, and rules asked for the first time
    once, twice = work(shape, FEW, tmp_path), work(shape, 2 * FEW, tmp_path)
    assert {name: (once[name], count) for name, count in twice.items() if count > 2.1 * once[name] + 500} == {}


SMALL = ["chain", "all_needed_at_the_end", "softmaxes", "branches_that_pass_on", "loops", "a_loop_of_many_variables"]


@pytest.mark.parametrize("shape", SMALL)
def test_large_plans_give_the_numbers_of_small_ones(shape, tmp_path, monkeypatch):
    prefix = str(tmp_path / "m")
    message, values = SHAPES[shape](12)
    write(message, prefix, values)
    x = paddle.to_tensor(np.linspace(-1, 1, 6, dtype="float32").reshape(2, 3))
    expected = paddle.jit.load(prefix)(x).numpy()
    for module, name in ((memory, "LOOKS"), (branch_memory, "MANY"), (schedule, "MANY"), (codegen, "SHARED")):
        monkeypatch.setattr(module, name, 1)
    net = paddle.jit.load(prefix)
    for _ in range(3):
        assert net(x).numpy().tobytes() == expected.tobytes()


def test_bounds_are_told(tmp_path, monkeypatch):
    prefix = str(tmp_path / "m")
    write(SHAPES["chain"](40)[0], prefix)
    monkeypatch.setattr(program_reader, "MAX_OPS", 41)
    with pytest.raises(FormatError, match="at most 41 operators in a program, found 42"):
        paddle.jit.load(prefix)
    monkeypatch.undo()
    write(SHAPES["many_inputs"](40)[0], prefix)
    monkeypatch.setattr(program_reader, "MAX_NAMES", 39)
    with pytest.raises(FormatError, match="at most 39 inputs of one operator, found 40 of op 'concat'"):
        paddle.jit.load(prefix)


def test_loops_that_are_read_for_ever_are_refused(tmp_path, monkeypatch):
    prefix = str(tmp_path / "m")
    write(SHAPES["loops"](10)[0], prefix)
    monkeypatch.setattr(program_reader, "MAX_READINGS", (1, 5))
    with pytest.raises(FormatError, match="loops whose variables reach stable shapes"):
        paddle.jit.load(prefix)


def test_pieces_of_one_message_are_put_together_once(tmp_path):
    prefix = str(tmp_path / "m")
    message, _ = large_programs.chain(2)
    write(message, prefix)
    with open(prefix + ".pdmodel", "ab") as file:
        file.write(b"\x22\x02\x08\x00" * 100_000)  # the version, again and again
    assert paddle.jit.load(prefix)(paddle.to_tensor(ONES)).shape == [2, 3]
