"""Layers that compare two tensors: `CosineSimilarity` and `PairwiseDistance`."""

from to_static.nn.functional_layer import declare

CosineSimilarity = declare(
    __name__, "CosineSimilarity", "cosine_similarity", "The cosine of the angle between two tensors along ``axis``.",
    inputs="x1 x2", attributes="_{}", named=False, axis=1, eps=1e-8,
    example=">>> float(paddle.nn.CosineSimilarity()(paddle.ones([1, 2]), paddle.ones([1, 2])))\n1.0",
)  # fmt: skip
PairwiseDistance = declare(
    __name__, "PairwiseDistance", "pairwise_distance", "The ``p``-norm of ``x - y + epsilon`` over the last dimension.",
    ("p",), inputs="x y", p=2.0, epsilon=1e-6, keepdim=False,
    example=">>> float(paddle.nn.PairwiseDistance()(paddle.zeros([1, 2]), paddle.to_tensor([[3.0, 4.0]])))\n5.0",
)  # fmt: skip
