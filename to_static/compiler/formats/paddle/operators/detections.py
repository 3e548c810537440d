"""Readers of PaddlePaddle 1's detection operators.

Later versions have the number of boxes of each image as a tensor. These operators have sequence offsets next to the boxes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from to_static.compiler.formats.paddle.operators.call_by_type import call
from to_static.compiler.formats.paddle.operators.lazy_op_lookup import operator
from to_static.compiler.formats.paddle.operators.op_compat import reads
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.detection.matches import bipartite_match, mine_hard_examples
from to_static.compiler.ops.detection.perspective import roi_perspective_transform
from to_static.compiler.ops.sequence import offsets as lod
from to_static.compiler.ops.sequence.sequences import rows_by

if TYPE_CHECKING:
    from to_static.compiler.formats.paddle.operators.op_reader import OpReader
    from to_static.compiler.ir.tensor import Tensor


def _counts(boxes: Tensor) -> Any:
    """The number of boxes of each image, int32, by the offsets beside them; None where there are none."""
    if not hasattr(boxes, "ssa") or lod.known_offsets(boxes.builder, boxes.ssa) is None:
        return None
    lengths, _ = rows_by("lengths", [lod.offsets_of(boxes, "boxes")])
    return F.cast(lengths, "int32")


def _by_image(boxes: Tensor, counts: Tensor) -> Any:
    """``boxes`` with offsets by how many each image has, which are computed if something asks for them."""
    return lod.give_late(boxes, lambda: rows_by("of_lengths", [F.cast(counts, "int64")])[1]) if hasattr(boxes, "ssa") else boxes


# suppression ---------------------------------------------------------------------------------------------------------


@reads("multiclass_nms", "multiclass_nms2")
def _(r: OpReader) -> Any:
    boxes, scores = r.input("BBoxes"), r.input("Scores")
    names = {"background_label": 0, "score_threshold": 0.0, "nms_top_k": -1, "nms_threshold": 0.3, "nms_eta": 1.0}
    attrs: dict[str, Any] = {name: r.attr(name, default) for name, default in names.items()}
    attrs |= {"keep_top_k": r.attr("keep_top_k", -1), "normalized": r.attr("normalized", True)}
    counts = _counts(boxes) if scores.spec.ndim == 2 else None
    results = call("multiclass_nms3", {"BBoxes": boxes, "Scores": scores, "RoisNum": counts}, attrs)
    out, per_image = results["Out"], results["NmsRoisNum"]
    if r.type == "multiclass_nms2":
        return {"Out": _by_image(out, per_image), "Index": _by_image(results["Index"], per_image)}
    return {"Out": _with_lengths(_or_nothing(out), per_image)}


def _or_nothing(out: Any) -> Any:
    """Detections, or one row of -1 where there are none."""
    if not hasattr(out, "ssa"):
        return out if out.shape[0] else F.full([1, 1], -1.0, out.dtype)
    (result,) = out.builder.cond(F.shape(out)[0] > 0, lambda: [F.assign(out)], lambda: [F.full([1, 1], -1.0, out.dtype)])
    return result


def _with_lengths(out: Any, counts: Tensor) -> Any:
    if not hasattr(out, "ssa"):
        return out
    return lod.give_late(out, lambda: rows_by("detected", [F.cast(counts, "int64")])[1])


# proposals -----------------------------------------------------------------------------------------------------------


@reads("generate_proposals")
def _(r: OpReader) -> Any:
    """The size of an image comes with its scale, by which the least size of a box counts."""
    inputs = {slot: r.input(slot) for slot in ("Scores", "BboxDeltas", "Anchors", "Variances")}
    names = {"pre_nms_topN": 6000, "post_nms_topN": 1000, "nms_thresh": 0.5, "min_size": 0.1, "eta": 1.0}
    attrs = {name: r.attr(name, default) for name, default in names.items()}
    results = call("generate_proposals_v2", {**inputs, "ImShape": r.input("ImInfo")}, {**attrs, "pixel_offset": True})
    boxes, scores, counts = (results[slot] for slot in ("RpnRois", "RpnRoiProbs", "RpnRoisNum"))
    return {"RpnRois": _by_image(boxes, counts), "RpnRoiProbs": _by_image(scores, counts), "RpnRoisNum": counts}


@reads("distribute_fpn_proposals")
def _(r: OpReader) -> Any:
    opdef = operator("distribute_fpn_proposals")
    results: dict[str, Any] = opdef.from_file_hook(_WithCounts(r, "FpnRois"))
    if not r.has("RoisNum") and results["MultiLevelRoIsNum"]:  # without offsets there are no numbers, either
        pairs = zip(results["MultiFpnRois"], results["MultiLevelRoIsNum"], strict=True)
        results["MultiFpnRois"] = [_by_image(boxes, counts) for boxes, counts in pairs]
        results["RestoreIndex"] = _alone(results["RestoreIndex"])
        results["MultiLevelRoIsNum"] = [_alone(counts) for counts in results["MultiLevelRoIsNum"]]
    return results


class _WithCounts:
    """An operator as it would be with the number of boxes of each image as a tensor."""

    def __init__(self, r: OpReader, boxes: str) -> None:
        self._reader, self._boxes = r, boxes

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)

    def input(self, slot: str) -> Any:
        """The first tensor of a slot, or None."""
        own_input = self._reader.input(slot)
        return _counts(self._reader.input(self._boxes)) if own_input is None and slot == "RoisNum" else own_input


@reads("roi_align", "roi_pool", "psroi_pool")
def _(r: OpReader) -> Any:
    opdef = operator(r.type)
    hook = opdef.from_file_hook
    if hook is not None:
        return {opdef.outputs[0].name: _alone(hook(_WithCounts(r, "ROIs")))}
    counts = r.input("RoisNum") if r.has("RoisNum") else _counts(r.input("ROIs"))
    attrs = {a.name: r.attrs.get(a.file_name, opdef.defaults.get(a.name)) for a in opdef.attrs}
    results = r.by_slot(opdef.emit(r.input("X"), r.input("ROIs"), counts, **attrs), opdef)
    return {slot: _alone(x) for slot, x in results.items()}


def _alone(x: Any) -> Any:
    """Return ``x`` as a tensor without the sequence offsets of the tensors that it was computed from."""
    return lod.without(x) if hasattr(x, "ssa") else x


@reads("collect_fpn_proposals")
def _(r: OpReader) -> Any:
    """The best boxes of all levels, image by image."""
    levels, scores = r.inputs("MultiLevelRois"), r.inputs("MultiLevelScores")
    counts = r.inputs("MultiLevelRoIsNum") or [_counts(boxes) for boxes in levels]
    images = [rows_by("ids", [rows_by("of_lengths", [F.cast(count, "int64")])[1]])[0] for count in counts]
    best, offsets = rows_by(
        "collected", [F.concat(images, 0), _ranked(F.reshape(F.concat(scores, 0), [-1])), F.cast(counts[0], "int64")],
        r.attr("post_nms_topN", 1000),
    )  # fmt: skip
    boxes = F.gather(F.concat(levels, 0), best, 0)
    boxes = lod.give(boxes, offsets, 1) if hasattr(boxes, "ssa") else boxes
    return {"FpnRois": boxes, "RoisNum": _alone(F.cast(rows_by("lengths", [offsets])[0], "int32"))}


def _ranked(scores: Tensor) -> Any:
    """Positions of the scores, the best one first."""
    return F.argsort(scores, 0, True)


# boxes ---------------------------------------------------------------------------------------------------------------


@reads("box_clip")
def _(r: OpReader) -> Any:
    """Boxes inside of their image, whose size was ``ImInfo`` [N, (height, width, scale)] by the scale."""
    boxes, info = r.input("Input"), r.input("ImInfo")
    edges = F.round(info[:, :2] / info[:, 2:3]) - 1  # [N, (last row, last column)]
    limits = F.concat([edges[:, 1:2], edges[:, 0:1]] * 2, 1)
    counts = _counts(boxes)
    if counts is not None:
        limits = F.gather(limits, rows_by("ids", [lod.offsets_of(boxes, "box_clip")])[0], 0)
    limits = F.reshape(limits, [-1, *[1] * (boxes.spec.ndim - 2), 4])
    return {"Output": F.minimum(F.relu(boxes), limits)}


@reads("iou_similarity")
def _(r: OpReader) -> Any:
    """The part that each box of ``X`` shares with each of ``Y``, of what both cover."""
    x, y = F.unsqueeze(r.input("X"), 1), F.unsqueeze(r.input("Y"), 0)
    more = 0.0 if r.attr("box_normalized", True) else 1.0

    def area(boxes: Tensor) -> Any:
        return (boxes[..., 2] - boxes[..., 0] + more) * (boxes[..., 3] - boxes[..., 1] + more)

    spans = F.relu(F.minimum(x[..., 2:], y[..., 2:]) - F.maximum(x[..., :2], y[..., :2]) + more)
    intersection = spans[..., 0] * spans[..., 1]
    return {"Out": intersection / (area(x) + area(y) - intersection)}


@reads("box_decoder_and_assign")
def _(r: OpReader) -> Any:
    """Boxes of each class, and those of the best class that is not the first."""
    prior, deltas, scores = r.input("PriorBox"), r.input("TargetBox"), r.input("BoxScore")
    classes, bound = scores.spec.shape[1], r.attr("box_clip", 4.135)
    spread = r.input("PriorBoxVar")
    moves = F.reshape(deltas, [-1, classes, 4])
    moves = moves * F.reshape(spread, [-1]) if spread is not None else moves
    spans = F.unsqueeze(prior[:, 2:] - prior[:, :2] + 1, 1)
    centers = moves[..., :2] * spans + F.unsqueeze(prior[:, :2], 1) + spans / 2
    halves = F.exp(F.clip(moves[..., 2:], None, bound)) * spans / 2
    boxes = F.concat([centers - halves, centers + halves - 1], -1)
    best = F.argmax(scores[:, 1:], 1, True) + 1  # [N, 1]
    chosen = F.reshape(F.take_along_axis(boxes, F.expand(F.unsqueeze(best, -1), [-1, 1, 4]), 1), [-1, 4])
    chosen = F.where(F.expand_as(F.max(scores[:, 1:], 1, True) > -1, prior), chosen, prior)  # a score of no class
    return {"DecodeBox": F.reshape(boxes, [-1, classes * 4]), "OutputAssignBox": chosen}


@reads("polygon_box_transform")
def _(r: OpReader) -> Any:
    """Distances to corners become places: 4 times the column, or the row, minus the distance."""
    x = r.input("Input")
    _, channels, height, width = x.spec.shape
    columns = F.cast(F.arange(0, width, 1, "int64"), x.dtype) * 4
    rows = F.reshape(F.cast(F.arange(0, height, 1, "int64"), x.dtype) * 4, [-1, 1])
    even, odd = columns - x[:, 0::2], rows - x[:, 1::2]
    return {"Output": F.reshape(F.stack([even, odd], 2), [-1, channels, height, width])}


# training ------------------------------------------------------------------------------------------------------------


@reads("bipartite_match")
def _(r: OpReader) -> Any:
    """For each column the row that it belongs to, image by image."""
    matrix = r.input("DistMat")
    counts = _counts(matrix)
    if counts is None:
        counts = F.cast(F.shape(matrix)[0:1], "int32")
    columns, distances = bipartite_match(matrix, counts, r.attr("match_type", "bipartite"), r.attr("dist_threshold", 0.5))
    return {"ColToRowMatchIndices": _alone(columns), "ColToRowMatchDist": _alone(distances)}


@reads("mine_hard_examples")
def _(r: OpReader) -> Any:
    """The negative examples of the largest losses, and the matches without those that are not mined."""
    loss, matches, distances = r.input("ClsLoss"), r.input("MatchIndices"), r.input("MatchDist")
    if r.attr("mining_type", "max_negative") != "max_negative":
        r.refuse("another mining type than max_negative")
    ratio, bound = r.attr("neg_pos_ratio", 1.0), r.attr("neg_dist_threshold", 0.5)
    negatives, counts = mine_hard_examples(loss, matches, distances, ratio, bound)
    return {"NegIndices": _by_image(negatives, counts), "UpdatedMatchIndices": F.assign(matches)}


@reads("target_assign")
def _(r: OpReader) -> Any:
    """For each prior box the row of ``X`` that it was matched with, and how much it counts."""
    x, matches = r.input("X"), r.input("MatchIndices")
    starts = F.cast(rows_by("starts", [lod.offsets_of(x, "target_assign")])[0], "int64")
    priors, width = matches.spec.shape[1], x.spec.shape[1]
    matched = matches >= 0
    rows = F.unsqueeze(starts, 1) + F.cast(F.clip(matches, 0), "int64")
    columns = F.arange(0, priors, 1, "int64") % width + rows * 0
    chosen = F.gather_nd(x, F.stack([rows, columns], -1))
    fill = F.full_like(chosen, r.attr("mismatch_value", 0))
    weights = F.cast(matched, "float32")
    if r.has("NegIndices"):  # a negative box counts, and has no target, whatever it was matched with
        negative = r.input("NegIndices")
        images, _ = rows_by("ids", [lod.offsets_of(negative, "target_assign")])
        positions = F.stack([images, F.reshape(F.cast(negative, "int64"), [-1])], 1)
        picked = F.scatter_nd_add(F.full_like(weights, 0.0), positions, F.full_like(F.cast(images, "float32"), 1.0))
        weights = F.maximum(weights, F.clip(picked, 0.0, 1.0))
        matched = F.logical_and(matched, picked == 0)
    out = F.where(F.expand_as(F.unsqueeze(matched, -1), chosen), chosen, fill)
    return {"Out": out, "OutWeight": F.unsqueeze(weights, -1)}


@reads("roi_perspective_transform")
def _(r: OpReader) -> Any:
    quads = r.input("ROIs")
    sizes = r.attr("transformed_height", 1), r.attr("transformed_width", 1)
    out, mask, matrix = roi_perspective_transform(r.input("X"), quads, _counts(quads), *sizes, r.attr("spatial_scale", 1.0))
    return {"Out": out, "Mask": mask, "TransformMatrix": matrix}
