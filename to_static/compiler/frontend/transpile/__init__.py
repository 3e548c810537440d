"""Translates Python source: constructs that may get tensors become calls of run-time operators (`_jst`).

`load` translates functions for static functions; `module` translates files for `to_static convert`. Both apply the `passes` in
the order of `pipeline`, with a context from `function_context`. `explain` describes the translation of each line. Packages:
`source_code` finds the source of a function, `analysis` analyses it, `pyct` builds nodes, `unparse` prints them, and `rebind`
compiles functions. This package does not know which values are tensors, and imports only `core`.
"""

from to_static.compiler.frontend.transpile.explain import explain_module
from to_static.compiler.frontend.transpile.load import is_translated, transpile_function
from to_static.compiler.frontend.transpile.module import NothingToTranslate, transpile_functions, transpile_module

__all__ = ["NothingToTranslate", "explain_module", "is_translated", "transpile_function", "transpile_functions", "transpile_module"]
