"""Tensors with at least 1, 2 or 3 dimensions: atleast_1d, atleast_2d, atleast_3d."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.opdef import method
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F

# for each number of dimensions there are: where the missing ones go
_MISSING: dict[int, dict[int, list[int]]] = {1: {0: [0]}, 2: {0: [0, 1], 1: [0]}, 3: {0: [0, 1, 2], 1: [0, 2], 2: [2]}}


def _declare(n: int, doc: str) -> Any:
    def at_least(*inputs: Any, name: str | None = None) -> Tensor | list[Tensor]:
        results = []
        for x in inputs:
            x = x if isinstance(x, Tensor) else F.to_tensor(x)
            missing = _MISSING[n].get(x.ndim)
            if missing and not x.ndim:
                results.append(F.reshape(x, [1] * n))  # of a number a copy, as in PaddlePaddle
            else:
                results.append(F.unsqueeze(x, missing) if missing else x)
        return results[0] if len(results) == 1 else results

    at_least.__name__ = at_least.__qualname__ = f"atleast_{n}d"
    at_least.__doc__ = f"""The tensors (or what makes tensors), those of fewer than {n} dimensions with more of size 1: {doc}.

    One tensor for one, else a list.

    Example:
        >>> paddle.atleast_{n}d(paddle.to_tensor(1.0)).shape
        {[1] * n}
    """
    return method()(at_least)


atleast_1d = _declare(1, "a number becomes [1]")
atleast_2d = _declare(2, "[N] becomes [1, N]")
atleast_3d = _declare(3, "[N] becomes [1, N, 1], and [M, N] becomes [M, N, 1]")
