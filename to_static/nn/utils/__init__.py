"""Tools around layers (Paddle's ``paddle.nn.utils``)."""

from to_static.core.diagnostics.missing_names import names_missing
from to_static.nn.utils.gradients import clip_grad_norm_, clip_grad_value_
from to_static.nn.utils.spectral_norm import spectral_norm
from to_static.nn.utils.vector import parameters_to_vector, vector_to_parameters
from to_static.nn.utils.weight_norm import remove_weight_norm, weight_norm

__all__ = [
    "clip_grad_norm_", "clip_grad_value_", "parameters_to_vector", "remove_weight_norm", "spectral_norm",
    "vector_to_parameters", "weight_norm",
]  # fmt: skip

__getattr__ = names_missing(__name__)
