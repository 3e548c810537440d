"""Strings that grow in loops, and strings out of long lists"""

from language_table import COUNTS, T, case, refused, scenario

from to_static import nn

WORDS = ["<s>", *map(chr, range(97, 123))]
MANY = [f"w{i} " for i in range(600)]
SIGNS = [(T([1.0, -2.0, 3.0]),), (T([-1.0, 5.0, 0.5]),), (T([7.0]),)]
TOKENS = [(T(ids, "int64"),) for ids in ([1, 3, 3, 0, 5, 26], [0, 0], [], [7])]
BOTH_COUNTS = [(T(x), T(n, "int64")) for x in ([1.0, 2.0], [-1.0, -2.0]) for n in (0, 1, 4)]


@case("a string that grows in a tensor loop", *COUNTS)
def growing(n):
    s = ""
    for _ in range(n):
        s += "a"
    return s, len(s), s or "empty", not s


@case("a string that grows beside a tensor that is returned on another path without it", *BOTH_COUNTS)
def early_return(x, n):
    s, b = "", x.sum()
    if b < 0:
        return b
    for _ in range(n):
        b = b * 2
        s += "p"
    return b, s


@case("a `return` out of the loop in which a string grows", *BOTH_COUNTS)
def return_within(x, n):
    s = ""
    for i in range(n):
        s += "p"
        x = x * 2
        if x.sum() > 20:
            return x, s, i
    return x, s


@case("an entry of a dict made in the loop in which a string grows", *TOKENS)
def entry_beside(ids):
    s, found = "", {}
    for _ in ids:
        found["last"] = ids.max() * 2 - 1
        s += "q"
    return s, found


@case("the letters of tokens, without repeats and blanks", *TOKENS)
def letters(ids):
    text, last = "", 0
    for i in ids:
        if i != last and i != 0:
            text += WORDS[i]
        last = i
    print(text)
    return text


@case("letters of a short alphabet", *TOKENS)
def alphabet(ids):
    text, last, around = "", 0, "<>"
    for i in ids:
        k = int(i) % 4
        around = around[:1] + "-abc"[k] + ">" if k == 3 else around
        if k != 0 and k != last:
            text += "-abc"[k]
        last = k
    return text, around


@case("words out of a long list, until one of them", *TOKENS)
def words(ids):
    text, last = ">", ""
    for i in ids:
        word = MANY[i]
        if word == "w5 " or len(text) > 9:
            break
        if WORDS[int(i)] != last:
            text = text + word
        last = WORDS[int(i)]
    return text, len(text)


@case("such words in a list, joined", *TOKENS)
def listed(ids):
    found = []
    for i in ids:
        if MANY[i] != "w0 ":
            found.append(MANY[i])
    return "".join(found), found, [WORDS[i] for i in ids]


@case("binary digits in front of a string", *COUNTS)
def digits(n):
    s = ""
    while n > 0:
        s = str(int(n) % 2) + s
        n = n // 2
    return "0b" + s


@case("a string that grows on both sides, and another name of what it was", *COUNTS)
def around(n):
    s = old = "x"
    for i in range(n):
        old = s
        s = f"({s}+{i})"
    return s, old


@case("ints and floats put behind a string, also large ones and -0.0", *SIGNS)
def numbers(x):
    s = "v:"
    for i, v in enumerate(x):
        s += f" {i}={float(v):.2f};{float(v) * 0.0}|{int(v) * 10**15 - 1}{bool(v > 0)}"
    return s


@case("commas between, in one string and in lines", *COUNTS)
def commas(n):
    s, lines = "", []
    for i in range(n):
        line = ""
        for j in range(i):
            if line:
                line += ", "
            line += "%d" % j
        lines.append(line)
        s += line + "\n"
    return s, lines


@case("repeated and joined strings put behind one", *COUNTS)
def repeats(n):
    s, parts = "", []
    for i in range(n):
        parts.append("q")
        s += "*" * i + "".join(parts) + ",".join(["a", str(i)])
    return s


@case("branches in the loop, after it, and `return` out of it", *SIGNS)
def branches(x):
    s = ""
    for v in x:
        if v < -1:
            continue
        s += "p"
        if v > 1:
            s += "1"
        if v > 2:
            s += "2"
        if v > 6:
            return s + "!"
    if x.sum() > 3:
        s = s + "more"
    elif x.sum() > 2:
        s = "none"
    return s


@case("in attributes, lists, dicts and closures", *COUNTS)
def places(n):
    class Log:
        text = ""

    log, table, items, s = Log(), {"s": "-"}, ["a", "b"], ""
    log.text = "log"

    def add(c):
        nonlocal s
        s += c

    for i in range(n):
        log.text += "ab" if i % 2 == 0 else "c"
        table["s"] += str(i)
        items[0] += "x"
        items[1] = items[1] + items[0]
        add("z")
        add(str(i))
    return log.text, table, items, s


@case("None or no value before, an error's text after", *COUNTS)
def errors(n):
    s = None
    for i in range(n):
        s = "x" if s is None else s + "y"
        t = s if i == 0 else t + s  # noqa: F821
    if n > 1:
        raise ValueError("bad " + s + t)
    return s


@case("strings that a loop chooses, one of which is in another", *COUNTS)
def states(n):
    s = "a"
    for _ in range(n):
        if s == "a":
            s = "b"
        elif s == "b":
            s = "ab"
        else:
            s = "a"
    return s, s == "ab"


@case("a traced number among known ones", *TOKENS)
def among(ids):
    stops, table = list(range(3, 40)), {i: w for i, w in enumerate(WORDS)}
    asked = [(int(i) in stops, i in stops, int(i) in {1, None, "a"}, any([i == k for k in stops])) for i in ids]
    return asked, [table.get(int(i), "?") for i in ids]


@refused("a string of a loop, compared", *COUNTS)
def compared(n):
    s = ""
    for _ in range(n):
        s += "a"
    return s == "aa"


@scenario("a log of a Layer, from call to call")
def layer_log(to_static):
    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.log = "start"

        def forward(self, x):
            for v in x:
                if v > 0:
                    self.log += "+"
            return x * 2

    net = Net()
    run = to_static(net)
    return [(run(T([1.0, -2.0, 3.0]) * k), net.log) for k in (1.0, -1.0, 2.0)]
