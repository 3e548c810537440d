"""What `to_static` takes and what static functions tell, under Paddle's names."""

import functools
import warnings

import pytest

import to_static as paddle
from to_static.core.errors import ToStaticError, TranslationError
from to_static.jit import to_static
from to_static.static import InputSpec


def f(x, k=2, *rest, m=1):
    """Doc."""
    return x * k + m if x.sum() > 0 else -x


def ones(*shape, dtype="float32"):
    return paddle.ones(list(shape), dtype)


def test_the_cache_has_paddles_methods():
    static = to_static(f)
    with pytest.raises(ValueError, match="call the static function first"):
        static.program_cache.last()
    static(ones(2)), static(ones(3)), static(ones(2))
    cache = static.program_cache
    assert len(cache) == 2 == static.get_traced_count()
    assert [p.inputs[0].spec.shape for p in cache.concrete_programs()] == [(2,), (3,)]
    key, (concrete, runs) = cache.last()
    assert cache[key] is concrete is runs is static.concrete_program
    assert list(cache) == list(cache.keys()) and list(cache)[-1] is key
    cache.clear()
    assert len(static.program_cache) == 0
    static(ones(2))
    assert len(static.program_cache) == 1


def test_the_spec_of_a_function():
    spec = [InputSpec([None, 2], "float32"), 3]
    static = to_static(f, input_spec=spec)
    told = static.function_spec
    assert (told.args_name, told.varargs_name, told.input_spec, told.flat_input_spec) == (["x", "k"], "rest", spec, spec[:1])
    assert repr(told).startswith("function: f(x,k), input_spec: [InputSpec(") and told.code.startswith("def f(x, k=2")
    static(ones(1, 2), 3)
    assert spec[0].name is None, "the user's InputSpec stays as it was"
    assert static.is_property is False
    assert to_static(property=True)(f).is_property is True


@pytest.mark.parametrize("target", [int, paddle.nn.Linear, 3, "text"])
def test_what_is_no_function(target):
    with pytest.raises(TypeError, match="to_static expects a function, a method or a Layer") as error:
        to_static(target)
    if isinstance(target, type):
        assert f"{target.__name__!r} is a class" in str(error.value) and "rewrite: decorate its method" in str(error.value)


def test_functions_behind_other_objects():
    for static in (to_static(functools.partial(f, k=3)), to_static(functools.lru_cache(f))):
        assert "def f(x, k=2" in static.code
        assert "makes a new Program" in static.explain(ones(2))
    with pytest.raises(TranslationError, match="abs has no Python source"):
        to_static(abs).code


@pytest.mark.parametrize(
    ("args", "kind", "said"),
    [
        ((4,), TypeError, ["'x' has an InputSpec", "rewrite: `paddle.to_tensor(4)`"]),
        ((None,), TypeError, ["'x' has an InputSpec", "rewrite: put the value itself in place of the InputSpec"]),
    ],
)
def test_arguments_that_do_not_fit_are_told_by_name(args, kind, said):
    static = to_static(f, input_spec=[InputSpec([None, 2], "float32")])
    with pytest.raises(kind) as error:
        static(*args)
    told = static.explain(*args)
    assert told.startswith(f"f: this call fails, {kind.__name__}: ")
    for part in said:
        assert part in str(error.value)
        assert part in told


@pytest.mark.parametrize("full_graph", [False, True])
@pytest.mark.parametrize(
    ("arg", "said"),
    [
        (ones(3), ["'x' is f32[3]", "InputSpec f32[?, 2]", "rewrite: pass a tensor of 2 dimensions"]),
        (ones(3, 4), ["'x' is f32[3, 4]", "rewrite: pass f32[?, 2], or let these dimensions vary, `InputSpec([None, None]"]),
        (ones(3, 2, dtype="int64"), ["'x' is i64[3, 2]", "rewrite: convert it, `x.astype('float32')`"]),
    ],
)
def test_arguments_that_do_not_fit_get_programs_of_their_own(arg, said, full_graph):
    static = to_static(f, input_spec=[InputSpec([None, 2], "float32")], full_graph=full_graph)
    assert static(ones(5, 2)).tolist() == f(ones(5, 2)).tolist()
    with pytest.warns(UserWarning, match="such calls get Programs of their own") as told:
        result = static(arg)
    assert all(part in str(told[0].message) for part in said) and told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert static(arg).tolist() == result.tolist() == f(arg).tolist()
        assert static(ones(7, 2)).tolist() == f(ones(7, 2)).tolist()
    assert result.dtype == f(arg).dtype and len(static.program_cache) == 2 and not static.graph_breaks


SPEC = InputSpec([None, 2], "float32")


@pytest.mark.parametrize(
    ("spec", "arg", "kind", "said"),
    [
        ([SPEC], ones(3, 2), TypeError, ["'x' is a tensor f32[3, 2]", "in input_spec is a list of 1"]),
        ([None, 2], ones(3, 2), TypeError, ["for argument 0, got the shape [None, 2]", "InputSpec([None, 2], 'float32')"]),
        (SPEC, [ones(3, 2)], ValueError, ["'x' is a list of 1", "an InputSpec of one tensor, f32[?, 2]"]),
        ([SPEC, [SPEC]], [ones(3, 2), [ones(3, 2)] * 2], ValueError, ["'x[1]' is a list of 2", "is a list of 1"]),
        ({"a": SPEC}, {"b": ones(3, 2)}, ValueError, ["a dict with the keys ['b']", "the keys ['a']"]),
    ],
)
def test_an_input_spec_that_is_built_otherwise_is_told(spec, arg, kind, said):
    with pytest.raises(kind) as error:
        to_static(lambda x: x, input_spec=[spec])(arg)
    assert all(part in str(error.value) for part in said), error.value


