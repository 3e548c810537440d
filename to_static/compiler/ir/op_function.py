"""`OpFunction`: the type of a function that `opdef.op` decorates, for annotations only."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar, overload

if TYPE_CHECKING:
    from to_static.compiler.ir.opdef import OpDef

P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)
RuleT = TypeVar("RuleT", bound=Callable[..., Any])


class OpFunction(Protocol[P, R_co]):
    """The public function of an operator. Its attributes are those of `opdef.OpDef` that declarations and callers use."""

    __name__: str
    op: OpDef
    inplace: Any

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Call the function."""

    def emit(self, *inputs: Any, **attrs: Any) -> Any:
        """Call the operator in the current mode: positional inputs, keyword attributes."""

    def call(self, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """`emit` with attributes that the caller computed once: `FrozenAttrs`, `NumberedAttrs`, or those of a gradient context."""

    def infer(self, rule: RuleT, /) -> RuleT:
        """Attach the shape rule."""

    @overload
    def kernel(self, kernel: str, /) -> Callable[[RuleT], RuleT]: ...

    @overload
    def kernel(self, kernel: RuleT, /) -> RuleT: ...

    def kernel(self, kernel: Any, /) -> Any:
        """Attach a kernel, for all backends or for the one that is named."""

    def prepare(self, rule: RuleT, /) -> RuleT:
        """Attach the rule that makes a `Prepared` for plans."""

    def specialize(self, rule: RuleT, /) -> RuleT:
        """Attach the rule that makes a kernel for one kind of call."""

    def fixed_of_list(self, rule: RuleT, /) -> RuleT:
        """Attach `specialize` for an operator whose input is one list."""

    def grad(self, rule: RuleT, /) -> RuleT:
        """Attach the gradient rule."""

    def grad_kernel(self, kernel: RuleT, /) -> RuleT:
        """Attach the gradient as a function of NumPy's arrays."""

    def may_raise(self, rule: RuleT, /) -> RuleT:
        """Attach the rule that says for which operands a run may fail."""

    def view_inverse(self, rule: RuleT, /) -> RuleT:
        """Attach the rule that computes the input of a view from a changed result."""

    def to_file(self, hook: RuleT, /) -> RuleT:
        """Attach the hook that writes the operation to a file."""

    def from_file(self, hook: RuleT, /) -> RuleT:
        """Attach the hook that reads the operation from a file."""

    def composition(self, rule: RuleT, /) -> RuleT:
        """Attach the function of tensors, by slot, and attributes that computes the operation with other operators."""

    def samples(self, maker: RuleT, /) -> RuleT:
        """Attach the samples of the generic tests."""

    def precision(self, single: float, double: float, unit: str = "y", why: str = "") -> None:
        """Declare a `PrecisionBound`."""
