"""Layers that Paddle computes in one piece; here they are made of the ordinary operators, which the planner joins."""

from to_static.core.missing import names_missing
from to_static.incubate.nn.linear import FusedLinear

__all__ = ["FusedLinear"]

__getattr__ = names_missing(__name__)
