"""Training, evaluating and describing a network in one line each: `Model`, `summary`, `flops`."""

from to_static.core.diagnostics.missing_names import names_missing
from to_static.hapi.flops import flops
from to_static.hapi.model import Model
from to_static.hapi.summary import summary

__all__ = ["Model", "flops", "summary"]

__getattr__ = names_missing(__name__)
