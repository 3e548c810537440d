"""Sequences of different lengths in the rows of one tensor: the operator `sequence_rows` computes which rows a result consists of.

A tensor of such sequences has offsets (Paddle's LoD, level by level). Here the offsets are one int64 vector: the number of levels,
then for each level its length and its offsets; an empty vector means no offsets. `sequence_rows` computes from these vectors the
row indices of a result, and the offsets of the result. Other operators then gather, add and multiply rows, and have gradients.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import Sample, op
from to_static.compiler.ir.spec import TensorSpec
from to_static.core.array_types import Array, ArrayModule
from to_static.core.backend import backend_of
from to_static.core.dtypes import int64
from to_static.core.errors import ShapeError
from to_static.core.native_index import native

Levels = list[np.ndarray]
_Rule = Callable[..., "tuple[Any, Levels]"]
_RULES: dict[str, tuple[_Rule, int]] = {}  # with the number of dimensions of the rows


def pack(levels: Sequence[Array | Sequence[int]]) -> np.ndarray:
    """The vector that stands for offsets, level by level."""
    parts = [np.asarray(level, np.int64) for level in levels]
    if not parts:
        return np.zeros(0, np.int64)
    return np.concatenate([[len(parts)], *(x for part in parts for x in ([len(part)], part))]).astype(np.int64)


def unpack(vector: Array) -> Levels:
    """The offsets that a vector stands for."""
    levels: Levels = []
    at = 1
    while at < len(vector):
        count = int(vector[at])
        levels.append(np.asarray(vector[at + 1 : at + 1 + count], np.int64))
        at += 1 + count
    return levels


@op("sequence_rows(Vectors* -> Rows, Offsets) rule rule_args", file=None, traits="nodiff dynamic may_raise check_shapes")
def sequence_rows(vectors: Any, rule: str, rule_args: tuple[int, ...] = ()) -> Any:
    """The rows that the sequences of a result are made of, and their offsets, by a ``rule`` of the table in this module.

    ``vectors``: int64 vectors, those of offsets first. The number after the last row stands for a row of padding.
    """
    return sequence_rows.emit(list(vectors), rule=rule, rule_args=tuple(rule_args))


@sequence_rows.infer
def _(vectors: list[TensorSpec], rule: str, rule_args: tuple[int, ...]) -> Any:
    return TensorSpec((-1,) * _RULES[rule][1], int64), TensorSpec((-1,), int64)


@sequence_rows.kernel
def _(xp: ArrayModule, vectors: list[Array], rule: str, rule_args: tuple[int, ...]) -> Any:
    rows, levels = _RULES[rule][0](*(backend_of(x).to_numpy(x) for x in vectors), *rule_args)
    return xp.asarray(np.asarray(rows, np.int64)), xp.asarray(pack(levels))


@sequence_rows.may_raise
def _(vectors: Any, rule: str, rule_args: Any) -> bool:
    return True


def _rule(dims: int = 1) -> Callable[[_Rule], _Rule]:
    def enter(function: _Rule) -> _Rule:
        _RULES[function.__name__.strip("_")] = function, dims
        return function

    return enter


def _levels(vector: Array) -> Levels:
    levels = unpack(vector)
    if not levels:
        raise ShapeError(
            "sequences without offsets (LoD): feed base.create_lod_tensor(data, lengths, place), "
            "or call set_lod of a predictor's input"
        )
    return levels


def _one_level(vector: Array) -> np.ndarray:
    levels = _levels(vector)
    if len(levels) != 1:
        raise ShapeError(f"this sequence operator takes one level of offsets (LoD), got {len(levels)}")
    return levels[0]


def _joined(parts: list[Any]) -> np.ndarray:
    return np.concatenate([np.zeros(0, np.int64), *parts])


def _ranges(starts: Array, ends: Array) -> list[np.ndarray]:
    return [np.arange(a, b) for a, b in zip(starts, ends, strict=True)]


def _offsets(lengths: Array | list[int]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])


@_rule()
def _ids(lod: Array) -> Any:
    """Of each row the number of its sequence; the offsets are those of the levels above."""
    *above, last = _levels(lod)
    return np.repeat(np.arange(len(last) - 1), native(np.diff(last))), above


@_rule()
def _lengths(lod: Array) -> Any:
    *above, last = _levels(lod)
    return np.diff(last), above


@_rule()
def _first(lod: Array) -> Any:
    *above, last = _levels(lod)
    return np.where(np.diff(last) > 0, last[:-1], last[-1]), above


@_rule()
def _last(lod: Array) -> Any:
    *above, last = _levels(lod)
    return np.where(np.diff(last) > 0, last[1:] - 1, last[-1]), above


@_rule()
def _reverse(lod: Array) -> Any:
    level = _one_level(lod)
    return _joined([part[::-1] for part in _ranges(level[:-1], level[1:])]), [level]


@_rule()
def _concat(*lods: Array) -> Any:
    levels = [_one_level(lod) for lod in lods]
    if len({len(level) for level in levels}) != 1:
        raise ShapeError(f"sequence_concat: numbers of sequences differ: {[len(level) - 1 for level in levels]}")
    row_offsets = _offsets([level[-1] for level in levels])
    count = len(levels[0]) - 1
    parts = [np.arange(level[i], level[i + 1]) + at for i in range(count) for level, at in zip(levels, row_offsets, strict=False)]
    return _joined(parts), [np.sum(levels, axis=0)]


@_rule()
def _slice(lod: Array, offset: Array, length: Array) -> Any:
    level, offset, length = _one_level(lod), offset.ravel(), length.ravel()
    if not len(offset) == len(length) == len(level) - 1:
        raise ShapeError(f"sequence_slice: {len(level) - 1} sequences, but {len(offset)} offsets and {len(length)} lengths")
    starts = level[:-1] + offset
    if (offset < 0).any() or (length < 0).any() or (starts + length > level[1:]).any():
        raise ShapeError(f"sequence_slice: {offset.tolist()} and lengths {length.tolist()} leave sequences {level.tolist()}")
    return _joined(_ranges(starts, starts + length)), [_offsets(length)]


@_rule()
def _expand(lod: Array, target_lod: Array, rows: Array, ref_level: int) -> Any:
    mine, levels = unpack(lod), _levels(target_lod)
    if not -1 <= ref_level < len(levels):
        raise ShapeError(f"sequence_expand: ref_level {ref_level} of a y with {len(levels)} levels of offsets")
    times = np.diff(levels[ref_level])
    level = mine[0] if mine else np.arange(int(rows[0]) + 1)
    if len(mine) > 1 or len(level) - 1 != len(times):
        raise ShapeError(f"sequence_expand: x has {len(mine)} levels and {len(level) - 1} sequences, y repeats {len(times)}")
    parts = [part for part, count in zip(_ranges(level[:-1], level[1:]), times, strict=True) for _ in range(count)]
    return _joined(parts), [_offsets([len(part) for part in parts])] if mine else []


@_rule()
def _expand_as(target_lod: Array, rows: Array) -> Any:
    level = _one_level(target_lod)
    if len(level) - 1 != int(rows[0]):
        raise ShapeError(f"sequence_expand_as: x has {int(rows[0])} rows, y {len(level) - 1} sequences")
    return np.repeat(np.arange(len(level) - 1), native(np.diff(level))), [level]


@_rule(2)
def _pad(lod: Array, longest: int) -> Any:
    level = _levels(lod)[-1]
    lengths = np.diff(level)
    max_length = int(lengths.max(initial=0))
    if -1 < longest < max_length:
        raise ShapeError(f"sequence_pad: maxlen {longest} is less than the longest sequence, {max_length}")
    steps = np.arange(max_length if longest < 0 else longest)
    return np.where(steps < lengths[:, None], level[:-1, None] + steps, level[-1]), []


@_rule()
def _unpad(lengths: Array, longest: Array) -> Any:
    lengths, max_length = lengths.ravel(), int(longest[0])
    if (lengths > max_length).any() or (lengths < 0).any():
        raise ShapeError(f"sequence_unpad: lengths {lengths.tolist()} of rows of {max_length}")
    starts = np.arange(len(lengths)) * max_length
    return _joined(_ranges(starts, starts + lengths)), [_offsets(lengths)]


@_rule()
def _reshape(lod: Array, old: int, new: int) -> Any:
    level = _one_level(lod)
    if (level * old % new).any():
        raise ShapeError(f"sequence_reshape: sequences {level.tolist()} of rows of {old} are no whole rows of {new}")
    return np.zeros(0, np.int64), [level * old // new]


@_rule()
def _erase(lod: Array, values: Array, *tokens: int) -> Any:
    levels = _levels(lod)
    remains = ~np.isin(values.ravel(), tokens)
    remaining_before = np.concatenate([[0], np.cumsum(remains)])
    return np.flatnonzero(remains), [*levels[:-1], remaining_before[levels[-1]]]


@_rule()
def _reset(offsets: Array) -> Any:
    """No rows; the offsets are those of one level that a tensor holds."""
    level = offsets.ravel().astype(np.int64)
    if len(level) < 2 or level[0] != 0 or (np.diff(level) < 0).any():
        raise ShapeError(f"offsets of sequences rise from 0, got {level.tolist()}")
    return np.zeros(0, np.int64), [level]


@_rule()
def _append(lod: Array, offsets: Array) -> Any:
    """No rows; the offsets have one level more, that a tensor holds."""
    return np.zeros(0, np.int64), [*unpack(lod), offsets.ravel().astype(np.int64)]


@_rule()
def _unpadded(lod: Array, longest: Array) -> Any:
    """The rows of a padded tensor [sequences, longest] that are no padding; the offsets are those of the sequences."""
    levels = _levels(lod)
    lengths = np.diff(levels[-1])
    starts = np.arange(len(lengths)) * int(longest[0])
    return _joined(_ranges(starts, starts + lengths)), levels


@_rule(2)
def _pad_reversed(lod: Array) -> Any:
    """As `pad` to the longest one, with the rows of each sequence from last to first."""
    level = _levels(lod)[-1]
    lengths = np.diff(level)
    steps = np.arange(int(lengths.max(initial=0)))
    return np.where(steps < lengths[:, None], level[1:, None] - 1 - steps, level[-1]), []


@_rule()
def _unpadded_reversed(lod: Array, longest: Array) -> Any:
    """As `unpadded`, of sequences whose rows go from last to first."""
    levels = _levels(lod)
    lengths = np.diff(levels[-1])
    starts = np.arange(len(lengths)) * int(longest[0])
    return _joined([part[::-1] for part in _ranges(starts, starts + lengths)]), levels


def _rank(lod: Array) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of sequences, the longest first, and the offsets."""
    level = _one_level(lod)
    return np.argsort(-np.diff(level), kind="stable"), level


