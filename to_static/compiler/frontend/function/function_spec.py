"""`FunctionSpec`: the parameters and declared inputs of a static function, with Paddle's attribute names."""

from __future__ import annotations

import inspect
from typing import Any

from to_static.compiler.ir.input_spec import InputSpec
from to_static.core import tree
from to_static.core.diagnostics.printable import printable


class FunctionSpec:
    """The function, its parameters and its declared inputs.

    Attributes:
        dygraph_function: the original function.
        signature: its parameters, without ``self``.
        input_spec: the declared inputs, or None.
        args_name: the names of the positional parameters. varargs_name: the name of ``*args``, or None.
    """

    def __init__(self, function: Any, signature: inspect.Signature, input_spec: Any) -> None:
        self.dygraph_function = function
        self.signature = signature
        self.input_spec = input_spec
        parameters = signature.parameters.values()
        self.args_name = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        self.varargs_name = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), None)

    @property
    def flat_input_spec(self) -> list[InputSpec] | None:
        """The declared inputs without their nesting; None when there are none."""
        if self.input_spec is None:
            return None
        leaves, _ = tree.flatten(list(self.input_spec))
        return [leaf for leaf in leaves if isinstance(leaf, InputSpec)]

    @property
    def code(self) -> str:
        """The source as written, decorators included."""
        return inspect.getsource(inspect.unwrap(self.dygraph_function))

    def __repr__(self) -> str:
        name = getattr(self.dygraph_function, "__name__", type(self.dygraph_function).__name__)
        return f"function: {printable(name)}({','.join(self.args_name)}), input_spec: {self.input_spec}"
