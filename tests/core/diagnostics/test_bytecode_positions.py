import ast
import inspect
import sys
import textwrap

import pytest

from to_static.core.diagnostics.bytecode_positions import running

pytestmark = pytest.mark.skipif(sys.version_info >= (3, 11), reason="later versions of Python tell the columns themselves")

seen = []


class Asks:
    """Notes what its caller is evaluating whenever it is used."""

    def __call__(self, *args):
        return note(sys._getframe(1))

    def __add__(self, other):
        return note(sys._getframe(1))

    def __getitem__(self, key):
        return note(sys._getframe(1))

    def __lt__(self, other):
        return note(sys._getframe(1))

    @property
    def size(self):
        return note(sys._getframe(1))


def note(frame):
    tree = ast.parse(textwrap.dedent(inspect.getsource(frame.f_code)))
    ast.increment_lineno(tree, frame.f_code.co_firstlineno - 1)
    seen.append([ast.unparse(node) for node in running(tree, frame)])
    return ask


ask = Asks()


def program(a, items):
    first = a(items, a(1), len(items), a(2)(3))
    second = {a.size: a[0]}, [a(v) for v in items], (a + items) + 4, a < a(5)
    a.size(lambda: a(6)).size
    if a(7)[8]:
        items[a(9)] = a[10]
    return a(
        first,
        a(second),
    )


def test_the_expression_that_runs():
    del seen[:]
    program(ask, {})
    assert seen == [
        ["a(1)"], ["a(2)"], ["a(2)(3)"], ["a(items, a(1), len(items), a(2)(3))"],
        ["a.size"], ["a[0]"], ["a + items"], ["a + items + 4"], ["a(5)"], ["a < a(5)"],
        ["a.size"], ["a.size(lambda : a(6))"], ["a.size(lambda : a(6)).size"],
        ["a(7)"], ["a(7)[8]"], ["a[10]"], ["a(9)"], ["a(second)"], ["a(first, a(second))"],
    ]  # fmt: skip
