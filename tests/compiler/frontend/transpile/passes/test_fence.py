"""What has no translation is refused before it runs, with file, line, source frame and a rewrite."""

import copy

import pytest

from to_static.compiler.frontend.transpile import transpile_module
from to_static.core.errors import TranslationError

REFUSED = {
    "a generator": "def f(x):\n    yield x",
    "async": "async def f(x):\n    return x",
    "await": "async def f(x):\n    await x",
    "walrus beside an item": "def f(x, d):\n    d[0] += x and (y := x)",
    "walrus in a default": "def f(x):\n    def g(a=x and (y := x)):\n        return a\n    return g",
    "walrus in a lambda in a comprehension": "def f(xs):\n    return [lambda: x and (y := x) for x in xs]",
    "locals()": "def f(x):\n    return locals()",
    "eval": "def f(x):\n    if x:\n        y = x\n    return eval('y', {})",
    "a mapping pattern": "def f(x):\n    match x:\n        case {'a': y}:\n            return y",
    "return in finally": "def f(x):\n    try:\n        x()\n    finally:\n        return 1",
    "closure and a named function": "def f(x):\n    def k(): pass\n    g = lambda: k\n    if x > 0:\n        k = 2\n    return g()",
    "assignments into a call": "def f(x):\n    if x > 0:\n        make(x).y, z = 1, 2",
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED.keys())
def test_refused(text):
    with pytest.raises(TranslationError) as caught:
        transpile_module(text + "\n", "net.py", "f")
    message = str(caught.value)
    line = caught.value.lineno
    assert caught.value.filename == "net.py"
    assert 'File "net.py", line' in message and "rewrite:" in message
    assert 1 <= line <= len(text.splitlines())


def test_the_message_shows_the_source():
    text = "def f(x):\n    for i in x:\n        y = locals()\n"
    with pytest.raises(TranslationError) as caught:
        transpile_module(text, "net.py", "f")
    assert caught.value.lineno == 3
    assert "`locals()`" in str(caught.value)


ACCEPTED = {  # each is called with a number, a negative one, or with a list of numbers where it says `xs`
    "closure and condition": "def f(x):\n    y = 1\n    def g():\n        return y\n    if x > 0:\n        y = 2\n    return g()",
    "closures kept in a loop": "def f(xs):\n    fs = []\n    for x in xs:\n        fs.append(lambda: x)\n    return fs",
    "walrus in a plain place": "def f(x):\n    if (y := x + 1) > 0:\n        return y\n    return x",
    "del at the top": "def f(x):\n    y = x\n    del y\n    return x",
    "closure made after the condition": "def f(x):\n    if x > 0:\n        y = 1\n    else:\n        y = 2\n    return lambda: y",
    "lambda run at once in a loop": "def f(xs):\n    for x in xs:\n        xs = sorted(xs, key=lambda v: v * x)\n    return xs",
    "nested generator": "def f(xs):\n    def g():\n        for x in xs:\n            yield x\n    return list(g())",
    "global only read": "def f(x):\n    if x > 0:\n        return g\n    return x",
}


def called(text, argument):
    """What `f` of a text gives for an argument; of functions what they give."""
    space = {"g": "the global"}
    exec(compile(text, "net.py", "exec"), space)
    result = space["f"](argument)
    results = result if isinstance(result, list) else [result]
    return [r() if callable(r) else r for r in results], argument


@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_accepted(text):
    translated = transpile_module(text + "\n", "net.py", "f")
    assert translated != text
    for argument in ([3, 1, 2], []) if "f(xs)" in text else (2, -2):
        assert called(translated, copy.copy(argument)) == called(text, copy.copy(argument))
