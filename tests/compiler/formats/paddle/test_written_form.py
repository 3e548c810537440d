"""What operators look like in files: the forms that Paddle's readers and its oneDNN kernels need."""

import numpy as np
import pytest

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.formats.paddle.messages.desc import attr_value, slots
from to_static.compiler.formats.paddle.programs.program_reader import read_program
from to_static.compiler.formats.paddle.programs.program_writer import write_program
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.registry import FUNCTIONS as F
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.runtime.interpret import interpret
from to_static.core.backend import NUMPY
from to_static.core.dtypes import as_dtype
from to_static.core.errors import FormatError
from to_static.nn import functional

COMMON = {"op_role", "op_role_var", "op_namescope", "op_device"}


def written(function, *specs):
    """The blocks of the file of a function of tensors, as lists of (type, inputs, outputs, attributes) without feed and fetch."""
    builder = Builder()
    with mode.use(builder):
        result = function(*[builder.feed(s, f"x{i}") for i, s in enumerate(specs)])
    desc = write_program(builder.finish(list(result) if isinstance(result, tuple) else [result]), "memory").desc
    found = []
    for block in desc.blocks:
        ops = [
            (op.type, slots(op.inputs), slots(op.outputs), {a.name: attr_value(a) for a in op.attrs if a.name not in COMMON})
            for op in block.ops
            if op.type not in ("feed", "fetch")
        ]
        found.append([op for op in ops if not op[2].get("Out", [""])[0].startswith("save_infer_model")])
    return found


def spec(*shape, dtype="float32"):
    return TensorSpec(shape, as_dtype(dtype))


@pytest.mark.parametrize(
    "function, scale, bias",
    [
        (lambda x: x * 2.5, 2.5, 0), (lambda x: 2.5 * x, 2.5, 0), (lambda x: x + 3.0, 1, 3), (lambda x: x - 3.0, 1, -3),
        (lambda x: 3.0 - x, -1, 3),
    ],
)  # fmt: skip
def test_arithmetic_with_a_number_is_a_scale(function, scale, bias):
    ((op,),) = written(function, spec(-1, 3))
    assert op[0] == "scale" and (op[3]["scale"], op[3]["bias"]) == (scale, bias)


def test_numbers_that_a_float_attribute_would_round_stay_constants():
    ((constant, op),) = written(lambda x: x + (2**24 + 1), spec(3, dtype="int64"))
    assert constant[0] == "fill_constant" and constant[3]["str_value"] == str(2**24 + 1)
    assert op[0] == "elementwise_add"
    (ops,) = written(lambda x: x * 0.1, spec(3, dtype="float64"))
    assert [op[0] for op in ops] == ["fill_constant", "elementwise_mul"]


def test_operands_without_dimensions_get_one():
    (ops,) = written(lambda x, y: x * y, spec(2, 3), spec())
    assert [op[0] for op in ops] == ["unsqueeze2", "elementwise_mul"]
    (ops,) = written(lambda x, y: x * y, spec(), spec())
    assert [op[0] for op in ops] == ["unsqueeze2", "unsqueeze2", "elementwise_mul", "squeeze2"]


def test_the_larger_operand_comes_first_or_the_operator_is_computed_in_float64():
    ((op,),) = written(lambda x, y: x + y, spec(3), spec(2, 3))
    assert op[1] == {"X": ["x1"], "Y": ["x0"]}
    (ops,) = written(lambda x, y: x / y, spec(3), spec(2, 3))
    assert [op[0] for op in ops] == ["cast", "cast", "elementwise_div", "cast"]
    ((op,),) = written(lambda x, y: x / y, spec(2, 3), spec(3))
    assert op[0] == "elementwise_div" and op[1] == {"X": ["x0"], "Y": ["x1"]}


def test_constants_that_nothing_reads_are_left_out():
    def function(x):
        F["constant"](np.arange(3))
        return F["relu"](x)

    ((op,),) = written(function, spec(2))
    assert op[0] == "relu"