def test_the_specs_of_a_dict_belong_to_its_keys_and_what_has_none_is_taken_as_it_is():
    static = to_static(lambda d, x: d["a"].sum() + d["b"].sum() + x.sum(), input_spec=[{"b": SPEC}, InputSpec([None])])
    for n in (1, 2, 3):
        assert static({"a": ones(4), "b": ones(n, 2)}, ones(n)).item() == 4 + 3 * n
    assert len(static.program_cache) == 1
    with pytest.warns(UserWarning, match="'d_b' is"):
        assert static({"a": ones(4), "b": ones(3)}, ones(1)).item() == 8


def test_an_argument_that_is_missing_is_told():
    with pytest.raises(TypeError, match=r"f\(\) missing 1 required positional argument: 'x'"):
        to_static(f, input_spec=[InputSpec([None, 2], "float32")])()


def test_saving_a_buffer_that_changes_its_shape_is_refused(tmp_path):
    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.register_buffer("seen", ones(2))

        def forward(self, x):
            self.seen = paddle.concat([self.seen, x])
            return x

    with pytest.raises(TranslationError, match=r"makes f32\[4\] of .*, which is f32\[2\]"):
        paddle.jit.save(Net(), str(tmp_path / "net"), input_spec=[InputSpec([2])])
    assert not list(tmp_path.iterdir())


def test_a_traced_layer(tmp_path):
    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.fc = paddle.nn.Linear(3, 2)

        def forward(self, x, y):
            h = self.fc(x) + y
            return (h * 2 if h.sum() > 0 else h), y + 1

    net, x, y = Net(), ones(4, 3), ones(4, 2) * 9
    net.register_forward_post_hook(lambda layer, given, made: (made[0] * 3, made[1]))
    outputs, traced = paddle.jit.TracedLayer.trace(net, [x, y])
    for scale in (1, -1):
        wanted, got = net(x, y * scale), traced([x, y * scale])
        assert [a.numpy().tolist() for a in wanted] == [a.tolist() for a in got]
    assert outputs[0].shape == [4, 2] and len(traced.program.feeds) == 2
    net.fc.weight.set_value(net.fc.weight * 2)
    assert traced([x, y])[0].tolist() == net(x, y)[0].numpy().tolist(), "the parameters are shared"
    traced.save_inference_model(str(tmp_path / "net"), fetch=[1])
    loaded = paddle.jit.load(str(tmp_path / "net"))
    assert loaded(x, y).numpy().tolist() == (y + 1).numpy().tolist()
    with pytest.raises(ValueError, match="feed must name all inputs"):
        traced.save_inference_model(str(tmp_path / "net"), feed=[0])
    with pytest.raises(TypeError, match="expects a Layer"):
        paddle.jit.TracedLayer.trace(f, [x])
    with pytest.raises(TypeError, match="expects tensors"):
        paddle.jit.TracedLayer.trace(net, [3])


def test_a_method_without_arguments_is_saved_without_a_call(tmp_path):
    class Net(paddle.nn.Layer):
        @to_static(input_spec=[InputSpec([2])])
        def forward(self, x):
            return x * 2

        @to_static
        def sizes(self):
            return paddle.to_tensor([2, 3])

    paddle.jit.save(Net(), str(tmp_path / "net"))
    loaded = paddle.jit.load(str(tmp_path / "net"))
    assert loaded.sizes().numpy().tolist() == [2, 3]
    with pytest.raises(ValueError, match="sizes is saved too"):
        paddle.jit.save(Net(), str(tmp_path / "net"), input_spec=[InputSpec([3])])


def test_what_is_left_alone():
    for wrong in (3, [3]):
        with pytest.raises(TypeError, match="ignore_module expects a list of modules"):
            paddle.jit.ignore_module(wrong)
    with pytest.raises(TypeError, match="not_to_static expects a function"):
        paddle.jit.not_to_static(3)


def test_static_mode_takes_the_function_into_its_program():
    static = to_static(lambda x: x * 2 if x.sum() > 0 else -x)
    paddle.enable_static()
    try:
        main = paddle.static.Program()
        with paddle.static.program_guard(main):
            made = static(paddle.static.data("x", [2]))
        run = paddle.static.Executor().run
        got = [run(main, feed={"x": [s, s]}, fetch_list=[made])[0].tolist() for s in (1.0, -1.0)]
    finally:
        paddle.disable_static()
    assert got == [[2.0, 2.0], [1.0, 1.0]]
    assert len(static.program_cache) == 0


@pytest.mark.parametrize(("name", "meant"), [("full_grap", "full_graph"), ("input_specs", "input_spec")])
def test_keywords_that_are_misspelled(name, meant):
    with pytest.raises(TypeError) as caught:
        to_static(lambda x: x, **{name: True})
    assert str(caught.value) == f"to_static() got an unexpected keyword argument {name!r}; did you mean `{meant}=...`?"


def test_a_generator_function_is_told_to_make_a_list():
    @to_static(full_graph=True)
    def parts(x):
        for i in range(3):
            yield x * i

    with pytest.raises(ToStaticError, match=r"(?s)\(`parts`\): its items would be .*`items.append\(x\)` for `yield x`"):
        parts(paddle.ones([1]))
