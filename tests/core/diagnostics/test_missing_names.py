"""A name that is not there: the message says whether PaddlePaddle has it, or what it is called here."""

from __future__ import annotations

import importlib
import pickle
import re
import subprocess
import sys

import pytest

import to_static as paddle
from to_static import nn
from to_static.core.diagnostics import framework_aliases
from to_static.core.diagnostics.paddle_names import NAMES
from to_static.nn import functional as F

OBJECTS = {
    "Tensor": lambda: paddle.ones([2]),
    "Layer": lambda: nn.Linear(2, 2),
    "Optimizer": lambda: paddle.optimizer.SGD(0.1, nn.Linear(2, 2).parameters()),
    "LRScheduler": lambda: paddle.optimizer.lr.StepDecay(0.1, 2),
    "Model": lambda: paddle.Model(nn.Linear(2, 2)),
}


def asked(text):
    names = {name: make() for name, make in OBJECTS.items()}
    try:
        eval(text, {"paddle": paddle, "nn": nn, "F": F, **names})
    except AttributeError as error:
        assert type(error).__name__ == "AttributeError"
        return str(error)
    raise AssertionError(f"{text} is there")


def modules():
    for scope in NAMES:
        name = "to_static" if scope == "paddle" else f"to_static.{scope}"
        try:
            yield scope, importlib.import_module(name)
        except ModuleNotFoundError:
            assert scope in NAMES


@pytest.mark.parametrize(
    "text, said",
    [
        ("paddle.check_shape", "no attribute 'check_shape': PaddlePaddle 2.6 has paddle.check_shape, to_static does not yet"),
        ("nn.Conv2d", "module 'to_static.nn' has no attribute 'Conv2d': did you mean Conv2D?"),
        ("nn.BatchNorm2d", "did you mean BatchNorm2D?"),
        ("nn.Module", "did you mean Layer?"),
        ("nn.ConvTranspose2d", "did you mean Conv2DTranspose?"),
        ("nn.Linaer", "did you mean Linear?"),
        ("nn.relu", "did you mean paddle.nn.functional.relu?"),
        ("F.Conv2D", "did you mean paddle.nn.Conv2D?"),
        ("paddle.Linear", "did you mean paddle.nn.Linear?"),
        ("paddle.cat", "write `paddle.concat([...])`"),
        ("paddle.framework.OpProtoHolder", "PaddlePaddle 2.6 has paddle.framework.OpProtoHolder, to_static does not yet"),
        ("paddle.optimizer.lr.StepLR", "did you mean StepDecay?"),
        ("Optimizer.zero_grad", "'SGD' object has no attribute 'zero_grad': write `clear_grad()`"),
        ("Layer.zero_grad", "'Linear' object has no attribute 'zero_grad': write `clear_gradients()`"),
        ("Layer.wieght", "did you mean weight?"),
        ("Layer.load_state_dict", "write `set_state_dict(state)`"),
        ("LRScheduler.get_last_lr", "write `get_lr()`"),
        ("Tensor.permute", "'Tensor' object has no attribute 'permute': write `x.transpose([...])`"),
        ("Tensor.requires_grad", "write its opposite, `x.stop_gradient`"),
        ("Tensor.clamp", "write `x.clip(min, max)`"),
        ("Tensor.reshpae", "did you mean reshape?"),
        ("Tensor.nothing_like_it", "'Tensor' object has no attribute 'nothing_like_it'"),
        ("paddle._private", "module 'to_static' has no attribute '_private'"),
    ],
)
def test_the_message_says_what_to_write(text, said):
    found = asked(text)
    assert found.endswith(said)


def test_every_name_of_paddle_is_there_or_named():
    for scope, module in modules():
        assert hasattr(module, "__getattr__"), f"{module.__name__} ends with `__getattr__ = names_missing(__name__)`"
        for name in NAMES[scope]:
            if not hasattr(module, name):
                with pytest.raises(AttributeError, match=f"PaddlePaddle 2.6 has paddle.*{re.escape(name)}, to_static does not yet"):
                    getattr(module, name)
    for kind, make in OBJECTS.items():
        value = make()
        for name in NAMES[kind]:
            if name not in dir(value) and not hasattr(value, name):
                with pytest.raises(AttributeError, match=f"PaddlePaddle 2.6 has {kind}.{re.escape(name)}, to_static does not yet"):
                    getattr(value, name)


