"""Writes elementwise operators."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.formats.onnx.program_writer import OnnxWriter, writes
from to_static.compiler.ir.program import Op
from to_static.core.dtypes import bool_, float32, int32, int64

# nodes of one input whose result has its dtype
_SAME = {
    "acos": "Acos", "acosh": "Acosh", "asin": "Asin", "asinh": "Asinh", "atan": "Atan", "atanh": "Atanh", "ceil": "Ceil",
    "cos": "Cos", "cosh": "Cosh", "erf": "Erf", "exp": "Exp", "floor": "Floor", "log": "Log", "reciprocal": "Reciprocal",
    "sigmoid": "Sigmoid", "sin": "Sin", "sinh": "Sinh", "softsign": "Softsign",
    "sqrt": "Sqrt", "tan": "Tan", "tanh": "Tanh",
}  # fmt: skip
_ARITHMETIC = {"abs": "Abs", "neg": "Neg", "sign": "Sign"}


@writes(*_SAME)
def _(w: OnnxWriter, op: Op) -> Any:
    return w.op(_SAME[op.name], op.inputs[0])


@writes(*_ARITHMETIC)
def _(w: OnnxWriter, op: Op) -> Any:
    if op.out.spec.dtype.kind == "c":
        w.refuse("runtimes do not compute with complex numbers")
    return w.computed(_ARITHMETIC[op.name], op, op.inputs[0])


_BINARY = {"add": "Add", "subtract": "Sub", "multiply": "Mul", "divide": "Div"}


@writes(*_BINARY)
def _(w: OnnxWriter, op: Op) -> Any:
    x, y = op.inputs
    if op.out.spec.dtype.kind == "c":
        w.refuse("runtimes do not compute with complex numbers")
    if op.out.spec.dtype is bool_:
        return w.op({"add": "Or", "multiply": "And"}[op.name], x, y)
    return w.computed(_BINARY[op.name], op, x, y)


@writes("maximum", "minimum")
def _(w: OnnxWriter, op: Op) -> Any:
    if op.out.spec.dtype is bool_:
        return w.op("Or" if op.name == "maximum" else "And", *op.inputs)
    return _extreme(w, op, "Max" if op.name == "maximum" else "Min")


def _extreme(w: OnnxWriter, op: Op, node_type: str) -> Any:
    """The larger or smaller of two numbers."""
    dtype = op.out.spec.dtype
    if w.opset >= 12 or dtype.kind not in "iu":
        return w.computed(node_type, op, *op.inputs)
    compute_dtype = w.wider(dtype)  # old opsets have neither for integers
    x, y = (w.as_dtype(v, compute_dtype) for v in op.inputs)
    result = w.op("Where", w.op("Greater" if node_type == "Max" else "Less", x, y), x, y)
    return w.as_dtype(result, dtype, op.out.spec.with_dtype(compute_dtype))


@writes("fmax", "fmin")
def _(w: OnnxWriter, op: Op) -> Any:
    x, y = map(w.name, op.inputs)
    op_type = "Max" if op.name == "fmax" else "Min"
    if op.out.spec.dtype.kind != "f":
        return _extreme(w, op, op_type)
    without_nan = w.op("Where", w.op("IsNaN", y), x, y)
    return w.op(op_type, w.op("Where", w.op("IsNaN", x), y, x), without_nan)


@writes("pow")
def _(w: OnnxWriter, op: Op) -> Any:
    x, y = op.inputs
    if op.out.spec.dtype.kind in "iu":
        w.need(12, "`pow` of integers")
    exponent = w.value(w.name(y))
    if exponent is not None and exponent.size == 1 and exponent.item() == 0.5 and op.out.spec.shape == x.spec.shape:
        return w.op("Sqrt", x)
    return w.computed("Pow", op, x, y)


@writes("floor_divide")
def _(w: OnnxWriter, op: Op) -> Any:
    dtype = w.wider(op.out.spec.dtype)
    x, y = (w.as_dtype(v, dtype) for v in op.inputs)
    if dtype.kind == "f":
        result = w.op("Floor", w.op("Div", x, y))
    else:  # what is left has the divisor's sign, so that this division has none
        result = w.op("Div", w.op("Sub", x, w.op("Mod", x, y)), y)
    return result if dtype is op.out.spec.dtype else w.cast(result, op.out.spec.dtype)


@writes("integer_divide")
def _(w: OnnxWriter, op: Op) -> Any:
    return w.computed("Div", op, *op.inputs)


@writes("remainder")
def _(w: OnnxWriter, op: Op) -> Any:
    if op.out.spec.dtype.kind != "f":
        return w.computed("Mod", op, *op.inputs)
    x, y = map(w.name, op.inputs)
    remainder = w.op("Mod", x, y, fmod=1)  # has the sign of x
    zero = w.scalar(0, op.out.spec.dtype)
    other_sign = w.op("Xor", w.op("Less", remainder, zero), w.op("Less", y, zero))
    wrong = w.op("And", other_sign, w.op("Not", w.op("Equal", remainder, zero)))
    return w.op("Where", wrong, w.op("Add", remainder, y), remainder)


@writes("scale")
def _(w: OnnxWriter, op: Op) -> Any:
    x = op.inputs[0]
    dtype = op.out.spec.dtype
    compute_dtype = w.wider(dtype)
    factor, bias = (w.scalar(np.asarray(op.attrs[key]).astype(dtype.np), compute_dtype) for key in ("factor", "bias"))
    name = w.as_dtype(x, compute_dtype)
    steps = [("Mul", factor, op.attrs["factor"] != 1), ("Add", bias, op.attrs["bias"] != 0)]
    for op_type, scalar, needed in steps if op.attrs["bias_after_scale"] else steps[::-1]:
        if needed:
            name = w.op(op_type, name, scalar)
    return name if compute_dtype is dtype else w.cast(name, dtype)


@writes("clip")
def _(w: OnnxWriter, op: Op) -> Any:
    x, low, high = op.inputs
    dtype = op.out.spec.dtype
    compute_dtype = w.wider(dtype)
    bounds = [v for v in (low, high) if v is not None]
    if compute_dtype.kind in "iu" and w.opset < 12:
        name = w.as_dtype(x, compute_dtype)
        for bound, comparison in ((low, "Less"), (high, "Greater")):
            if bound is not None:
                limit = w.as_dtype(bound, compute_dtype)
                name = w.op("Where", w.op(comparison, name, limit), limit, name)
    elif any(v.spec.shape != () for v in bounds):
        name = w.as_dtype(x, compute_dtype)
        if low is not None:
            name = w.op("Max", name, w.as_dtype(low, compute_dtype))
        if high is not None:
            name = w.op("Min", name, w.as_dtype(high, compute_dtype))
    elif bounds:
        name = w.op(
            "Clip",
            w.as_dtype(x, compute_dtype),
            *(None if v is None else w.as_dtype(v, compute_dtype) for v in (low, high)),
        )
    else:
        return w.name(x)
    return name if compute_dtype is dtype else w.cast(name, dtype)


# comparisons and truth -------------------------------------------------------------------------------------------------

_COMPARE = {"equal": "Equal", "less_than": "Less", "greater_than": "Greater"}


def _comparable(w: OnnxWriter, op: Op) -> list[str]:
    """Both operands in a dtype that runtimes compare."""
    dtype = op.inputs[0].spec.dtype
    compute_dtype = w.wider(dtype, *(["bool"] if op.name in ("equal", "not_equal") else []))
    return [w.as_dtype(v, compute_dtype) for v in op.inputs]


@writes(*_COMPARE)
def _(w: OnnxWriter, op: Op) -> Any:
    return w.op(_COMPARE[op.name], *_comparable(w, op))


@writes("not_equal")
def _(w: OnnxWriter, op: Op) -> Any:
    return w.op("Not", w.op("Equal", *_comparable(w, op)))


@writes("less_equal", "greater_equal")
def _(w: OnnxWriter, op: Op) -> Any:
    x, y = _comparable(w, op)
    op_type = "Less" if op.name == "less_equal" else "Greater"
    if w.opset >= 16:
        return w.op(f"{op_type}OrEqual", x, y)
    return w.op("Or", w.op(op_type, x, y), w.op("Equal", x, y))


def _truth(w: OnnxWriter, value: Any) -> str:
    return w.as_dtype(value, bool_)


_LOGICAL = {"logical_and": "And", "logical_or": "Or", "logical_xor": "Xor"}


@writes(*_LOGICAL)
def _(w: OnnxWriter, op: Op) -> Any:
    return w.op(_LOGICAL[op.name], *(_truth(w, v) for v in op.inputs))


@writes("logical_not")
def _(w: OnnxWriter, op: Op) -> Any:
    return w.op("Not", _truth(w, op.inputs[0]))


_BITS = {"bitwise_and": ("And", "BitwiseAnd"), "bitwise_or": ("Or", "BitwiseOr"), "bitwise_xor": ("Xor", "BitwiseXor")}


@writes(*_BITS)
def _(w: OnnxWriter, op: Op) -> Any:
    logical, bitwise = _BITS[op.name]
    if op.out.spec.dtype is bool_:
        return w.op(logical, *op.inputs)
    w.need(18, f"`{op.name}` of integers")
    return w.op(bitwise, *op.inputs)


@writes("bitwise_not")
def _(w: OnnxWriter, op: Op) -> Any:
    x = op.inputs[0]
    if x.spec.dtype is bool_:
        return w.op("Not", x)
    if w.opset >= 18:
        return w.op("BitwiseNot", x)
    compute_dtype = w.wider(x.spec.dtype)
    return w.as_dtype(
        w.op("Sub", w.scalar(-1, compute_dtype), w.as_dtype(x, compute_dtype)),
        x.spec.dtype,
        x.spec.with_dtype(compute_dtype),
    )


@writes("isnan", "isinf", "isfinite")
def _(w: OnnxWriter, op: Op) -> Any:
    x = op.inputs[0]
    if x.spec.dtype.kind != "f":  # integers are finite
        same = w.op("Equal", *(w.as_wider(x, "bool"),) * 2)
        return same if op.name == "isfinite" else w.op("Not", same)
    name = w.as_dtype(x, float32) if x.spec.dtype.name == "float16" else w.name(x)
    if op.name == "isfinite":
        return w.op("Not", w.op("Or", w.op("IsNaN", name), w.op("IsInf", name)))
    return w.op("IsNaN" if op.name == "isnan" else "IsInf", name)


@writes("where")
def _(w: OnnxWriter, op: Op) -> Any:
    condition, x, y = op.inputs
    compute_dtype = w.wider(op.out.spec.dtype, "uint8")
    result = w.op("Where", _truth(w, condition), w.as_dtype(x, compute_dtype), w.as_dtype(y, compute_dtype))
    return result if compute_dtype is op.out.spec.dtype else w.cast(result, op.out.spec.dtype)


@writes("cast")
def _(w: OnnxWriter, op: Op) -> Any:
    x, dtype = op.inputs[0], op.out.spec.dtype
    if "c" in (dtype.kind, x.spec.dtype.kind):
        w.refuse("runtimes do not compute with complex numbers")
    return w.as_dtype(x, dtype)


@writes("assign", "as_leaf", "narrow")
def _(w: OnnxWriter, op: Op) -> Any:
    return w.as_dtype(op.inputs[0], op.out.spec.dtype)


@writes("custom_gradient")
def _(w: OnnxWriter, op: Op) -> Any:
    return [w.name(v) for v in op.inputs[0]]


@writes("constant")
def _(w: OnnxWriter, op: Op) -> Any:
    if op.out.spec.dtype.kind == "c":
        w.refuse("runtimes do not compute with complex numbers")
    if op.out.name:
        return w.param(np.asarray(op.attrs["value"]), op.out.name)
    return w.const(op.attrs["value"])


@writes("trunc")
def _(w: OnnxWriter, op: Op) -> Any:
    x = op.inputs[0]
    if x.spec.dtype.kind != "f":
        return w.name(x)
    return w.op("Mul", w.op("Sign", x), w.op("Floor", w.op("Abs", x)))


@writes("round")
def _(w: OnnxWriter, op: Op) -> Any:
    x, dtype = op.inputs[0], op.out.spec.dtype
    if dtype.kind != "f":
        return w.name(x)
    size = w.op("Abs", x)
    lower = w.op("Floor", size)
    up = w.op("Not", w.op("Less", w.op("Sub", size, lower), w.scalar(0.5, dtype)))  # a half goes away from zero
    return w.op("Mul", w.op("Sign", x), w.op("Add", lower, w.cast(up, dtype)))


@writes("square")
def _(w: OnnxWriter, op: Op) -> Any:
    return w.computed("Mul", op, op.inputs[0], op.inputs[0])


@writes("rsqrt")
def _(w: OnnxWriter, op: Op) -> Any:
    return w.op("Reciprocal", w.op("Sqrt", op.inputs[0]))


_LOGS = {"log2": np.log(2.0), "log10": np.log(10.0)}


@writes(*_LOGS)
def _(w: OnnxWriter, op: Op) -> Any:
    return w.op("Div", w.op("Log", op.inputs[0]), w.scalar(_LOGS[op.name], op.out.spec.dtype))


@writes("log1p")
def _(w: OnnxWriter, op: Op) -> Any:
    x, one = w.name(op.inputs[0]), w.scalar(1, op.out.spec.dtype)
    sum_ = w.op("Add", one, x)  # ln(s) * x / (s - 1) takes back what the sum has lost (Kahan)
    excess = w.op("Sub", sum_, one)
    same = w.op("Equal", excess, w.scalar(0, op.out.spec.dtype))
    exact = w.op("Mul", w.op("Log", sum_), w.op("Div", x, w.op("Where", same, one, excess)))
    usual = w.op("Where", same, x, exact)
    infinite = w.op("IsInf", x) if op.out.spec.dtype.name != "float16" else None
    return usual if infinite is None else w.op("Where", infinite, w.op("Log", sum_), usual)


@writes("expm1")
def _(w: OnnxWriter, op: Op) -> Any:
    half_x = w.op("Mul", op.inputs[0], w.scalar(0.5, op.out.spec.dtype))  # 2 sinh(x/2) exp(x/2), without a difference
    small = w.op("Mul", w.op("Mul", w.scalar(2, op.out.spec.dtype), w.op("Sinh", half_x)), w.op("Exp", half_x))
    exp_minus_one = w.op("Sub", w.op("Exp", op.inputs[0]), w.scalar(1, op.out.spec.dtype))
    near = w.op("Less", w.op("Abs", half_x), w.scalar(0.5, op.out.spec.dtype))
    return w.op("Where", near, small, exp_minus_one)


_DEGREES = {"deg2rad": np.pi / 180, "rad2deg": 180 / np.pi}


@writes(*_DEGREES)
def _(w: OnnxWriter, op: Op) -> Any:
    return w.op("Mul", w.as_dtype(op.inputs[0], op.out.spec.dtype), w.scalar(_DEGREES[op.name], op.out.spec.dtype))


# activations -----------------------------------------------------------------------------------------------------------


@writes("relu")
def _(w: OnnxWriter, op: Op) -> Any:
    x = op.inputs[0]
    if x.spec.dtype.kind == "f":
        return w.op("Relu", x)
    compute_dtype = w.wider(x.spec.dtype)
    result = w.op("Max", w.as_dtype(x, compute_dtype), w.scalar(0, compute_dtype))
    return w.as_dtype(result, x.spec.dtype, x.spec.with_dtype(compute_dtype))


@writes("relu6", "hardtanh")
def _(w: OnnxWriter, op: Op) -> Any:
    low, high = (0, 6) if op.name == "relu6" else (op.attrs["min"], op.attrs["max"])
    return w.op("Clip", op.inputs[0], w.scalar(low, op.out.spec.dtype), w.scalar(high, op.out.spec.dtype))


@writes("leaky_relu")
def _(w: OnnxWriter, op: Op) -> Any:
    return w.op("LeakyRelu", op.inputs[0], alpha=float(op.attrs["negative_slope"]))


@writes("prelu")
def _(w: OnnxWriter, op: Op) -> Any:
    x, alpha = op.inputs
    ndim = x.spec.ndim
    if op.attrs["mode"] == "channel":
        last = op.attrs["data_format"][-1] == "C"
        shape = [-1] if last else [-1] + [1] * (ndim - 2)
    elif op.attrs["mode"] == "all":
        shape = [1] * ndim
    else:
        shape = list(x.spec.shape[1:])
        shape = [1 if d == -1 else d for d in shape]
    slope = w.name(alpha) if list(alpha.spec.shape) == shape else w.reshape(w.name(alpha), shape)
    return w.op("PRelu", x, slope)


@writes("elu", "celu", "selu", "thresholded_relu")
def _(w: OnnxWriter, op: Op) -> Any:
    x, a = op.inputs[0], op.attrs
    if op.name == "elu" and a["alpha"] >= 0:
        return w.op("Elu", x, alpha=float(a["alpha"]))
    if op.name == "selu":
        return w.op("Selu", x, alpha=float(a["alpha"]), gamma=float(a["scale"]))
    if op.name == "thresholded_relu" and a["threshold"] >= 0:
        return w.op("ThresholdedRelu", x, alpha=float(a["threshold"]))
    dtype = op.out.spec.dtype
    zero = w.scalar(0, dtype)
    if op.name == "thresholded_relu":
        above = w.op("Greater", x, w.scalar(a["threshold"], dtype))
        return w.op("Mul", x, w.cast(above, dtype))
    rate = 1.0 if op.name == "elu" else 1 / a["alpha"]
    below = w.op("Mul", w.op("Min", x, zero), w.scalar(rate, dtype))
    tail = w.op("Mul", w.op("Sub", w.op("Exp", below), w.scalar(1, dtype)), w.scalar(a["alpha"], dtype))
    return w.op("Add", w.op("Max", x, zero), tail)


@writes("hardsigmoid")
def _(w: OnnxWriter, op: Op) -> Any:
    return w.op("HardSigmoid", op.inputs[0], alpha=float(op.attrs["slope"]), beta=float(op.attrs["offset"]))


@writes("hardswish")
def _(w: OnnxWriter, op: Op) -> Any:
    if w.opset >= 14:
        return w.op("HardSwish", op.inputs[0])
    return w.op("Mul", op.inputs[0], w.op("HardSigmoid", op.inputs[0], alpha=1 / 6, beta=0.5))


@writes("hardshrink", "softshrink")
def _(w: OnnxWriter, op: Op) -> Any:
    threshold = float(op.attrs["threshold"])
    if threshold < 0:
        dtype = op.out.spec.dtype
        if op.name == "softshrink":
            low = w.op("Min", w.op("Max", op.inputs[0], w.scalar(-threshold, dtype)), w.scalar(threshold, dtype))
            return w.op("Sub", op.inputs[0], low)
        return w.name(op.inputs[0])
    return w.op("Shrink", op.inputs[0], lambd=threshold, bias=threshold if op.name == "softshrink" else 0.0)


@writes("softplus")
def _(w: OnnxWriter, op: Op) -> Any:
    x, a, dtype = w.name(op.inputs[0]), op.attrs, op.out.spec.dtype
    scaled = x if a["beta"] == 1 else w.op("Mul", x, w.scalar(a["beta"], dtype))
    soft = w.op("Softplus", scaled)
    soft = soft if a["beta"] == 1 else w.op("Div", soft, w.scalar(a["beta"], dtype))
    if a["threshold"] >= 20:  # beyond, both are the same number
        return soft
    return w.op("Where", w.op("Greater", scaled, w.scalar(a["threshold"], dtype)), x, soft)


@writes("log_sigmoid")
def _(w: OnnxWriter, op: Op) -> Any:
    return w.op("Neg", w.op("Softplus", w.op("Neg", op.inputs[0])))


@writes("silu", "swish")
def _(w: OnnxWriter, op: Op) -> Any:
    return w.op("Mul", op.inputs[0], w.op("Sigmoid", op.inputs[0]))


@writes("mish")
def _(w: OnnxWriter, op: Op) -> Any:
    if w.opset >= 18:
        return w.op("Mish", op.inputs[0])
    return w.op("Mul", op.inputs[0], w.op("Tanh", w.op("Softplus", op.inputs[0])))


@writes("tanhshrink")
def _(w: OnnxWriter, op: Op) -> Any:
    return w.op("Sub", op.inputs[0], w.op("Tanh", op.inputs[0]))


@writes("gelu")
def _(w: OnnxWriter, op: Op) -> Any:
    x, dtype = w.name(op.inputs[0]), op.out.spec.dtype
    if w.opset >= 20:
        return w.op("Gelu", x, approximate="tanh" if op.attrs["approximate"] else "none")
    one_half, one = w.scalar(0.5, dtype), w.scalar(1, dtype)
    if op.attrs["approximate"]:
        cube = w.op("Mul", w.op("Mul", x, w.op("Mul", x, x)), w.scalar(0.044715, dtype))
        inner = w.op("Tanh", w.op("Mul", w.op("Add", x, cube), w.scalar(np.sqrt(2 / np.pi), dtype)))
    else:
        inner = w.op("Erf", w.op("Div", x, w.scalar(np.sqrt(2.0), dtype)))
    return w.op("Mul", w.op("Mul", x, w.op("Add", inner, one)), one_half)


@writes("rrelu")
def _(w: OnnxWriter, op: Op) -> Any:
    slope = (op.attrs["lower"] + op.attrs["upper"]) / 2
    return [w.op("LeakyRelu", op.inputs[0], alpha=float(slope))]


@writes("dropout")
def _(w: OnnxWriter, op: Op) -> Any:
    x = op.inputs[0]
    if op.attrs["mode"] == "upscale_in_train":
        return [w.name(x)]
    return [w.op("Mul", x, w.scalar(1 - op.attrs["p"], x.spec.dtype))]


@writes("gcd", "lcm")
def _(w: OnnxWriter, op: Op) -> Any:
    return _common_divisor(w, op)


def _common_divisor(w: OnnxWriter, op: Op) -> str:
    """Euclid's algorithm on all elements at once, as a Loop."""
    spec = op.out.spec.with_dtype(int64)
    x, y = (w.op("Abs", w.as_dtype(v, int64)) for v in op.inputs)
    zero = w.scalar(0, int64)
    a, b = w.op("Add", x, w.op("Mul", y, zero)), w.op("Add", y, w.op("Mul", x, zero))
    body = w.open("euclid")
    w.formal("turn", spec.with_shape(()))
    w.formal("goes_on", spec.with_shape(()).with_dtype(bool_))
    p, q = w.formal("a", spec), w.formal("b", spec)
    done = w.op("Equal", q, zero)
    divisor = w.op("Where", done, w.scalar(1, int64), q)
    remainder = w.op("Where", done, zero, w.op("Mod", p, divisor))
    steps_left = w.op("ReduceMax", w.reshape(w.cast(w.op("Not", w.op("Equal", remainder, zero)), int32), [-1]), keepdims=0)
    w.result(w.cast(steps_left, bool_), spec.with_shape(()).with_dtype(bool_))
    w.result(w.op("Where", done, p, q), spec)
    w.result(remainder, spec)
    w.close()
    # a last turn moves the divisor from b to a
    results = w.op("Loop", w.scalar(128, int64), w.scalar(True, bool_), a, b, outputs=2, body=body)
    common = w.op("Where", w.op("Equal", results[1], zero), results[0], results[1])
    if op.name == "lcm":
        none = w.op("Equal", common, zero)
        share = w.op("Div", a, w.op("Where", none, w.scalar(1, int64), common))
        common = w.op("Mul", share, b)
    return w.cast(common, op.out.spec.dtype)