def test_what_paddle_cannot_do_is_refused_with_the_reason():
    def fold(x):
        return F["fold"](x, [3, 4], [2, 3], [1, 2], [1, 0, 0, 2])

    with pytest.raises(FormatError, match=r"'fold' at test_written_form\.py:\d+: Paddle's fold"):
        written(fold, spec(1, 12, 6))


def test_outputs_are_scaled_unless_one_is_boolean():
    builder = Builder()
    with mode.use(builder):
        x = builder.feed(spec(2), "x")
        results = [F["relu"](x), x > 0]
    desc = write_program(builder.finish(results), "memory").desc
    kinds = [op.type for op in desc.blocks[0].ops]
    assert kinds == ["feed", "relu", "fill_constant", "greater_than", "fetch", "fetch"]
    assert [v.name for v in desc.blocks[0].vars][-2:] == ["feed", "fetch"]
    assert all([a.name for a in op.attrs] == sorted(a.name for a in op.attrs) for op in desc.blocks[0].ops)


def test_operands_of_where_that_broadcast_together_are_expanded_to_zeros_of_all_their_shapes():
    """No operand has the result's shape, of which a dimension is unknown: Paddle's operator takes equal shapes only."""
    (ops,) = written(F["where"], spec(-1, -1, dtype="bool"), spec(1, 4), spec(-1, 1))
    kinds = [op[0] for op in ops]
    assert kinds.count("fill_any_like") == 3 and kinds.count("elementwise_add") == 2 and kinds.count("expand_as_v2") == 3
    end = ops[kinds.index("expand_as_v2") - 1][2]["Out"]
    assert all(op[1]["Y"] == end for op in ops if op[0] == "expand_as_v2")
    (ops,) = written(F["where"], spec(-1, 4, dtype="bool"), spec(1, 4), spec(-1, 1))
    assert "fill_any_like" not in [op[0] for op in ops]  # the condition has it


PLACES = [
    ("max_pool2d", (2, 3, 7, 6), {"kernel_size": 3, "stride": 2, "padding": 1, "ceil_mode": True}),
    ("max_pool2d", (2, 3, 8, 7), {"kernel_size": 3, "stride": 2, "padding": "SAME"}),
    ("max_pool2d", (2, 3, 8, 7), {"kernel_size": 3, "stride": 2, "padding": [0, 1, 1, 2]}),
    ("max_pool1d", (2, 3, 8), {"kernel_size": 3, "stride": 2, "ceil_mode": True}),
    ("max_pool3d", (2, 2, 5, 6, 7), {"kernel_size": 2, "stride": 2, "padding": "SAME"}),
    ("max_pool3d", (2, 2, 5, 6, 7), {"kernel_size": 3, "stride": [2, 3, 2], "padding": [1, 0, 1], "ceil_mode": True}),
    ("max_pool2d", (2, 3, 8, 7), {"kernel_size": 2, "stride": 1, "ceil_mode": True}),
]


@pytest.mark.parametrize("name, shape, settings", PLACES, ids=range(len(PLACES)))
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("known", [True, False])
def test_places_of_maxima_in_a_padded_image(name, shape, settings, dtype, known):
    """PaddlePaddle 2.6.2 gives the same numbers for these files: its operator has no attributes for such padding."""
    pool = getattr(functional, name)
    x = np.random.default_rng(0).uniform(-1, 1, shape).astype(dtype)
    builder = Builder()
    with mode.use(builder):
        given = (-1, *shape[1:]) if known or settings.get("padding") == "SAME" else [-1] * len(shape)
        results = pool(builder.feed(TensorSpec(tuple(given), as_dtype(dtype)), "x"), return_mask=True, **settings)
    program = read_program(write_program(builder.finish(list(results)), "memory").desc, "memory")
    expected = pool(EagerTensor(x), return_mask=True, **settings)
    for found, wanted in zip(interpret(program, [x], NUMPY), expected, strict=True):
        np.testing.assert_array_equal(found, wanted.numpy())


def test_places_of_maxima_in_a_padded_image_of_unknown_size():
    with pytest.raises(FormatError, match="of unknown size"):
        written(lambda x: functional.max_pool2d(x, 3, 2, "SAME", return_mask=True), spec(1, 2, -1, 8))
