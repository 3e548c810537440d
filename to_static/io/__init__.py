"""Loading data: datasets, samplers, and the `DataLoader` that makes batches of Tensors of them."""

from to_static.core.diagnostics.missing_names import names_missing
from to_static.io.batch_sampler import BatchSampler, DistributedBatchSampler
from to_static.io.collate import default_collate_fn, default_convert_fn
from to_static.io.dataset import (
    ChainDataset,
    ComposeDataset,
    ConcatDataset,
    Dataset,
    IterableDataset,
    Subset,
    TensorDataset,
    random_split,
)
from to_static.io.loader import DataLoader
from to_static.io.sampler import (
    RandomSampler,
    Sampler,
    SequenceSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)
from to_static.io.worker import WorkerInfo, get_worker_info

__all__ = [
    "BatchSampler",
    "ChainDataset",
    "ComposeDataset",
    "ConcatDataset",
    "DataLoader",
    "Dataset",
    "DistributedBatchSampler",
    "IterableDataset",
    "RandomSampler",
    "Sampler",
    "SequenceSampler",
    "Subset",
    "SubsetRandomSampler",
    "TensorDataset",
    "WeightedRandomSampler",
    "WorkerInfo",
    "default_collate_fn",
    "default_convert_fn",
    "get_worker_info",
    "random_split",
]

__getattr__ = names_missing(__name__)
