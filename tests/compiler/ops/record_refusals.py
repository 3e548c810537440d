"""Records what real Paddle 2.6.2 raises for calls with wrong arguments, as ``paddle_refusals.json``.

Run with its interpreter: ``python tests/compiler/ops/record_refusals.py``. A call is an expression of `record_paddle_expressions`;
what is recorded is the name of Python's exception and the class that Paddle's text names, ``InvalidArgument`` say, or ''.
"""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
CALLS = """
paddle.ones([2], dtype='float128')
paddle.flatten(T(F(3,4)), 0.0, 1.0)
paddle.flatten([1, 2])
paddle.roll(T(F(3,4)), (-1, 1), '(0, 1)')
paddle.eye(-3)
paddle.eye(3.4)
paddle.eye(3, -1)
paddle.nn.functional.maxout(T(F(1,4,2,2)), 1)
paddle.nn.functional.maxout(T(F(1,4,2,2)), 3)
paddle.nn.functional.pixel_shuffle(T(F(2,9,4,4)), 4)
paddle.nn.functional.softshrink(T(F(3)), -1)
paddle.addmm(T(F(5,5,5,5)), T(F(5,3)), T(F(3,5)))
paddle.argmax(T(F(3,4)), dtype='float32')
paddle.argmin(T(F(3,4)), dtype='float64')
paddle.histogram(T(F(3,4)), bins=4, min=1, max=0)
paddle.histogram(T(F(3,4)), bins=0)
paddle.index_select(T(F(3,4)), T([1.0, 2.0]))
paddle.index_select(T(F(3,4)), T([5]))
paddle.index_select(2, T([1]))
paddle.gather(T(F(3,4)), T([1.0]))
T(np.array(['inf']))
T('inf')
paddle.linspace(0, 1, 0)
paddle.masked_select(T(F(3,4)), T([[1, 0, 1, 1]]))
paddle.masked_select([1.0], T([True]))
paddle.masked_select(T(F(3)), [True, False, True])
paddle.randint(100, 10, [2])
paddle.reshape(T(F(3,4)), [-2, 2])
paddle.reshape(T(F(3,4)), [-2, -6])
paddle.reshape(T(F(3,4)), [-1, -1])
paddle.expand(T(F(1)), [-2, 1])
paddle.nn.functional.dropout(T(F(3)), 1.5)
paddle.nn.functional.dropout(T(F(3)), 'a')
paddle.optimizer.lr.LinearWarmup(0.1, 0, 0.0, 0.1)
paddle.nn.ClipGradByValue(-1.0)
paddle.multiplex([T(F(3,4)), T(F(3,4))], T([[1], [0], [1], [1]], 'int32'))
paddle.topk(T(F(3,4)), 9)
paddle.kthvalue(T(F(3,4)), 9)
paddle.split(T(F(3,4)), 5)
paddle.concat([T(F(3,4)), T(F(2,2))])
paddle.stack([T(F(3,4)), T(F(2,2))])
paddle.squeeze(T(F(3,4)), [5])
paddle.tile(T(F(3,4)), [-1, 2])
paddle.nn.functional.one_hot(T([7]), 5)
""".strip().splitlines()


def main() -> None:
    """Record them."""
    os.environ["FLAGS_call_stack_level"] = "0"
    sys.path.insert(0, str(HERE.parent.parent))
    import paddle

    from tests.compiler.ops.record_paddle_expressions import namespace

    found = {}
    for call in CALLS:
        try:
            eval(call, namespace(paddle))
        except Exception as error:
            named = re.search(r"\((InvalidArgument|NotFound|OutOfRange)\)", str(error))
            kind = next(base for base in type(error).__mro__ if base.__module__ == "builtins")
            found[call] = [kind.__name__, named.group(1) if named else ""]
        else:
            raise SystemExit(f"Paddle takes {call}")
    (HERE / "paddle_refusals.json").write_text(json.dumps(found).replace("\"], ", "\"],\n") + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
