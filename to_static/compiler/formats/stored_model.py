"""`StoredModel`: a model that was read from files and checked, in any format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from to_static.compiler.ir.program import Program


class StoredModel:
    """A model read from a file. It builds Programs, for the shapes in the file or for others. Formats derive from this class.

    ``path``: the file of the Program. ``arrays``: the values of its variables by name. ``info``: names and flags of variables
    (`paddle.info.read_info`), or None.
    """

    path: str
    arrays: dict[str, Any]
    info: dict[str, dict[str, Any]] | None

    def program(
        self, arrays: dict[str, Any] | None = None, shapes: Mapping[str, Sequence[int]] | None = None, named: bool = False
    ) -> Program:
        """A Program with ``arrays`` (by default the file's) in `Stored` holders, and with ``shapes`` for inputs by name.

        ``named``: its values have the file's names for them. Raises FormatError for what is not supported.
        """
        raise NotImplementedError

    def without_arrays(self) -> StoredModel:
        """The same model, for a caller that has the values elsewhere."""
        bare = type(self).__new__(type(self))
        bare.__dict__.update(self.__dict__, arrays={})
        return bare

    def state(self) -> dict[str, Any]:
        """Return the arrays by their names in the saved layer's state dict (or by the file's names if it does not store these)."""
        if self.info is None:
            return self.arrays
        structured = {name: entry.get("structured_name") for name, entry in self.info.items()}  # constants have none
        return {key: self.arrays[name] for name, key in structured.items() if key is not None and name in self.arrays}
