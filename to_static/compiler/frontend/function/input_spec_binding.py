"""``input_spec``: assigns each InputSpec to the tensor that it describes among the arguments of a call."""

from __future__ import annotations

from typing import Any

from to_static.compiler.frontend.function import signature as signatures
from to_static.compiler.ir.input_spec import InputSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.core import tree
from to_static.core.diagnostics.source_location import report
from to_static.core.errors import DTypeError, ShapeError
from to_static.core.log import warn_once


def declared(specs: Any, bound: signatures.Bound, names: list[str], function: str, owner: Any) -> dict[int, InputSpec]:
    """Return the declared InputSpecs of a call, by leaf position; ``names``: the names of the parameters.

    A tensor that does not fit its InputSpec is bound without one, as in Paddle; a warning says so once for each argument of
    ``owner``. Raises ValueError for an entry whose structure differs from that of the argument, and TypeError for an entry of a
    tensor that is not an InputSpec, and for an InputSpec of an argument that is not a tensor.
    """
    specs_by_leaf: list[Any] = []
    for i, (entry, value) in enumerate(zip(specs, bound.arguments[0], strict=False)):
        specs_by_leaf += _leaf_specs(entry, value, names[min(i, len(names) - 1)], function)
    for i, spec in enumerate(specs_by_leaf):
        if isinstance(spec, InputSpec):
            bound.take_as_tensor(i)
            signatures.check_is_tensor(bound.leaves[i], bound.paths[i], function)
            try:
                signatures.check_against(spec, bound.leaves[i].spec, bound.paths[i], function)
            except (DTypeError, ShapeError) as error:
                specs_by_leaf[i] = None
                warn_once(f"input_spec of {bound.paths[i]}", f"{error}\n  such calls get Programs of their own", owner)
    return {i: spec for i, spec in enumerate(specs_by_leaf) if isinstance(spec, InputSpec)}


def _leaf_specs(entry: Any, value: Any, name: str, function: str) -> list[Any]:
    """Return what ``entry`` declares for each leaf of ``value``, the argument ``name`` or a part of it: an InputSpec or None."""
    parts = _parts(value)
    if parts is None:
        if not (isinstance(entry, InputSpec) or entry is None or not isinstance(value, Tensor)):
            raise _structure_error(entry, value, name, function)
        return [entry]
    leaves = tree.flatten(value)[0]
    if not any(isinstance(spec, InputSpec) for spec in tree.flatten(entry)[0]):
        return [None] * len(leaves)
    entry_parts = _parts(entry)
    fits = entry_parts is not None and entry_parts.keys() <= parts.keys()
    if entry_parts is None or not fits or (not isinstance(value, dict) and entry_parts.keys() != parts.keys()):
        raise _structure_error(entry, value, name, function)
    specs: list[Any] = []
    for key, part in parts.items():
        specs += _leaf_specs(entry_parts.get(key), part, f"{name}[{key!r}]", function)
    return specs


def _parts(value: Any) -> dict[Any, Any] | None:
    """The items of a container, by key; None for a leaf."""
    _, recipe = tree.flatten(value)
    if recipe is tree.LEAF:
        return None
    if isinstance(value, dict):
        return value
    return dict(enumerate(value)) if isinstance(value, (list, tuple)) else vars(value)


def _structure_error(entry: Any, value: Any, name: str, function: str) -> Exception:
    """The error for an entry whose structure differs from that of the argument."""
    words = f"{function}(): argument {name!r} is {_in_words(value)}, but its entry in input_spec is {_in_words(entry)}"
    rewrite = "an entry that is built as the argument is: `InputSpec([None, 3])` for a tensor, `[InputSpec(...), ...]` for a list"
    return (TypeError if isinstance(value, Tensor) else ValueError)(report(words, None, rewrite))


def _in_words(value: Any) -> str:
    """The type and structure of an argument or entry, for a message."""
    if isinstance(value, Tensor):
        return f"a tensor {value.spec}"  # type: ignore[attr-defined]
    if isinstance(value, InputSpec):
        return f"an InputSpec of one tensor, {value.tensor_spec}"
    if isinstance(value, dict):
        return f"a dict with the keys {list(value)}"
    return f"a {type(value).__name__} of {len(value)}" if isinstance(value, (list, tuple)) else repr(value)
