"""`Places`: finds the parameters and buffers of a loaded model in its Layer, for `load.py`. The Programs read these tensors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir.tensor import Tensor
from to_static.core.caching.version_counter import epoch
from to_static.core.diagnostics.printable import printable
from to_static.core.errors import DTypeError, ProgramError, ShapeError
from to_static.nn.layer_tree import LayerTree, watch

if TYPE_CHECKING:
    from to_static.compiler.ir.input_spec import InputSpec

_TENSORS = ("_parameters", "_buffers")


class Places:
    """The parameters and buffers of a Layer that one Program reads, by the names of its variables.

    If a Layer's attribute changes, a global epoch increases, so a call after which nothing was replaced costs one comparison.

    Attributes:
        traced: symbolic values that are in place of tensors while a Program is being built.
    """

    def __init__(self, layer: LayerTree) -> None:
        self._layer = layer
        self._links: list[tuple[dict[str, Any], str, Any]] = []  # (table, key, value) of all dict items on the way to the tensors
        self._epoch = -1  # the epoch of the last check
        self.traced: dict[str | None, Any] = {}

    @property
    def are_unchanged(self) -> bool:
        """True if `find` would return the same tensors as last time."""
        present_epoch = epoch[0]
        if self._epoch != present_epoch:
            if not self._links or not all(table.get(key) is value for table, key, value in self._links):
                return False
            self._epoch = present_epoch
        return True

    def find(self, paths: Mapping[str, tuple[str, ...]], specs: Mapping[str, Any]) -> dict[str, Any]:
        """Return the present tensors, by name. ``paths``: the path of each in the tree of Layers; ``specs``: those of the file.

        Raises ProgramError if one is missing, TypeError for a value that is not a Tensor, ShapeError and DTypeError for a tensor
        of another shape or dtype than in the file.
        """
        present_epoch = epoch[0]
        links: dict[tuple[int, str], tuple[dict[str, Any], str, Any]] = {}

        def step(table: dict[str, Any], key: str) -> Any:
            value = table.get(key)
            links[id(table), key] = table, key, value
            return value

        current: dict[str, Any] = {}
        traced: dict[str | None, Any] = {}
        owners: dict[int, tuple[LayerTree, set[str]]] = {}
        for name, spec in specs.items():
            *path, last = paths[name]
            owner: Any = self._layer
            for part in path:
                owner = step(step(owner.__dict__, "_sub_layers"), part) if owner is not None else None
            tensor = None
            if owner is not None:
                owners.setdefault(id(owner), (owner, set()))[1].add(last)
                tensor = next(
                    (value for table_name in _TENSORS if (value := step(step(owner.__dict__, table_name), last)) is not None),
                    None,
                )
            self._check(".".join((*path, last)), tensor, spec)
            if isinstance(tensor, EagerTensor):
                current[name] = tensor
            else:
                traced[name] = tensor
        for owner, names in owners.values():
            watch(owner, id(self), frozenset(names))
        self._links, self._epoch, self.traced = list(links.values()), present_epoch, traced
        return current

    def _check(self, path: str, tensor: object, spec: InputSpec) -> None:
        """Raise an error if a saved Program cannot read the value at a path."""
        label = f"{printable(path)!r} of this loaded model"
        if tensor is None:
            raise ProgramError(
                f"{label} is missing, which its saved Program reads ({spec}): put a parameter or buffer there; what the Program "
                "computes is fixed by the file"
            )
        if not isinstance(tensor, Tensor):
            raise TypeError(f"{label} must be a Tensor ({spec}), which its saved Program reads; got {type(tensor).__name__}")
        if tensor.spec.dtype != spec.dtype:
            raise DTypeError(f"{label} is {tensor.spec}, but its saved Program reads {spec}: `.astype('{spec.dtype.name}')` before")
        if tuple(tensor.spec.shape) != tuple(spec.shape):
            raise ShapeError(f"{label} is {tensor.spec}, but its saved Program reads {spec}, the shape that was saved")
