"""Which passes run, in which order, and why."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence

from to_static.core.flags import declare
from to_static.ir.program import Program
from to_static.ir.spec import TensorSpec
from to_static.passes import algebra, cse, dce, fold, freeze, numbers, plain, same_shape
from to_static.passes.manager import Pass, run_passes

LARGE = 1 << 15  # numbers of a result from which on chains pay
strict = declare(
    "TO_STATIC_STRICT",
    False,
    "Use only rewrites that keep every bit: no other order of sums, no packed convolutions, no folded batch norms",
)



def _where(operators: str, module: str, function: str = "run") -> Callable[[Program], int]:
    """A pass of a module that is loaded when a Program has one of the operators: most have not, and starting must be quick."""
    wanted = frozenset(operators.split())

    def run(program: Program) -> int:
        if all(op.name not in wanted for op in program.block.walk()):
            return 0
        return getattr(importlib.import_module(f"to_static.passes.{module}"), function)(program)  # type: ignore[no-any-return]

    return run


_PLAIN = Pass("plain", plain.run, "gradients were taken before, in the way that the user wrote")
_DCE = Pass("dce", dce.run, "what nobody needs must cost nothing; also makes later passes see real users only")
_FOLD = Pass("fold", fold.run, "shapes, scalars and branches that are known now need no work at run time")
_FOLD_SMALL = Pass("fold_small", fold.run_small, "the same, but never makes a file much larger")
_ALGEBRA = Pass("algebra", algebra.run, "gradients multiply by ones and reshape back and forth")
_CSE = Pass("cse", cse.run, "tracing repeats shapes and constants, gradients repeat the forward's values")

INFERENCE: tuple[Pass, ...] = (
    _PLAIN,
    _DCE,
    _FOLD,
    _ALGEBRA,
    _CSE,
    Pass("loops", _where("while_loop cond", "loops"), "turns of a loop must not repeat what the first one has computed"),
    _FOLD._replace(why="identities leave new constants behind"),
    _DCE._replace(why="the passes before it leave unused ops behind"),
)
_SAME_SHAPE = Pass("same_shape", same_shape.run, "a bias on a single row is a row")
TRAINING = INFERENCE  # the halves of a training step have no gradients taken any more, and keep no other secrets
_FREEZE = Pass("freeze", freeze.run, "weights that never change again, as in a predictor, are constants: small results are folded")
_IMAGES_LAST = Pass(
    "images_last", _where("conv2d conv2d_grad_input conv2d_grad_filter", "layout", "run_training"),
    "lines of many small images are longer than their rows",
)
_LABEL_LOSS = Pass(
    "label_loss", _where("cross_entropy_grad", "label_loss"), "a loss and its gradient need the same exponentials"
)
_COLUMN_SUMS = Pass(
    "column_sums", _where("sum_to sum", "column_sums"), "products add up columns quicker than sums do"
)
_LOOKUPS = Pass("lookups", _where("embedding_grad", "lookups"), "a table's gradient is as large as the table")
_ROWS = Pass("row_updates", _where("embedding_grad", "row_updates"), "a step along a few rows of a table is no work on the others")
_SOFTMAXES = Pass("softmaxes", _where("softmax", "softmaxes"), "maxima of rows take longer than all else that a softmax does")
_UPDATES = Pass("updates", _where("momentum adam adamw", "updates"), "steps on small weights cost what their calls cost")
_RATES = Pass("rates", _where("sgd", "rates"), "gradients of weights have more numbers than what they are computed from")
_VIEWS = Pass("views", _where("split unbind", "pieces", "run_views"), "pieces of a split need no memory of their own")
_KERNELS: tuple[Pass, ...] = (  # for plans that keep what depends on weights alone (NumPy only)
    Pass(
        "norm_scale", _where("batch_norm", "norm_scale"),
        "a batch norm with fixed statistics is a scale and a shift, which the convolution can do",
    ),
    *INFERENCE,
    Pass(
        "late_activation", _where("pool2d", "late_activation"),
        "after a max pooling there are fewer numbers to add to and to clip",
    ),
    Pass(
        "layout", _where("conv2d", "layout"),
        "convolutions are quickest with channels last, or images last, and packed weights",
    ),
    _IMAGES_LAST._replace(why="of whole training steps: weights that a run changes, and gradients"),
    Pass("linear_chain", _where("matmul", "linear_chain"), "linear layers with nothing in between are one"),
    Pass("row_chain", _where("matmul", "row_chain"), "layers on one row of numbers cost what their calls cost"),
    Pass("recurrent", _where("rnn", "recurrent"), "steps of a layer that is not trained need fewer calls, and packed weights"),
    _LABEL_LOSS,
    _SOFTMAXES,
    Pass(
        "norms", _where("layer_norm", "pieces", "run_norms"),
        "statistics that nobody reads need no memory, and the result can go into a buffer",
    ),
    Pass(
        "fuse_conv", _where("packed_conv", "fuse_conv"),
        "bias, sum and activation are done while a block of the result is in the cache",
    ),
    _COLUMN_SUMS,
    _SAME_SHAPE,
    *INFERENCE,
)
EXPORT: tuple[Pass, ...] = (
    _PLAIN,
    _DCE,
    _FOLD_SMALL,
    Pass("numbers", numbers.run, "files know operators of tensors only, not those of Python's numbers"),
    _CSE,
    _DCE._replace(why="the passes before it leave unused ops behind"),
)




def _large(program: Program) -> int:
    """The pass of chains, loaded where something is large enough."""
    specs = (v.spec for op in program.block.walk() for v in op.outputs)
    if not any(isinstance(s, TensorSpec) and s.size >= LARGE for s in specs):
        return 0
    return importlib.import_module("to_static.passes.chains").run(program)  # type: ignore[no-any-return]


_CHAINS = Pass("chains", _large, "large arrays pass through the cache once for many operators")


def training(backend: str) -> tuple[Pass, ...]:
    """The passes for plans whose weights change from call to call."""
    if backend != "numpy":
        return TRAINING
    if strict.value:
        return (*TRAINING, _ROWS, _SAME_SHAPE, _VIEWS, _UPDATES, _CHAINS)
    sums = (_LABEL_LOSS, _SOFTMAXES, _IMAGES_LAST, _COLUMN_SUMS, _LOOKUPS)
    return (*TRAINING, *sums, _ROWS, _RATES, _SAME_SHAPE, *TRAINING, _VIEWS, _UPDATES, _CHAINS)


def settled(backend: str, frozen: bool = False) -> tuple[Pass, ...]:
    """The passes for plans whose weights seldom change (``frozen``: never), made with ``settled=True``.

    With TO_STATIC_STRICT only those that keep every bit.
    """
    if backend != "numpy":
        passes = INFERENCE
    else:
        passes = (*INFERENCE, _VIEWS, _CHAINS) if strict.value else (_PLAIN, _DCE, *_KERNELS, _VIEWS, _CHAINS)
    return (_FREEZE, *passes) if frozen else passes


def optimize(program: Program, passes: Sequence[Pass] = INFERENCE) -> Program:
    """Rewrite ``program`` in place by the passes, in order; returns it. Feeds, outputs and state stay as they are."""
    return run_passes(program, passes)
