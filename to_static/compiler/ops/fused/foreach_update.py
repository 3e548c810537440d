"""One step of an optimizer on many small parameters, whose elements are in one array, as are those of their state.

The results are equal, bit by bit, to one update after the other. The parameters are views of one array. A run makes a new array,
because others may have views of the old one. The state is overwritten if the plan allows it (``deferred_writes``, see
`ops/optimizer/updates.py`). If somebody has set a parameter to another array since the last run, the arrays are joined again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from math import prod
from operator import is_
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import Prepared, Sample, op
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.spec import TensorSpec
from to_static.core.array_types import Array
from to_static.core.arrays.array_ownership import WHOLES
from to_static.core.atomic import putting

ARRAYS = {"momentum": 1, "adam": 2, "adamw": 2}  # updates that do to each number the same -> how much of their state is arrays

SMALL = 1 << 13  # numbers of a parameter up to which calls take longer than the numbers
TOGETHER = 1 << 16  # numbers that one step is taken on at most: what belongs to them stays in the cache


@op("packed_update(Param*, Grad*, State*, Rate -> Out*) rule settings", file=None, traits="nodiff")
def packed_update(params: Any, gradients: Any, state: Any, rate: Any, rule: Any, settings: Any) -> Any:
    """The update ``rule`` with ``settings`` (items of its attributes) of each parameter.

    ``state``: the first of each parameter, the second of each, and so on; so are the results: parameters, then state.
    """
    return packed_update.emit(params, gradients, state, rate, rule=rule, settings=settings)


@packed_update.infer
def _(
    params: list[TensorSpec], gradients: Any, state: list[TensorSpec], rate: TensorSpec, rule: str, settings: Any
) -> Any:
    return *params, *state


@packed_update.kernel
def _(
    xp: Any,
    params: list[Any],
    gradients: list[Any],
    state: list[Any],
    rate: Any,
    rule: str,
    settings: Any,
    deferred_writes: Any = None,
) -> Any:
    update, attrs, count = get(rule).kernel_for(xp.__name__), dict(settings), len(params)
    steps = [
        update(xp, param, gradient, *state[k::count], rate, **attrs, deferred_writes=deferred_writes)
        for k, (param, gradient) in enumerate(zip(params, gradients, strict=True))
    ]
    return tuple(new for slot in zip(*steps, strict=True) for new in slot)


class _Pieces:
    """Arrays of given shapes as views of one array.

    ``cached_views`` has it and them, together, for a signal may come while they change.
    """

    __slots__ = ("_places", "cached_views")

    def __init__(self, shapes: list[tuple[int, ...]]) -> None:
        stops = [0, *accumulate(map(prod, shapes))]
        self._places = list(zip(stops, stops[1:], shapes, strict=False))
        self.cached_views: tuple[Any, list[Any]] = None, [None] * len(shapes)

    def cut(self, flat: Array) -> list[Any]:
        """The arrays in ``flat``."""
        WHOLES[flat] = len(self._places)
        views = [flat[start:stop].reshape(shape) for start, stop, shape in self._places]
        self.cached_views = flat, views
        return views

    def join(self, arrays: Sequence[Array]) -> Array:
        """The numbers of ``arrays`` in one piece: the one that they are views of, or else a new one."""
        flat, views = self.cached_views
        if not all(map(is_, arrays, views)):
            flat = np.concatenate([array.ravel() for array in arrays])
            self.cut(flat)
        return flat


@packed_update.prepare
def _(specs: Any, rule: str, settings: Any) -> Prepared:
    params, _, state, _ = specs
    count, dtype = len(params), params[0].dtype.np
    update, attrs, one_by_one = get(rule).kernel_for("numpy"), dict(settings), packed_update.op.kernel_for("numpy")

    def bind(inputs: Any, out: Any, work: list[Any], persistent: list[Any], empty: Any = np.empty) -> Callable[..., Any]:
        gradient = empty(sum(prod(spec.shape) for spec in params), dtype)
        outputs, *slots = (_Pieces([spec.shape for spec in slot]) for slot in (params, *_slots(state, count)))
        arrays, scalar_slots = slots[: ARRAYS[rule]], slots[ARRAYS[rule] :]

        def step(
            params: Sequence[Array], gradients: Sequence[Array], state: Any, rate: Array, deferred_writes: list[Any] | None
        ) -> Sequence[Array]:
            wholes = [slot.join(slot_arrays) for slot, slot_arrays in zip(slots, _slots(state, count), strict=True)]
            for i in range(len(arrays), len(slots)):
                if len(set(wholes[i].tolist())) > 1:  # there are parameters that have had more steps than others
                    return one_by_one(np, params, gradients, state, rate, rule, settings, deferred_writes)
                wholes[i] = wholes[i][:1]
            np.concatenate([array.ravel() for array in gradients], out=gradient)
            new, *new_state = update(np, outputs.join(params), gradient, *wholes, rate, **attrs, deferred_writes=deferred_writes)
            pieces = [*outputs.cut(new)]
            if deferred_writes is None:
                for slot, value in zip(arrays, new_state, strict=False):
                    pieces += slot.cut(value)
                for slot, value in zip(scalar_slots, new_state[len(arrays) :], strict=True):
                    pieces += slot.cut(np.repeat(value, count))
                return pieces
            for slot in slots:
                pieces += slot.cached_views[1]
            if scalar_slots:
                deferred_writes.append(
                    putting(
                        *[
                            (slot.cached_views[0], ..., v)
                            for slot, v in zip(scalar_slots, new_state[len(arrays) :], strict=True)
                        ]
                    )
                )
            return pieces

        def packed_update_run(params: Any, gradients: Any, state: Any, rate: Any, deferred_writes: Any = None) -> Any:
            pieces = step(params, gradients, state, rate, deferred_writes)
            if out[0] is None:
                return pieces
            for target, array in zip(out, pieces, strict=True):
                np.copyto(target, array)
            return out

        return packed_update_run

    return Prepared([], [], bind)


def _slots(state: Any, count: int) -> list[Any]:
    return [state[start : start + count] for start in range(0, len(state), count)]


def _samples() -> list[Sample]:
    rng = np.random.default_rng(0)

    def several(*shapes: tuple[int, ...]) -> list[Any]:
        return [rng.uniform(0.1, 1, shape).astype("float32") for shape in shapes]

    shapes, one, rate = ((2, 3), (3,), (1,)), np.asarray([0.9], "float32"), np.asarray(0.1, "float32")
    momentum = (("mu", 0.9), ("use_nesterov", True), ("regularization_method", "l2_decay"), ("regularization_coeff", 0.01))
    adam = (("beta1", 0.9), ("beta2", 0.999), ("epsilon", 1e-8), ("lazy_mode", False))
    params_and_grads = several(*shapes), several(*shapes)
    moments = [*several(*shapes), *several(*shapes)]
    return [
        Sample(*params_and_grads, several(*shapes), rate, rule="momentum", settings=(*momentum, ("rescale_grad", 1.0))),
        Sample(*params_and_grads, [*moments, *[one] * 6], rate, rule="adam", settings=adam),
        Sample(*params_and_grads, [*moments, one, one * one, one, *[one] * 3], rate, rule="adam", settings=adam),
    ]


packed_update.samples(_samples)
