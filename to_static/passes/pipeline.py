"""Which passes run, in which order, and why."""

from __future__ import annotations

from collections.abc import Sequence

from to_static.ir.program import Program
from to_static.passes import algebra, conv_bn, cse, dce, fold, freeze, numbers
from to_static.passes.manager import Pass, run_passes

_DCE = Pass("dce", dce.run, "what nobody needs must cost nothing; also makes later passes see real users only")
_FOLD = Pass("fold", fold.run, "shapes, scalars and branches that are known now need no work at run time")
_FOLD_SMALL = Pass("fold_small", fold.run_small, "the same, but never makes a file much larger")
_ALGEBRA = Pass("algebra", algebra.run, "gradients multiply by ones and reshape back and forth")
_CSE = Pass("cse", cse.run, "tracing repeats shapes and constants, gradients repeat the forward's values")

INFERENCE: tuple[Pass, ...] = (
    _DCE,
    _FOLD,
    _ALGEBRA,
    _CSE,
    _FOLD._replace(why="identities leave new constants behind"),
    _DCE._replace(why="the passes before it leave unused ops behind"),
)
TRAINING = INFERENCE  # the halves of a training step have no gradients taken any more, and keep no other secrets
FROZEN: tuple[Pass, ...] = (  # only where the weights never change again, as in a predictor
    _DCE,
    Pass("conv_bn", conv_bn.run, "a batch norm with fixed statistics is a scale and a shift, which the convolution can do"),
    Pass("freeze", freeze.run, "what is computed from weights alone can then be folded"),
    *INFERENCE,
)
EXPORT: tuple[Pass, ...] = (
    _DCE,
    _FOLD_SMALL,
    Pass("numbers", numbers.run, "files know operators of tensors only, not those of Python's numbers"),
    _CSE,
    _DCE._replace(why="the passes before it leave unused ops behind"),
)


def optimize(program: Program, passes: Sequence[Pass] = INFERENCE) -> Program:
    """Rewrite ``program`` in place by the passes, in order; returns it. Feeds, outputs and state stay as they are."""
    return run_passes(program, passes)
