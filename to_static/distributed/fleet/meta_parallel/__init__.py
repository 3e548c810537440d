"""Paddle's ``fleet.meta_parallel``, layers whose weights processes share out among them: in a world of one each has them whole."""

from to_static.core.importing.paddle_module_aliases import names_around
from to_static.distributed.fleet.meta_parallel.layers import (
    ColumnParallelLinear,
    ParallelCrossEntropy,
    RowParallelLinear,
    VocabParallelEmbedding,
)
from to_static.distributed.fleet.meta_parallel.pipeline import (
    LayerDesc,
    PipelineLayer,
    PipelineParallel,
    SharedLayerDesc,
    TensorParallel,
)
from to_static.distributed.fleet.meta_parallel.states import (
    RNGStatesTracker,
    get_rng_state_tracker,
    model_parallel_random_seed,
)

__all__ = [
    "ColumnParallelLinear", "LayerDesc", "ParallelCrossEntropy", "PipelineLayer", "PipelineParallel", "RNGStatesTracker",
    "RowParallelLinear", "SharedLayerDesc", "TensorParallel", "VocabParallelEmbedding", "get_rng_state_tracker",
    "model_parallel_random_seed",
]  # fmt: skip

__getattr__ = names_around(__name__)
