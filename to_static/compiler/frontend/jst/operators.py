"""The operators that translated code calls. It sees this module as ``_jst``."""

import sys

from to_static.compiler.frontend.jst.calls.builtin_overrides import BY_NAME
from to_static.compiler.frontend.jst.calls.containers import dict_ as dict_display
from to_static.compiler.frontend.jst.calls.containers import (
    display,
    flat_list_of,
    list_of,
    spread,
)
from to_static.compiler.frontend.jst.calls.containers import set_ as set_display
from to_static.compiler.frontend.jst.calls.containers import star as starred
from to_static.compiler.frontend.jst.calls.converted_call import attribute, call, ignore_modules, use_operators
from to_static.compiler.frontend.jst.calls.eval_call import evaluated
from to_static.compiler.frontend.jst.calls.predicates import (
    class_of,
    compare,
    field,
    guard_stop_gradient,
    in_,
    instance,
    is_,
    is_not,
    not_in,
    sequence,
)
from to_static.compiler.frontend.jst.calls.reductions import (
    all_of,
    any_of,
    first_of,
)
from to_static.compiler.frontend.jst.calls.unpacking import item_values, unpack
from to_static.compiler.frontend.jst.control.assertions import assert_, decided, entering
from to_static.compiler.frontend.jst.control.branch import if_
from to_static.compiler.frontend.jst.control.logic import and_, and_value, not_, or_, or_value
from to_static.compiler.frontend.jst.control.raising import caught, caught_types, raises
from to_static.compiler.frontend.jst.control.while_loop import while_
from to_static.compiler.frontend.jst.iteration.iterate import for_
from to_static.compiler.frontend.jst.objects.subscript import at
from to_static.compiler.frontend.jst.objects.tensor_list import TensorList
from to_static.compiler.frontend.jst.objects.variables import bound, cells, outer
from to_static.compiler.frontend.jst.objects.write_barrier import assign, touch, touch_entry
from to_static.compiler.frontend.jst.values.formatting import percent
from to_static.compiler.frontend.jst.values.tensor import value_of
from to_static.compiler.frontend.jst.values.text import text
from to_static.compiler.frontend.jst.values.undefined import unbound
from to_static.compiler.frontend.tracing.trace_context import resolve_list

globals().update(BY_NAME)  # `_jst.len`, ...

__all__ = [
    "TensorList", "all_of", "and_", "and_value", "any_of", "resolve_list", "guard_stop_gradient", "assert_", "assign", "at",
    "attribute", "bound", "call", "caught", "cells", "class_of", "compare", "decided", "dict_display", "display", "entering",
    "evaluated", "field", "first_of", "flat_list_of", "for_", "if_", "ignore_modules", "in_", "instance", "is_", "is_not",
    "item_values", "caught_types", "list_of", "not_", "not_in", "or_", "or_value", "outer", "percent", "raises", "sequence",
    "set_display", "spread", "starred", "text", "touch", "touch_entry", "unbound", "unpack", "value_of", "while_",
]  # fmt: skip

use_operators(sys.modules[__name__])
