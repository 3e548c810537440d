"""Strings and formats"""

import collections
import dataclasses
import pprint
import types

from language_table import BOTH, COUNTS, POS, T, case, refused

from to_static.core.errors import ToStaticError, TracedValueError


@case("a `%` format of a value that is None or a tensor, as another decides", *BOTH)
def percent_of_choice(x):
    chosen = x if x.sum() > 0 else None
    return "%s" % (chosen,)


@case("`%` formats", *BOTH)
def percent(x):
    print("%s and %.2f %d %%" % (x, float(x.sum()), 3))
    print("%(name)s %(value)5.1f|" % {"name": x, "value": float(x[0])})
    numbers = "%d%%" % int(x.sum()), "%5d|%-5d|%05d" % (int(x[0]), 3, int(x[1])), "%r %x %e" % (float(x[1]), 255, x.sum())
    return "%s" % x.sum(), numbers


@case("`str.format` and `format`", *BOTH)
def formats(x):
    print("{0} {1} {0}".format(x.sum(), 3))
    template = "{:.3f}"
    named = "{x.shape} {items[0]} {a!r:>8}".format(x=x, items=[x.sum()], a=int(x[0]))
    return "{} {:.2f}".format(x, float(x.sum())), template.format(float(x[0])), named, format(float(x.sum()), ".2f")


@case("`join` of strings with tensors", *BOTH)
def joining(x):
    print(", ".join([f"{float(v):.1f}" for v in x]))
    return ", ".join(str(v.item()) for v in x), "-".join(["a", f"{x.sum()}"])


@case("f-strings: conversions, specifications, `=`", *BOTH)
def specifications(x):
    v, width = float(x.sum()), 10
    print(f"{v:.3f}|{v!r}|{v=}|{x.sum()=}|{v:>10.2f}|{x!r}|{int(v)=:03d}|{v:{width}.{2}f}")
    return f"{x.sum():.2f}", f"{x}", f"{v:{width}}", f"{[v]} {(int(v),)}"


@case("a string with a tensor in it made in branches", *BOTH)
def branch_text(x):
    if x.sum() > 0:
        s = f"positive {x.sum()}"
    else:
        s = f"{x.mean().item():.1f} is negative"
    return s, s + "!"


@case("a string with a tensor in it, or another, returned from a branch", *BOTH)
def returned_text(x):
    if x.sum() > 0:
        return f"positive {x.sum()}"
    return "negative"


@case("methods and operators of a string that a tensor chooses", *BOTH)
def chosen_methods(x):
    s = "ab"
    if x.sum() > 0:
        s = "cd"
    made = s.upper(), s + "x", "x" + s, s * 2, s[0], s[::-1], s.replace("a", "z"), s.center(5), s.encode(), ord(s[0])
    asked = s in ("ab", "zz"), "a" in s, s.startswith("a"), "abcd".find(s), len(s), s == "ab", s < "b", "a" < s < "b", s.isalpha()
    return made, asked, [c for c in (s, "x")], type(s) is str, isinstance(s, str), callable(s)


@case("a string that a tensor chooses, in formats, prints and joins", *BOTH)
def chosen_formats(x):
    s = "ab"
    if x.sum() > 0:
        s = "cd"
    print(s, f"<{s}>", [s, 1], sep=s, end=s)
    pair = (1, s)
    joined = "-".join([s, "x"]), "-".join(s)
    return f"{s!r:>6}", "%s|%-5s|" % (s, s), "{} {:>5}".format(s, s), joined, str(pair), f"{pair} {x.sum()}"


@case("a `for` over a string that a tensor chooses", *BOTH)
def chosen_letters(x):
    s, n, last = "ab", 0, ""
    if x.sum() > 0:
        s = "cde"
    for letter in s:
        n = n + 1
        last = letter
    return n, last


@case("errors and assertions that name a chosen string", *BOTH)
def chosen_error(x):
    s = "ab"
    if x.sum() > 0:
        s = "cd"
    assert s == "ab", f"is {s}"
    raise ValueError(f"bad {s}")


