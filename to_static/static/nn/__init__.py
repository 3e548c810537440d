"""Control flow and layers as functions, with Paddle's names."""

from to_static.core.missing import names_missing
from to_static.static.nn.control_flow import case, cond, switch_case, while_loop
from to_static.static.nn.layers import batch_norm, conv2d, embedding, fc

__all__ = ["batch_norm", "case", "cond", "conv2d", "embedding", "fc", "switch_case", "while_loop"]

__getattr__ = names_missing(__name__)
