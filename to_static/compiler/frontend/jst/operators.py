"""The run-time operators of translated code, which calls this module ``_jst``: the names are what its text shows."""

import sys

from to_static.compiler.frontend.jst.calls import builtin_overrides  # noqa: F401  (fills the table of functions that are replaced)
from to_static.compiler.frontend.jst.calls.containers import (
    dict_,
    display,
    flat_list_of,
    list_,
    list_of,
    set_,
    spread,
    tuple_,
)
from to_static.compiler.frontend.jst.calls.containers import star as starred
from to_static.compiler.frontend.jst.calls.converted_call import attribute, call, ignore_modules, use_operators
from to_static.compiler.frontend.jst.calls.eval_call import evaluated
from to_static.compiler.frontend.jst.calls.map_filter import filter_, map_
from to_static.compiler.frontend.jst.calls.predicates import (
    class_of,
    compare,
    field,
    guard_stop_gradient,
    in_,
    instance,
    is_,
    is_not,
    isinstance_,
    mapping,
    not_in,
    sequence,
    type_,
)
from to_static.compiler.frontend.jst.calls.reductions import (
    all_,
    all_of,
    any_,
    any_of,
    first_of,
    max_,
    min_,
    sorted_,
    sum_,
)
from to_static.compiler.frontend.jst.calls.unpacking import taken, unpack
from to_static.compiler.frontend.jst.control.assertions import assert_, decided, entering, print_
from to_static.compiler.frontend.jst.control.branch import if_
from to_static.compiler.frontend.jst.control.logic import and_, and_value, not_, or_, or_value
from to_static.compiler.frontend.jst.control.raising import caught, kinds, raises
from to_static.compiler.frontend.jst.control.while_loop import while_
from to_static.compiler.frontend.jst.iteration.iterate import enumerate_, for_, reversed_, zip_
from to_static.compiler.frontend.jst.iteration.ranges import range_
from to_static.compiler.frontend.jst.objects.subscript import at
from to_static.compiler.frontend.jst.objects.tensor_list import TensorList
from to_static.compiler.frontend.jst.objects.variables import bound, cells, outer
from to_static.compiler.frontend.jst.objects.write_barrier import assign, touch, touch_entry
from to_static.compiler.frontend.jst.values.formatting import percent
from to_static.compiler.frontend.jst.values.number import bool_, float_, int_, len_
from to_static.compiler.frontend.jst.values.tensor import value_of
from to_static.compiler.frontend.jst.values.text import format_, repr_, str_, text
from to_static.compiler.frontend.jst.values.undefined import unbound
from to_static.compiler.frontend.tracing.trace_context import as_it_is

all, any, bool, dict, enumerate, filter, float, format = all_, any_, bool_, dict_, enumerate_, filter_, float_, format_
int, isinstance, len, list, map, max, min, print = int_, isinstance_, len_, list_, map_, max_, min_, print_
range, repr, reversed, set, sorted, str, sum, tuple = range_, repr_, reversed_, set_, sorted_, str_, sum_, tuple_
type, zip, dict_display, set_display = type_, zip_, dict_, set_

__all__ = [
    "TensorList", "all", "all_of", "and_", "and_value", "any", "any_of", "as_it_is", "guard_stop_gradient", "assert_",
    "assign", "at", "attribute", "bool", "bound", "call", "caught", "cells", "class_of", "compare", "decided", "dict",
    "dict_display", "display", "entering", "evaluated", "field", "enumerate", "filter", "first_of", "flat_list_of",
    "float", "for_", "format", "if_", "ignore_modules", "in_", "instance", "int", "is_", "is_not", "isinstance",
    "kinds", "len", "list", "list_of", "map", "mapping", "max", "min", "not_", "not_in",
    "or_", "or_value", "outer", "percent", "print", "raises", "range", "repr", "reversed", "sequence", "set", "set_display",
    "sorted", "spread", "starred", "str", "sum", "taken", "text", "touch", "touch_entry",
    "tuple", "type", "unbound", "unpack", "value_of", "while_", "zip",
]  # fmt: skip

use_operators(sys.modules[__name__])
