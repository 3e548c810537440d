"""Gradients of tables that are looked up with ``sparse=True``: a backward Program returns rows, and makes no dense gradient.

The tape node of a static function calls this module.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir.program import Program
from to_static.compiler.ops.indexing.embedding import row_sums
from to_static.compiler.selected_rows.tensor import SelectedRows


class GradientRows(NamedTuple):
    """Results of a backward Program that are the gradient of a table by rows: ``ids`` and ``values`` are positions among them."""

    result: int
    shape: tuple[int, ...]
    ids: list[int]
    values: list[int]
    padding_idx: int


def by_rows(program: Program, results: list[int]) -> list[GradientRows]:
    """Let the Program give ids and rows in place of those ``results`` that are sums of such rows and nothing else."""
    if not results:
        return []
    from to_static.compiler.passes.training import merge_embedding_grads  # which few Programs need

    merge_embedding_grads.merge_embedding_grads(program)
    row_gradients = []
    block_results = program.block.results
    for i in results:
        op = block_results[i].op
        if op is None or op.name != "embedding_grad" or block_results.count(block_results[i]) > 1:
            continue
        ids, _, values = op.inputs
        first, second = len(block_results), len(block_results) + len(ids)
        block_results += [*ids, *values]
        block_results[i] = ids[0]
        shape = op.out.spec.shape
        row_gradients.append(
            GradientRows(i, shape, list(range(first, second)), list(range(second, len(block_results))), op.attrs["padding_idx"])
        )
    return row_gradients


def gradients(arrays: list[Any], count: int, rows: list[GradientRows]) -> list[EagerTensor]:
    """The first ``count`` results as tensors, those that are given by ``rows`` as such."""
    grads = list(map(EagerTensor, arrays[:count]))
    for row in rows:
        sums = row_sums(np, [arrays[i] for i in row.ids], [arrays[i] for i in row.values], row.shape[1], row.padding_idx)
        grads[row.result] = SelectedRows.from_rows(row.shape, sums)
    return grads
