"""Programs of files in shapes that grow with a number: each function gives the message for ``n``, and its values by name."""

from __future__ import annotations

import numpy as np

from to_static.compiler.formats.paddle.messages.desc import attr_message, var_message
from to_static.compiler.formats.paddle.messages.schema import VAR_TYPE, new
from to_static.compiler.formats.paddle.weights.params_writer import write_params
from to_static.compiler.ir.spec import TensorSpec
from to_static.core.dtypes import as_dtype

SHAPES = {}


def shape(function):
    SHAPES[function.__name__] = function
    return function


def var(name, dims=(2, 3), persistable=False, dtype="float32"):
    return var_message(name, TensorSpec(tuple(dims), as_dtype(dtype)), persistable)


def special(name, kind):
    return new("VarDesc", name=name, type=new("VarType", type=VAR_TYPE[kind]))


def op(kind, inputs, outputs, **attrs):
    slots = [[new("Var", parameter=slot, arguments=names) for slot, names in side.items()] for side in (inputs, outputs)]
    messages = [attr_message(name, *value) for name, value in attrs.items()]
    return new("OpDesc", type=kind, inputs=slots[0], outputs=slots[1], attrs=messages)


def unary(kind, x, out):
    return op(kind, {"X": [x]}, {"Out": [out]})


def scaled(x, out, by):
    return op("scale", {"X": [x]}, {"Out": [out]}, scale=("float", by), bias=("float", 0.5), bias_after_scale=("bool", True))


def filled(out, value):
    return op("fill_constant", {}, {"Out": [out]}, shape=("longs", [1]), dtype=("int", 5), value=("float", value))


def block(variables, ops, index=0, parent=-1):
    return new("BlockDesc", idx=index, parent_idx=parent, vars=variables, ops=ops)


def program(variables, ops, result, *blocks):
    """The message of a program of the input ``x``; ``ops`` between its feed and its fetch."""
    feed = op("feed", {"X": ["feed"]}, {"Out": ["x"]}, col=("int", 0))
    fetch = op("fetch", {"X": [result]}, {"Out": ["fetch"]}, col=("int", 0))
    holders = [special("feed", "FEED_MINIBATCH"), special("fetch", "FETCH_LIST")]
    root = block([*holders, *variables], [feed, *ops, fetch])
    return new("ProgramDesc", blocks=[root, *blocks], version=new("Version", version=0))


def feed_fetch(fed, fetched):
    """``y = relu(x)`` with these names and columns of inputs and outputs."""
    feeds = [op("feed", {"X": ["feed"]}, {"Out": [name]}, col=("int", column)) for name, column in fed]
    fetches = [op("fetch", {"X": [name]}, {"Out": ["fetch"]}, col=("int", column)) for name, column in fetched]
    holders = [special("feed", "FEED_MINIBATCH"), special("fetch", "FETCH_LIST")]
    root = block([*holders, var("x"), var("y")], [*feeds, unary("relu", "x", "y"), *fetches])
    return new("ProgramDesc", blocks=[root], version=new("Version", version=0))


def write(message, prefix, values=None):
    """Write a model's files."""
    with open(f"{prefix}.pdmodel", "wb") as file:
        file.write(message.SerializeToString())
    write_params(f"{prefix}.pdiparams", [values[name] for name in sorted(values or {})])


def names(n, letter="v"):
    return [f"{letter}{i:06}" for i in range(n)]


@shape
def chain(n):
    v = names(n)
    ops = [unary("tanh" if i % 2 else "sin", v[i - 1] if i else "x", v[i]) for i in range(n)]
    return program([var("x"), *map(var, v)], ops, v[-1]), {}


@shape
def fan_out_and_in(n):
    v = names(n)
    ops = [scaled("x", v[i], 1.0 + i) for i in range(n)] + [op("sum", {"X": v}, {"Out": ["s"]})]
    return program([var("x"), var("s"), *map(var, v)], ops, "s"), {}


@shape
def many_inputs(n):
    return program([var("x"), var("s", (2 * n, 3))], [op("concat", {"X": ["x"] * n}, {"Out": ["s"]}, axis=("int", 0))], "s"), {}


