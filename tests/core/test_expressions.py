"""Which expression an error names."""

import sys

import pytest

import to_static as paddle


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 knows no columns: the whole statement is named")
def test_the_test_of_a_conditional_expression_is_named():
    f = paddle.jit.to_static(lambda x: (x if x > 3 else 0) if x > 0 else -x)
    with pytest.raises(Exception, match=r"one element, `x > 0` is bool\[2\](.|\n)*`\(x > 0\)\.all\(\)` or `\(x > 0\)\.any\(\)`"):
        f(paddle.to_tensor([1.0, 2.0]))