@_rule()
def _ranked(lod: Array) -> Any:
    """The numbers of the sequences, the longest first."""
    return _rank(lod)[0], []


@_rule()
def _ranked_step(lod: Array, step: Array) -> Any:
    """The row of a step in each sequence that has one, the longest sequence first."""
    order, level = _rank(lod)
    rows = level[:-1][order] + int(step[0])
    return rows[rows < level[1:][order]], []


@_rule()
def _long_enough(lod: Array, step: Array) -> Any:
    """As many first rows as there are sequences that have a step."""
    return np.arange(np.count_nonzero(np.diff(_one_level(lod)) > int(step[0]))), []


@_rule()
def _unranked(lod: Array) -> Any:
    """Of each row its position behind all rows of earlier steps, as `ranked_step` orders them."""
    order, level = _rank(lod)
    lengths = np.diff(level)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    step_offsets = _offsets([int(np.count_nonzero(lengths > step)) for step in range(int(lengths.max(initial=0)))])
    return _joined([step_offsets[:length] + rank[i] for i, length in enumerate(lengths)]), [level]


@_rule()
def _even(count: Array, length: Array) -> Any:
    """No rows; the offsets of so many sequences of one length."""
    return np.zeros(0, np.int64), [np.arange(int(count[0]) + 1) * int(length[0])]


