"""The lists of passes for inference, training and files, with the reason for each pass. `optimize` runs one of them."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence

from to_static.compiler.ir.program import Program
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.passes.kernel_choice import squeeze_broadcast
from to_static.compiler.passes.manager import Pass, run_passes
from to_static.compiler.passes.simplify import (
    algebra,
    cse,
    dce,
    fold,
    freeze,
    python_scalars_to_ops,
    strip_custom_gradients,
)
from to_static.core.flags import declare

LARGE = 1 << 15  # results with at least so many elements are computed in fused elementwise chains
strict = declare(
    "TO_STATIC_STRICT",
    False,
    "Use only rewrites that keep every bit: no other order of sums, no packed convolutions, no folded batch norms",
)


def _pass(function: Callable[[Program], int], why: str) -> Pass:
    return Pass(function.__name__, function, why)


def _lazy(home: str, operators: str, why: str, name: str = "") -> Pass:
    """Return a pass whose module is imported when a Program has one of these ``operators``, so that start-up is fast.

    ``home``: the module, as `folder.module`; ``name``: the function of the pass, by default the name of the module.
    """
    expected, name = frozenset(operators.split()), name or home.rpartition(".")[2]

    def load_and_run(program: Program) -> int:
        if all(op.name not in expected for op in program.block.walk()):
            return 0
        return getattr(importlib.import_module(f"to_static.compiler.passes.{home}"), name)(program)  # type: ignore[no-any-return]

    return Pass(name, load_and_run, why)


_STRIP = _pass(strip_custom_gradients.strip_custom_gradients, "the gradients are computed by now; their rules are not needed")
_DCE = _pass(dce.eliminate_dead_code, "unused results need not be computed; later passes see real uses only")
_FOLD = _pass(fold.fold_constants, "shapes, scalars and branches that are known now need no work at run time")
_FOLD_SMALL = _pass(fold.fold_small_constants, "the same, but a file must not become much larger")
_ALGEBRA = _pass(algebra.simplify_algebra, "gradients multiply by ones and reshape back and forth")
_CSE = _pass(cse.eliminate_common_subexpressions, "tracing repeats shapes and constants; gradients repeat forward values")

INFERENCE: tuple[Pass, ...] = (
    _STRIP,
    _DCE,
    _FOLD,
    _ALGEBRA,
    _CSE,
    _lazy(
        "simplify.licm", "while_loop cond", "values that no iteration changes are computed once", "hoist_loop_invariants"
    ),
    _FOLD._replace(why="identities leave new constants behind"),
    _DCE._replace(why="the passes before it leave unused ops behind"),
)
_SQUEEZE = _pass(squeeze_broadcast.squeeze_leading_dims, "a bias on a single row is a row")
TRAINING = INFERENCE  # the two halves of a training step are not differentiated any more
_FREEZE = _pass(
    freeze.freeze_parameters, "weights that never change again, as in a predictor, are constants: small results are folded"
)
_TRAINING_LAYOUT = _lazy(
    "kernel_choice.layout",
    "conv2d conv2d_grad_input conv2d_grad_filter",
    "with many small images, contiguous lines are longest if the image axis is last",
    "choose_training_layout",
)
_CROSS_ENTROPY = _lazy("fusion.fuse_cross_entropy", "cross_entropy_grad", "a loss and its gradient need the same exponentials")
_SUMS = _lazy("kernel_choice.sum_as_matmul", "sum_to sum", "matrix products add up columns faster than sums", "sums_to_matmul")
_MERGE = _lazy("training.merge_embedding_grads", "embedding_grad", "a table's gradient is as large as the table")
_SPARSE = _lazy(
    "training.sparse_optimizer_updates", "embedding_grad", "an update of a few rows of a table need not read the others"
)
_SOFTMAX = _lazy(
    "kernel_choice.unshifted_softmax",
    "softmax",
    "the maxima of rows take longer than the rest of a softmax",
    "unshift_softmax",
)
_FOREACH = _lazy("training.fuse_optimizer_updates", "momentum adam adamw", "the time of updates of small weights is call overhead")
_RATE = _lazy("training.fold_learning_rate", "sgd", "gradients of weights can have more elements than the gradient of the output")
_VIEWS = _lazy("kernel_choice.split_to_views", "split unbind unstack", "pieces of a split need no memory of their own")
_KERNELS: tuple[Pass, ...] = (  # for plans with a prologue of weight preprocessing (NumPy only)
    _lazy(
        "fusion.fold_batch_norm",
        "batch_norm",
        "a batch norm with fixed statistics is a scale and a shift, which the convolution can do",
    ),
    *INFERENCE,
    _lazy("kernel_choice.sink_activation", "pool2d", "an activation has fewer elements to compute after a max pooling"),
    _lazy(
        "kernel_choice.layout",
        "conv2d",
        "convolutions are fastest with the channel or image axis last, and packed weights",
        "choose_layout",
    ),
    _TRAINING_LAYOUT._replace(why="of whole training steps: weights that a run changes, and gradients"),
    _lazy("fusion.fold_linears", "matmul", "two consecutive linear layers are one linear layer"),
    _lazy("fusion.fuse_vector_mlp", "matmul", "the time of layers on one row is call overhead"),
    _lazy("kernel_choice.pack_lstm", "rnn", "the steps of an LSTM that is not trained need fewer calls, and packed weights"),
    _CROSS_ENTROPY,
    _SOFTMAX,
    _lazy(
        "kernel_choice.split_to_views",
        "layer_norm",
        "unused statistics need no memory; without them the result can be written into a buffer",
        "drop_norm_statistics",
    ),
    _lazy("fusion.fuse_conv", "packed_conv", "bias, sum and activation run while a block of the result is in the cache"),
    _SUMS,
    _SQUEEZE,
    *INFERENCE,
)
_NUMBERS = _pass(
    python_scalars_to_ops.python_scalars_to_ops, "files know operators of tensors only, not those of Python's numbers"
)
EXPORT: tuple[Pass, ...] = (
    _STRIP,
    _DCE,
    _FOLD_SMALL,
    _NUMBERS,
    _CSE,
    _DCE._replace(why="the passes before it leave unused ops behind"),
)
_FOLD_WEIGHTS = _pass(fold.fold_weights, "a value that depends only on weights can be stored as a weight")
EXPORT_FROZEN: tuple[Pass, ...] = (  # for files whose readers do not train
    _STRIP,
    _DCE,
    _NUMBERS,
    _lazy("fusion.fold_batch_norm", "batch_norm", "a batch norm with fixed statistics is a part of the convolution"),
    _FREEZE,
    _FOLD_WEIGHTS,
    _ALGEBRA,
    _CSE,
    _FOLD_WEIGHTS._replace(why="identities leave new constants behind"),
    _DCE._replace(why="the passes before it leave unused ops behind"),
)


def _fuse_large_elementwise(program: Program) -> int:
    """Run `fuse_elementwise`, whose module is imported if a result is large enough."""
    specs = (v.spec for op in program.block.walk() for v in op.outputs)
    if not any(isinstance(s, TensorSpec) and s.size >= LARGE for s in specs):
        return 0
    return importlib.import_module("to_static.compiler.passes.fusion.fuse_elementwise").fuse_elementwise(program)  # type: ignore[no-any-return]


_CHAINS = Pass("fuse_elementwise", _fuse_large_elementwise, "large arrays pass through the cache once for many operators")


def training_passes(backend: str) -> tuple[Pass, ...]:
    """Return the passes for plans whose weights change from call to call."""
    if backend != "numpy":
        return TRAINING
    if strict.value:
        return (*TRAINING, _SPARSE, _SQUEEZE, _VIEWS, _FOREACH, _CHAINS)
    kernels = (_CROSS_ENTROPY, _SOFTMAX, _TRAINING_LAYOUT, _SUMS, _MERGE)
    return (*TRAINING, *kernels, _SPARSE, _RATE, _SQUEEZE, *TRAINING, _VIEWS, _FOREACH, _CHAINS)


def inference_passes(backend: str, frozen: bool = False) -> tuple[Pass, ...]:
    """Return the passes for plans whose weights seldom change (``frozen``: never), made with ``weights_frozen=True``.

    With TO_STATIC_STRICT these are only passes that keep every bit.
    """
    if backend != "numpy":
        passes = INFERENCE
    else:
        passes = (*INFERENCE, _VIEWS, _CHAINS) if strict.value else (_STRIP, _DCE, *_KERNELS, _VIEWS, _CHAINS)
    return (_FREEZE, *passes) if frozen else passes


def optimize(program: Program, passes: Sequence[Pass] = INFERENCE) -> Program:
    """Rewrite ``program`` in place by the passes, in order; returns it. Feeds, outputs and state stay as they are."""
    return run_passes(program, passes)
