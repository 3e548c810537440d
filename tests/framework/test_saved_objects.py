"""`save` of objects that pickle takes, and `load` of them: refused, or with the consent of whoever loads."""

import argparse
import collections
import dataclasses
import datetime
import enum
import io
import pickle
import sys
import threading

import numpy as np
import pytest

from to_static import nn
from to_static.compiler.eager.tensor import EagerTensor
from to_static.core.errors import FormatError
from to_static.framework import load, save


@dataclasses.dataclass
class Settings:
    rate: float = 0.1
    names: list = dataclasses.field(default_factory=list)
    tensor: object = None


class Slots:
    __slots__ = ("a", "b")

    def __init__(self, a, b):
        self.a, self.b = a, b


class Color(str, enum.Enum):
    RED = "red"


class Node:
    def __init__(self):
        self.children, self.parent = [], None


class Outer:
    class Inner:
        def __init__(self):
            self.value = 5


class Keywords:
    def __new__(cls, *, k):
        made = object.__new__(cls)
        made.k = k
        return made

    def __getnewargs_ex__(self):
        return (), {"k": self.k}


class State:
    value = 1

    def __getstate__(self):
        return (self.value, "state")

    def __setstate__(self, state):
        self.value = state[0]


class Words(list):
    pass


Pair = collections.namedtuple("Pair", "a b")


class OfItself:
    def __reduce__(self):
        return OfItself, (self,)


class Endless:
    def __reduce__(self):
        return Endless, (Endless(),)


def there_and_back(value, protocol, allow):
    memory = io.BytesIO()
    save(value, memory, protocol=protocol)
    by_python = pickle.loads(memory.getvalue())
    memory.seek(0)
    return by_python, load(memory, allow=allow)


UTC = datetime.datetime(2020, 1, 2, tzinfo=datetime.timezone.utc)


@pytest.mark.parametrize("protocol", [2, 3, 4])
@pytest.mark.parametrize(
    "value, allow",
    [
        (Settings(0.5, [1, 2]), [Settings]), (Color.RED, [Color]), (Pair(1, [2]), [Pair]), ({Color.RED: 1}, [Color]),
        (argparse.Namespace(a=1, b=[2]), [argparse.Namespace]), (datetime.date(2020, 1, 2), [datetime.date]),
        (UTC, [datetime.datetime, datetime.timezone, datetime.timedelta]), (1 + 2j, [complex]), (Settings, [Settings]),
        (collections.defaultdict(list, a=[1]), [collections.defaultdict, list]), (collections.deque([1], 3), [collections.deque]),
        (collections.Counter("aab"), [collections.Counter]), (Words([1, 2]), [Words]), ({1, "a"}, []),
        (frozenset([1]), []), (set(), []),
        (Settings(1, [b"x" * 100_000]), {f"{__name__}.Settings": Settings}),
    ],
)  # fmt: skip
def test_objects_come_back_where_their_classes_are_allowed(value, allow, protocol):
    for found in there_and_back({"one": value, "two": [value]}, protocol, allow):
        assert found["one"] == value and type(found["one"]) is type(value)
        assert found["one"] is found["two"][0] or isinstance(value, (set, frozenset))


@pytest.mark.parametrize("protocol", [2, 3, 4])
def test_objects_with_ways_of_their_own(protocol):
    allow = [Slots, Outer, Outer.Inner, Keywords, State]
    for slots, inner, keywords, state in there_and_back([Slots(1, [2]), Outer.Inner(), Keywords(k=3), State()], protocol, allow):
        assert (slots.a, slots.b, inner.value, keywords.k, state.value) == (1, [2], 5, 3, 1)


@pytest.mark.parametrize("protocol", [2, 3, 4])
def test_cycles_and_shared_parts_stay(protocol):
    root, child, shared = Node(), Node(), [1]
    root.children, child.parent = [child, shared], root
    pair = (root, [root])
    child.pair = pair
    frozen = Node()
    frozen.group = frozenset([frozen])
    for found, group, again in there_and_back([pair, frozen.group, shared], protocol, [Node]):
        assert found[0].children[0].parent is found[0] and found[0].children[0].pair is found and found[1][0] is found[0]
        assert found[0].children[1] is again and next(iter(group)).group is group


def test_chains_of_objects_may_be_long():
    root = node = Node()
    for _ in range(20_000):
        node.children.append(Node())
        node = node.children[0]
    found = there_and_back(root, 4, [Node])[1]
    depth = 0
    while found.children:
        found, depth = found.children[0], depth + 1
    assert depth == 20_000


