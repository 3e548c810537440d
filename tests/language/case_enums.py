"""Enums, and classes made from numbers"""

import enum

from language_table import BOTH, COUNTS, T, case, scenario

import to_static as paddle


class Phase(enum.IntEnum):
    WARMUP = 1
    DECAY = 2
    DONE = 4


class Parts(enum.Flag):
    MEAN = enum.auto()
    VARIANCE = enum.auto()
    MAXIMUM = enum.auto()


class Bits(enum.IntFlag):
    LOW = 1
    HIGH = 4


class Steps(int):
    def twice(self):
        return self * 2


NUMBERS = [T(n, "int64") for n in (1, 2, 3, 4)]


@case("a member of an IntEnum that a condition chooses stays one", *BOTH)
def int_enum_chosen(x):
    phase = Phase.WARMUP
    if x.sum() > 0:
        phase = Phase.DONE
    return phase, phase.name, phase == 4, phase + 1, 3 * phase, phase is Phase.DONE, -phase, int(phase)


@case("an IntEnum where numbers stand: `range`, an index, beside tensors and numbers that tensors make", *BOTH)
def int_enum_as_number(x):
    phase = Phase.DECAY if x.sum() > 0 else Phase.WARMUP
    y = x * phase + phase
    for i in range(phase):
        y = y + i
    scales = {Phase.WARMUP: 1.0, Phase.DECAY: 2.0}
    n = int(x.sum())
    looked_up = scales[phase], phase in scales, [10, 20, 30][phase], x[phase - 1]
    return y, looked_up, n + phase, n + Phase.DONE, Phase.DONE - n, n < phase


@case("IntEnum members and other numbers of classes in a list that a loop fills", *COUNTS)
def int_enum_list(n):
    found, counted = [Phase.DONE], [Steps(3)]
    for i in range(n):
        found.append(Phase.WARMUP if i % 2 == 0 else Phase.DECAY)
        counted.append(Steps(5))
    return found, sum(found), counted, sum(counted), counted[-1].twice()


@case("an IntEnum that a loop carries", *COUNTS)
def int_enum_carried(n):
    phase, total = Phase.WARMUP, Phase.WARMUP
    for _ in range(n):
        phase = Phase.DECAY if phase == Phase.WARMUP else Phase.WARMUP
        total = total + phase
    return phase, phase.name, total


@case("the member of a value that a tensor has", *NUMBERS)
def enum_of_number(n):
    return Phase(int(n)), Phase(n.item()).name


@scenario("the member of a value that a tensor has, in a `try`")
def enum_of_number_tried(to_static):
    @to_static
    def member(n):
        try:
            return Phase(int(n))
        except ValueError as error:
            return str(error)

    return [member(n) for n in NUMBERS]


@case("flags that conditions set, taken apart and inverted", *BOTH)
def flags(x):
    parts, bits = Parts.MEAN, Bits.LOW
    if x.sum() > 0:
        parts |= Parts.MAXIMUM
        bits |= Bits.HIGH
    if Parts.MAXIMUM in parts:
        x = x * 2
    asked = parts & Parts.VARIANCE, ~parts, bool(parts & Parts.MAXIMUM), parts.value
    return x, parts, asked, bits, Bits.HIGH in bits, x * int(bits)


@case("a number of a class of its own, or a plain one", *BOTH)
def number_of_class(x):
    a = Steps(3) if x.sum() > 0 else Steps(4)
    b = Steps(3) if x.sum() > 0 else 2.5
    return a, a.twice(), b, paddle.full([2], a)
