"""Attributes and slots of our files, name by name, against what real Paddle 2.6.2 writes for the same calls.

Whether the numbers are the same, both ways, is tested with Paddle itself (`make interop`).
"""

from __future__ import annotations

import functools
import json
import warnings
from collections import defaultdict
from typing import Any

import pytest

import to_static as paddle
from tests.interop import written_cases
from to_static.compiler.formats.paddle.messages import schema
from to_static.compiler.formats.paddle.operators.lazy_op_lookup import operator
from to_static.compiler.formats.paddle.operators.op_compat import READERS
from to_static.compiler.formats.paddle.programs.program_reader import read_program
from to_static.compiler.formats.paddle.programs.program_writer import write_program
from to_static.compiler.ir.registry import FILE_TYPES
from to_static.compiler.passes.pipeline import EXPORT, optimize
from to_static.core.errors import FormatError, ToStaticError

RECORDS = json.loads((written_cases.TESTS / "interop" / "paddle_operators.json").read_text())
# how a call is put together differs; of these only the names and types of attributes are compared
GLUE = frozenset(
    "cast reshape2 scale slice squeeze2 unsqueeze2 fill_constant assign_value assign transpose2 expand_v2 stack "
    "elementwise_add elementwise_mul elementwise_sub elementwise_div unbind reduce_any reduce_sum reduce_mean".split()
)
AXES = frozenset(("axis", "axes", "dim", "axis1", "axis2", "dim1", "dim2"))  # counted from the start by us
HINTS = frozenset(  # how to compute, not what
    "use_mkldnn use_cudnn mkldnn_data_type force_cpu is_test trainable_statistics seed fix_seed infer_flags".split()
)
SAME = {  # operator and attribute -> why another value means the same
    ("batch_norm", "use_global_stats"): "in evaluation both use the running statistics",
    ("cumsum", "flatten"): "our input is flat already",
    ("logcumsumexp", "flatten"): "our input is flat already",
    ("graph_send_recv", "out_size"): "a tensor says how many",
    ("kldiv_loss", "reduction"): "Paddle reduces with operators of their own",
    ("pool3d", "exclusive"): "of averages only",
    ("p_norm", "asvector"): "our input is a vector already",
    ("p_norm", "epsilon"): "of no use in inference",
    ("roll", "shifts"): "Paddle counts half of a dimension by operators",
    ("split", "num"): "we say the sizes",
    ("split", "sections"): "Paddle says -1, or only how many",
    ("strided_slice", "starts"): "a start that is left out, counted from the end",
    ("strided_slice", "ends"): "an end before the start",
    ("reduce_max", "reduce_all"): "of the only dimension",
    ("reduce_min", "reduce_all"): "of the only dimension",
    ("unique", "return_counts"): "we always ask for all results",
    ("unique_consecutive", "return_counts"): "we always ask for all results",
    ("unique_consecutive", "return_inverse"): "we always ask for all results",
    ("lu_unpack", "unpack_ludata"): "the triangles are cut out by operators of their own",
    ("unique", "return_index"): "we always ask for all results",
    ("unique", "return_inverse"): "we always ask for all results",
    ("argsort", "axis"): "Paddle turns the tensor of `quantile` in another way",
    ("matmul_v2", "trans_y"): "Paddle turns the operand of `inner` before",
    ("pad3d", "paddings"): "of one or two dimensions: which of three these are",
    ("set_value", "shape"): "our values are tensors",
    ("set_value", "values"): "our values are tensors",
    ("set_value", "starts"): "a start that is left out, counted from the end",
    ("set_value", "ends"): "an end before the start",
    ("top_k_v2", "k"): "a number that a tensor gives",
}
OMITTED = {("swish", "beta"), ("elementwise_fmin", "axis"), ("elementwise_fmax", "axis")}  # attributes with their defaults
LINES = ("conv2d_transpose", "conv2d", "pool2d")  # Paddle has no 1-D forms: a line is an image, along either dimension
OURS_ONLY = {  # slots that Paddle's own files leave out, and those of two forms of an operator
    ("graph_send_recv", "Out_size"),
    ("dropout", "Mask"), ("instance_norm", "SavedMean"), ("instance_norm", "SavedVariance"), ("transpose2", "XShape"),
    ("bilinear_interp_v2", "SizeTensor"), ("expand_v2", "expand_shapes_tensor"), ("fill_constant", "ShapeTensorList"),
    ("slice", "EndsTensorList"), ("set_value", "ValueTensor"), ("tile", "repeat_times_tensor"),
    ("reshape2", "ShapeTensor"), ("reshape2", "XShape"), ("rrelu", "Noise"),
}  # fmt: skip


