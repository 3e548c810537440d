"""Results that nobody uses, of operators that may fail"""

import math

from language_table import T, case

PLACES = [(T([6, 7], "int64"), T(k, "int64")) for k in (0, 1, 5)]


@case("a division by zero of integers fails though nobody uses the quotient", *PLACES)
def unused_quotient(a, k):
    quotient = a // k
    rest = 7 % int(k)
    return a + 1


@case("an index out of range fails though nobody uses the item", *PLACES)
def unused_item(a, k):
    names = ["a", "b"]
    names[int(k)]
    return a + 1


@case("a function out of its domain fails though nobody uses the number", *PLACES)
def unused_number(a, k):
    math.sqrt(1 - int(k))
    return a + 1


@case("an operand behind `and` that would fail does not run", *PLACES)
def guarded_quotient(a, k):
    if k > 0 and (a // k > 1).all():
        return a
    return a + 1
