"""Python source to Python source: constructs that may meet tensors become calls of run-time operators (`_jst`).

`load` translates live functions, `module` the text of files; both take the context of the passes from `function_context`.
`explain` says what each line became. `pipeline` is the one list of `passes`. Rooms below: `source_code` finds the text of a
function, `analysis` asks it, `pyct` builds nodes, `unparse` prints them, `rebind` makes functions of code. Nothing here knows
tensors; only `core` is imported.
"""

from to_static.compiler.frontend.transpile.explain import explain_module
from to_static.compiler.frontend.transpile.load import is_translated, transpile_function
from to_static.compiler.frontend.transpile.module import NothingToTranslate, transpile_functions, transpile_module

__all__ = ["NothingToTranslate", "explain_module", "is_translated", "transpile_function", "transpile_functions", "transpile_module"]
