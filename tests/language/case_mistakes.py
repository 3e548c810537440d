"""Mistakes"""

import itertools
import json
import os
import random
import re
import sys
import threading

import numpy as np
from language_table import BOTH, COUNTS, POS, T, case, refused, scenario

import to_static as paddle
import to_static.nn.functional as F
from to_static import nn
from to_static.core.errors import SeveralValuesError, TracedValueError, TranslationError

ROWS = T([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
N = T(3, "int64")


@case("attributes that tensors have, of a list made in a loop", *COUNTS)
def shape_of_list(n):
    out = []
    for i in range(n):
        out.append(n + i)
    return out.shape


@case("methods that tensors have, of a list made in a loop", *COUNTS)
def method_of_list(n):
    out = []
    for i in range(n):
        out.append(n + i)
    return out.mean()


@case("a list made in a loop at a place that is no integer", *COUNTS)
def place_of_list(n):
    out = []
    for i in range(n + 1):
        out.append(i)
    return out[0.5]


@case("`insert` at a place that is no integer", *COUNTS)
def insert_at_float(n):
    out = []
    for i in range(n + 1):
        out.append(i)
    out.insert(0.5, 7)
    return out


@case("a number of the Program is called", *COUNTS)
def called_number(n):
    return int(n)(print("first"))


@case("what is wrong for every value that a variable may have", (POS,), (-POS,))
def wrong_for_all(x):
    name = "abc" if x.sum() > 0 else "defg"
    return {"x": 1}[name]


@case("`sys.exit()` under a tensor condition", *BOTH)
def exits_not_here(x):
    if x.sum() > 100:
        sys.exit("too large")
    return x


@scenario("`sys.exit()`, `exit()` and `KeyboardInterrupt` that tensors decide, with `finally`")
def exits(to_static):
    seen = []

    @to_static
    def stop(x):
        try:
            if x.sum() > 0:
                sys.exit(3)
        finally:
            print("bye")
        return x

    @to_static
    def end(x):
        if x.sum() > 0:
            exit(4)
        return x

    @to_static
    def interrupt(x):
        if x.sum() > 0:
            raise KeyboardInterrupt("now")
        return x

    for function in (stop, end, interrupt):
        for x in (-POS, POS, -POS, POS):
            try:
                seen.append(function(x))
            except BaseException as error:
                seen.append((type(error), error.args))
    return seen


@refused("`sys.exit()` that an `except` would catch", *BOTH, error=TranslationError)
def exit_caught(x):
    try:
        if x.sum() < 0:
            sys.exit(3)
    except SystemExit as error:
        return x * error.code
    return x


@refused("operands of several elements", ROWS, error=SeveralValuesError)
def several_and(x):
    if x > 0 and x < 5:
        return x
    return -x


@refused("one operand of several elements, of a condition with a statement on its line", ROWS, error=SeveralValuesError)
def several_behind(x):
    if x.sum() < 5 and x: x = x + 1  # noqa: E701
    return x


@refused("a loop on several elements", ROWS, error=SeveralValuesError)
def several_loop(x):
    while x or x.sum() < 3:
        x = x + 1
    return x


@refused("a ternary on one operand of several elements", ROWS, error=SeveralValuesError)
def several_ternary(x):
    return x if (x.max() < 5 and x) else -x


@refused("a filter on one operand of several elements", ROWS, error=SeveralValuesError)
def several_filter_operand(x):
    return [r for r in x if x and r.sum() > 0]


@refused("a list in a list, on a line of several statements", ROWS)
def several_statements(x):
    lists, sums, flags = [], [], []
    for i in range(2):
        if x[i].sum() > 0:
            lists.append([i]); sums.append(x[i].sum()); flags.append(i in (0, 1))  # noqa: E702
    return lists, sums, flags


@refused("a chained comparison of several elements", ROWS, error=ValueError)
def several_chained(x):
    return x if 0 < x < 9 else -x


@refused("`not` of several elements", ROWS, error=SeveralValuesError)
def several_not(x):
    return not x


@refused("the condition of a comprehension, of several elements", ROWS, error=SeveralValuesError)
def several_filtered(x):
    return [row for row in x if row > 2]


@refused("a condition of several elements on which nothing depends", ROWS, error=SeveralValuesError)
def several_unused(x):
    for _ in range(3):
        if x > 0:
            continue
    return x


@refused("`max` of tensors of several elements", ROWS, error=ValueError)
def several_max(x):
    return max(x[0], x[1])


@refused("a number of dimensions that a tensor decides", (ROWS, N), error=TracedValueError)
def rank_from_tensor(x, n):
    return x.reshape([1] * int(n) + [-1])


@refused("a list made in a loop where a tensor is needed", (ROWS, N), error=TracedValueError)
def list_for_tensor(x, n):
    out = []
    for _ in range(n):
        out.append(x)
    return F.relu(out)


@refused("`stack` of tensors unlike each other", (ROWS, N))
def stack_unlike(x, n):
    out = [x[0]]
    for _ in range(n):
        out.append(x)
    return paddle.stack(out)


@refused("a function of NumPy that paddle has, too", ROWS, error=TracedValueError)
def numpy_where(x):
    return np.where(x > 2)


@refused("sizes for a function of NumPy", N, error=TracedValueError)
def numpy_zeros(n):
    return np.zeros(int(n))


@refused("a tensor as a number of NumPy", POS, error=TracedValueError)
def numpy_number(x):
    return np.float32(x.sum())


@case("`json.dumps` of a number of the Program", POS)
def json_text(x):
    return json.dumps({"mean": float(x.mean())})


@case("a regular expression on a string with a tensor in it", POS)
def matched_text(x):
    return re.match(r"\d", str(float(x[0])))


@refused("a builtin function that needs the number", N, error=TracedValueError)
def hexadecimal(n):
    return hex(int(n))


@refused("Python's random numbers below one of the Program", N)
def random_below(n):
    return random.randint(0, int(n))


@case("library code that hides why it fails", N)
def hidden_reason(n):
    return list(itertools.islice(itertools.count(), int(n)))


@refused("a string with a tensor in it, as a condition", POS, error=TracedValueError)
def name_compared(x):
    name = f"layer{int(x[0])}"
    if name == "layer1":
        return x
    return -x


@refused("a string with a tensor in it, as a key", (POS, N))
def name_as_key(x, n):
    d = {}
    for i in range(n):
        d[f"k{i}"] = x
    return d


@refused("a tuple built of tuples in a tensor loop", (POS, N))
def tuple_of_tuples(x, n):
    out = x
    for _ in range(n):
        out = (out, x)
    return out


class Node:
    def __init__(self, value, following):
        self.value, self.following = value, following


@refused("objects linked in a tensor loop", (POS, N))
def linked(x, n):
    head = None
    for i in range(n):
        head = Node(x * i, head)
    return head.value


@refused("a function made of itself in a tensor loop", (POS, N))
def function_of_function(x, n):
    f = F.relu
    for _ in range(n):
        f = (lambda g: lambda t: g(t) + 1)(f)
    return f(x)


@case("functions made in a tensor loop and put into a list", (POS, N))
def functions_made(x, n):
    steps = []
    for i in range(n):
        steps.append(lambda t, k=i: t * k)
    for step in steps:
        x = step(x)
    return x


@case("Layers made in a tensor loop", (POS, N))
def layers_made(x, n):
    for layer in [nn.Linear(2, 2) for _ in range(int(n))]:
        x = layer(x)
    return x


@refused("a function that acts on files or processes", POS, error=TranslationError)
def directory_made(x):
    if x.sum() > 100:
        os.makedirs("made")
    return x


@refused("`input()`", POS, error=TranslationError)
def asked(x):
    return x * float(input("how many? "))


@refused("a tensor in another thread", POS, error=TracedValueError)
def in_thread(x):
    found = []
    thread = threading.Thread(target=lambda: found.append(x * 2))
    hook, threading.excepthook = threading.excepthook, lambda args: None
    thread.start()
    thread.join()
    threading.excepthook = hook
    return found


@refused("`return` in `finally`", POS, error=TranslationError)
def return_in_finally(x):
    try:
        return x * 2
    finally:
        return x


@case("a variable that one branch deletes", *BOTH)
def deleted_in_branch(x):
    y = x * 2
    if x.sum() > 0:
        del y
    return y


@case("a name that one branch imports", *BOTH)
def imported_in_branch(x):
    if x.sum() > 0:
        from math import pi
    return x * pi
