"""Decoding step by step until every sequence has ended: `dynamic_decode`, and beam search as what it repeats."""

from __future__ import annotations

import contextlib
import warnings
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions
from to_static.compiler.ops.indexing.gather import gather_nd
from to_static.compiler.ops.indexing.sort import topk
from to_static.compiler.ops.indexing.where import where
from to_static.compiler.ops.layers.softmax import log_softmax
from to_static.compiler.ops.losses.beam_search import gather_tree
from to_static.compiler.ops.shapes.concat_split import stack
from to_static.compiler.ops.shapes.create import full, to_tensor, zeros_like
from to_static.compiler.ops.shapes.sequence import arange
from to_static.core import tree
from to_static.core.dtypes import default_dtype
from to_static.core.errors import ProgramError

NEVER = 1e9  # the logarithm of a chance of 0, with its sign changed


class Decoder:
    """The base class of what `dynamic_decode` repeats. Your class gives `initialize`, `step` and, if needed, `finalize`."""

    def initialize(self, inits: Any) -> tuple[Any, Any, Any]:
        """The inputs and the states of the first step, and which sequences have ended (a bool Tensor)."""
        raise NotImplementedError(f"{type(self).__name__} has no initialize")

    def step(self, time: Any, inputs: Any, states: Any, **kwargs: Any) -> tuple[Any, Any, Any, Any]:
        """One step: ``(outputs, next_states, next_inputs, finished)``; ``time`` is an int64 Tensor [1]."""
        raise NotImplementedError(f"{type(self).__name__} has no step")

    def finalize(self, outputs: Any, final_states: Any, sequence_lengths: Any) -> tuple[Any, Any]:
        """Convert the outputs of all steps [time, batch, ...] and the last states into the results."""
        raise NotImplementedError(f"{type(self).__name__} has no finalize")

    @property
    def tracks_own_finished(self) -> bool:
        """True if `step` itself says which sequences have ended, as when it changes their order (default False)."""
        return False