@_rule()
def _of_lengths(lengths: Array) -> Any:
    """No rows; the offsets of sequences that have these lengths."""
    return np.zeros(0, np.int64), [_offsets(lengths.ravel())]


@_rule()
def _starts(lod: Array) -> Any:
    """The row that each sequence begins with."""
    return _levels(lod)[-1][:-1], []


@_rule()
def _detected(lengths: Array) -> Any:
    """No rows; the offsets of detections. Where there are none at all one row stands for them."""
    return np.zeros(0, np.int64), [_offsets(lengths.ravel()) if lengths.any() else np.asarray([0, 1])]


@_rule()
def _collected(images: Array, order: Array, counts: Array, count: int) -> Any:
    """The ``count`` best rows, image by image; ``order``: all rows, the best one first."""
    best = order[:count]
    rows = best[np.argsort(images[best], kind="stable")]
    return rows, [_offsets(np.bincount(images[best], minlength=len(counts)))]


def _labels(values: Array, blank: int, merge: int) -> np.ndarray:
    """The positions of labels that are not blank, and that do not repeat the one before if those are merged."""
    new = values != blank
    if merge and len(values):
        new[1:] &= values[1:] != values[:-1]
    return np.flatnonzero(new)


@_rule()
def _collapsed(lod: Array, values: Array, blank: int, merge: int) -> Any:
    """The rows of labels in CTC's output; where none remains at all, one of padding."""
    level, flat = _levels(lod)[-1], values.ravel()
    parts = [start + _labels(flat[start:end], blank, merge) for start, end in pairwise(level)]
    rows = _joined(parts)
    return (rows, [_offsets([len(part) for part in parts])]) if len(rows) else (level[-1:], [np.zeros(len(level), np.int64)])