def test_tensors_and_arrays_within_objects_beside_tensors():
    tensor, array = EagerTensor(np.float32([1, 2]), name="t"), np.arange(100_000.0)
    found = there_and_back({"w": tensor, "settings": Settings(1, [array], tensor), "array": array}, 4, [Settings])[1]
    within = found["settings"]
    for each in (found["w"], within.tensor):
        assert isinstance(each, EagerTensor) and each.name == "t" and each.numpy().tolist() == [1.0, 2.0]
    assert within.names[0].tobytes() == array.tobytes() == found["array"].tobytes()
    state = {"w": tensor, "about": {"settings": Settings(2)}}
    found = there_and_back(state, 4, [Settings])[1]
    assert found["about"]["settings"].rate == 2 and found["w"].name == "t"


def test_without_consent_nothing_is_made_and_all_classes_are_named(tmp_path, monkeypatch):
    calls = []
    monkeypatch.setattr(Settings, "__setstate__", lambda self, state: calls.append(state), raising=False)
    save({"a": Settings(), "b": [Color.RED]}, tmp_path / "x")
    with pytest.raises(FormatError, match=r"Settings', '.*Color', which is never loaded .*load\(path, allow=\[Settings, Color\]\)"):
        load(tmp_path / "x")
    with pytest.raises(FormatError, match=r"Color', which is never loaded .*allow=\[Settings, Color\]\)"):
        load(tmp_path / "x", allow=[Settings])
    assert not calls
    load(tmp_path / "x", allow=[Settings, Color])
    assert calls


class Attack:
    def __reduce__(self):
        return exec, ("import sys; sys.attacked = True",)


NAME = f"c{__name__}\nSettings\n".encode()


@pytest.mark.parametrize(
    "data",
    [
        pickle.dumps([Settings(), Attack()]), pickle.dumps([Attack(), Settings()], 2),
        b"\x80\x04" + NAME + b"}X\x04\x00\x00\x00rateK\x05sb.",  # a state for the class
        b"\x80\x04" + NAME + b"cbuiltins\ngetattr\n\x86.",
        b"\x80\x04cbuiltins\ngetattr\n" + NAME + b"X\x08\x00\x00\x00__init__\x86R.",
        b"\x80\x04cbuiltins\ngetattr\n" + NAME + b"\x85R.",
        NAME.replace(b"Settings", b"Settings.__init__.__globals__").join([b"\x80\x04", b"."]),
        b"\x80\x04" + NAME + b")\x81K\x01)R.", b"\x80\x04" + NAME + b")}\x92cos\nsystem\n\x86.",
    ],
)  # fmt: skip
def test_consent_to_a_class_is_consent_to_nothing_else(data):
    with pytest.raises(FormatError):
        load(io.BytesIO(data), allow=[Settings])
    assert not hasattr(sys, "attacked") and Settings.rate == 0.1


def test_no_consent_is_suggested_to_what_is_no_class():
    with pytest.raises(FormatError, match="'builtins.exec', which is never loaded") as caught:
        load(io.BytesIO(pickle.dumps(Attack())))
    assert "allow" not in str(caught.value)
    for allow in ([exec], "Settings", Settings, 5, {"x": print}):
        with pytest.raises(TypeError, match="allow takes classes"):
            load(io.BytesIO(), allow=allow)


def test_what_a_class_does_not_take_is_an_error_of_the_file(monkeypatch):
    memory = io.BytesIO()
    save(Settings(), memory)
    memory.seek(0)
    monkeypatch.setattr(Settings, "__setstate__", lambda self: None, raising=False)
    with pytest.raises(FormatError, match="do not take"):
        load(memory, allow=[Settings])


def test_what_pickle_does_not_take_is_refused(tmp_path):
    with open(__file__) as file:
        for value in (lambda: 1, file, threading.Lock(), (i for i in ()), sys, Settings(0.1, [lambda: 1]), nn.Linear(1, 1)):
            with pytest.raises(TypeError, match="save"):
                save({"a": [value]}, tmp_path / "x")
    with pytest.raises(TypeError, match="in a Settings"):
        save(Settings(0.1, [lambda: 1]), tmp_path / "x")
    with pytest.raises(ValueError, match="contains itself"):
        save(OfItself(), tmp_path / "x")
    with pytest.raises(ValueError, match="a Endless of a Endless"):
        save(Endless(), tmp_path / "x")
    assert not list(tmp_path.iterdir())


class Called:
    """Whose objects can be called, and have a metaclass that takes items."""

    called = []

    def __init__(self, *args):
        self.args = args

    def __call__(self, *args):
        Called.called.append(args)
        return Called.called.append


def named(module, name):
    return f"c{module}\n{name}\n".encode()


def text(words):
    return b"\x8c" + bytes([len(words)]) + words.encode()


CALLED = named(__name__, "Called")
COPIED = b"\x89\x88\x87R"  # (..., False, True), called
PLAIN = b"(K\x03" + text("<") + b"NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb"