@functools.cache
def file_of(text: str) -> Any:
    """The file that we write for a case; None where we refuse the call."""
    paddle.enable_static()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            main, _, inputs, _, results = written_cases.build(paddle, text)
            normal = paddle.static.normalize_program(main, inputs, results)
        return write_program(optimize(normal.finished(normal.outputs), EXPORT), "a test")
    except (ToStaticError, AttributeError, TypeError):
        return None
    finally:
        paddle.disable_static()


def ours(text: str) -> list[Any]:
    """Operators of the file that we write for a case."""
    written = file_of(text)
    return [] if written is None else written_cases.operators(written.desc)


def by_kind(ops: Any) -> dict[str, list[Any]]:
    found = defaultdict(list)
    for op in ops:
        found[op[0]].append(op)
    return found


def near(a: Any, b: Any) -> bool:
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(near, a, b))
    return a == b or (isinstance(a, float) and abs(a - b) <= 1e-6 * max(abs(a), abs(b)))


def alike(kind: str, name: str, theirs: list[Any], mine: list[Any]) -> bool:
    if theirs[0] != mine[0]:
        return False
    if kind in GLUE or (kind, name) in SAME or (kind in LINES and name in ("paddings", "strides", "output_size", "output_padding")):
        return True
    if name in AXES and mine[1] != theirs[1]:
        numbers = [v if isinstance(v, list) else [v] for v in (theirs[1], mine[1])]
        return all(a == b or a < 0 <= b for a, b in zip(*numbers, strict=False)) or not all(numbers)
    return near(theirs[1], mine[1])


def differences(text: str, theirs: Any) -> list[str]:
    """What of our file's operators Paddle's file has in another way."""
    mine = by_kind(ours(text))
    found = []
    for kind, ops in by_kind(theirs).items():
        if len(mine[kind]) != len(ops):
            continue
        for (_, attrs, slots), (_, ours_attrs, ours_slots) in zip(ops, mine[kind], strict=True):
            by_tensors = {"axis"} if "AxisTensor" in slots else set()
            for name in sorted({*attrs, *ours_attrs} - HINTS - by_tensors):
                if name not in attrs and (kind, name) not in OMITTED:
                    found.append(f"{kind}: no attribute {name} in Paddle's file")
                elif name not in ours_attrs and (kind, name) not in (("reduce_sum", "in_dtype"), ("reduce_sum", "out_dtype")):
                    found.append(f"{kind}: no attribute {name} in ours")
                elif name in attrs and name in ours_attrs and not alike(kind, name, attrs[name], ours_attrs[name]):
                    found.append(f"{kind}: {name} is {ours_attrs[name]}, in Paddle's file {attrs[name]}")
            extra = [name for name in ours_slots if name not in slots and (kind, name) not in OURS_ONLY]
            found += [f"{kind}: Paddle has no slot {name}" for name in extra]
    return found


@pytest.mark.parametrize(("text", "theirs"), RECORDS, ids=[r[0][:80] for r in RECORDS])
def test_attributes_are_those_of_paddles_files(text, theirs):
    assert not differences(text, theirs)


def test_the_comparison_sees_differences():
    text, theirs = next(r for r in RECORDS if "trilinear" in r[0])
    changed = json.loads(json.dumps(theirs))
    op = next(op for op in changed if op[0] == "trilinear_interp_v2")
    op[1]["data_layout"][1] = "NCDHW"
    op[1]["align_corners"][0] = 0
    del op[1]["out_d"]
    op[2]["Y"] = op[2].pop("X")
    found = " ".join(differences(text, changed))
    assert all(word in found for word in ("data_layout", "align_corners", "out_d", "slot X"))