@case("an error with several arguments", *BOTH)
def several_arguments(x):
    if x.sum() < 0:
        raise ValueError("sum", x.sum().item())
    return x


@case("attributes whose names a tensor chooses", *BOTH)
def chosen_names(x):
    class Box:
        a = 1

    box, s, method = Box(), "a", "exp"
    box.a, box.b = 1, 2
    if x.sum() > 0:
        s, method = "b", "tanh"
    before = getattr(box, s), getattr(Box, s, 7), hasattr(Box, s), getattr(x, method)()
    setattr(box, s, 5)
    return before, box.a, box.b


@case("an attribute that a chosen name does not have", *BOTH)
def missing_name(x):
    class Box:
        a = 1

    s = "a"
    if x.sum() > 0:
        s = "b"
    return getattr(Box(), s)


@case("the type of a number that is an int or a float", *BOTH)
def chosen_type(x):
    k = 1
    if x.sum() > 0:
        k = 2.5
    return type(k) is int, type(k) is float, isinstance(k, float), type(k).__name__, round(k), +k, f"{k}", str(k)


@case("a width that tensors choose", *BOTH)
def chosen_width(x):
    width = 5
    if x.sum() > 0:
        width = 8
    return f"{3:{width}}"


@refused("a format that is in a variable, with a tensor", POS, error=ToStaticError)
def percent_variable(x):
    template = "%s!"
    return template % x.sum()


@refused("a string with a tensor in it, compared or measured", (T([1.0]),), error=TracedValueError)
def compared_text(x):
    return str(x.sum().item()) == "1.0"


WORDS = ["-", "a", "{b}", "c:", "\u00e9"]
IDS = [T(v, "int64") for v in ([1, 2, 0, 3], [4, 4, 2, 1], [0, 0, 0, 0])]


@case("`join` of as many strings as a tensor says", *IDS)
def join_of_list(ids):
    words, marks, lines = [], ["first"], []
    for k in ids:
        if k == 0:
            break
        words.append(WORDS[int(k)])
        marks.append(f"<{int(k)}>" if k > 1 else "none")
        lines.append("".join([WORDS[int(k)], "|"]))
    text = " ".join(words)
    print("found:", text, len(words))
    if len(words) > 2:
        text = text + "..."
    return {"text": text, "marks": ", ".join(marks)}, "".join(lines), f"{'-'.join(words)}!"


@case("`join` of a generator expression over tensors, and of numbers as strings", *IDS)
def join_of_generator(ids):
    halves = [f"{float(k) / 2:.2f}" for k in ids if k > 1]
    truths = [str(bool(k > 2)) for k in ids if k > 0]
    return "".join(WORDS[int(k)] for k in ids), ",".join(str(int(k)) for k in ids if k > 0), "; ".join(halves), "".join(truths)


@case("strings that tensors choose, too many to choose among together", *IDS)
def chosen_strings(ids):
    a, b, c = (WORDS[int(k)] for k in ids[:3])
    print(a, b, c)
    return f"{a}-{b}-{c}", f"{a:>5}|{b!r}|{c}", " ".join([a, b, c]), a == b


@refused("`join` of strings made of several numbers", *IDS)
def join_of_pairs(ids):
    pairs = []
    for k in ids:
        if k > 0:
            pairs.append(f"{int(k)}:{float(k) / 2}")
    return " ".join(pairs)


Extent = collections.namedtuple("Extent", "low high")


@dataclasses.dataclass
class Reading:
    value: object
    unit: str = "m"
    more: list = dataclasses.field(default_factory=list)


class Measured:
    """With texts of its own, which depend on tensors."""

    def __init__(self, value):
        self.value = value

    def __repr__(self):
        return f"Measured({self.value.sum():.1f})"

    def __str__(self):
        return f"{self.value.max().item():.2f} m"

    def __format__(self, spec):
        return f"<{self!s}{spec}>"


