"""Which condition an error names, and what it says to write."""

import sys

import pytest

import to_static as paddle

pytestmark = pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 knows no columns: the whole statement is named")
PAIR = paddle.to_tensor([1.0, 2.0])


def test_the_test_of_a_conditional_expression_is_named():
    f = paddle.jit.to_static(lambda x: (x if x > 3 else 0) if x > 0 else -x)
    with pytest.raises(Exception, match=r"one element, `x > 0` is bool\[2\](.|\n)*`\(x > 0\)\.all\(\)` or `\(x > 0\)\.any\(\)`"):
        f(PAIR)


@pytest.mark.parametrize(
    ("function", "ways"),
    [
        (lambda x, on: x if on and x > 0 else -x, "`on and (x > 0).all()` or `on and (x > 0).any()`"),
        (lambda x, on: x if x and on else -x, "`x.all() and on.all()` or `x.any() and on.any()`"),
        (lambda x, on: x if not on or not x else -x, "`not on.all() or not x.all()`"),
        (lambda x, on: [v for v in [x] if v + 1], "`(v + 1).all()` or `(v + 1).any()`"),
        (lambda x, on: sorted([x, x]), "`sorted(items, key=lambda v: v.sum())`"),
        (lambda x, on: any([x, x]), "`x.all()` or `x.any()`"),
    ],
)
def test_the_rewrite_has_one_truth_for_each_operand(function, ways):
    with pytest.raises(ValueError, match="must have one element") as error:
        paddle.jit.to_static(function)(PAIR, True)
    assert ways in str(error.value)


def test_the_lines_that_assign_a_variable_are_told():
    def outer(x):
        def inner():
            return later

        if x.sum() < 0:
            later = x
        return inner()

    with pytest.raises(UnboundLocalError, match="'later' is used before it has a value: nothing on the path taken assigns it"):
        paddle.jit.to_static(outer)(PAIR)
