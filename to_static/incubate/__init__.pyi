"""Made by `make stubs` from the tables of `__init__.py`, for editors and type checkers. Do not edit."""
# mypy: disable-error-code="override"

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from to_static.geometric.segments import segment_max as segment_max
from to_static.geometric.segments import segment_mean as segment_mean
from to_static.geometric.segments import segment_min as segment_min
from to_static.geometric.segments import segment_sum as segment_sum
from to_static.incubate import asp as asp
from to_static.incubate import autograd as autograd
from to_static.incubate import graphs as graphs
from to_static.incubate import multiprocessing as multiprocessing
from to_static.incubate import nn as nn
from to_static.incubate import optimizer as optimizer
from to_static.incubate.graphs import graph_khop_sampler as graph_khop_sampler
from to_static.incubate.graphs import graph_reindex as graph_reindex
from to_static.incubate.graphs import graph_sample_neighbors as graph_sample_neighbors
from to_static.incubate.graphs import graph_send_recv as graph_send_recv
from to_static.incubate.graphs import identity_loss as identity_loss
from to_static.incubate.graphs import softmax_mask_fuse as softmax_mask_fuse
from to_static.incubate.graphs import softmax_mask_fuse_upper_triangle as softmax_mask_fuse_upper_triangle
from to_static.incubate.optimizer.lookahead import LookAhead as LookAhead
from to_static.incubate.optimizer.model_average import ModelAverage as ModelAverage


__all__ = ["LookAhead", "ModelAverage", "asp", "autograd", "graph_khop_sampler", "graph_reindex", "graph_sample_neighbors", "graph_send_recv", "identity_loss", "nn", "optimizer", "segment_max", "segment_mean", "segment_min", "segment_sum", "softmax_mask_fuse", "softmax_mask_fuse_upper_triangle"]
