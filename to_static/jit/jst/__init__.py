"""The run-time operators of translated code, which calls this package ``_jst``.

Each decides when it runs: plain Python when the value it asks about is a Python value or an eager tensor, graph control flow
when it is a tensor of the Program being built. The names are what translated source shows, so that it reads like Python:
``_jst.if_``, ``_jst.while_``, ``_jst.for_``, ``_jst.and_``, ``_jst.len``, ``_jst.print``, ``_jst.call``, ...
"""

from to_static.jit.jst.attributes import cells
from to_static.jit.jst.blocks import assign, raises, touch, touch_entry
from to_static.jit.jst.branch import if_
from to_static.jit.jst.casts import bool_ as bool
from to_static.jit.jst.casts import float_ as float
from to_static.jit.jst.casts import int_ as int
from to_static.jit.jst.casts import len_ as len
from to_static.jit.jst.catching import caught, kinds
from to_static.jit.jst.checks import assert_
from to_static.jit.jst.checks import print_ as print
from to_static.jit.jst.collect import first_of, flat_list_of, list_of
from to_static.jit.jst.collect import list_ as list
from to_static.jit.jst.collect import tuple_ as tuple
from to_static.jit.jst.contexts import entering
from to_static.jit.jst.convert import call, ignore_modules
from to_static.jit.jst.displays import dict_ as dict
from to_static.jit.jst.displays import dict_display, dict_of, keywords, merged, set_display, set_of
from to_static.jit.jst.displays import set_ as set
from to_static.jit.jst.folds import all_ as all
from to_static.jit.jst.folds import all_of, any_of
from to_static.jit.jst.folds import any_ as any
from to_static.jit.jst.folds import max_ as max
from to_static.jit.jst.folds import min_ as min
from to_static.jit.jst.folds import sorted_ as sorted
from to_static.jit.jst.folds import sum_ as sum
from to_static.jit.jst.formatting import format_ as format
from to_static.jit.jst.formatting import percent
from to_static.jit.jst.generators import decided
from to_static.jit.jst.items import at
from to_static.jit.jst.iterate import enumerate_ as enumerate
from to_static.jit.jst.iterate import for_
from to_static.jit.jst.iterate import reversed_ as reversed
from to_static.jit.jst.iterate import zip_ as zip
from to_static.jit.jst.iterators import filter_ as filter
from to_static.jit.jst.iterators import map_ as map
from to_static.jit.jst.lists import TensorList
from to_static.jit.jst.logic import and_, and_value, compare, not_, or_, or_value
from to_static.jit.jst.loops import while_
from to_static.jit.jst.membership import in_, not_in
from to_static.jit.jst.outer_variables import outer
from to_static.jit.jst.patterns import (
    anything,
    captured,
    either,
    equal,
    instance,
    mapping,
    match,
    name,
    named,
    same,
    sequence,
    star,
)
from to_static.jit.jst.questions import class_of, is_, is_not
from to_static.jit.jst.questions import isinstance_ as isinstance
from to_static.jit.jst.questions import type_ as type
from to_static.jit.jst.ranges import range_ as range
from to_static.jit.jst.spread import display, spread
from to_static.jit.jst.spread import star as starred
from to_static.jit.jst.stops import asked_stop
from to_static.jit.jst.text import repr_ as repr
from to_static.jit.jst.text import str_ as str
from to_static.jit.jst.text import text
from to_static.jit.jst.unbound import bound, unbound
from to_static.jit.jst.unpacking import taken, unpack

__all__ = [
    "all", "all_of", "and_", "and_value", "any", "any_of", "anything", "asked_stop", "assert_", "assign", "at", "bool", "bound",
    "call", "captured", "caught", "cells", "class_of", "compare", "decided", "dict", "dict_display", "dict_of", "display",
    "either", "entering", "enumerate", "equal", "filter", "first_of", "flat_list_of", "float", "for_", "format", "if_",
    "ignore_modules", "in_", "instance", "int", "is_", "is_not", "isinstance", "keywords", "kinds", "len", "list", "list_of",
    "map", "mapping", "match", "max", "merged", "min", "name", "named", "not_", "not_in", "or_", "or_value", "outer", "percent",
    "print", "raises", "range", "repr", "reversed", "same", "sequence", "set", "set_display", "set_of", "sorted", "spread",
    "star", "starred", "str", "sum", "taken", "TensorList", "text", "touch", "touch_entry", "tuple", "type", "unbound",
    "unpack", "while_", "zip",
]  # fmt: skip
