"""What a first call costs grows with the text of the function, not faster. Calls of functions are counted, not time."""

from __future__ import annotations

import importlib.util
import sys

import pytest

import to_static as paddle

START = "import to_static as paddle\ndef f(x):\n"
EARLY = "    if x.sum() > {i}.5:\n        return x + {i}\n"
NEXT = "        if x.sum() > {i}.5:\n            continue\n        x = x + {i}\n"
TESTED = "    if x.sum() > {i}.5:\n        x = x + {i}\n"
SHAPES = {
    "early returns": (START, EARLY, "    return x\n"),
    "continue in a for": (START + "    for i in range(2):\n", NEXT, "    return x\n"),
    "continue in a while": (START + "    i = paddle.zeros([1])\n    while i < 3:\n        i = i + 1\n", NEXT, "    return x\n"),
    "branches": (START, TESTED, "    return x\n"),
    "lines": (START, "    x = paddle.tanh(x) + {i}\n", "    return x\n"),
}


def calls_of_first_call(folder, shape, count, gradient=False):
    """How many calls (and turns of generators) of Python functions the first call of such a function makes."""
    start, each, end = SHAPES[shape]
    path = folder / f"made_{count}.py"
    path.write_text(start + "".join(each.format(i=i) for i in range(count)) + end)
    spec = importlib.util.spec_from_file_location(f"made_{count}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    function, x, calls = paddle.jit.to_static(module.f, full_graph=True), paddle.zeros([3]), [0]
    x.stop_gradient = not gradient

    def counted(frame, event, arg):
        if event == "call":
            calls[0] += 1

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        function(x)
    finally:
        sys.setprofile(before)
        del sys.modules[spec.name]
    return calls[0]


@pytest.mark.parametrize("shape", SHAPES)
def test_twice_as_much_text_costs_about_twice_as_much(tmp_path, shape):
    calls_of_first_call(tmp_path, shape, 2)  # what is imported
    first, second, third = (calls_of_first_call(tmp_path, shape, count) for count in (10, 20, 40))
    assert third - second < 2.5 * (second - first)  # linear: 2; each level going through all below it: 4 and more


@pytest.mark.parametrize("shape", ["early returns", "continue in a while"])
def test_with_gradients_it_grows_little_faster(tmp_path, shape):
    """What a branch has saved passes through those around it, so each level costs a little for each below it."""
    calls_of_first_call(tmp_path, shape, 2, gradient=True)
    first, second, third = (calls_of_first_call(tmp_path, shape, count, gradient=True) for count in (8, 16, 32))
    assert third - second < 3 * (second - first)
