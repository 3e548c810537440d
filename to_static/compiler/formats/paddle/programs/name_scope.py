"""`NameScope`: the variables of a file's block, by name, while its ops are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from to_static.compiler.formats.paddle.messages.desc import var_spec
from to_static.compiler.ir.spec import ListSpec
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ops import functions as F
from to_static.core.errors import FormatError

if TYPE_CHECKING:
    from to_static.compiler.formats.paddle.programs.program_reader import ProgramReader
    from to_static.compiler.ir.spec import Spec
    from to_static.compiler.ir.tensor import Tensor


class Name:
    """The meaning of a variable name: a handle (its value moves), and whether that value is Paddle's "not assigned" filler."""

    __slots__ = ("filler", "handle")  # `ProgramReader.mark` changes the first

    def __init__(self, handle: Variable, filler: bool = False) -> None:
        self.handle = handle
        self.filler = filler


class NameScope:
    """The names of one block while its ops are read."""

    def __init__(self, reader: ProgramReader, block: Any, parent: NameScope | None) -> None:
        self.reader = reader
        self.block = block
        self.parent = parent
        self.declared = {v.name: v for v in block.vars}
        self.names: dict[str, Name] = {}
        self.escaped: dict[str, None] = {}  # names of outer blocks that had no value there and got one here

    def find(self, name: str) -> Name | None:
        """The entry of a name here or in an outer block; None when nothing has been stored under it."""
        scope: NameScope | None = self
        while scope is not None:
            value_name = scope.names.get(name)
            if value_name is not None or name in scope.declared:
                return value_name
            scope = scope.parent
        return None

    def declared_spec(self, name: str) -> Any:
        """The spec that the file declares for ``name``."""
        scope: NameScope | None = self
        while scope is not None and name not in scope.declared:
            scope = scope.parent
        if scope is None:
            raise FormatError(self.reader.path, f"variable {name!r} to be declared", "no such variable")
        return var_spec(scope.declared[name], self.reader.path)

    def read(self, name: str) -> Variable:
        """The value that ``name`` has now."""
        entry = self.find(name)
        if entry is None:
            raise FormatError(self.reader.path, f"variable {name!r} to be written before it is read", "no op that writes it")
        return entry.handle

    def write(self, name: str, value: Tensor, filler: bool = False) -> None:
        """Store a value under ``name``, where the file's blocks declare it."""
        builder = self.reader.builder
        entry = self.find(name)
        if entry is not None:
            builder.rebind(entry.handle, value)
            self.reader.mark(entry, filler)
            return
        self.names[name] = Name(Variable(builder.var(value), builder), filler)
        if name not in self.declared and self.parent is not None:
            self.escaped[name] = None


def filler_like(spec: Spec) -> Any:
    """A value of that spec for a variable that has none: zeros (unknown dimensions 1), or an empty list."""
    if isinstance(spec, ListSpec):
        return F.list_new([])
    return F.full([1 if d == -1 else d for d in spec.shape], 0, spec.dtype)
