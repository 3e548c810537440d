"""What a person reads in the terminal when a program of his fails: his lines, the reason, a rewrite, and nothing of ours."""

import re
import sys

import pytest
from readable import readable

import to_static as paddle
from to_static.core.errors import ToStaticError

HEAD = "import to_static as paddle\nfrom to_static.jit import to_static\n\nP = paddle.ones([2, 3])\n\n\n"

# the last line fails; what the terminal shows: frames as (function, line), then words of the message
REFUSED = {
    "bool in a class body": (
        "@to_static\ndef f(x):\n    class A:\n        big = 1 if x.sum() > 0 else 2\n    return A.big\n\n\nf(P)",
        ["class bodies", "paddle.where(x.sum() > 0, a, b)"],
    ),
    "bool in library code inside of try": (
        "import operator\n\n\n@to_static\ndef f(x):\n    try:\n        return list(map(operator.truth, [x.sum()]))\n"
        "    except TypeError:\n        return x\n\n\nf(P)",
        ["`list(map(operator.truth, [x.sum()]))`", "`for` statement"],
    ),
    "bool in a function left alone": (
        "@paddle.jit.not_to_static\ndef g(x):\n    while x.sum() < 100:\n        x = x * 2\n    return x"
        "\n\n\nto_static(lambda x: g(x))(P)",
        ["`x.sum() < 100`", "@not_to_static off 'g'"],
    ),
    "bool in static mode": (
        "paddle.enable_static()\nx = paddle.static.data('x', [2, 3])\nif x.sum() > 0:\n    print(x)",
        ["paddle.static.nn.cond(x.sum() > 0"],
    ),
    "a Variable in dynamic mode": (
        "paddle.enable_static()\nx = paddle.static.data('x', [2, 3])\npaddle.disable_static()\nx * 2",
        ["a Variable of a static Program", "in `x * 2`", "program_guard"],
    ),
    "a Variable of another Program": (
        "paddle.enable_static()\nx = paddle.static.data('x', [2, 3])\n"
        "with paddle.static.program_guard(paddle.static.Program()):\n    x * 2",
        ["a Variable of one static Program", "in `x * 2`"],
    ),
    "a string that grows": (
        "@to_static\ndef f(x):\n    s = ''\n    for v in x:\n        s = s + f'{v} '\n    return s\n\n\nf(P)",
        ["s is '' or a string with numbers of tensors", "    for v in x:"],
    ),
    "deepcopy": (
        "import copy\n\nP.stop_gradient = False\n\n\n@to_static\ndef f(x):\n    return copy.deepcopy(x * 2)\n\n\nf(P)",
        ["x.clone()"],
    ),
    "pickle": ("import pickle\n\n\n@to_static\ndef f(x):\n    return pickle.dumps(x)\n\n\nf(P)", ["pickle.dumps(f(x))"]),
    "a float of several elements": (
        "@to_static\ndef f(x):\n    return float(x)\n\n\ntry:\n    f(P)\nexcept ValueError as error:\n    raise error",
        ["one element in `float(x)`", "`float(x.sum())`"],
    ),
    "backward": (
        "@to_static\ndef f(x):\n    y = x.sum()\n    if y > 0:\n        y.backward()\n    return x\n\n\n"
        "f(P.detach())",
        ["backward() is used under a tensor condition"],
    ),
    "super outside of a class": (
        "def g(x):\n    return super().forward(x)\n\n\nto_static(lambda x: g(x))(P)",
        ["super(Net, self)"],
    ),
    "a generator that is returned": (
        "@to_static\ndef f(x):\n    return (v for v in [x])\n\n\nf(P)",
        ["a generator is returned or stored (`<genexpr>`)", "return `list(...)` of it; in a static function, `items.append(x)`"],
    ),
    "a name without a value, found by the Program": (
        "@to_static\ndef f(x):\n    if x.sum() < 0:\n        y = x * 2\n    return y\n\n\nf(P)",
        ["variable 'y'", "(line 10 would)", "`y = paddle.zeros([1])`"],
    ),
    "a name without a value, found while tracing": (
        "@to_static\ndef f(x, flag=False):\n    if flag:\n        y = x * 2\n    return y\n\n\nf(P)",
        ["variable 'y'", "(line 10 would)"],
    ),
    "saving a string": (
        "@to_static\ndef f(x):\n    return f'{x.sum()}'\n\n\npaddle.jit.save(f, 'm', input_spec=[paddle.static.InputSpec([2, 3])])",
        ["jit.save: 'f' returns a string"],
    ),
    "saving values of several kinds": (
        "@to_static\ndef f(x):\n    if x.sum() > 0:\n        return x\n    return None\n\n\n"
        "paddle.jit.save(f, 'm', input_spec=[paddle.static.InputSpec([2, 3])])",
        ["'f' returns None or a tensor f32[2, 3]", "instead of None"],
    ),
    "saving nothing": (
        "@to_static\ndef f(x):\n    return 'abc'\n\n\npaddle.jit.save(f, 'm', input_spec=[paddle.static.InputSpec([2, 3])])",
        ["'f' returns no tensor"],
    ),
}