class BeamSearchDecoder(Decoder):
    """Beam search: the ``beam_size`` likeliest sequences of tokens that a cell gives.

    Args:
        cell: a callable ``cell(inputs, states) -> (outputs, new_states)``, such as an `nn.RNNCellBase`.
        start_token: the token that sequences begin with.
        end_token: the token that ends a sequence.
        beam_size: how many sequences are kept.
        embedding_fn: from tokens [batch, beam] to inputs of the cell (default None: the tokens).
        output_fn: from outputs of the cell to logits [..., vocabulary] (default None: the outputs).

    Tensors that every step needs besides the states (as the memory of an attention) must be given beam by beam: see
    `tile_beam_merge_with_batch`.

    Example:
        >>> cell, embedding, projection = nn.GRUCell(8, 8), nn.Embedding(20, 8), nn.Linear(8, 20)
        >>> decoder = paddle.nn.BeamSearchDecoder(cell, 0, 1, 4, embedding_fn=embedding, output_fn=projection)
        >>> encoded = paddle.ones([2, 8])
        >>> tokens, states = paddle.nn.dynamic_decode(decoder, inits=cell.get_initial_states(encoded), max_step_num=10)

    Subclasses may replace what a step is made of: `_merge_batch_beams`, `_split_batch_beams`, `_mask_probs`, `_gather` and
    `_beam_search_step`; ``batch_size`` is that of the states that `initialize` got.

    Source: the decoder of TensorFlow's seq2seq library, as in PaddlePaddle.
    """

    kinf = NEVER
    batch_size: Any = None

    OutputWrapper = namedtuple("OutputWrapper", ("scores", "predicted_ids", "parent_ids"))
    StateWrapper = namedtuple("StateWrapper", ("cell_states", "log_probs", "finished", "lengths"))

    def __init__(
        self, cell: Any, start_token: int, end_token: int, beam_size: int,
        embedding_fn: Callable[..., Any] | None = None, output_fn: Callable[..., Any] | None = None,
    ) -> None:  # fmt: skip
        self.cell, self.embedding_fn, self.output_fn = cell, embedding_fn, output_fn
        self.start_token, self.end_token, self.beam_size = start_token, end_token, beam_size

    @staticmethod
    def tile_beam_merge_with_batch(x: Any, beam_size: int) -> Any:
        """``x`` [batch, ...] as [batch * beam_size, ...]: each element ``beam_size`` times, one after the other."""
        return _merged(_each_beam(x, beam_size))

    def _expand_to_beam_size(self, x: Any) -> Any:
        """``x`` [batch, ...] as [batch, beam, ...]."""
        return _each_beam(x, self.beam_size)

    def _split_batch_beams(self, x: Any) -> Any:
        """``x`` [batch * beam, ...] as [batch, beam, ...]."""
        return x.reshape([-1, self.beam_size, *x.shape[1:]])

    def _merge_batch_beams(self, x: Any) -> Any:
        """``x`` [batch, beam, ...] as [batch * beam, ...]."""
        return _merged(x)

    def _mask_probs(self, probs: Any, finished: Any) -> Any:
        """``probs`` [batch, beam, vocabulary]; a sequence that has ended goes on with the end token only, at no cost."""
        end_scores = np.full(probs.shape[-1], -NEVER, default_dtype().np)
        end_scores[self.end_token] = 0.0
        return where(finished.unsqueeze(2), to_tensor(end_scores).astype(probs.dtype), probs)

    def _gather(self, x: Any, indices: Any, batch_size: Any = None) -> Any:
        """Select the beams ``indices`` [batch, beam] of each element of the batch from ``x`` [batch, beam, ...]."""
        return _of_beams(x, indices)

    def initialize(self, initial_cell_states: Any) -> tuple[Any, Any, Any]:
        """The start token for every beam, the initial states for every beam, and no sequence that has ended."""
        states = tree.map_tree(self._expand_to_beam_size, initial_cell_states)
        batch = self.batch_size = tree.flatten(initial_cell_states)[0][0].shape[0]
        self.start_token_tensor, self.end_token_tensor = full([1], self.start_token, "int64"), full([1], self.end_token, "int64")
        tokens = full([batch, self.beam_size], self.start_token, "int64")
        # only the first beam counts at first: they are all the same
        first = to_tensor(np.asarray([[0.0] + [-NEVER] * (self.beam_size - 1)], default_dtype().np))
        log_probs = first.tile([batch, 1])
        finished = full([batch, self.beam_size], False, "bool")
        inputs = self.embedding_fn(tokens) if self.embedding_fn else tokens
        return inputs, self.StateWrapper(states, log_probs, finished, zeros_like(tokens)), finished

    def step(self, time: Any, inputs: Any, states: Any, **kwargs: Any) -> tuple[Any, Any, Any, Any]:
        """One token more for the best beams: ``(OutputWrapper, StateWrapper, inputs, finished)``."""
        inputs, cell_states = (tree.map_tree(self._merge_batch_beams, value) for value in (inputs, states.cell_states))
        outputs, cell_states = self.cell(inputs, cell_states, **kwargs)
        outputs, cell_states = (tree.map_tree(self._split_batch_beams, value) for value in (outputs, cell_states))
        logits = self.output_fn(outputs) if self.output_fn is not None else outputs
        output, new = self._beam_search_step(time=time, logits=logits, next_cell_states=cell_states, beam_state=states)
        tokens = output.predicted_ids
        tokens.stop_gradient = True
        return output, new, self.embedding_fn(tokens) if self.embedding_fn else tokens, new.finished

    def _beam_search_step(self, time: Any, logits: Any, next_cell_states: Any, beam_state: Any) -> tuple[Any, Any]:
        """The ``(OutputWrapper, StateWrapper)`` of the best continuations by ``logits`` [batch, beam, vocabulary]."""
        vocabulary = self.vocab_size = logits.shape[-1]
        step = self._mask_probs(log_softmax(logits), beam_state.finished)
        scores = (step + beam_state.log_probs.unsqueeze(2)).reshape([-1, self.beam_size * vocabulary])
        best, flat_indices = topk(scores, self.beam_size)
        beams, tokens = flat_indices // vocabulary, flat_indices % vocabulary
        cell_states = tree.map_tree(lambda x: self._gather(x, beams, self.batch_size), next_cell_states)
        finished = self._gather(beam_state.finished, beams, self.batch_size)
        lengths = self._gather(beam_state.lengths, beams, self.batch_size)
        lengths = lengths + finished.logical_not().astype(lengths.dtype)
        finished = finished.logical_or(tokens == self.end_token)
        return self.OutputWrapper(best, tokens, beams), self.StateWrapper(cell_states, best, finished, lengths)

    def finalize(self, outputs: Any, final_states: Any, sequence_lengths: Any) -> tuple[Any, Any]:
        """The whole sequences [time, batch, beam], best first."""
        return gather_tree(outputs.predicted_ids, outputs.parent_ids), final_states

    @property
    def tracks_own_finished(self) -> bool:
        """True: beams change their places."""
        return True