def array_of(dtype, before=b"K\x00\x85"):
    """An array of two numbers whose dtype some opcodes make."""
    made = named("numpy.core.multiarray", "_reconstruct") + named("numpy", "ndarray") + before + b"C\x01b\x87R"
    return made + b"(K\x01K\x02\x85" + named("numpy", "dtype") + text("f4") + dtype + b"\x89C\x08" + bytes(8) + b"tb"


def beside_an_object(opcodes):
    return b"\x80\x02" + opcodes + CALLED + b")R\x86."


def test_the_file_of_these_attacks_is_one_that_loads():
    array, found = load(io.BytesIO(beside_an_object(array_of(COPIED + PLAIN))), allow=[Called])
    assert array.tolist() == [0.0, 0.0] and type(found) is Called


@pytest.mark.parametrize("opcodes", [
    CALLED + b")R)R",  # a call of an object
    CALLED + b")\x81)R" + text("x") + b"\x85R",  # and of its result
    CALLED + text("a") + text("b") + b"s",  # an item of a class
    CALLED + text("a") + b"a",
    CALLED + named("builtins", "getattr") + b"\x85R",  # a function as an argument,
    CALLED + b"(" + named("numpy", "dtype") + b"t\x85R",  # within a tuple,
    CALLED + b"]" + named("copyreg", "__newobj_ex__") + b"a\x85R",  # or a list,
    CALLED + b"]q\x07\x85Rh\x07" + named("numpy", "dtype") + b"a\x86",  # also one that is filled later
    CALLED + b")\x81}" + text("a") + named("builtins", "tuple") + b"sb",
    array_of(COPIED + PLAIN.replace(b"K\x00tb", b"K\x3ftb")),  # a dtype that is said to hold objects,
    array_of(COPIED + PLAIN.replace(b"J\xff\xff\xff\xffJ", b"J\x00\x00\x01\x00J")),  # or to be large
    array_of(b"\x89\x89\x87R" + PLAIN),  # a state for NumPy's own float32
    array_of(COPIED + PLAIN, b"J\xff\xff\xff\x7f\x85"),  # room for 2 GB
])  # fmt: skip
def test_what_a_file_does_with_what_it_may_have_is_what_pickles_do(opcodes):
    with pytest.raises(FormatError):
        load(io.BytesIO(beside_an_object(opcodes)), allow=[Called])
    assert not Called.called
    assert np.dtype("float32").byteorder == "="


@pytest.mark.parametrize("full", ["subprocess.Popen", "functools.partial", "operator.methodcaller", "os._wrap_close", "io.FileIO"])
def test_no_consent_is_suggested_to_classes_of_python_s_that_do_things(full):
    module, _, name = full.rpartition(".")
    with pytest.raises(FormatError, match=r"never loaded \(a file must not run code\)$"):
        load(io.BytesIO(b"\x80\x02" + named(module, name) + b")R."))
    with pytest.raises(FormatError, match=r"load\(path, allow=\[timedelta\]\)"):
        load(io.BytesIO(pickle.dumps(datetime.timedelta(1))))


def test_arrays_of_text_and_of_objects(tmp_path):
    inner = np.array(["deep", None, 2.5], dtype=object)
    saved = {
        "words": np.array([["a", "bcd"], ["", "é"]]), "bytes": np.array([b"ab", b"c"]), "none": np.array([], dtype="U3"),
        "objects": np.array([1, "s", None, [2, {"x": 3}]], dtype=object), "inner": np.array([[inner, np.ones(2)]], dtype=object),
        "tensor": EagerTensor(np.ones(2, "float32")),
    }  # fmt: skip
    path = str(tmp_path / "objects.pd")
    save(saved, path)
    with open(path, "rb") as file:
        theirs = pickle.load(file)  # what Python itself reads of it
    for found in (load(path), theirs):
        assert found["words"].tolist() == [["a", "bcd"], ["", "é"]] and found["words"].dtype == saved["words"].dtype
        assert found["bytes"].tolist() == [b"ab", b"c"] and found["none"].shape == (0,)
        assert found["objects"].tolist() == [1, "s", None, [2, {"x": 3}]] and found["inner"].shape == (1, 2)
    ours = load(path)["inner"]
    assert ours[0, 0].tolist() == ["deep", None, 2.5] and np.asarray(ours[0, 1]).tolist() == [1, 1]
    with open(path, "wb") as file:
        pickle.dump({"w": np.array(["x"]), "o": np.array([None], dtype=object)}, file, 4)
    assert load(path)["w"].tolist() == ["x"] and load(path)["o"].tolist() == [None]


def test_an_array_that_contains_itself_is_refused(tmp_path):
    own = np.empty(1, object)
    own[0] = own
    with pytest.raises(ValueError, match="contains itself"):
        save({"own": own}, str(tmp_path / "own.pd"))
    (tmp_path / "own.pd").write_bytes(pickle.dumps({"own": own}, 4))
    with pytest.raises(FormatError, match="contains itself"):
        load(str(tmp_path / "own.pd"))
