"""Tools around layers (Paddle's ``paddle.nn.utils``)."""

from to_static.nn.utils.gradients import clip_grad_norm_, clip_grad_value_
from to_static.nn.utils.vector import parameters_to_vector, vector_to_parameters

__all__ = ["clip_grad_norm_", "clip_grad_value_", "parameters_to_vector", "vector_to_parameters"]