@_rule(2)
def _aligned(values: Array, lengths: Array, blank: int, merge: int) -> Any:
    """Of each row of CTC's padded output the positions of its labels, then padding; no offsets."""
    parts = [_labels(row[:length], blank, merge) for row, length in zip(values, lengths, strict=True)]
    rows = np.full(values.shape, values.size, np.int64)
    for i, part in enumerate(parts):
        rows[i, : len(part)] = part + i * values.shape[1]
    return rows, []


@_rule(2)
def _windows(lod: Array, start: int, length: int) -> Any:
    """For each row those from ``start`` on, ``length`` of them, as far as they are in its sequence."""
    levels = _levels(lod)
    level = levels[-1]
    sequence = np.repeat(np.arange(len(level) - 1), native(np.diff(level)))
    positions = np.arange(level[-1])[:, None] + start + np.arange(length)
    inside = (positions >= level[sequence][:, None]) & (positions < level[sequence + 1][:, None])
    return np.where(inside, positions, level[-1]), levels


_LOD = pack([[0, 2, 2, 5]])
sequence_rows.samples(
    lambda: [
        Sample([_LOD], rule="ids", rule_args=()),
        Sample([_LOD, pack([[0, 1, 3, 4]])], rule="concat", rule_args=()),
        Sample([_LOD, pack([[0, 1, 3, 4]]), np.asarray([5])], rule="expand", rule_args=(0,)),
        Sample([_LOD], rule="pad", rule_args=(-1,)),
        Sample([_LOD], rule="windows", rule_args=(-1, 3)),
    ]
)
