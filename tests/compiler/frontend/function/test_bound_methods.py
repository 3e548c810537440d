"""Static methods and the objects they belong to: classes that derive from each other, copies, attributes, other classes."""

import copy
import dataclasses
import gc
import io
import pickle
import sys
import threading
import types
import warnings
import weakref

import pytest

import to_static as paddle

X = paddle.to_tensor([1.0, 2.0])
to_static = paddle.jit.to_static


class Counter:
    n = 0

    @to_static
    def step(self, x):
        self.n += 1
        return x * self.n


class Tens(Counter):
    @to_static
    def step(self, x):
        return super().step(x) * 10


class Net(paddle.nn.Layer):
    k = 2

    @to_static
    def forward(self, x):
        return x * self.k


class More(Net):
    @to_static
    def forward(self, x):
        return super().forward(x) + 1


class Scaled(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = paddle.nn.Linear(2, 2)
        self.k = 2

    def forward(self, x):
        return self.fc(x) * self.k


class Fitted(Scaled):
    forward = to_static(Scaled.forward)


@pytest.fixture(autouse=True)
def as_told():
    """Nothing is traced anew in every call unless a test says so."""
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*is traced again each time")
        yield


def test_super_finds_the_static_method_of_the_base():
    net, tens = More(), Tens()
    assert [net(X).tolist() for _ in range(3)] == [[3.0, 5.0]] * 3
    assert [tens.step(X).tolist() for _ in range(2)] == [[10.0, 20.0], [20.0, 40.0]] and tens.n == 2
    assert len(net.forward.program_cache) == 1


def test_asking_for_the_method_of_the_base_leaves_that_of_the_object():
    net, tens = More(), Tens()
    assert Net.forward.__get__(net)(X).tolist() == [2.0, 4.0] and net(X).tolist() == [3.0, 5.0]
    assert super(Tens, tens).step(X).tolist() == [1.0, 2.0] and tens.step(X).tolist() == [20.0, 40.0]


def updated(a):
    made = type(a)()
    made.__dict__.update(a.__dict__)
    return made


def refilled(a):
    made = type(a).__new__(type(a))
    made.__dict__ = dict(a.__dict__)
    return made


def repickled(a):
    return pickle.loads(pickle.dumps(a))


COPIES = [copy.copy, copy.deepcopy, repickled, updated, refilled]


@pytest.mark.parametrize("copied", COPIES)
def test_a_copy_runs_with_its_own_state(copied):
    a = Counter()
    a.step(X)
    b = copied(a)
    b.step(X)
    assert (a.n, b.n) == (1, 2) and type(vars(copied(a))) is dict and b.step is not a.step


@pytest.mark.parametrize("copied", COPIES)
def test_a_copied_layer_runs_with_its_own_state(copied):
    net = Net()
    net(X)
    twin = copied(net)
    twin.k = 5
    assert twin(X).tolist() == [5.0, 10.0] and net(X).tolist() == [2.0, 4.0] and twin.forward is not net.forward


def test_parameters_are_deep_copied_once():
    net = Fitted()
    before = net(X).tolist()
    twin = copy.deepcopy(net)
    twin.fc.weight.set_value(twin.fc.weight * 0)
    twin.fc.bias.set_value(twin.fc.bias * 0 + 1)
    assert twin(X).tolist() == [2.0, 2.0] and net(X).tolist() == before
    assert len(list(twin.parameters())) == 2


def test_attributes_of_a_layer_do_not_tell_of_static_methods():
    net, other = Net(), Net()
    before = list(vars(net))
    net(X)
    assert type(vars(net)) is dict and list(vars(net)) == before == list(vars(other)) and dir(net) == dir(other)
    assert net.forward is net.forward and len(net.forward.program_cache) == 1
    assert pickle.loads(pickle.dumps(net))(X).tolist() == net(X).tolist()


def test_other_objects_have_their_static_methods_in_one_entry():
    a = Counter()
    own = vars(a)
    a.step(X)
    assert type(own) is dict and vars(a) is own and own.pop("_static_methods").owner is a and own == {"n": 1}
    a.step(X)
    assert a.step is a.step and a.n == 2
    del own["_static_methods"]


@dataclasses.dataclass
class Point:
    v: float = 2.0

    @to_static
    def scale(self, x):
        return x * self.v


@dataclasses.dataclass(frozen=True)
class Frozen:
    v: float = 2.0

    @to_static
    def scale(self, x):
        return x * self.v


class WithSlots:
    __slots__ = ("__dict__", "v")

    def __init__(self):
        self.v = 2.0

    @to_static
    def scale(self, x):
        return x * self.v


@pytest.mark.parametrize("kind", [Point, Frozen, WithSlots])
def test_objects_of_many_kinds_keep_their_static_methods(kind):
    a = kind()
    assert a.scale(X).tolist() == [2.0, 4.0] and a.scale is a.scale and len(a.scale.program_cache) == 1
    if dataclasses.is_dataclass(kind):
        assert a == kind() and dataclasses.replace(a, v=3.0).scale(X).tolist() == [3.0, 6.0] and dataclasses.asdict(a) == {"v": 2.0}


class OnlySlots:
    __slots__ = ("v",)

    @to_static
    def scale(self, x):
        return x * self.v


class Simple(types.SimpleNamespace):
    @to_static
    def scale(self, x):
        return x * self.v


class Items(dict):
    def __init__(self):
        self.__dict__ = self

    @to_static
    def scale(self, x):
        return x * self.v


@pytest.mark.parametrize("kind", [OnlySlots, Simple, Items])
def test_objects_without_a_place_for_static_methods_have_new_ones_each_time(kind):
    a, b = kind(), kind()
    a.v, b.v = 2.0, 3.0
    with pytest.warns(UserWarning, match="scale of a .* is traced again each time it is looked up.*look it up once, `scale ="):
        assert a.scale(X).tolist() == [2.0, 4.0]
    a.v = 5.0
    assert a.scale(X).tolist() == [5.0, 10.0] and b.scale(X).tolist() == [3.0, 6.0]
    if kind is Items:
        assert a == {"v": 5.0}


def test_another_method_is_followed():
    class Base:
        def run(self, x):
            return x * 3

    class Child(Base):
        @to_static
        def run(self, x):
            return x * 5

    a = Child()
    found = [a.run(X).tolist()[0]]
    for method in (to_static(lambda self, x: x * 7), lambda self, x: x * 8, Child.run):
        Child.run = method
        found.append(a.run(X).tolist()[0])
    del Child.run
    assert [*found, a.run(X).tolist()[0]] == [5.0, 7.0, 8.0, 5.0, 3.0]


def test_another_class_is_followed():
    a, net = Counter(), Net()
    a.step(X), net(X)
    a.__class__, net.__class__ = Tens, More
    assert a.step(X).tolist() == [20.0, 40.0] and net(X).tolist() == [3.0, 5.0]


def test_an_attribute_wins_over_the_method():
    a, net = Counter(), Net()
    a.step(X), net(X)
    a.step = net.forward = lambda x: x * 100
    assert a.step(X).tolist() == net(X).tolist() == [100.0, 200.0]
    del a.step, net.forward
    assert a.step(X).tolist() == net(X).tolist() == [2.0, 4.0]


def test_a_static_method_that_is_an_attribute_is_shared_by_copies():
    net = to_static(Scaled())
    twin = copy.copy(net)
    assert twin.forward is net.forward is vars(net)["forward"]
    assert copy.deepcopy(net).forward is not net.forward and copy.deepcopy(net)(X).tolist() == net(X).tolist()


def test_rollback_gives_the_object_its_own_dynamic_method():
    net, other = Net(), Net()
    net(X)
    net.forward.rollback()
    assert type(net.forward) is types.MethodType and net(X).tolist() == other(X).tolist() == [2.0, 4.0]
    assert isinstance(other.forward, type(Net.forward))


@pytest.mark.parametrize("kind", [Counter, Net])
def test_objects_are_freed_with_their_static_methods(kind):
    a = kind()
    method = a.step if kind is Counter else a.forward
    method(X)
    gone = [weakref.ref(a), weakref.ref(method)]
    del a, method
    gc.collect()
    assert [ref() for ref in gone] == [None, None]


def test_objects_that_share_a_namespace_keep_sharing_it():
    class Shared(Counter):
        @to_static
        def step(self, x):
            self.n += 1
            return x * self.n

    shared = {}
    a, b = Shared(), Shared()
    a.__dict__ = b.__dict__ = shared
    with pytest.warns(UserWarning, match="another object has its `__dict__` as well"):
        assert (a.step(X).tolist(), b.step(X).tolist()) == ([1.0, 2.0], [2.0, 4.0])
    assert shared.pop("n") == 2 and list(shared) == ["_static_methods"] and a.__dict__ is b.__dict__ is shared


def test_objects_that_come_to_share_a_namespace_have_their_own_methods():
    class Named(Counter):
        @to_static
        def step(self, x):
            return x * self.n * (2 if self is first else 3)

    first, second = Named(), Named()
    first.n = 1
    first.step(X)
    second.__dict__ = first.__dict__
    with pytest.warns(UserWarning, match="another object has its `__dict__` as well"):
        found = [o.step(X).tolist()[0] for o in (second, first, second)]
    assert found == [3.0, 2.0, 3.0]


def test_another_namespace_is_followed():
    a = Counter()
    a.step(X)
    a.__dict__ = {"n": 10}
    assert a.step(X).tolist() == [11.0, 22.0] and a.n == 11


def test_what_a_static_function_looks_at_keeps_its_static_methods():
    point, net = Point(), Net()

    @to_static
    def f(x):
        return point.scale(x) + point.v + net(x) + net.k

    assert [f(X).tolist() for _ in range(2)] == [[8.0, 12.0]] * 2
    for method in (lambda: point.scale, lambda: net.forward):
        assert method()(X).tolist() == [2.0, 4.0] and method() is method() and len(method().program_cache) == 1
    point.v = 3.0
    assert f(X).tolist() == [10.0, 15.0] and point.scale(X).tolist() == [3.0, 6.0]
    assert len(f.program_cache) == 2


def test_the_user_s_class_is_not_asked():
    class Asked:
        def __getattr__(self, name):
            raise AssertionError(name)

        def __getattribute__(self, name):
            assert name in ("scale", "v", "__class__"), name
            return object.__getattribute__(self, name)

        @to_static
        def scale(self, x):
            return x * 2

    assert (a := Asked()).scale is a.scale


def test_a_copy_of_a_static_function_is_that_function():
    def made():
        @to_static
        def double(x):
            return x * 2

        return double

    double, a = made(), Counter()
    assert copy.copy(double) is double and copy.copy(a.step) is a.step
    assert copy.copy(vars(to_static(Scaled()))["forward"])(X).shape == [2]


def test_attributes_that_other_threads_set_meanwhile_are_there():
    def look(a, name, start):
        start.wait()
        method = a.step
        setattr(a, name, method)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(50):
            a, start = type("Own", (), {"step": to_static(lambda self, x: x)})(), threading.Barrier(4)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                threads = [threading.Thread(target=look, args=(a, f"t{i}", start)) for i in range(4)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
            assert sorted(vars(a)) == ["_static_methods", "t0", "t1", "t2", "t3"]
            assert len({id(x) for name, x in vars(a).items() if name != "_static_methods"}) == 1
    finally:
        sys.setswitchinterval(before)


def plain(x):
    return x - 1


RENAMED = paddle.jit.to_static(plain)


class Counted:
    def __init__(self):
        self.n = 2

    @paddle.jit.to_static
    def run(self, x):
        return x * self.n


def test_a_static_function_under_another_name_is_pickled_as_one():
    again = pickle.loads(pickle.dumps(RENAMED))
    assert type(again) is type(RENAMED) and again(X).tolist() == plain(X).tolist()
    with pytest.raises((pickle.PicklingError, AttributeError), match="local object"):
        pickle.dumps(paddle.jit.to_static(lambda x: x))


def test_a_function_that_an_object_was_given_is_pickled_with_it():
    net = paddle.nn.Linear(2, 2)
    net.other = paddle.jit.to_static(types.MethodType(lessened, net))
    again = pickle.loads(pickle.dumps(net))
    assert again.other(paddle.ones([1, 2])).tolist() == net.other(paddle.ones([1, 2])).tolist()
    assert again.other._instance is again


def lessened(self, x):
    return self(x) - 1


def test_a_copy_of_a_bound_method_has_an_object_of_its_own():
    counted = Counted()
    twin = copy.deepcopy(counted.run)
    counted.n = 5
    assert (counted.run(X).tolist(), twin(X).tolist()) == ([5.0, 10.0], [2.0, 4.0])
    both = copy.deepcopy([counted, counted.run])
    assert both[1]._instance is both[0]


def test_objects_with_static_methods_are_saved_without_these():
    counted, memory = Counted(), io.BytesIO()
    counted.run(X)
    paddle.save({"a": counted}, memory)
    memory.seek(0)
    again = paddle.load(memory, allow=[Counted])["a"]
    assert again.run(X).tolist() == counted.run(X).tolist()
    for value in (RENAMED, counted.run, Counted.run):
        with pytest.raises(TypeError, match="a static function can't be saved; save the state_dict"):
            paddle.save([value], io.BytesIO())
