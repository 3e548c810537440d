"""Side effects"""

import logging

from language_table import BOTH, COUNTS, POS, T, case, refused

import to_static as paddle
from to_static.core.errors import ToStaticError, TracedValueError


@case("`print` of tensors, at every run", *BOTH)
def printing(x):
    print("x:", x.sum(), "and", x, sep=" | ", end="!\n")
    print()
    return x


@case("`print` in branches and loops", *COUNTS)
def printing_loop(n):
    for i in range(n):
        print("trip", i)
        if i > 1:
            print("late", n - i)
    print("end", n)
    return n


@case("`print` of an f-string", *BOTH)
def printing_fstring(x):
    print(f"sum {x.sum()} of {len(x)} {{braces}} {3.14159:.2f} {'s'!r}")
    print("sum " + str(x.sum()))
    print("%d items" % 3, "a{}".format(1))
    return x


@case("`print` of a formatted number of the Program", *BOTH)
def printing_number(x):
    print(f"loss={x.sum().item():.3f} n={int(x[0]):03d} {float(x[1]):>8.2f}|")
    return x


@case("`print` of tensors inside containers", *BOTH)
def printing_container(x):
    print([x.sum(), 1], {"a": x})
    return x


@case("an f-string that is returned", *BOTH)
def fstring_value(x):
    name = f"value {x.sum()}"
    return name + "!", str(x), f"{x.mean().item():.2f}", [f"{x[0].item()!r:>9}"]


@refused("a string with a tensor in it, looked up", POS, error=TracedValueError, says=("returned",))
def str_value(x):
    return {}.get(str(x.sum()))


@refused("`%` and `format` with a tensor", POS, error=ToStaticError, says=("print",))
def percent(x):
    return "%s" % x.sum()


@case("`assert` keeps its message", *BOTH)
def assertion(x):
    assert x.sum() > 0, "must be positive"
    assert x.shape[0] == 2
    return x


@case("`assert` with a computed message", *BOTH)
def assertion_message(x):
    assert x.sum() > 0, f"must be positive, limit {1 + 1}, is {x.sum().item()}"
    return x


@case("`logging` of Python values", POS)
def logs(x):
    logging.getLogger("net").info("tracing %s", x.shape)
    return x


@case("random tensors are drawn at every run", POS)
def randomness(x):
    return x + paddle.rand([2]), paddle.randn([2])


@case("an error of an operator keeps its type", (T([[1.0, 2.0]]), T([[1.0, 2.0]])))
def operator_error(x, y):
    return paddle.matmul(x, y)
