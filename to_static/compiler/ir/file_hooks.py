"""Protocols that hooks of operators use to read and write Paddle's files; `formats.paddle` implements them.

Only annotations need this module, so it costs no start-up time where it is imported under ``TYPE_CHECKING``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, Protocol

if TYPE_CHECKING:
    import numpy as np

    from to_static.compiler.ir.opdef import OpDef
    from to_static.compiler.ir.program import Op, Var
    from to_static.compiler.ir.spec import ListSpec, TensorSpec
    from to_static.core.dtypes import DType


class FileReader(Protocol):
    """One op of a file, as ``from_file`` hooks see it: inputs are tensors of the Program being built."""

    type: str
    attrs: dict[str, Any]

    def has(self, slot: str) -> bool:
        """True if the slot has an input."""

    def input(self, slot: str) -> Any:
        """The first tensor of a slot, or None."""

    def inputs(self, slot: str) -> list[Any]:
        """All tensors of a slot."""

    def attr(self, name: str, default: Any = None) -> Any:
        """An attribute's value, or the default when the file has none; one of another type than the default is refused."""

    def variable(self, name: str) -> Any:
        """The tensor that an attribute names."""

    def integer(self, name: str, default: int, slot: str = "") -> Any:
        """An integer attribute: an int, or a 0-D tensor that the program computes."""

    def integers(self, name: str, tensor_slot: str = "", list_slot: str = "") -> Any:
        """Return the integers of an attribute, with 0-D tensors for those that the program computes."""

    def dtype(self, name: str) -> DType | None:
        """A dtype attribute; None when it is absent or -1 (meaning: as the input)."""

    def const(self, tensor: Any) -> np.ndarray | None:
        """The value of a tensor that is a constant of the Program; None for others."""

    def refuse(self, why: str) -> Any:
        """Raise the error that names this op and the file."""

    def read_declared(self, opdef: OpDef) -> Any:
        """Call the operator ``opdef`` with the slots and attributes of its declaration."""


class FileWriter(Protocol):
    """The file that ``to_file`` hooks write an operation to, one or several file ops."""

    inference: bool

    def write(self, op_type: str, inputs: dict[str, Any], outputs: dict[str, Any], attrs: dict[str, tuple[str, Any]]) -> None:
        """Append a file op. Slots map to a Var, a name, a list of those, or None; attributes to ``(type, value)``."""

    def default(
        self,
        op: Op,
        op_type: str | None = None,
        inputs: dict[str, Any] | None = None,
        outputs: dict[str, Any] | None = None,
        attrs: dict[str, tuple[str, Any]] | None = None,
    ) -> None:
        """Write an operation as its declaration says, with these parts replaced or added."""

    def name(self, value: Any) -> str:
        """The name of a value in the file."""

    def temp(self, spec: TensorSpec | ListSpec | str, hint: str = "tmp") -> str:
        """The name of a new variable."""

    def unused(self, dtype: Any = None) -> str:
        """Return the name of a new variable that no op reads."""

    def constant(self, value: Any) -> str:
        """The name of a new variable that holds an array."""

    def cast(self, value: Any, spec: TensorSpec, dtype: Any) -> str:
        """The name of the value cast to another dtype."""

    def size(self, var: Var, axis: int) -> str:
        """The name of a dimension of ``var`` as an int64 value of shape [1]."""

    def refuse(self, why: str) -> NoReturn:
        """Raise the error that names the operator, and why a file cannot express it."""
