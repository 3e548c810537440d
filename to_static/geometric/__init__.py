"""Graphs: messages along edges, segments of rows, neighbours."""

from to_static.core.diagnostics.missing_names import names_missing
from to_static.geometric.messages import send_u_recv, send_ue_recv, send_uv
from to_static.geometric.neighbors import (
    reindex_graph,
    reindex_heter_graph,
    sample_neighbors,
    weighted_sample_neighbors,
)
from to_static.geometric.segments import segment_max, segment_mean, segment_min, segment_sum

__all__ = [
    "reindex_graph",
    "reindex_heter_graph",
    "sample_neighbors",
    "segment_max",
    "segment_mean",
    "segment_min",
    "segment_sum",
    "send_u_recv",
    "send_ue_recv",
    "send_uv",
    "weighted_sample_neighbors",
]

__getattr__ = names_missing(__name__)
