"""Names of rooms that are loaded when they are asked for: all are there, files come before Paddle's inner modules."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

ROOMS = ["to_static.nn", "to_static.nn.functional", "to_static.jit", "to_static.static", "to_static.distributed"]


def python(code: str) -> list[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize("room", ROOMS)
def test_every_name_is_there(room):
    module = importlib.import_module(room)
    assert module.__all__ and set(module.__all__) <= set(dir(module))
    for name in module.__all__:
        assert getattr(module, name) is not None
        assert vars(module)[name] is getattr(module, name)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_loads_nothing_of_what_is_in_it(room):
    loaded = python(f"import sys, {room}; print(*sys.modules)")
    assert not [name for name in loaded if name.startswith(room + ".") and name not in ("to_static.nn.functional",)]


def test_files_are_found_by_name_and_come_before_inner_modules_of_paddle():
    told = "F.loss.__file__, F.pool.__name__, type(F.conv).__name__, F.loss.nll_loss is F.nll_loss"
    file, pool, conv, same = python(f"import to_static.nn.functional as F; print({told})")
    assert file.endswith("loss.py") and (pool, conv, same) == ("to_static.nn.functional.pool", "AliasModule", "True")


def test_modules_around_a_name_of_paddles_have_all_names_in_their_dict():
    told = "vars(nn.layer.conv)['Conv2D'].__name__, 'Linear' in vars(nn.layer.common)"
    assert python(f"import to_static.nn as nn; print({told})") == ["Conv2D", "True"]


def test_other_names_are_errors():
    nn = importlib.import_module("to_static.nn")
    with pytest.raises(AttributeError, match="did you mean Linear"):
        nn.Linaer
    with pytest.raises(ImportError, match="did you mean Linear"):
        from to_static.nn import Linaer  # noqa: F401
    with pytest.raises(AttributeError):
        nn._nothing


def test_loading_a_model_loads_no_layers():
    loaded = set(python("import sys, to_static; to_static.jit.load; print(*sys.modules)"))
    assert {"to_static.nn.layer", "to_static.compiler.saved.load"} <= loaded
    assert (
        not {
            "to_static.nn.linear",
            "to_static.nn.functional",
            "to_static.compiler.ops.layers.conv",
            "google.protobuf",
            "json",
        }
        & loaded
    )