@shape
def all_needed_at_the_end(n):
    v, w = names(n), names(n, "w")
    ops = [unary("tanh" if i % 2 else "sin", v[i - 1] if i else "x", v[i]) for i in range(n)]
    both = [({"X": [w[i - 1] if i else "x"], "Y": [v[-1 - i]]}, w[i]) for i in range(n)]
    ops += [op("elementwise_mul", inputs, {"Out": [out]}, axis=("int", -1)) for inputs, out in both]
    return program([var("x"), *map(var, v + w)], ops, w[-1]), {}


@shape
def parameters(n):
    v, w = names(n), names(n, "w")
    ops = [op("elementwise_add", {"X": [v[i - 1] if i else "x"], "Y": [w[i]]}, {"Out": [v[i]]}, axis=("int", -1)) for i in range(n)]
    kept = [var(name, persistable=True) for name in w]
    return program([var("x"), *map(var, v), *kept], ops, v[-1]), {name: np.ones((2, 3), "float32") for name in w}


@shape
def state(n):
    w = names(n, "w")
    ops = [op("elementwise_add", {"X": [name], "Y": ["x"]}, {"Out": [name]}, axis=("int", -1)) for name in w]
    return program([var("x"), *(var(name, persistable=True) for name in w)], ops, "x"), dict.fromkeys(w, np.ones((2, 3), "float32"))


@shape
def unused(n):
    v = names(n)
    ops = [unary("sin", v[i - 1] if i else "x", v[i]) for i in range(n)]
    return program([var("x"), *map(var, v), var("y")], [*ops, unary("relu", "x", "y")], "y"), {}


@shape
def attributes(n):
    ops = [op("relu", {"X": ["x"]}, {"Out": ["y"]}, **{name: ("ints", [1, 2, 3]) for name in names(n, "a")})]
    return program([var("x"), var("y"), *map(var, names(n))], ops, "y"), {}


@shape
def softmaxes(n):  # each has memory of its own
    v = names(n)
    ops = [op("softmax", {"X": [v[i - 1] if i else "x"]}, {"Out": [v[i]]}, axis=("int", -1)) for i in range(n)]
    return program([var("x"), *map(var, v)], ops, v[-1]), {}


@shape
def poolings(n):
    dims, v, w, k = (1, 2, 4, 4), names(n), names(n, "w"), names(n, "k")
    settings = {
        "pooling_type": ("str", "max"), "ksize": ("ints", [3, 3]), "strides": ("ints", [1, 1]), "paddings": ("ints", [1, 1]),
        "global_pooling": ("bool", False), "adaptive": ("bool", False), "ceil_mode": ("bool", False), "exclusive": ("bool", True),
        "data_format": ("str", "NCHW"), "padding_algorithm": ("str", "EXPLICIT"),
    }  # fmt: skip
    ops = []
    for i in range(n):
        ops.append(op("elementwise_add", {"X": [v[i - 1] if i else "x"], "Y": [k[i]]}, {"Out": [w[i]]}, axis=("int", -1)))
        ops.append(op("pool2d", {"X": [w[i]]}, {"Out": [v[i]]}, **settings))
    variables = [var(name, dims) for name in ("x", *v, *w)] + [var(name, (1, 2, 1, 1), True) for name in k]
    return program(variables, ops, v[-1]), {name: np.ones((1, 2, 1, 1), "float32") for name in k}


def _condition():
    whole = {"dim": ("ints", [0]), "keep_dim": ("bool", False), "reduce_all": ("bool", True)}
    ops = [op("reduce_sum", {"X": ["x"]}, {"Out": ["s"]}, **whole)]
    ops.append(op("cast", {"X": ["s"]}, {"Out": ["c"]}, in_dtype=("int", 5), out_dtype=("int", 0)))
    return [var("x"), var("s", ()), var("c", (), dtype="bool")], ops


def _branches(i, x, out, other):
    """``out = cond(c, sin(x), other(x))``: variables, ops and blocks."""
    t, f, no, number = f"t{i}", f"f{i}", f"n{i}", f"k{i}"
    scopes = [special(f"sc{i}", "STEP_SCOPES"), special(f"sd{i}", "STEP_SCOPES")]
    scalar = {"is_scalar_condition": ("bool", True)}
    yes, other_way = {"Out": [t], "Scope": [f"sc{i}"]}, {"Out": [f], "Scope": [f"sd{i}"]}
    ops = [
        op("conditional_block", {"Cond": ["c"], "Input": [x]}, yes, sub_block=("block", 2 * i + 1), **scalar),
        op("logical_not", {"X": ["c"]}, {"Out": [no]}),
        op("conditional_block", {"Cond": [no], "Input": [x]}, other_way, sub_block=("block", 2 * i + 2), **scalar),
        op("cast", {"X": ["c"]}, {"Out": [number]}, in_dtype=("int", 0), out_dtype=("int", 2)),
        op("select_input", {"X": [f, t], "Mask": [number]}, {"Out": [out]}),
    ]  # fmt: skip
    variables = [var(t), var(f), *scopes, var(no, (), dtype="bool"), var(number, (), dtype="int32"), var(out)]
    blocks = [block([], [unary("sin", x, t)], 2 * i + 1, 0), block([], [unary(other, x, f)], 2 * i + 2, 0)]
    return variables, ops, blocks