def dynamic_decode(
    decoder: Decoder, inits: Any = None, max_step_num: int | None = None, output_time_major: bool = False,
    impute_finished: bool = False, is_test: bool = False, return_length: bool = False, **kwargs: Any,
) -> Any:  # fmt: skip
    """Repeat ``decoder.step`` until all sequences have ended.

    Args:
        decoder: a `Decoder`.
        inits: what ``decoder.initialize`` gets.
        max_step_num: the last step that is made, counted from 0 (default None: no limit).
        output_time_major: whether outputs are [time, batch, ...] (default False: [batch, time, ...]).
        impute_finished: whether states of sequences that have ended stay as they are (default False); not if the decoder
            tracks what has ended itself.
        is_test: not used; there for compatibility.
        return_length: whether to return the lengths of the sequences, too (default False).
        **kwargs: what ``decoder.step`` gets besides.

    Returns:
        ``(outputs, final_states)``, with ``return_length`` and the lengths (int64).

    Raises:
        ProgramError: the structure of states or inputs changes from step to step, in a Program.

    Example:
        >>> cell, embedding, projection = nn.GRUCell(8, 8), nn.Embedding(20, 8), nn.Linear(8, 20)
        >>> decoder = paddle.nn.BeamSearchDecoder(cell, 0, 1, 4, embedding_fn=embedding, output_fn=projection)
        >>> inits = paddle.ones([2, 8])
        >>> tokens, states, lengths = paddle.nn.dynamic_decode(decoder, inits, max_step_num=10, return_length=True)
        >>> lengths.shape
        [2, 4]
    """
    inputs, states, finished = decoder.initialize(inits)
    lengths = zeros_like(finished).astype("int64")
    values = (full([1], 0, "int64"), inputs, states, finished, lengths)

    def advance(time: Any, inputs: Any, states: Any, finished: Any, lengths: Any) -> tuple[Any, tuple[Any, ...]]:
        outputs, new, inputs, ended = decoder.step(time, inputs, states, **kwargs)
        if decoder.tracks_own_finished:
            if not hasattr(new, "lengths"):
                warnings.warn(
                    "`next_states` has no `lengths` attribute, the returned `sequence_lengths` would be all zeros.",
                    stacklevel=2,
                )
            lengths = getattr(new, "lengths", lengths)
        else:
            ended = ended.logical_or(finished)
            lengths = lengths + ended.logical_not().astype(lengths.dtype)
            if impute_finished:
                new = _where_live(ended, states, new)
        return outputs, (time + 1, inputs, new, ended, lengths)

    def goes_on(time: Any, finished: Any) -> Any:
        unfinished = finished.all().logical_not()
        return unfinished if max_step_num is None else unfinished.logical_and((time <= max_step_num).reshape([]))

    outputs, values = (_in_program if mode.building() else _in_python)(goes_on, advance, values)
    _, _, states, _, lengths = values
    with contextlib.suppress(NotImplementedError):
        outputs, states = decoder.finalize(outputs, states, lengths)
    if not output_time_major:
        outputs = tree.map_tree(lambda x: x.transpose([1, 0, *range(2, x.ndim)]), outputs)
    return (outputs, states, lengths) if return_length else (outputs, states)


def _in_python(goes_on: Any, advance: Any, values: Any) -> tuple[Any, Any]:
    steps: list[list[Any]] = []
    recipe = None
    while bool(goes_on(values[0], values[3])):
        outputs, values = advance(*values)
        leaves, recipe = tree.flatten(outputs)
        steps.append(leaves)
    return tree.unflatten(recipe, [stack(list(leaf), 0) for leaf in zip(*steps, strict=True)]), values


def _in_program(goes_on: Any, advance: Any, values: Any) -> tuple[Any, Any]:
    """Decode in a Program: one ``while_loop``, which carries the outputs of its steps as lists."""
    leaves, recipe = tree.flatten(values)
    count = len(leaves)
    builder = mode.current()
    first = builder.trace_block(lambda: advance(*values)[0])  # a block that is not used: what the outputs of a step are
    outputs, form = tree.flatten(first.value)
    lists = [functions.list_new(()) for _ in outputs]

    def test(*now: Any) -> Any:
        carried = tree.unflatten(recipe, list(now[:count]))
        return goes_on(carried[0], carried[3])

    def step(*now: Any) -> list[Any]:
        outputs, new = advance(*tree.unflatten(recipe, list(now[:count])))
        leaves, new_recipe = tree.flatten(new)
        if new_recipe != recipe:
            raise ProgramError(
                "dynamic_decode: a step must return inputs and states of the structure that it was given"
            )
        items = [functions.list_append(row, x) for row, x in zip(now[count:], tree.flatten(outputs)[0], strict=True)]
        return [*leaves, *items]

    loop_results = builder.while_loop(test, step, [*leaves, *lists])
    stacked = [functions.list_stack(row, 0) for row in loop_results[count:]]
    return tree.unflatten(form, stacked), tree.unflatten(recipe, loop_results[:count])


def _where_live(finished: Any, old: Any, new: Any) -> Any:
    """States with those of sequences that have ended as they were."""
    old_leaves, recipe = tree.flatten(old)
    new_leaves, _ = tree.flatten(new)
    chosen = []
    for a, b in zip(old_leaves, new_leaves, strict=True):
        if isinstance(b, Tensor):
            b = where(finished.reshape([-1, *[1] * (b.ndim - 1)]), a, b)
        chosen.append(b)
    return tree.unflatten(recipe, chosen)


def _each_beam(x: Any, beams: int) -> Any:
    return x.unsqueeze(1).tile([1, beams, *[1] * (x.ndim - 1)])


def _merged(x: Any) -> Any:
    return x.reshape([-1, *x.shape[2:]])


def _of_beams(x: Any, beams: Any) -> Any:
    """Select the given beams of each element of the batch from ``x`` [batch, beam, ...]."""
    rows = arange(0, beams.shape[0], 1, beams.dtype).unsqueeze(1).expand(beams.shape)
    return gather_nd(x, stack([rows, beams], 2))
