"""`nce`: a loss over many classes that looks at few of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ops.indexing.gather import gather
from to_static.compiler.ops.indexing.sort import searchsorted
from to_static.compiler.ops.random.random import uniform
from to_static.compiler.ops.shapes.concat_split import concat
from to_static.compiler.ops.shapes.create import full_like, to_tensor
from to_static.compiler.ops.shapes.sizes import shape
from to_static.core.errors import ShapeError
from to_static.core.importing.paddle_module_aliases import names_around
from to_static.nn.functional import sigmoid
from to_static.static.nn.parameters import Maker


def nce(
    input: Any,
    label: Any,
    num_total_classes: int,
    sample_weight: Any = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    num_neg_samples: int | None = None,
    name: str | None = None,
    sampler: str = "uniform",
    custom_dist: Any = None,
    seed: int = 0,
    is_sparse: bool = False,
) -> Any:
    """Noise-contrastive estimation: the true classes against classes drawn from a known distribution; [N, 1].

    Args:
        input: floating Tensor [N, D].
        label: int64 Tensor [N, true classes].
        num_total_classes: how many classes there are.
        sample_weight: weights of the rows, [N, 1]; default 1.
        param_attr: of the new weight [classes, D].
        bias_attr: of the new bias [classes, 1]; False: there is none.
        num_neg_samples: classes drawn for each row, 10 by default.
        sampler: 'uniform', 'log_uniform' or 'custom_dist'.
        custom_dist: probabilities of the classes, for 'custom_dist'.
        seed: of the draws; 0: the global random source.
        is_sparse: not used.

    Raises ValueError for an ``input`` of another rank and for another ``sampler``.

    Example:
        >>> loss = paddle.static.nn.nce(x, label, num_total_classes=10000)

    Source: Gutmann and Hyvarinen, "Noise-contrastive estimation", AISTATS 2010, in the form of PaddlePaddle 2.6.
    """
    if input.spec.ndim != 2:
        raise ValueError(f"nce: the input must be [N, D], it is {input.spec}")
    width, true = input.spec.shape[1], label.spec.shape[-1]
    if UNKNOWN in (width, true):
        raise ShapeError(f"nce: D and the number of true classes must be known, got {input.spec} and {label.spec}")
    count = 10 if num_neg_samples is None else int(num_neg_samples)
    maker = Maker("nce", name, input.dtype)
    weight = maker.weight([num_total_classes, width], param_attr)
    bias = maker.bias([num_total_classes, 1], bias_attr) if bias_attr is not False else None
    drawn = _drawn([shape(input)[0], count], num_total_classes, sampler, custom_dist, seed)
    classes = concat([label.reshape([-1, true]), drawn], 1)
    flat = classes.reshape([-1])
    logits = (gather(weight, flat, 0).reshape([-1, true + count, width]) * input.unsqueeze(1)).sum(-1)
    if bias is not None:
        logits = logits + gather(bias, flat, 0).reshape([-1, true + count])
    odds = sigmoid(logits)
    noise = _probability(classes, num_total_classes, sampler, custom_dist).astype(input.dtype) * count
    total = odds + noise
    hit, missed = (odds / total)[:, :true], (noise / total)[:, true:]
    cost = -concat([hit.log(), missed.log()], 1).sum(1, keepdim=True)
    if sample_weight is not None:
        cost = cost * sample_weight.reshape([-1, 1])
    return cost / (count + 1)


def _drawn(dims: Any, classes: int, sampler: str, custom_dist: Any, seed: int) -> Any:
    points = uniform(dims, "float64", 0.0, 1.0, seed)
    if sampler == "uniform":
        return (points * classes).astype("int64").clip(0, classes - 1)
    if sampler == "log_uniform":
        return ((points * math.log(classes)).exp() - 1).astype("int64") % (classes - 1)
    if sampler != "custom_dist" or custom_dist is None:
        raise ValueError(f"nce: sampler is 'uniform', 'log_uniform', or 'custom_dist' with custom_dist, got {sampler!r}")
    edges = np.cumsum(np.asarray(custom_dist, "float64"))
    return searchsorted(to_tensor(edges / edges[-1]), points, right=True).clip(0, classes - 1)


def _probability(classes: Any, count: int, sampler: str, custom_dist: Any) -> Any:
    if sampler == "uniform":
        return full_like(classes, 1.0 / count, "float64")
    if sampler == "log_uniform":
        value = classes.astype("float64")
        return ((value + 2) / (value + 1)).log() / math.log(count)
    return gather(to_tensor(np.asarray(custom_dist, "float64")), classes.reshape([-1]), 0).reshape(classes.shape)


__getattr__ = names_around(__name__)
