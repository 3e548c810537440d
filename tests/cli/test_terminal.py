"""What is shown of hostile files and names: nothing in it acts on a terminal, no name begins a line, all of it is short."""

from __future__ import annotations

import unicodedata
import warnings
from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from tests.compiler.saved.test_texts_with_code import Net, X, _info, names_of, places, put, renamed
from to_static import nn, profiler, static
from to_static.cli import main
from to_static.compiler.formats.paddle.messages import schema
from to_static.compiler.formats.paddle.pickles.unpickling import unpickle
from to_static.compiler.ir.parser import parse_program
from to_static.compiler.ir.printer import print_program
from to_static.core.errors import ToStaticError
from to_static.jit import to_static

ACTS = "\x1b[2J\x1b]0;t\x07\r\x9b31m\x00\x7f\x08\x0b\x0c\x1c\x85\u202e\u2066\u200f\u2028\u2029\ufeff\nFAKE line\r\nFAKE"
LONG = "x" * 150_000
TEXTS = {"acts": ACTS, "long": LONG, "both": ACTS * 2_000}
texts = pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
BOUND = 100_000


def check(shown: str) -> None:
    """Nothing acts on a terminal, no line is another's, and it is not too long."""
    bad = {c for c in shown if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")} - {"\n", "\t"}
    assert not bad, (bad, shown[:500])
    assert not [line for line in shown.split("\n") if line.strip().startswith("FAKE")]
    assert len(shown) < BOUND, shown[:300]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    prefix = tmp_path_factory.mktemp("model") / "m"
    net = Net()
    net.eval()
    paddle.jit.save(net, str(prefix), input_spec=[static.InputSpec([None, 1, 3, 3], "float32", "x")])
    return tuple(Path(f"{prefix}.{end}").read_bytes() for end in ("pdmodel", "pdiparams", "pdiparams.info"))


def write(tmp_path, files) -> str:
    for end, data in zip(("pdmodel", "pdiparams", "pdiparams.info"), files, strict=True):
        (tmp_path / f"m.{end}").write_bytes(data)
    np.save(tmp_path / "x.npy", X)
    return str(tmp_path / "m")


def commands(prefix, capfd):
    """What the commands say of a model, and what its Layer and Programs look like."""
    folder = str(Path(prefix).parent)
    for words in (
        ["inspect", prefix, "--params"],
        ["predict", prefix, "--input", f"{folder}/x.npy"],
        ["predict", prefix, "--input", f"{folder}/x.npy", "-o", f"{folder}/out"],
        ["predict", prefix],
        ["predict", prefix, "--input", f"no={folder}/x.npy"],
        ["inspect", prefix, "--method", "no"],
    ):
        main(words)
        yield "".join(capfd.readouterr())
    try:
        layer = paddle.jit.load(prefix)
        yield repr(layer)
        yield str(layer.program())
        yield repr(layer.program().feeds) + repr(layer.program().params)
        layer(paddle.to_tensor(X[:, 0]))
    except ToStaticError as error:
        yield str(error)


@texts
def test_names_of_files(model, tmp_path, capfd, text):
    files = model
    names = names_of(model)
    for name in names if text is ACTS else names[::9]:
        files = renamed(files, name, f"{name}{text}")
    info = unpickle(files[2], "info", calls=False)
    info = {name: {**value, "structured_name": f"{value['structured_name']}{text}"} for name, value in info.items()}
    for made in (files, (*files[:2], _info(info))):
        for shown in commands(write(tmp_path, made), capfd):
            check(shown)


@pytest.mark.parametrize("kind", ["VarDesc.name", "OpDesc.type", "Var.parameter", "Var.arguments", "Attr.name", "Attr.s"])
@texts
def test_other_strings_of_files(model, tmp_path, capfd, kind, text):
    desc = schema.messages()["ProgramDesc"].FromString(model[0])
    found = [place for other, place in places(desc) if other == kind]
    for place in (found[0], found[len(found) // 2]):
        old = put(place, text)
        for shown in commands(write(tmp_path, (desc.SerializeToString(), *model[1:])), capfd):
            check(shown)
        put(place, old)


@texts
def test_names_of_users(capfd, text, graph_breaks):
    class Odd(nn.Layer):
        def __init__(self):
            super().__init__(name_scope=text)
            with paddle.utils.unique_name.guard(text):
                self.add_sublayer(text.replace(".", ""), nn.Linear(3, 3, name=text, weight_attr=paddle.ParamAttr(name=text)))

        def forward(self, x):
            for layer in self.children():
                x = layer(x)
            return {text: x}

    Odd.__name__ = Odd.__qualname__ = text.replace("\0", "")
    net = Odd()
    shown = [repr(net)]
    static_net = to_static(net)
    x = paddle.ones([2, 3])
    x.name = text
    with profiler.Profiler(on_trace_ready=lambda _: None) as measured, profiler.RecordEvent(text):
        static_net(x)[text].sum().backward()
        static_net(x)
    measured.summary(op_detail=True)
    forward = static_net.forward
    program = forward.concrete_program
    shown += [forward.explain(plan=True), forward.plan, str(program), repr(forward), repr(program.inputs)]
    shown += [repr(static.InputSpec([1], "float32", text)), "".join(capfd.readouterr())]
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        net.set_state_dict({text: x, f"{text}2": x})
        net.set_state_dict({})
    shown += [str(warning.message) for warning in told]
    paddle.summary(nn.Sequential((text, nn.Linear(3, 3))), (2, 3))
    paddle.flops(nn.Sequential((text, nn.Linear(3, 3))), (2, 3), print_detail=True)
    shown.append("".join(capfd.readouterr()))
    with pytest.raises(ValueError, match="already named") as error:
        nn.Linear(3, 3, weight_attr=paddle.ParamAttr(name=text)), nn.Linear(3, 3, weight_attr=paddle.ParamAttr(name=text))
    shown.append(str(error.value))
    for text_of in shown:
        check(text_of)


@texts
def test_names_in_static_mode(text):
    paddle.enable_static()
    try:
        with static.program_guard(static.Program(), static.Program()):
            x = static.data(text, [None, 3])
            y = static.nn.fc(x, 2, name=text)
            program = static.default_main_program()
            check(str(program) + repr(x) + repr(y) + "".join(map(str, program.global_block().ops)))
            with pytest.raises(Exception, match="feed") as error:
                static.Executor().run(feed={}, fetch_list=[y])
            check(str(error.value))
            with pytest.raises(Exception, match="x") as error:
                paddle.matmul(x, static.data(f"x{text}", [7, 7]))
            check(str(error.value))
    finally:
        paddle.disable_static()


BAD = "def f(x):\n    return x\n\n@to_static\ndef g(x):\n    y = '{text}'; return x +\n"


@texts
def test_source_that_is_not_python(tmp_path, capfd, text):
    path = tmp_path / f"net{text[:20].replace('/', '').replace(chr(0), '')}.py"
    inside = text.replace("\0", "").replace("\r", "").replace("\n", "")
    loop = f"@to_static\ndef f(x):\n    for i in x:\n        yield '{inside}' if f'{inside}' else i\n"
    unread = f"@to_static\ndef f(x):\n    exec('{inside}')\n    return locals()\n"
    for source in (BAD.format(text=inside), unread, loop, f"x = (\0{inside}"):
        path.write_text(source, encoding="utf-8")
        for words in ([], ["--check"], ["-o", str(tmp_path / "out.py")]):
            code = main(["convert", str(path), *words])
            out, err = capfd.readouterr()
            check(err + (out if code or words else ""))  # otherwise it is the file
        main(["convert", str(tmp_path), "-o", str(tmp_path / "out")])
        check("".join(capfd.readouterr()))
    assert main(["inspect", str(tmp_path / f"no{text[:50]}".replace("\0", ""))]) == 1
    check("".join(capfd.readouterr()))


@pytest.mark.parametrize("text", [ACTS, "plain", "a b", 'q"\\', "权重", "\udc80", "\U000e0001x"])
def test_texts_of_programs_are_read_back(text):
    net = nn.Linear(3, 3, weight_attr=paddle.ParamAttr(name=f"w{text}"), bias_attr=False)
    f = to_static(lambda x: net(x), input_spec=[static.InputSpec([None, 3], "float32", f"x{text}")])
    program = f.concrete_program.main_program
    printed = print_program(program)
    check(printed)
    assert printed == str(program)
    again = parse_program(printed)
    assert [line.split("  #")[0] for line in print_program(again).split("\n")] == [s.split("  #")[0] for s in printed.split("\n")]
    assert [v.name for v in again.feeds] == [f"x{text}"] == [v.name for v in program.feeds]