def test_what_is_advised_is_there():
    for scope, table in framework_aliases.MODULE.items():
        module = importlib.import_module("to_static" if scope == "paddle" else f"to_static.{scope}")
        for advice in table.values():
            if advice.startswith("paddle."):
                eval(re.match(r"[\w.]+", advice)[0], {"paddle": paddle})
            elif re.match(r"\w+(\.\w+)*(\(|$)", advice):
                eval(re.match(r"[\w.]+", advice)[0], {name: getattr(module, name) for name in dir(module)})
    for kind, table in framework_aliases.OBJECT.items():
        value = OBJECTS[kind]()
        for advice in table.values():
            found = re.match(r"(paddle\.[\w.]+)|(?:x\.)?(\w+)\(", advice)
            if found and found[1]:
                eval(found[1], {"paddle": paddle})
            elif found:
                assert hasattr(value, found[2]), advice


@pytest.mark.parametrize(
    "statement, said",
    [
        ("from to_static import check_shape", "cannot import name 'check_shape' from 'to_static': PaddlePaddle 2.6 has "
         "paddle.check_shape, to_static does not yet"),
        ("from to_static.nn import Linear, Conv2d", "cannot import name 'Conv2d' from 'to_static.nn': did you mean Conv2D?"),
        ("from to_static.framework import OpProtoHolder", "PaddlePaddle 2.6 has "
         "paddle.framework.OpProtoHolder, to_static does not yet"),
        ("from to_static.static import nothing_like_it", "cannot import name 'nothing_like_it' from 'to_static.static'"),
    ],
)  # fmt: skip
def test_an_import_raises_an_import_error(statement, said):
    with pytest.raises(ImportError) as caught:
        exec(statement)
    assert str(caught.value).endswith(said) and type(caught.value) is ImportError
    assert caught.value.name.startswith("to_static") and caught.value.path.endswith("__init__.py")


def test_asking_whether_a_name_is_there():
    for value in (paddle, nn, F, *(make() for make in OBJECTS.values())):
        assert not hasattr(value, "nothing_like_it")
        assert getattr(value, "nothing_like_it", 3) == 3
        with pytest.raises(AttributeError):
            value.nothing_like_it
    exec("from to_static.nn import functional, Linear")
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("to_static.check_shape")


def test_the_error_is_an_attribute_error_in_every_way():
    with pytest.raises(AttributeError) as caught:
        nn.Conv2d
    error, text = caught.value, "module 'to_static.nn' has no attribute 'Conv2d': did you mean Conv2D?"
    assert error.args == (text,) and str(error) == text and repr(error) == f"AttributeError({text!r})"
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is AttributeError and str(again) == text
    assert str(type(error)("mine")) == "mine" and str(type(error)()) == ""


def test_names_are_looked_up_for_who_reads_the_message():
    code = (
        "import sys, to_static as p; from to_static import nn\n"
        "def loaded(): return [n for n in sys.modules if n.endswith(('paddle_names', 'framework_aliases'))]\n"
        "x = p.ones([2])\n"
        "assert not hasattr(x, 'nothing') and not hasattr(nn, 'Conv2d') and not hasattr(nn.Linear(1, 1), 'a')\n"
        "assert not loaded()\n"
        "try: nn.Conv2d\n"
        "except AttributeError as e: str(e)\n"
        "assert len(loaded()) == 2"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_static_function_says_the_same():
    @paddle.jit.to_static
    def f(x):
        return x.permute(1, 0)

    with pytest.raises(AttributeError, match=r"has no attribute 'permute': write `x.transpose\(\[\.\.\.\]\)`"):
        f(paddle.ones([2, 3]))
