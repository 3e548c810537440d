"""Made by `make stubs` from the tables of `__init__.py`, for editors and type checkers. Do not edit."""
# mypy: disable-error-code="override"

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from to_static.compiler.frontend.function.static_function import StaticFunction as StaticFunction
from to_static.compiler.saved.load import TranslatedLayer as TranslatedLayer
from to_static.compiler.saved.traced_layer import TracedLayer as TracedLayer
from to_static.jit import api as api
from to_static.jit import layer as layer
from to_static.jit.api import enable_to_static as enable_to_static
from to_static.jit.api import ignore_module as ignore_module
from to_static.jit.api import not_to_static as not_to_static
from to_static.jit.api import ProgramTranslator as ProgramTranslator
from to_static.jit.api import set_code_level as set_code_level
from to_static.jit.api import set_verbosity as set_verbosity

def load(path: Any, model_filename: str | None = None, params_filename: str | None = None) -> Any:
    """Load a model saved by `save` (or by PaddlePaddle's ``jit.save`` / ``save_inference_model``)."""
def save(layer: object, path: Any, input_spec: Sequence[object] | None = None, **configs: Any) -> None:
    """Write a static model: ``path.pdmodel`` (Program), ``path.pdiparams`` (parameters), ``path.pdiparams.info`` (their names)."""
def to_static(function: Any = None, input_spec: Any = None, build_strategy: Any = None, backend: Any = None, **kwargs: Any) -> Any:
    """Make a function, a method or a Layer's ``forward`` run as a static Program."""

__all__ = ["ProgramTranslator", "StaticFunction", "TracedLayer", "TranslatedLayer", "enable_to_static", "ignore_module", "load", "not_to_static", "save", "set_code_level", "set_verbosity", "to_static"]
