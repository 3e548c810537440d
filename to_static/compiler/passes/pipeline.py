"""Which passes run, in which order, and why."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence

from to_static.compiler.ir.program import Program
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.passes import (
    algebra,
    cse,
    dce,
    fold,
    freeze,
    python_scalars_to_ops,
    squeeze_broadcast,
    strip_custom_gradients,
)
from to_static.compiler.passes.manager import Pass, run_passes
from to_static.core.flags import declare

LARGE = 1 << 15  # numbers of a result from which on chains pay
strict = declare(
    "TO_STATIC_STRICT",
    False,
    "Use only rewrites that keep every bit: no other order of sums, no packed convolutions, no folded batch norms",
)


def _where(operators: str, module: str, function: str = "") -> Callable[[Program], int]:
    """A pass of a module that is loaded when a Program has one of the operators: most have not, and starting must be quick."""
    wanted = frozenset(operators.split())

    def run(program: Program) -> int:
        if all(op.name not in wanted for op in program.block.walk()):
            return 0
        return getattr(importlib.import_module(f"to_static.compiler.passes.{module}"), function or module)(program)  # type: ignore[no-any-return]

    return run


_PLAIN = Pass("plain", strip_custom_gradients.strip_custom_gradients, "gradients were taken before, in the way that the user wrote")
_DCE = Pass("dce", dce.eliminate_dead_code, "what nobody needs must cost nothing; also makes later passes see real users only")
_FOLD = Pass("fold", fold.fold_constants, "shapes, scalars and branches that are known now need no work at run time")
_FOLD_SMALL = Pass("fold_small", fold.fold_small_constants, "the same, but never makes a file much larger")
_ALGEBRA = Pass("algebra", algebra.simplify_algebra, "gradients multiply by ones and reshape back and forth")
_CSE = Pass(
    "cse",
    cse.eliminate_common_subexpressions,
    "tracing repeats shapes and constants, gradients repeat the forward's values",
)

INFERENCE: tuple[Pass, ...] = (
    _PLAIN,
    _DCE,
    _FOLD,
    _ALGEBRA,
    _CSE,
    Pass(
        "loops",
        _where("while_loop cond", "licm", "hoist_loop_invariants"),
        "turns of a loop must not repeat what the first one has computed",
    ),
    _FOLD._replace(why="identities leave new constants behind"),
    _DCE._replace(why="the passes before it leave unused ops behind"),
)
_SAME_SHAPE = Pass("same_shape", squeeze_broadcast.squeeze_leading_dims, "a bias on a single row is a row")
TRAINING = INFERENCE  # the halves of a training step have no gradients taken any more, and keep no other secrets
_FREEZE = Pass(
    "freeze",
    freeze.freeze_parameters,
    "weights that never change again, as in a predictor, are constants: small results are folded",
)
_IMAGES_LAST = Pass(
    "images_last", _where("conv2d conv2d_grad_input conv2d_grad_filter", "layout", "choose_training_layout"),
    "lines of many small images are longer than their rows",
)
_LABEL_LOSS = Pass(
    "label_loss", _where("cross_entropy_grad", "fuse_cross_entropy"), "a loss and its gradient need the same exponentials"
)
_COLUMN_SUMS = Pass(
    "column_sums", _where("sum_to sum", "sum_as_matmul", "sums_to_matmul"), "products add up columns quicker than sums do"
)
_LOOKUPS = Pass("lookups", _where("embedding_grad", "merge_embedding_grads"), "a table's gradient is as large as the table")
_ROWS = Pass(
    "row_updates",
    _where("embedding_grad", "sparse_optimizer_updates"),
    "a step along a few rows of a table is no work on the others",
)
_SOFTMAXES = Pass(
    "softmaxes",
    _where("softmax", "unshifted_softmax", "unshift_softmax"),
    "maxima of rows take longer than all else that a softmax does",
)
_UPDATES = Pass(
    "updates",
    _where("momentum adam adamw", "fuse_optimizer_updates"),
    "steps on small weights cost what their calls cost",
)
_RATES = Pass(
    "rates",
    _where("sgd", "fold_learning_rate"),
    "gradients of weights have more numbers than what they are computed from",
)
_VIEWS = Pass("views", _where("split unbind", "split_to_views"), "pieces of a split need no memory of their own")
_KERNELS: tuple[Pass, ...] = (  # for plans that keep what depends on weights alone (NumPy only)
    Pass(
        "norm_scale", _where("batch_norm", "fold_batch_norm"),
        "a batch norm with fixed statistics is a scale and a shift, which the convolution can do",
    ),
    *INFERENCE,
    Pass(
        "late_activation", _where("pool2d", "sink_activation"),
        "after a max pooling there are fewer numbers to add to and to clip",
    ),
    Pass(
        "layout", _where("conv2d", "layout", "choose_layout"),
        "convolutions are quickest with channels last, or images last, and packed weights",
    ),
    _IMAGES_LAST._replace(why="of whole training steps: weights that a run changes, and gradients"),
    Pass("linear_chain", _where("matmul", "fold_linears"), "linear layers with nothing in between are one"),
    Pass("row_chain", _where("matmul", "fuse_vector_mlp"), "layers on one row of numbers cost what their calls cost"),
    Pass("recurrent", _where("rnn", "pack_lstm"), "steps of a layer that is not trained need fewer calls, and packed weights"),
    _LABEL_LOSS,
    _SOFTMAXES,
    Pass(
        "norms", _where("layer_norm", "split_to_views", "drop_norm_statistics"),
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
    Pass(
        "numbers",
        python_scalars_to_ops.python_scalars_to_ops,
        "files know operators of tensors only, not those of Python's numbers",
    ),
    _CSE,
    _DCE._replace(why="the passes before it leave unused ops behind"),
)


def _large(program: Program) -> int:
    """The pass of chains, loaded where something is large enough."""
    specs = (v.spec for op in program.block.walk() for v in op.outputs)
    if not any(isinstance(s, TensorSpec) and s.size >= LARGE for s in specs):
        return 0
    return importlib.import_module("to_static.compiler.passes.fuse_elementwise").fuse_elementwise(program)  # type: ignore[no-any-return]


_CHAINS = Pass("chains", _large, "large arrays pass through the cache once for many operators")


def training_passes(backend: str) -> tuple[Pass, ...]:
    """The passes for plans whose weights change from call to call."""
    if backend != "numpy":
        return TRAINING
    if strict.value:
        return (*TRAINING, _ROWS, _SAME_SHAPE, _VIEWS, _UPDATES, _CHAINS)
    sums = (_LABEL_LOSS, _SOFTMAXES, _IMAGES_LAST, _COLUMN_SUMS, _LOOKUPS)
    return (*TRAINING, *sums, _ROWS, _RATES, _SAME_SHAPE, *TRAINING, _VIEWS, _UPDATES, _CHAINS)


def inference_passes(backend: str, frozen: bool = False) -> tuple[Pass, ...]:
    """The passes for plans whose weights seldom change (``frozen``: never), made with ``weights_frozen=True``.

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
