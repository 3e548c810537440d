"""Python source to Python source: constructs that may meet tensors become calls of run-time operators (`_jst`).

`load` translates live functions, `module` the text of files, `explain` says what became of each line; `pipeline` is the one list
of `passes`, and `context` what each of them knows. Rooms below: `reading` finds the text of a function, `analysis` asks it, `trees`
builds nodes, `text` prints them, `functions` makes functions of code. Nothing here knows tensors, or more than `core`.
"""

from to_static.compiler.frontend.transpile.explain import explain_module
from to_static.compiler.frontend.transpile.load import is_translated, transpile_function
from to_static.compiler.frontend.transpile.module import NothingToTranslate, transpile_functions, transpile_module

__all__ = ["NothingToTranslate", "explain_module", "is_translated", "transpile_function", "transpile_functions", "transpile_module"]
