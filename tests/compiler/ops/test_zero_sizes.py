"""Every operator on its samples without rows: what the shape rule accepts is computed, and has gradients."""

from __future__ import annotations

import contextlib
import warnings

import numpy as np
import pytest

from tests.compiler.ops.operator_table import TABLE, arrays_of, build, flat, infer, map_slots, run_eager
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.runtime.plan import compile_plan
from to_static.core import backend
from to_static.core.errors import ToStaticError

# what is called with arrays that belong together: gradients, what plans make of operators, and a size that a tensor gives
ASKED_FOR_OTHERS = set(
    "alignment_gradient conv2d_grad_filter conv2d_grad_input deformable_conv_grad fold_norm pack_filter "
    "packed_conv packed_conv_input psroi_pool_grad rnn_grad roi_align_grad roi_pool_grad "
    "roi_pool_pick row_adam row_adamw row_sgd yolo_loss_grad expand "
    "packed_rows".split()
)
BY_OPERATOR = {}
for _opdef, _, _sample in TABLE:
    if _opdef.name not in ASKED_FOR_OTHERS:
        BY_OPERATOR.setdefault(_opdef.name, (_opdef, []))[1].append(_sample)


def emptied(slots, rows):
    """The arrays with nothing left along their first axis where that has so many rows."""
    return map_slots(lambda a: a[:0] if a.ndim and len(a) == rows else a, slots)


def cases(samples):
    """Arrays and attributes: each sample without rows."""
    for sample in samples:
        slots = arrays_of(sample)
        first = flat(slots)[0] if flat(slots) else np.zeros(())
        if first.ndim and len(first):
            yield emptied(slots, len(first)), sample.attrs


def accepted(opdef, slots, attrs):
    """Specs of the results, None where the call is refused."""
    try:
        return infer(opdef, slots, attrs)
    except (ToStaticError, IndexError):
        return None


def check_shapes(results, specs):
    for result, spec in zip(results, specs, strict=True):
        if isinstance(spec, TensorSpec):
            assert result.dtype == spec.dtype.np
            assert len(result.shape) == spec.ndim
            assert all(d in (w, -1) or w == -1 for d, w in zip(result.shape, spec.shape, strict=True)), (
                result.shape,
                spec,
            )


@pytest.mark.parametrize("name", BY_OPERATOR)
def test_zero_sizes(name):
    opdef, samples = BY_OPERATOR[name]
    for slots, attrs in cases(samples):
        specs = accepted(opdef, slots, attrs)
        if specs is None:
            continue
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # means of nothing
            try:
                tensors, results = run_eager(opdef, slots, attrs, stop_gradient=False)
            except (ToStaticError, IndexError):  # by the values: a row that is not there
                continue
            check_shapes([r.numpy() for r in results], specs)
            wanted = [r.sum() for r in results if not r.stop_gradient and r.dtype.name in ("float32", "float64")]
            if wanted and "nodiff" not in opdef.traits:
                with contextlib.suppress(ToStaticError):  # a gradient that is not there for such shapes
                    sum(wanted[1:], wanted[0]).backward()
                for tensor in flat(tensors):
                    if isinstance(tensor, EagerTensor) and tensor.grad is not None:
                        assert tensor.grad.shape == tensor.shape
            builder, _, built = build(opdef, slots, attrs)
            plan = compile_plan(builder.finish(list(built)), backend.NUMPY)
            check_shapes([np.asarray(r) for r in plan(*flat(slots))], specs)
