"""`static.Variable`: what code written for Paddle asks for when it wants to know whether a value is a tensor."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir import mode
from to_static.compiler.ir.symbolic import variable as ir
from to_static.compiler.ir.tensor import Tensor


class _OfMode(type):
    """``isinstance(x, Variable)``: a tensor of the Program while one is built, any tensor in dynamic mode, as in Paddle."""

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, ir.Variable if mode.building() else Tensor)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, ir.Variable if mode.building() else Tensor)


class Variable(ir.Variable, metaclass=_OfMode):
    """The type of tensors: of those of the Program while one is built or a function is traced, else of those that hold numbers.

    ``var``, ``builder``: for use by the compiler.

    Example:
        >>> isinstance(paddle.ones([2]), paddle.static.Variable)
        True
    """

    __slots__ = ()
