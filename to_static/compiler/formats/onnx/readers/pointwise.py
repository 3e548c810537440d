"""Reads elementwise nodes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from to_static.compiler.formats.onnx.node_view import NodeView, call, constant, half_even, reads, scalar_like
from to_static.compiler.formats.onnx.tensors import dtype_of
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.core.dtypes import as_dtype, bool_, float32, float64

_UNARY = {
    "Abs": "abs", "Acos": "acos", "Acosh": "acosh", "Asin": "asin", "Asinh": "asinh", "Atan": "atan", "Atanh": "atanh",
    "Ceil": "ceil", "Cos": "cos", "Cosh": "cosh", "Erf": "erf", "Exp": "exp", "Floor": "floor", "IsNaN": "isnan",
    "Log": "log", "Mish": "mish", "Neg": "neg", "Not": "logical_not", "Reciprocal": "reciprocal", "Relu": "relu",
    "Sigmoid": "sigmoid", "Sign": "sign", "Sin": "sin", "Sinh": "sinh", "Softsign": "softsign", "Sqrt": "sqrt",
    "Tan": "tan", "Tanh": "tanh", "BitwiseNot": "bitwise_not",
}  # fmt: skip
_BINARY = {
    "And": "logical_and", "Or": "logical_or", "Xor": "logical_xor", "Less": "less_than", "LessOrEqual": "less_equal",
    "Greater": "greater_than", "GreaterOrEqual": "greater_equal", "Equal": "equal", "BitwiseAnd": "bitwise_and",
    "BitwiseOr": "bitwise_or", "BitwiseXor": "bitwise_xor",
}  # fmt: skip
_NEEDS_FLOAT = frozenset(("Exp", "Sqrt", "Relu"))


@reads(*_UNARY)
def _(n: NodeView) -> Any:
    return call(_UNARY[n.op_type], n.x())


def operands(n: NodeView) -> tuple[Tensor, Tensor]:
    """Both operands; the second one as older opsets broadcast it, from an axis on."""
    x, y = n.x(0), n.x(1)
    axis = n.attr("axis")
    if n.opset < 7 and axis is not None and y.ndim < x.ndim:
        y = F.unsqueeze(y, list(range(y.ndim, x.ndim - axis)))
    return x, y


@reads(*_BINARY)
def _(n: NodeView) -> Any:
    return call(_BINARY[n.op_type], *operands(n))


@reads("Add", "Sub", "Mul")
def _(n: NodeView) -> Any:
    x, y = operands(n)
    if x.dtype.kind == "b":
        n.refuse("numbers", "booleans")
    return call({"Add": "add", "Sub": "subtract", "Mul": "multiply"}[n.op_type], x, y)


@reads("Div")
def _(n: NodeView) -> Any:
    x, y = operands(n)
    return F.integer_divide.emit(x, y) if x.dtype.is_integer else F.divide(x, y)


@reads("Pow")
def _(n: NodeView) -> Any:
    x, y = operands(n)
    if x.dtype is y.dtype:
        return F.pow(x, y)
    if x.dtype.kind == "f":
        return F.pow(x, F.cast(y, x.dtype))
    return F.cast(F.pow(F.cast(x, float64), F.cast(y, float64)), x.dtype)


@reads("Mod")
def _(n: NodeView) -> Any:
    x, y = operands(n)
    if not n.flag("fmod"):
        return F.remainder(x, y)
    if x.dtype.kind != "f":
        return x - F.integer_divide.emit(x, y) * y
    return x - F.trunc(x / y) * y


@reads("BitShift")
def _(n: NodeView) -> Any:
    x, y = operands(n)
    doubles = F.cast(y, float64)
    doubles = F.clip(F.where(doubles < 0, F.full_like(doubles, 62.0), doubles), 0.0, 62.0)  # one below 0 counts as very many
    power = F.cast(F.pow(scalar_like(2, doubles), doubles), "int64")
    as_integers = F.cast(x, "int64")
    as_integers = as_integers * power if n.text("direction") == "LEFT" else F.floor_divide(as_integers, power)
    return F.cast(as_integers, x.dtype)


@reads("Min", "Max", "Sum", "Mean")
def _(n: NodeView) -> Any:
    first, *further = n.all()
    function = {"Min": F.minimum, "Max": F.maximum}.get(n.op_type, F.add)
    total = first
    for operand in further:
        total = function(total, operand)
    return total / scalar_like(len(further) + 1, first) if n.op_type == "Mean" else F.assign(total) if not further else total


@reads("Round")
def _(n: NodeView) -> Any:
    return half_even(n.x())


@reads("IsInf")
def _(n: NodeView) -> Any:
    x = n.x()
    high, low = n.flag("detect_positive", True), n.flag("detect_negative", True)
    if high and low:
        return F.isinf(x)
    if not high and not low:
        return F.full_like(x, 0, bool_)
    return F.equal(x, scalar_like(math.inf if high else -math.inf, x))


@reads("Identity", "Dropout", "Optional", "OptionalGetElement")
def _(n: NodeView) -> Any:
    if n.op_type == "Dropout" and n.wants(1):
        training = n.has(2) and bool(n.constant_array(2))
        if training:
            n.refuse("a model for inference", "a dropout in training")
        return [n.x(), F.full_like(n.x(), 1, bool_)]
    if n.op_type == "Dropout" and n.has(2) and (n.const(2) is None or bool(n.constant_array(2))):
        ratio = float(n.constant_array(1)) if n.has(1) else 0.5
        if ratio:
            n.refuse("a model for inference", "a dropout in training")
    value = n.value(0)
    if value is None:
        n.refuse("a value", "none")
    return value


@reads("OptionalHasElement")
def _(n: NodeView) -> Any:
    return constant(np.asarray(n.has(0) and n.value(0) is not None))


@reads("Cast", "CastLike")
def _(n: NodeView) -> Any:
    x = n.x()
    if n.op_type == "CastLike":
        return F.cast(x, n.x(1).dtype)
    to = n.integer("to")
    if to in (4, 8, 12, 13, 16) or to > 16:
        n.refuse("a cast to a type that NumPy has", f"data type {to}")
    return F.cast(x, dtype_of(to, n.reader.path))


@reads("Where")
def _(n: NodeView) -> Any:
    return F.where(n.x(0), n.x(1), n.x(2))


@reads("Clip")
def _(n: NodeView) -> Any:
    x = n.x()
    if n.opset < 11:
        low, high = n.attr("min"), n.attr("max")
        return F.clip(x, None if low is None else float(low), None if high is None else float(high))
    low, high = n.optional(1), n.optional(2)
    result = x if low is None else F.maximum(x, low)
    return result if high is None else F.minimum(result, high)


@reads("Elu", "Celu", "LeakyRelu", "ThresholdedRelu", "Selu", "HardSigmoid", "Shrink", "HardSwish", "Softplus", "Gelu", "Swish")
def _(n: NodeView) -> Any:
    x = n.x()
    match n.op_type:
        case "Elu":
            alpha = n.real("alpha", 1.0)
            return F.where(x < 0, (x.exp() - 1) * scalar_like(alpha, x), x)
        case "Celu":
            alpha = n.real("alpha", 1.0)
            return F.celu(x, alpha)
        case "LeakyRelu":
            return F.leaky_relu(x, n.real("alpha", 0.01))
        case "ThresholdedRelu":
            return F.thresholded_relu(x, n.real("alpha", 1.0))
        case "Selu":
            alpha, gamma = n.real("alpha", 1.6732632423543772), n.real("gamma", 1.0507009873554805)
            return F.where(x <= 0, (x.exp() - 1) * scalar_like(alpha, x), x) * scalar_like(gamma, x)
        case "HardSigmoid":
            return F.hardsigmoid(x, n.real("alpha", 0.2), n.real("beta", 0.5))
        case "HardSwish":
            return x * F.hardsigmoid(x, 1 / 6, 0.5)
        case "Softplus":
            return F.softplus(x)
        case "Swish":
            return x * F.sigmoid(x * scalar_like(n.real("alpha", 1.0), x))
        case "Gelu":
            return F.gelu(x, n.text("approximate", "none") == "tanh")
    bias, edge = n.real("bias"), n.real("lambd", 0.5)
    zero = F.zeros_like(x)
    floats = F.cast(x, float32) if x.dtype.is_integer else x
    low, high = F.cast(floats + bias, x.dtype), F.cast(floats - bias, x.dtype)
    return F.where(floats < -edge, low, F.where(floats > edge, high, zero))


@reads("PRelu")
def _(n: NodeView) -> Any:
    x, slope = n.x(0), n.x(1)
    return F.where(x < F.zeros_like(x), x * slope, x)


@reads("Softmax", "LogSoftmax", "Hardmax")
def _(n: NodeView) -> Any:
    x = n.x()
    axis = n.integer("axis", -1 if n.opset >= 13 else 1) % max(x.ndim, 1)
    shape = None
    if n.opset < 13 and axis != x.ndim - 1:  # all dimensions from the axis on are one
        shape = F.shape(x)
        x = F.flatten(x, axis, -1)
        x = F.flatten(x, 0, axis - 1) if axis > 1 else x
    if n.op_type == "Hardmax":
        best = F.argmax(x, axis if shape is None else -1)
        result = F.one_hot(best, x.spec.shape[axis if shape is None else -1], dtype=x.dtype)
        result = result if axis == x.ndim - 1 or shape is not None else F.moveaxis(result, -1, axis)
    else:
        function = F.softmax if n.op_type == "Softmax" else F.log_softmax
        result = function(x, axis if shape is None else -1)
    return result if shape is None else F.reshape(result, shape)


@reads("BitCast")
def _(n: NodeView) -> Any:
    x, dtype = n.x(), as_dtype(dtype_of(n.integer("to"), n.reader.path))
    return F.bits(F.cast(x, "uint8") if x.dtype.kind == "b" else x, dtype=dtype)
