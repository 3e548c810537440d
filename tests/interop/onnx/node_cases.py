"""Run the ONNX package's own node tests by the reader of ONNX files, and count them.

    python -m tests.interop.onnx.node_cases [NAME ...]

It needs the package ``onnx``. Cases of numbers that NumPy has not (strings, bfloat16, float8, int4, unsigned integers of 16 bits
and more) and of other domains than ONNX's own are left out. Inputs whose numbers decide shapes are fixed where the reader asks for
it: the second figure says how many.
"""

from __future__ import annotations

import io
import sys
import warnings
from collections import Counter

import numpy as np

from to_static.compiler.formats.onnx.model_reader import OnnxModel
from to_static.compiler.runtime.interpret import interpret
from to_static.core import backend
from to_static.core.errors import FormatError

SUPPORTED = {1, 2, 3, 5, 6, 7, 9, 10, 11}  # float, uint8, int8, int16, int32, int64, bool, float16, double
RANDOM = ("bernoulli", "randomuniform", "dropout")


def _types(proto):
    for kind in ("sequence_type", "optional_type"):
        if proto.HasField(kind):
            return _types(getattr(proto, kind).elem_type)
    return {proto.tensor_type.elem_type} if proto.HasField("tensor_type") else {0}


def _all_types(graph):
    values = [*graph.input, *graph.output]
    types = {code for value in values for code in _types(value.type)}
    for node in graph.node:
        for attr in node.attribute:
            types |= {attr.i} if node.op_type == "Cast" and attr.name == "to" else set()
            types |= {attr.t.data_type} if attr.HasField("t") else set()
    return types


def counted(case):
    """Whether a case is one of float, int and bool operators."""
    graph = case.model.graph
    return _all_types(graph) <= SUPPORTED and all(node.domain in ("", "ai.onnx") for node in graph.node)


def _array(value):
    if isinstance(value, list):
        return [_array(item) for item in value]
    if hasattr(value, "SerializeToString"):
        from onnx.numpy_helper import to_array

        return to_array(value)
    return np.asarray(value)


def run(model, inputs):
    """Results of a model, and whether inputs had to be fixed."""
    data = model.SerializeToString()
    names = [value.name for value in model.graph.input]
    given = dict(zip(names, map(_array, inputs), strict=False))
    fixed = {}
    try:
        program = OnnxModel("case.onnx", io.BytesIO(data)).program()
    except FormatError as error:
        if "to be a constant" not in str(error) and "known" not in str(error):
            raise
        small = {name: array for name, array in given.items() if isinstance(array, np.ndarray) and array.ndim <= 1}
        fixed = {name: array for name, array in small.items() if array.size <= 64}
        program = OnnxModel("case.onnx", io.BytesIO(data), fixed).program()
    backend.seed(0)
    return interpret(program, [given[var.name] for var in program.feeds], backend.NUMPY), bool(fixed)


def _same(actual, expected, case):
    if hasattr(expected, "SerializeToString"):
        expected = _array(expected)
    if isinstance(expected, list):
        return len(actual) == len(expected) and all(_same(a, e, case) for a, e in zip(actual, expected, strict=True))
    expected = np.asarray(expected)
    if expected.dtype == object or expected.dtype != actual.dtype or expected.shape != actual.shape:
        return False
    if any(word in case.name for word in RANDOM):
        return True
    return np.allclose(actual, expected, rtol=max(case.rtol, 1e-5), atol=max(case.atol, 1e-6), equal_nan=True)


def outcome(case):
    """'passed', 'fixed' (passed with fixed inputs), or what went wrong."""
    last = "passed"
    for inputs, outputs in case.data_sets:
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                results, fixed = run(case.model, inputs)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        for actual, expected in zip(results, outputs, strict=False):
            if not _same(actual if isinstance(actual, list) else np.asarray(actual), expected, case):
                return "other numbers"
        last = "fixed" if fixed else last
    return last


def cases():
    """All cases that count."""
    from onnx.backend.test.case.node import collect_testcases

    return [case for case in collect_testcases(None) if counted(case)]


def main(names):
    total, failed = Counter(), []
    for case in cases():
        if names and not any(name in case.name for name in names):
            continue
        result = outcome(case)
        total[result if result in ("passed", "fixed") else "failed"] += 1
        if result not in ("passed", "fixed"):
            failed.append((case.name, result))
    for name, result in failed:
        print(f"{name}: {result[:300]}")
    count = sum(total.values())
    print(f"{total['passed'] + total['fixed']} of {count} ({total['passed']} as they are, {total['fixed']} with fixed inputs)")


if __name__ == "__main__":
    main(sys.argv[1:])
