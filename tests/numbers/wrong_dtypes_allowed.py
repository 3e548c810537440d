"""Which outcomes with a wrong dtype differ from Paddle's, and why: ``docs/differences.md`` has the same headings."""

from __future__ import annotations

import re

REFUSES = "Calls that Paddle refuses"
REFUSED = "Calls that are refused"
WRONG = "Values that Paddle gets wrong"

# functions of two tensors that convert the second as `x + y` and `x < y` do, with a warning, or take the wider float
_AS_OPERATORS = (
    r"(paddle\.|\w+\(.*?\)\.clone\(\)\.)(add|subtract|multiply|divide|floor_divide|remainder|floor_mod|mod|pow|maximum|minimum"
    r"|fmax|fmin|atan2|hypot|logaddexp|nextafter|gcd|lcm|bitwise_and|equal|not_equal|less_than|less_equal|greater_than|greater_equal"
    r"|logical_and|logical_or|logical_xor|isclose|allclose|equal_all|ldexp)_?\(.*"
)

# (pattern of calls, dtypes that it is about, or '' for all): Paddle refuses, this package does not
_TAKEN: list[tuple[str, str]] = [
    (_AS_OPERATORS, ""),
    (r"f\(3\)\+f\(3\)|f\(2,3\)@f\(3,2\)|i\(3\)\+i\(3\)|i\(2,3\)@i\(3,2\)", "bool"),  # a tensor of booleans on the left
    (r"paddle\.(meshgrid|broadcast_tensors)\(.*", ""),  # each result has its own dtype
    (r"f\(3\)\.clone\(\)\.set_value\(n\(f,3\)\)", ""),  # converts, as assignment to a part does
    (r"f\(3,2\)\.clone\(\)\.put_along_axis_\(.*9\.0,1\)", ""),  # a number takes the tensor's dtype
    # kernels that Paddle lacks on a CPU
    (
        r"paddle\.(gather|take|take_along_axis|index_sample|index_select|masked_select|repeat_interleave|scatter_nd|topk|searchsorted"
        r"|bucketize|bincount|clip|masked_fill|geometric\.\w+|incubate\.segment_sum|signal\.istft)\(.*",
        "bool",
    ),
    (r"(F\.pad|.*\.masked_fill_)\(.*|.*\.masked_fill_\(.*", "bool"),
    (r"(F\.cosine_embedding_loss|nn\.CosineEmbeddingLoss|L\(nn\.RNN)\(.*", "bool"),  # labels and lengths
    (r"(F\.multi_margin_loss|paddle\.multiplex|paddle\.vision\.ops\.nms)\(.*", "bool"),
]

# Paddle gives another dtype, or any at all, from what is no index, no length or no number
_NOT_FOLLOWED: list[tuple[str, str, str]] = [
    (r"(-f\(3\)|2-f\(3\)|f\(3\)-2|paddle\.neg\(.*|f\(3\)\.clone\(\)\.neg_\(\))", "bool", REFUSED),
    (r"F\.batch_norm\(.*training=True\)", "", REFUSED),  # statistics of another dtype
    (
        r"(F\.softmax_with_cross_entropy|paddle\.(concat|topk|take_along_axis|index_fill|geometric\.\w+)|.*\.(put_along_axis|index_fill)_"
        r"|F\.interpolate)\(.*",
        "bool complex64 float16 float32 float64",
        REFUSED,
    ),
    (r".*", "complex64", REFUSED),
    (r"f\(3\)\.clone\(\)\.\w+_\(.*|i\(3\)\.clone\(\)\.bitwise_and_\(.*", "", WRONG),  # x.add_(y) leaves x of the dtype of y
    (r"paddle\.linalg\.cov\(.*|F\.multi_margin_loss\(.*|paddle\.pow\(f\(3\),2\.5\)", "int32 int64", WRONG),
    (r"paddle\.increment\(.*", "float64", REFUSED),
]


def reason(text: str, own_results: list[str], place: int, dtype: str, theirs: str, ours: str) -> str | None:
    """The heading under which a difference stands, or None."""
    if theirs == "crash":
        return REFUSES
    if theirs != "refused":
        for pattern, dtypes, heading in _NOT_FOLLOWED:
            if (not dtypes or dtype in dtypes.split()) and re.fullmatch(pattern, text):
                return heading
        return None
    if dtype in ("float16", "complex64") or own_results[place] == "complex64":
        return REFUSES  # kernels that Paddle lacks on a CPU
    if len(own_results) == 1 or {own_results[place], dtype} == {"int32", "int64"}:
        return REFUSES  # the same of the one tensor; labels, lengths and indices may be of both integer dtypes
    return REFUSES if any((not d or dtype in d.split()) and re.fullmatch(p, text) for p, d in _TAKEN) else None