def _branches_in_a_row(n, other):
    v = names(n)
    variables, ops = _condition()
    blocks = []
    for i in range(n):
        more = _branches(i, v[i - 1] if i else "x", v[i], other)
        variables, ops, blocks = variables + more[0], ops + more[1], blocks + more[2]
    return program(variables, ops, v[-1], *blocks), {}


@shape
def branches(n):
    return _branches_in_a_row(n, "cos")


@shape
def branches_that_pass_on(n):
    return _branches_in_a_row(n, "assign")


def _loop(index, carried, body, variables=()):
    """A ``while`` over the block ``index``, which does ``body`` twice: ops and the block."""
    counted = [op("increment", {"X": ["i"]}, {"Out": ["i"]}, step=("float", 1.0)), _less()]
    names_of = [*carried, "i"]
    outs = {"Out": names_of, "StepScopes": ["scopes"]}
    ops = [filled("i", 0.0), _less(), op("while", {"X": names_of, "Condition": ["c"]}, outs, sub_block=("block", index))]
    return ops, block(list(variables), [*body, *counted], index, 0)


def _less():
    return op("less_than", {"X": ["i"], "Y": ["two"]}, {"Out": ["c"]}, axis=("int", -1))


def _counters():
    return [var("x"), var("i", (1,)), var("two", (1,)), var("c", (1,), dtype="bool"), special("scopes", "STEP_SCOPES")]


@shape
def loops(n):
    parts = [_loop(i + 1, ["x"], [unary("sin", "x", "x")]) for i in range(n)]
    return program(_counters(), [filled("two", 2.0), *(o for ops, _ in parts for o in ops)], "x", *(b for _, b in parts)), {}


@shape
def a_long_loop(n):
    v = names(n)
    body = [unary("tanh" if i % 2 else "sin", v[i - 1] if i else "x", v[i]) for i in range(n)]
    ops, inner = _loop(1, ["x"], [*body, op("assign", {"X": [v[-1]]}, {"Out": ["x"]})], map(var, v))
    return program(_counters(), [filled("two", 2.0), *ops], "x", inner), {}


@shape
def a_loop_of_many_variables(n):
    v = names(n)
    start = [scaled("x", v[i], 1.0 + i) for i in range(n)]
    ops, inner = _loop(1, v, [unary("sin", name, name) for name in v])
    end = op("sum", {"X": v}, {"Out": ["s"]})
    return program([*_counters(), *map(var, v), var("s")], [filled("two", 2.0), *start, *ops, end], "s", inner), {}


@shape
def a_loop_that_repeats_itself(n):
    v, w = names(n), names(n, "w")
    same = [scaled("y", v[i], 1.5 + i) for i in range(n)]
    terms = zip(["x", *w], v, w, strict=False)
    sums = [op("elementwise_add", {"X": [x], "Y": [y]}, {"Out": [out]}, axis=("int", -1)) for x, y, out in terms]
    ops, inner = _loop(1, ["x"], [*same, *sums, op("assign", {"X": [w[-1]]}, {"Out": ["x"]})], map(var, v + w))
    return program([*_counters(), var("y")], [filled("two", 2.0), scaled("x", "y", 2.0), *ops], "x", inner), {}


@shape
def a_delay_line(n):
    v = names(n)
    start = [scaled("x", v[i], 1.0 + i) for i in range(n)]
    shift = [op("assign", {"X": [v[i + 1]]}, {"Out": [v[i]]}) for i in range(n - 1)]
    ops, inner = _loop(1, v, [*shift, unary("sin", v[-1], v[-1])])
    return program([*_counters(), *map(var, v)], [filled("two", 2.0), *start, *ops], v[0], inner), {}
