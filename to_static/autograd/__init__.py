"""Gradients beyond `backward()`: functions with a backward of the user's, Jacobians and Hessians, hooks on what is saved."""

from to_static.autograd.context import PyLayerContext
from to_static.autograd.derivatives import Hessian, Jacobian, hessian, jacobian
from to_static.autograd.py_layer import PyLayer
from to_static.autograd.saved_tensors import saved_tensors_hooks
from to_static.autograd.sweep import backward
from to_static.compiler.eager.grad_mode import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from to_static.compiler.eager.tape import grad
from to_static.core.diagnostics.missing_names import names_missing

__all__ = [
    "Hessian", "Jacobian", "PyLayer", "PyLayerContext", "backward", "enable_grad", "grad", "hessian", "is_grad_enabled",
    "jacobian", "no_grad", "saved_tensors_hooks", "set_grad_enabled",
]  # fmt: skip

__getattr__ = names_missing(__name__)
