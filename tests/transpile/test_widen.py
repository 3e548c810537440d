"""Functions in files that `convert` wrote, with library code called by way of `_jst.call`."""

import importlib.util
import sys

import pytest

import to_static as paddle
from to_static.transpile import transpile_module, widened

SOURCE = '''
import to_static as paddle
import to_static.nn.functional as F
from to_static import to_static


@to_static
def deep(x, n: "a number" = 1, *, scale=2.0):
    """A function that calls itself."""
    bias = None
    if x.sum() > 0:
        bias = x[0]
    y = F.linear(x, paddle.ones([2, 2]), bias) * scale
    return y if n == 0 else deep(y - 1, n - 1, scale=scale)
'''


def loaded(text, name, folder):
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.filterwarnings("ignore:.*a graph break:UserWarning")
def test_a_printed_function_that_calls_itself_and_has_no_program(tmp_path, graph_breaks):
    printed = loaded(transpile_module(SOURCE, "source.py"), "printed_widen", tmp_path)
    dynamic = loaded(SOURCE.replace("@to_static\n", ""), "dynamic_widen", tmp_path)
    for value in (1.0, -1.0):
        x = paddle.full([2, 2], value)
        assert printed.deep(x, 2).tolist() == dynamic.deep(x, 2).tolist()


def test_it_is_the_function_in_all_but_its_code(tmp_path):
    old = loaded(transpile_module(SOURCE, "source.py"), "printed_again", tmp_path).deep.dygraph_function
    new = widened(old, wide=True)
    assert new.__code__ is not old.__code__ and "call" in new.__code__.co_names
    for name in ("__name__", "__qualname__", "__module__", "__doc__", "__annotations__", "__defaults__", "__kwdefaults__"):
        assert getattr(new, name) == getattr(old, name), name