@pytest.fixture
def printed(tmp_path, capsys, monkeypatch):
    """Run a file as ``python prog.py`` would; returns what the terminal shows, and the error."""
    monkeypatch.chdir(tmp_path)

    def run(text):
        path = tmp_path / "prog.py"
        path.write_text(HEAD + text + "\n")
        try:
            exec(compile(path.read_text(), str(path), "exec"), {"__name__": "__main__"})
        except Exception as error:
            error.__traceback__ = error.__traceback__.tb_next
            sys.excepthook(type(error), error, error.__traceback__)
            return capsys.readouterr().err, error
        finally:
            paddle.disable_static()
        raise AssertionError("no error")

    return run


@pytest.mark.parametrize(("text", "says"), REFUSED.values(), ids=REFUSED)
def test_refusals(printed, text, says):
    shown, error = printed(text)
    assert isinstance(error, (ToStaticError, ValueError))
    readable(str(error))
    for part in says:
        assert part in str(error), str(error)
    no_frames_of_ours(shown)


def no_frames_of_ours(shown):
    assert re.findall(r'File "(.*?)"', shown), shown
    for file in re.findall(r'File "(.*?)"', shown):
        assert file.endswith(("prog.py", "copy.py")), shown
    assert "During handling" not in shown, shown


def frames(shown):
    return [(name, line.strip()) for name, line in re.findall(r'  File ".*", line \d+, in (\S+)\n    (.*)\n', shown)]


OF_PYTHON = {
    "an operator in a callee": (
        "def g(x):\n    return x.reshape([7])\n\n\n@to_static\ndef f(x):\n    if x.sum() > 0:"
        "\n        x = g(x)\n    return x\n\n\nf(P)",
        ValueError, [("<module>", "f(P)"), ("f", "x = g(x)"), ("g", "return x.reshape([7])")],
    ),
    "an operator in a loop, when it runs": (
        "@to_static\ndef f(x, n):\n    y = x[0]\n    for i in range(n):\n        y = y + x[i]\n    return y"
        "\n\n\nf(P, paddle.to_tensor(7))",
        IndexError, [("<module>", "f(P, paddle.to_tensor(7))"), ("f", "y = y + x[i]")],
    ),
    "an operator in a Layer": (
        "class Net(paddle.nn.Layer):\n    def __init__(self):\n        super().__init__()"
        "\n        self.fc = paddle.nn.Linear(4, 2)\n\n"
        "    @to_static\n    def forward(self, x):\n        return self.fc(x)\n\n\nNet()(P)",
        ValueError, [("<module>", "Net()(P)"), ("forward", "return self.fc(x)")],
    ),
    "a lambda": (
        "f = to_static(lambda x: x.reshape([5, 5]))\nf(P)",
        ValueError, [("<module>", "f(P)"), ("<lambda>", "f = to_static(lambda x: x.reshape([5, 5]))")],
    ),
    "a comprehension": (
        "@to_static\ndef f(xs):\n    return [v.reshape([7]) for v in xs]\n\n\nf([P])",
        ValueError, [("<module>", "f([P])"), ("f", "return [v.reshape([7]) for v in xs]")],
    ),
    "a nested function": (
        "@to_static\ndef f(x):\n    def g(v):\n        return v.reshape([7])\n\n    return g(x)\n\n\nf(P)",
        ValueError, [("<module>", "f(P)"), ("f", "return g(x)"), ("g", "return v.reshape([7])")],
    ),
    "an assertion with a computed message": (
        "@to_static\ndef f(x):\n    assert x.sum() < 0, f'sum {x.sum().item():.1f}'\n    return x\n\n\nf(P)",
        AssertionError, [("<module>", "f(P)"), ("f", "assert x.sum() < 0, f'sum {x.sum().item():.1f}'")],
    ),
    "a raise under a tensor condition": (
        "@to_static\ndef f(x):\n    if x.sum() > 0:\n        raise KeyError('positive')\n    return x\n\n\nf(P)",
        KeyError, [("<module>", "f(P)"), ("f", "raise KeyError('positive')")],
    ),
    "a property of a tensor that is set": (
        "@to_static\ndef f(x):\n    x.shape = [6]\n    return x\n\n\nf(P)",
        AttributeError, [("<module>", "f(P)"), ("f", "x.shape = [6]")],
    ),
    "Python's own error in a branch": (
        "@to_static\ndef f(x):\n    if x.sum() > 0:\n        x = x + 'a'\n    return x\n\n\nf(P)",
        TypeError, [("<module>", "f(P)"), ("f", "x = x + 'a'")],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "kind", "wanted"), OF_PYTHON.values(), ids=OF_PYTHON)
def test_errors_of_the_users_code(printed, text, kind, wanted):
    shown, error = printed(text)
    assert isinstance(error, kind)
    no_frames_of_ours(shown)
    assert frames(shown)[: len(wanted)] == wanted, shown
    assert "Variable" not in shown and "lambda_" not in shown


def test_messages_of_python_are_those_of_dynamic_mode(printed):
    _, static = printed("@to_static\ndef f(x):\n    return x + 'a'\n\n\nf(P)")
    _, dynamic = printed("def f(x):\n    return x + 'a'\n\n\nf(P)")
    assert str(static).split("\n")[0] == str(dynamic).split("\n")[0]


def test_a_flag_shows_our_frames(printed, monkeypatch):
    from to_static.core.flags import full_traceback

    monkeypatch.setattr(full_traceback, "value", True)
    shown, _ = printed("to_static(lambda x: x.reshape([7]))(P)")
    assert "tracer.py" in shown
