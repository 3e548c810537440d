"""Members of PaddlePaddle's public classes are there, and methods have its arguments (`record_paddle_members.py`)."""

from __future__ import annotations

import inspect

import pytest
from members import RECORDED, USED_NOT_HERE, home, lacking, not_here
from test_signatures import OTHERS, differences, rows

import to_static as paddle
from tests.interop.package_names import OBJECTS

_MAY_BE_LEFT_OUT = "may be left out, as in other distributions"
SAID_OTHERWISE = {  # methods with other arguments, and why
    **{
        f"distribution.{name}.{method}": _MAY_BE_LEFT_OUT
        for name in ("Bernoulli", "Categorical", "Cauchy", "Gumbel", "Laplace", "Uniform")
        for method in ("sample", "rsample")
    },
    "distributed.fleet.UserDefinedRoleMaker.__init__": "init_gloo is one of the others",
    "static.Variable.place": "a property, as of other tensors",
    "static.Variable.size": "a property, as of other tensors",
    "nn.initializer.Dirac.forward": "the parameter is called `var`, as of other initializers",
    "nn.initializer.Orthogonal.forward": "the parameter is called `var`, as of other initializers",
    "framework.LayerHelper.create_or_get_global_variable": "its arguments are named here",
    "framework.LayerHelper.create_global_variable": "its arguments are named here",
    "callbacks.VisualDL.on_epoch_begin": "Paddle's default is an error when it is called",
    "profiler.Profiler.__init__": "no list where none is given",
    "inference.Config.enable_dlnne": "defaults that nobody can change",
    "inference.Config.enable_mkldnn_int8": "defaults that nobody can change",
    "inference.Config.set_ipu_custom_info": "defaults that nobody can change",
    "inference.Config.set_trt_dynamic_shape_info": "defaults that nobody can change",
}


@pytest.mark.parametrize("key", list(RECORDED))
def test_members_are_there(key):
    assert lacking(key) == not_here(key)


@pytest.mark.parametrize("owner", USED_NOT_HERE)
def test_names_that_packages_use_and_that_are_not_here(owner):
    names = set(dir(eval(OBJECTS[owner], {"paddle": paddle})))  # the table, not a user's text
    assert not names & set(USED_NOT_HERE[owner][0].split())


@pytest.mark.parametrize("key", [key for key, row in RECORDED.items() if row["bases"] and inspect.isclass(home(key))])
def test_classes_derive_from_paddles_bases(key):
    assert {base for base in RECORDED[key]["bases"] if not issubclass(home(key), home(base))} == set()


@pytest.mark.parametrize("key", list(RECORDED))
def test_methods_take_paddles_arguments(key):
    owner, wrong = home(key), []
    for name, expected in {**RECORDED[key]["members"], "__init__": RECORDED[key]["call"]}.items():
        full = f"paddle.{key}" if name == "__init__" else f"paddle.{key}.{name}"
        if expected is None or full in OTHERS or f"{key}.{name}" in SAID_OTHERWISE or not inspect.isclass(owner):
            continue
        if not hasattr(owner, name):
            continue
        found = rows(owner if name == "__init__" else getattr(owner, name))
        static = isinstance(inspect.getattr_static(owner, name), staticmethod)
        if name != "__init__" and inspect.isfunction(getattr(owner, name)) and not static:
            found = found[1:]
        if all(word.startswith("arg") for word, _ in expected):  # of C++, which names none
            found = [(word, value) for (word, _), (_, value) in zip(expected, found, strict=False)] + found[len(expected) :]
        problem = differences(expected, found)
        if problem:
            wrong.append(f"{name}: {problem}\n  Paddle {expected}\n  ours   {found}")
    assert not wrong, "\n".join(wrong)
