"""Python source to Python source: constructs that may meet tensors become calls of run-time operators (`_jst`)."""

from to_static.transpile.explain import explain_module
from to_static.transpile.load import is_translated, transpile_function
from to_static.transpile.module import NothingToTranslate, transpile_module

__all__ = ["NothingToTranslate", "explain_module", "is_translated", "transpile_function", "transpile_module"]