@case("namedtuples, dataclasses, sets, deques, namespaces with tensors: printed, in f-strings, `str()`, `repr()`, `%s`", *BOTH)
def text_of_structures(x):
    held, extent = Reading(x, more=[x.sum(), (x[0],)]), Extent(x[0], {"k": x[1:]})
    print(held, [held], extent, {1: extent, Extent(1, 2): "a"}, sep=" | ")
    print(collections.deque([x[0]]), types.SimpleNamespace(a=x), collections.OrderedDict(a=x[0]), {x.shape[0], 1})
    return f"{extent} {held!r}", str([extent]), repr(held), "%s %r" % (extent, held), "{} {!r}".format(held, [extent])


@case("objects with `__repr__`, `__str__` and `__format__` of their own, alone and in containers", *BOTH)
def text_of_objects(x):
    made = Measured(x)
    print(made, [made], {"a": made}, f"{made:>3} {made!r} {made!s} {[made, 'a']}", Reading(made))
    raised = "none"
    try:
        raise ValueError(made)
    except ValueError as error:
        raised = str(error)
    return str(made), repr(made), format(made, "x"), "%s %r" % (made, made), raised


@case("an object of which a tensor chose what it holds, printed", *BOTH)
def text_of_changed_objects(x):
    made, held = Measured(x), Reading(x)
    if x.sum() > 0:
        made.value, held.value = x * 3, x[:1]
    print(made, held)
    return str(held)


@refused("a width for the text of a container with tensors", POS)
def text_padded(x):
    return f"{[x]!r:>50}"


@refused("library code that makes a string of a tensor", POS)
def text_in_library(x):
    return pprint.pformat([x])


@case("strings with numbers of the Program in lists that grow in loops and branches", *COUNTS, T(7, "int64"))
def lines_of_a_log(n):
    lines, marked, x = ["start"], {"log": []}, n * 0.5
    for i in range(n):
        match i % 3:
            case 0:
                lines.append("fizz")
            case k if i % 2 == 0:
                lines.append(f"{i!r:>4}|{x}|{k * 0.5:.2f}")
            case k:
                lines.append(str(i) + ":" + str(k))
        marked["log"].append((f"x={x}", i))
        x = x + 1
    if n > 1:
        lines.append(f"end {n}")
    last = lines.pop()
    for line in lines:
        print(line, last)
    return lines, last, len(lines), marked


@case("the text of lists that tensors make longer: printed, in f-strings and containers, asserted, raised, returned", *BOTH)
def texts_of_lists(x):
    counts, found, thirds = [1], [], []
    for v in x:
        if v > 0:
            counts.append(int(v))
            found.append(v.detach())
            thirds.append(float(v) / 3)
    print(counts, thirds, {"found": found}, [counts, "a"], sep="|")
    print(f"{counts}{found!r:.9}|{counts!s:>20}|{[v > 1 for v in thirds]}", "%s" % counts)
    assert len(counts) < 9, f"many: {counts}"
    if len(counts) == 2:
        raise ValueError("two", counts)
    return f"counts {counts}", repr(thirds)


@case("a list has no format of its own", POS)
def format_of_list(x):
    counts = [1]
    for v in x:
        counts.append(int(v))
    return f"{counts:>20}"


@refused("the text of a list of tensors with gradients", POS, error=TracedValueError)
def text_of_gradients(x):
    x = x * 1
    x.stop_gradient = False
    found = []
    for v in x:
        if v > 0:
            found.append(v * 2)
    print(found)


NAMED = {1: "he", 2: "llo", 3: "!", 5: None}


IDS = [T(ids, "int64") for ids in ([1, 2, 3], [9, 1], [1, 5])]


@case("words that tensors look up, joined: an item that is no string is Python's error", *IDS)
def joined_words(ids):
    words, others = [], []
    for i in ids:
        word = NAMED.get(int(i), 0.5)
        others.append(word)
        if word is None or isinstance(word, float):
            break
        words.append(word)
    return "".join(words), len(words), "-".join(others)
