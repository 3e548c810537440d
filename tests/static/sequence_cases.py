"""Programs over sequences (LoD), for this package and for Paddle: each case gives the results, and those of gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

ROWS = np.arange(5, dtype="float32").reshape(5, 1)
PAIRS = np.arange(10, dtype="float32").reshape(5, 2)
SIXES = np.arange(12, dtype="float32").reshape(6, 2)


def _x(paddle: Any, name: str = "x", width: Any = (1,), dtype: str = "float32", level: int = 1) -> Any:
    return paddle.static.data(name, [-1, *width], dtype, lod_level=level)


def _made(paddle: Any, array: Any) -> Any:
    return paddle.ParamAttr(initializer=paddle.nn.initializer.Assign(np.asarray(array, "float32")))


def _assigned(paddle: Any, array: Any) -> Any:
    return paddle.assign(np.asarray(array))


# name: (what is built, what is fed: arrays, or (array, lengths), whether a gradient of the sum of squares is asked for)
CASES: dict[str, Any] = {
    "expand rows": (
        lambda p, nn: nn.sequence_expand(_x(p, level=0), _x(p, "y"), ref_level=0),
        {"x": ROWS[:3], "y": (ROWS, [[2, 0, 3]])},
        True,
    ),
    "expand level 0": (
        lambda p, nn: nn.sequence_expand(_x(p), _x(p, "y", level=2), ref_level=0),
        {"x": (ROWS, [[2, 2, 1]]), "y": (ROWS, [[2, 0, 3], [1, 1, 1, 1, 1]])},
        True,
    ),
    "expand": (
        lambda p, nn: nn.sequence_expand(_x(p), _x(p, "y", level=2)),
        {"x": (ROWS, [[2, 2, 1]]), "y": (ROWS, [[1, 2], [1, 2, 2]])},
        True,
    ),
    **{
        f"pool {how}": (
            lambda p, nn, how=how: nn.sequence_pool(_x(p, width=(2,)), how, pad_value=9.0),
            {"x": (PAIRS + 1, [[2, 0, 3]])},
            True,
        )
        for how in ("average", "sum", "sqrt", "max", "last", "first")
    },
    "pool two levels": (lambda p, nn: nn.sequence_pool(_x(p, level=2), "sum"), {"x": (ROWS + 1, [[2, 1], [2, 0, 3]])}, False),
    "first step": (lambda p, nn: nn.sequence_first_step(_x(p)), {"x": (ROWS, [[2, 3]])}, True),
    "last step": (lambda p, nn: nn.sequence_last_step(_x(p)), {"x": (ROWS, [[2, 3]])}, True),
    "softmax": (lambda p, nn: nn.sequence_softmax(_x(p)), {"x": (ROWS, [[2, 3]])}, True),
    "reverse": (lambda p, nn: nn.sequence_reverse(_x(p)), {"x": (ROWS, [[2, 3]])}, True),
    "concat": (
        lambda p, nn: nn.sequence_concat([_x(p), _x(p, "y")]),
        {"x": (ROWS, [[2, 3]]), "y": (ROWS + 10, [[1, 4]])},
        False,  # Paddle's gradient is wrong where the other input needs none
    ),
    "slice": (
        lambda p, nn: nn.sequence_slice(_x(p), _assigned(p, [[0], [1]]), _assigned(p, [[2], [1]])),
        {"x": (ROWS, [[2, 3]])},
        True,
    ),
    "expand as": (
        lambda p, nn: nn.sequence_expand_as(_x(p, level=0), _x(p, "y")),
        {"x": ROWS[:3], "y": (ROWS, [[2, 0, 3]])},
        True,
    ),
    "pad": (
        lambda p, nn: nn.sequence_pad(_x(p, width=(2,)), _assigned(p, np.float32([7.0]))),
        {"x": (PAIRS, [[2, 3]])},
        True,
    ),
    "pad to 4": (lambda p, nn: nn.sequence_pad(_x(p), _assigned(p, np.float32([7.0])), maxlen=4), {"x": (ROWS, [[2, 3]])}, True),
    "unpad": (
        lambda p, nn: nn.sequence_unpad(_x(p, width=(3, 1), level=0), p.static.data("l", [-1], "int64")),
        {"x": SIXES.reshape(4, 3, 1)[:2], "l": np.int64([2, 3])},
        True,
    ),
    "wider": (lambda p, nn: nn.sequence_reshape(_x(p, width=(2,)), 4), {"x": (SIXES, [[2, 4]])}, True),
    "narrower": (lambda p, nn: nn.sequence_reshape(_x(p, width=(2,)), 1), {"x": (SIXES, [[2, 4]])}, True),
    "scatter": (
        lambda p, nn: nn.sequence_scatter(_x(p, width=(4,), level=0), _x(p, "i", dtype="int64"), _x(p, "u")),
        {"x": np.ones((2, 4), "float32"), "i": (np.int64([[0], [1], [1], [3], [0]]), [[2, 3]]), "u": (ROWS + 1, [[2, 3]])},
        False,  # Paddle has it for updates that need one, too
    ),
    "enumerate": (
        lambda p, nn: nn.sequence_enumerate(_x(p, dtype="int64"), 3, 8),
        {"x": (ROWS.astype("int64"), [[2, 3]])},
        False,
    ),
    "conv": (
        lambda p, nn: nn.sequence_conv(_x(p, width=(2,)), 1, 3, param_attr=_made(p, np.arange(6).reshape(6, 1)), bias_attr=False),
        {"x": (PAIRS, [[2, 3]])},
        True,
    ),
    "conv from the step on": (
        lambda p, nn: nn.sequence_conv(
            _x(p, width=(2,)), 1, 3, padding_start=0, param_attr=_made(p, np.arange(6).reshape(6, 1)), act="relu"
        ),
        {"x": (PAIRS, [[2, 3]])},
        True,
    ),
    "row_conv": (
        lambda p, nn: nn.row_conv(_x(p, width=(2,)), 2, param_attr=_made(p, np.arange(6).reshape(3, 2))),
        {"x": (PAIRS, [[2, 3]])},
        True,
    ),
    "passed on": (lambda p, nn: nn.sequence_pool(p.nn.functional.relu(_x(p) * 2) - 1, "sum"), {"x": (ROWS, [[2, 3]])}, True),
    "of an embedding": (
        lambda p, nn: nn.embedding(_x(p, dtype="int64"), [5, 2], param_attr=_made(p, PAIRS)),
        {"x": (ROWS.astype("int64"), [[2, 3]])},
        False,
    ),
    "two-level reverse": (lambda p, nn: nn.sequence_reverse(_x(p, level=2)), {"x": (ROWS, [[1, 1], [2, 3]])}, False),
    "too short": (
        lambda p, nn: nn.sequence_pad(_x(p), _assigned(p, np.float32([7.0])), maxlen=2), {"x": (ROWS, [[2, 3]])}, False
    ),
    "no offsets": (lambda p, nn: nn.sequence_pool(_x(p), "sum"), {"x": ROWS}, False),
}  # fmt: skip


def results(paddle: Any, name: str) -> Any:
    """[[declared level, offsets, values], ...] of a case, with the gradient of x last; 'error' when it is refused."""
    build, feeds, gradient = CASES[name]
    place = paddle.CPUPlace()
    exe = paddle.static.Executor(place)
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup):
        data = paddle.static.data

        def marked(*args: Any, **kwargs: Any) -> Any:
            made = data(*args, **kwargs)
            made.stop_gradient = made.name != "x" or not gradient
            return made

        paddle.static.data = marked
        try:
            found = build(paddle, paddle.static.nn)
        finally:
            paddle.static.data = data
        found = list(found) if isinstance(found, (list, tuple)) else [found]
        if gradient:
            found += paddle.static.gradients([(found[0] ** 2).sum()], [main.global_block().var("x")])
        exe.run(startup)
        fed = {
            key: paddle.base.create_lod_tensor(value[0], value[1], place) if isinstance(value, tuple) else value
            for key, value in feeds.items()
        }
        try:
            values = exe.run(main, feed=fed, fetch_list=found, return_numpy=False)
        except Exception:
            return "error"
    rows = []
    for k, (var, value) in enumerate(zip(found, values, strict=True)):
        offsets = value.lod() if hasattr(value, "lod") else []
        is_gradient = gradient and k == len(found) - 1
        rows.append([0 if is_gradient else var.lod_level, [] if is_gradient else offsets, np.asarray(value).tolist()])
    return rows
