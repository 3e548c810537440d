"""Made by `make stubs` from the tables of `__init__.py`, for editors and type checkers. Do not edit."""
# mypy: disable-error-code="override"

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from to_static.framework.dygraph import is_persistable as is_persistable
from to_static.static.persistables import load_inference_model_distributed as load_inference_model_distributed
from to_static.static.persistables import load_persistables as load_persistables
from to_static.static.persistables import save_persistables as save_persistables


__all__ = ["is_persistable", "load_inference_model_distributed", "load_persistables", "save_persistables"]