@writes("atan2")
def _(w: OnnxWriter, op: Op) -> Any:
    dtype = op.out.spec.dtype
    y, x = (w.as_dtype(v, dtype) for v in op.inputs)
    zero, pi = w.scalar(0, dtype), w.scalar(np.pi, dtype)
    flat = w.op("Equal", x, zero)
    base = w.op("Atan", w.op("Div", y, w.op("Where", flat, w.scalar(1, dtype), x)))
    turn = w.op("Where", w.op("Less", y, zero), w.op("Neg", pi), pi)
    quadrant = w.op("Where", w.op("Less", x, zero), w.op("Add", base, turn), base)
    upright = w.op("Mul", w.op("Sign", y), w.scalar(np.pi / 2, dtype))
    return w.op("Where", flat, upright, quadrant)


@writes("relu_grad")
def _(w: OnnxWriter, op: Op) -> Any:
    result, g = op.inputs
    return w.op("Mul", g, w.cast(w.op("Greater", result, w.scalar(0, result.spec.dtype)), g.spec.dtype))


@writes("dropout_grad")
def _(w: OnnxWriter, op: Op) -> Any:
    x, mask = op.inputs
    product = w.op("Mul", x, w.as_dtype(mask, x.spec.dtype))
    return product if op.attrs["divisor"] == 1 else w.op("Div", product, w.scalar(op.attrs["divisor"], x.spec.dtype))


@writes("shard_index")
def _(w: OnnxWriter, op: Op) -> Any:
    x, a, dtype = w.name(op.inputs[0]), op.attrs, op.out.spec.dtype
    size = (a["index_num"] + a["nshards"] - 1) // a["nshards"]
    mine = w.op("Equal", w.op("Div", x, w.scalar(size, dtype)), w.scalar(a["shard_id"], dtype))
    return w.op("Where", mine, w.op("Mod", x, w.scalar(size, dtype)), w.scalar(a["ignore_value"], dtype))
