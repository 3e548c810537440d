"""What translated code calls: the run-time operators behind the name ``_jst``.

Each decides when it runs. What Python knows, Python does. What only the Program will know goes through one protocol
(`protocol`), by which branches join values, loops carry them and calls return them. Anything else is a graph break.

Rooms: ``values`` (one file a kind of value), ``control`` (branches, loops, conditions, checks), ``iteration`` (``range``,
``enumerate``, loops over tensors), ``calls`` (what a call leads to, and twins of library functions).
"""

from to_static.lower.calls.containers import (
    dict_,
    dict_display,
    dict_of,
    display,
    flat_list_of,
    keywords,
    list_,
    list_of,
    merged,
    set_,
    set_display,
    set_of,
    spread,
    star,
    tuple_,
)
from to_static.lower.calls.convert import call, ignore_modules
from to_static.lower.calls.folds import all_, all_of, any_, any_of, first_of, max_, min_, sorted_, sum_
from to_static.lower.calls.questions import asked_stop, class_of, in_, is_, is_not, isinstance_, not_in, type_
from to_static.lower.control.branch import if_
from to_static.lower.control.checks import (
    assert_,
    caught,
    decided,
    entering,
    kinds,
    print_,
    raises,
)
from to_static.lower.control.logic import and_, and_value, compare, not_, or_, or_value
from to_static.lower.control.while_loop import while_
from to_static.lower.iteration.iterate import enumerate_, filter_, for_, map_, reversed_, zip_
from to_static.lower.iteration.ranges import range_
from to_static.lower.iteration.unpacking import taken, unpack
from to_static.lower.values.attribute import assign, cells, outer, touch, touch_entry
from to_static.lower.values.item import at
from to_static.lower.values.number import bool_, float_, int_, len_
from to_static.lower.values.tensor_list import TensorList
from to_static.lower.values.text import format_, percent, repr_, str_, text
from to_static.lower.values.unbound import bound, unbound

all, any, bool, dict, enumerate, filter, float, format = all_, any_, bool_, dict_, enumerate_, filter_, float_, format_
int, isinstance, len, list, map, max, min, print = int_, isinstance_, len_, list_, map_, max_, min_, print_
range, repr, reversed, set, sorted, str, sum, tuple = range_, repr_, reversed_, set_, sorted_, str_, sum_, tuple_
type, zip, starred = type_, zip_, star

__all__ = [
    "all", "all_", "all_of", "and_", "and_value", "any", "any_", "any_of", "asked_stop", "assert_", "assign", "at", "bool",
    "bool_", "bound", "call", "caught", "cells", "class_of", "compare", "decided", "dict", "dict_", "dict_display",
    "dict_of", "display", "entering", "enumerate", "enumerate_", "filter", "filter_", "first_of", "flat_list_of", "float",
    "float_", "for_", "format", "format_", "if_", "ignore_modules", "in_", "int", "int_", "is_", "is_not", "isinstance",
    "isinstance_", "keywords", "kinds", "len", "len_", "list", "list_", "list_of", "map", "map_", "max", "max_", "merged",
    "min", "min_", "not_", "not_in", "or_", "or_value", "outer", "percent", "print", "print_", "raises", "range", "range_",
    "repr", "repr_", "reversed", "reversed_", "set", "set_", "set_display", "set_of", "sorted", "sorted_", "spread", "star",
    "starred", "str", "str_", "sum", "sum_", "taken", "TensorList", "text", "touch", "touch_entry", "tuple", "tuple_",
    "type", "type_", "unbound", "unpack", "while_", "zip", "zip_",
]  # fmt: skip
