"""Resolves an operator of Paddle's files: to a reader of its own, or to the operator that is declared to have that type."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from to_static.compiler.formats.paddle.operators import graphs, op_decompositions, quantized, recurrent  # noqa: F401  (they add to READERS)
from to_static.compiler.formats.paddle.operators.lazy_op_lookup import operator
from to_static.compiler.formats.paddle.operators.op_compat import OLD_NAMES, READERS
from to_static.compiler.formats.paddle.operators.op_reader import PIECES, OpReader

# modules of readers that few files need, by the types that they read
_LATE = {
    kind: module
    for module, kinds in {
        "sequences": "crf_decoding ctc_align gru gru_unit im2sequence linear_chain_crf lod_reset lstm lstm_unit row_conv "
        "sequence_concat sequence_conv sequence_enumerate sequence_erase sequence_expand sequence_expand_as sequence_pad "
        "sequence_pool sequence_reshape sequence_reverse sequence_scatter sequence_slice sequence_softmax sequence_unpad",
    }.items()
    for kind in kinds.split()
}


def reader_of(op_type: str) -> Callable[[OpReader], Any] | None:
    """The reader of a type that is not one operator of ours, else None."""
    if op_type in _LATE and op_type not in READERS:
        import_module(f"{__package__}.{_LATE[op_type]}")
    return READERS.get(op_type)


def is_known(op_type: str) -> bool:
    """True if there is an operator of that type."""
    op_type = OLD_NAMES.get(op_type, op_type)
    return op_type in READERS or op_type in _LATE or operator(op_type) is not None


def unrounded(view: OpReader, results: dict[str, Any]) -> dict[str, Any]:
    """Results of which gradients are those of numbers that are not rounded."""
    way = quantized.STRAIGHT.get(view.type)
    return results if way is None else way(view, results)  # type: ignore[no-any-return]


def results(view: OpReader) -> dict[str, Any]:
    """The results of an operator by the slots of its type, after calling it in the current mode. An unknown type is refused."""
    op_type = OLD_NAMES.get(view.type, view.type)
    hook = reader_of(op_type)
    opdef = operator(op_type) if hook is None else None
    if hook is None and opdef is not None:
        hook = opdef.from_file_hook
    if hook is None and opdef is None:
        view.refuse("this operator is not supported")
    if op_type in PIECES:
        view.check_pieces(*PIECES[op_type])
    return view.by_slot(hook(view) if hook is not None else view.plain(opdef), opdef)  # type: ignore[arg-type]