# operators that are not in the comparison, and why
APART = {
    "adam": "of training Programs", "adamw": "of training Programs", "momentum": "of training Programs",
    "sgd": "of training Programs", "as_leaf": "of training Programs", "count_labels": "written as other operators",
    "deg2rad": "written as `scale`",
    "depthwise_conv2d_transpose": "written as `conv2d_transpose`", "multiclass_nms3": "Paddle has no function for it",
    "anchor_generator": "Paddle has no function for it",
    "density_prior_box": "Paddle has no function for it",
    "psroi_pool": "Paddle's function leaves out how many boxes each image has, and crashes",
    "rad2deg": "written as `scale`", "eye": "written as a constant",
    **dict.fromkeys(
        (
            "dequantize_linear", "fake_channel_wise_quantize_abs_max", "fake_channel_wise_quantize_dequantize_abs_max",
            "fake_quantize_abs_max", "fake_quantize_dequantize_abs_max", "fake_quantize_dequantize_moving_average_abs_max",
            "fake_quantize_moving_average_abs_max", "quantize_linear",
            "moving_average_abs_max_scale",
        ),
        "in models that Paddle quantizes, see test_quantized.py",
    ),
}  # fmt: skip


def test_every_operator_that_we_write_is_compared():
    compared = {kind for text, theirs in RECORDS for kind in {op[0] for op in theirs} & set(by_kind(ours(text)))}
    written = {kind for kind, opdef in FILE_TYPES.items() if any(s.file for s in opdef.samples())}
    missing = sorted(written - compared - set(APART))
    assert not missing


# attributes of another type ------------------------------------------------------------------------------------------

OTHERS = {"STRING": {"s": "x"}, "INT": {"i": -3}, "FLOAT": {"f": 0.5}, "INTS": {"ints": [7, 7]}, "STRINGS": {"strings": ["a"]}}
OF_ONE_FAMILY = [
    {"INT", "LONG", "BOOLEAN", "FLOAT", "FLOAT64"}, {"INTS", "LONGS", "BOOLEANS", "FLOATS", "FLOAT64S"}, {"STRING"}, {"STRINGS"},
]  # fmt: skip


def other_types(attr):
    """Messages of the same attribute with values of types that no reader takes for it."""
    name = {number: kind for kind, number in schema.ATTR_TYPE.items()}[attr.type]
    family = next((f for f in OF_ONE_FAMILY if name in f), {name})
    for kind, value in OTHERS.items():
        if kind not in family:
            yield schema.new("Attr", name=attr.name, type=schema.ATTR_TYPE[kind], **value)


def is_read_as_declared(kind, name):
    """Whether a file's attribute becomes that of the operator as it is."""
    opdef = operator(kind) if kind not in READERS else None
    return opdef is not None and opdef.from_file_hook is None and name in {a.file_name for a in opdef.attrs if a.type}


@pytest.mark.parametrize("text", [text for text, ops in RECORDS if len(ops) == 1][::3])
def test_an_attribute_of_another_type_is_a_format_error(text):
    written = file_of(text)
    if written is None:
        pytest.skip("we refuse this call")
    for at, op in enumerate(written.desc.blocks[0].ops):
        if op.type in ("feed", "fetch"):
            continue
        for k, attr in enumerate(op.attrs):
            if attr.name in written_cases.HOW or attr.name in HINTS:
                continue
            for other in other_types(attr):
                desc = schema.messages()["ProgramDesc"].FromString(written.data())
                desc.blocks[0].ops[at].attrs[k].CopyFrom(other)
                try:
                    read_program(desc, "damaged.pdmodel", written.arrays)
                except FormatError as error:
                    assert "damaged.pdmodel" in str(error)
                else:
                    assert not is_read_as_declared(op.type, attr.name)
