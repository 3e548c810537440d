"""The printer and the parser are inverses."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import to_static  # noqa: F401
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.input_spec import spec_from
from to_static.compiler.ir.parser import parse_program
from to_static.compiler.ir.printer import print_program
from to_static.compiler.ir.program import Op, Program, Stored
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.spec import ListSpec, TensorSpec
from to_static.compiler.ir.var_kinds import BUFFER, CONST, PARAM
from to_static.compiler.ir.verifier import verify
from to_static.compiler.ops.tensor_list.lists import list_append, list_new, list_stack
from to_static.compiler.runtime.interpret import interpret
from to_static.core import dtypes
from to_static.core.backend import NUMPY
from to_static.core.errors import ParseError, ProgramError

SITES = re.compile(r" *# \S+:\d+$", re.MULTILINE)


def assert_same(a, b):
    """The two Programs are the same but for sites, holders and names made unique."""
    numbers = {}

    def define(v, w):
        assert (v.spec, v.kind, v.stop_gradient, v.index) == (w.spec, w.kind, w.stop_gradient, w.index)
        numbers[v] = w

    def block(x, y):
        assert len(x.args) == len(y.args) and len(x.ops) == len(y.ops)
        for v, w in zip(x.args, y.args, strict=True):
            define(v, w)
        for o, p in zip(x.ops, y.ops, strict=True):
            assert o.opdef is p.opdef and list(o.attrs) == list(p.attrs)
            for key in o.attrs:
                assert_equal(o.attrs[key], p.attrs[key])
            assert len(o.inputs) == len(p.inputs)
            for i, j in zip(o.inputs, p.inputs, strict=True):
                if isinstance(i, tuple):
                    assert [numbers[v] for v in i] == list(j)
                else:
                    assert (None if i is None else numbers[i]) is j
            for v, w in zip(o.outputs, p.outputs, strict=True):
                define(v, w)
            for c, d in zip(o.blocks, p.blocks, strict=True):
                block(c, d)
        assert [numbers[v] for v in x.results] == y.results

    for v, w in zip(a.params, b.params, strict=True):
        define(v, w)
    block(a.block, b.block)
    assert [numbers[v] for v in a.state] == b.state
    assert a.output_names == b.output_names and a.random_seed == b.random_seed


def assert_equal(a, b):
    assert type(a) is type(b)
    if isinstance(a, (np.ndarray, np.generic)):
        assert a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    elif isinstance(a, (list, tuple)):
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            assert_equal(x, y)
    else:
        assert repr(a) == repr(b)  # tells nan, -0.0 and 1 from 1.0


def with_constant(value):
    program = Program()
    op = Op(get("constant"), (), {"value": value}, (spec_from([]),), program.block)
    program.block.ops.append(op)
    program.block.results = [op.out]
    return program


scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(),
    st.complex_numbers(),
    st.sampled_from(dtypes.ALL),
    st.just(...),
    st.builds(slice, st.none() | st.integers(), st.none() | st.integers(), st.none() | st.integers()),
    st.builds(TensorSpec, st.tuples(st.integers(-1, 9), st.integers(-1, 9)), st.sampled_from(dtypes.ALL)),
    st.just(ListSpec(None)),
    hnp.arrays(st.sampled_from([d.np for d in dtypes.ALL]), hnp.array_shapes(min_dims=0, min_side=0, max_side=5)),
    st.sampled_from([d.np.type(1) for d in dtypes.ALL]),
)
values = st.recursive(scalars, lambda v: st.lists(v, max_size=4) | st.lists(v, max_size=4).map(tuple), max_leaves=8)


@given(values)
@settings(max_examples=300, deadline=None)
def test_attribute_values_are_exact(value):
    program = with_constant(value)
    assert_same(program, parse_program(print_program(program)))


names = st.none() | st.sampled_from(["x", "linear_0.w_0", "x@GRAD", "a b", '"', "0", "%", "x_1", "return", "é\n", ""])
dims = st.lists(st.integers(-1, 4), max_size=3)


@st.composite
def programs(draw):
    """A random Program over a few elementwise ops, with branches, loops, lists, parameters and state."""
    builder = Builder()
    with mode.use(builder):
        pool = [
            builder.feed(spec_from([2, -1]), draw(names), draw(st.booleans())) for _ in range(draw(st.integers(1, 3)))
        ]
        for kind in draw(st.lists(st.sampled_from([PARAM, BUFFER, CONST]), max_size=3)):
            holder = Stored(np.ones((2, 1), "float32"), draw(names), draw(st.booleans()))
            var = builder.program.add_param(spec_from([2, 1]), kind, holder, holder.name)
            pool.append(builder._handle(var, builder.root))
        flag = builder.constant(np.asarray(draw(st.booleans())))
        grow(draw, builder, flag, pool, depth=0)
        program = builder.finish(pool[-2:], draw(st.sampled_from([None, ["a", "b c"]])) if len(pool) > 1 else None)
    for var in program.params[: draw(st.integers(0, 2))]:
        program.state.append(var)
        program.block.results.append(var)
    for op in program.block.ops:
        op.outputs[0].name = draw(names)
    program.random_seed = draw(st.sampled_from([0, 7]))
    return program


def grow(draw, builder, flag, pool, depth):
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(["add", "multiply", "detach", "list"] + ["cond", "while"] * (depth < 2)))
        a, b = draw(st.sampled_from(pool)), draw(st.sampled_from(pool))
        if kind in ("add", "multiply"):
            pool.append(a + b if kind == "add" else a * b)
        elif kind == "detach":
            pool.append(a.detach())
        elif kind == "list":
            list_stack(list_append(list_new([a + b]), b + a))
        elif kind == "cond":

            def branch(a=a, b=b):
                inner = list(pool)
                grow(draw, builder, flag, inner, depth + 1)
                return [a + b + inner[-1]]

            pool.extend(builder.cond(flag, branch, lambda a=a, b=b: [a * b]))
        else:

            def body(x, a=a, b=b):
                return [x * b + a]

            pool.extend(builder.while_loop(lambda x: flag, body, [a + b]))


@given(programs())
@settings(max_examples=80, deadline=None)
def test_programs_come_back(program):
    text = print_program(program)
    again = parse_program(text)
    assert print_program(again) == SITES.sub("", text)
    assert_same(program, again)


def test_how_it_looks():
    with mode.use(Builder()) as b:
        x = b.feed(spec_from([None, 2]), "x", False)
        flag = b.feed(spec_from([], "bool"), "flag")
        [y] = b.cond(flag, lambda: [x * x], lambda: [x.detach()])
        program = b.finish([y], ["y"])
    assert SITES.sub("", print_program(program)) == (
        "program(%x: f32[?, 2] grad, %flag: bool[]) {\n"
        "  %0: f32[?, 2] = cond(%flag, [%x])\n"
        "    true(%1: f32[?, 2]) {\n"
        "      %2: f32[?, 2] = multiply(%1, %1)\n"
        "      return %2\n"
        "    }\n"
        "    false(%3: f32[?, 2]) {\n"
        "      %4: f32[?, 2] stop = assign(%3)\n"
        "      return %4\n"
        "    }\n"
        '  return %0 as "y"\n'
        "}\n"
    )
    assert re.search(r"multiply\(%1, %1\) +# test_text_form.py:\d+\n", print_program(program))


def test_a_parsed_program_runs():
    text = """
    program(%x: f32[2]) {   # a comment: %0 "
      param %w: f32[2]
      buffer %seen: i64[]
      %0: f32[2] = multiply(%x, %w)
      %one: i64[] = constant() {value=i64[](1)}
      %1: i64[] = add(%seen, %one)
      state %seen = %1
      return %0
    }"""
    holders = {"w": Stored(np.array([2, 3], "float32")), "seen": Stored(np.array(4))}
    program = parse_program(text, holders)
    [result] = interpret(program, [np.array([10, 20], "float32")], NUMPY)
    np.testing.assert_array_equal(result, [20, 60])
    assert holders["seen"]._array == 5


def test_abbreviated_constants_are_marked_and_refused():
    program = with_constant(np.arange(100.0))
    text = print_program(program, abbreviate=True)
    assert text.startswith("# large constants are abbreviated") and "f64[100](...)" in text
    with pytest.raises(ParseError, match="abbreviated") as error:
        parse_program(text)
    assert error.value.line == 3


@pytest.mark.parametrize(
    "text, message, line, column",
    [
        ("program() {\n  return %a\n}", "%a is not defined", 2, 10),
        ("program() {\n  return\n", "expected a value", 3, 1),
        ("program(%x: f32[2]) {\n  %0: f32[2] = no_such(%x)\n return }", "unknown operator 'no_such'", 2, 16),
        ("program(%x: f33[2]) { return }", "expected a dtype", 1, 13),
        ("program(%x: f32[2], %x: f32[2]) { return }", "%x is defined twice", 1, 21),
        ("program(%x: f32[a]) { return }", "expected an integer", 1, 17),
        ("program(%x: f32[1.5]) { return }", "expected an integer, found 1.5", 1, 17),
        ("program() {\n  ! \n}", "unexpected character '!'", 2, 3),
        ("program(%x: f32[2]) {\n state %x = %x return }", "%x is no param", 2, 8),
        ("program() {\n %0: f32[2] = constant() {value=f32[3](1, 2)} return}", "2 elements do not fit", 2, 33),
        ("program() {\n %0: f32[2] = constant() {value=f32[2](\"!\")} return}", "malformed base64", 2, 33),
        ("program() { return } more", "expected nothing more", 1, 22),
        ("program(%x: f32[2], %y: f32[2]) { return %x as \"a\", %y }", "either all results", 1, 57),
        ('program() {\n %0: f32[] = constant() {value="\\q"} return}', "malformed string", 2, 32),
        ("program() {\n %0: u8[1] = constant() {value=u8[1](300)} return}", "an element is no uint8", 2, 32),
        ("program() {\n %0: f32[1] = constant() {value=f32[1](1e99)} return}", "an element is no float32", 2, 33),
        ("program(%p: bool[]) { %0: f32[] = cond(%p, []) return %0 }", "expected 'true'", 1, 48),
    ],
)
def test_errors_say_where(text, message, line, column):
    with pytest.raises(ParseError, match=re.escape(message)) as error:
        parse_program(text)
    assert (error.value.line, error.value.column) == (line, column)


PIECES = [*"(){}[]1=,?#\n", "%x", "\"", "f32", "nan", "cond", "list<", "True", "1e999", "slice("]


@given(programs(), st.data())
@settings(max_examples=60, deadline=None)
def test_any_text_is_read_or_refused(program, data):
    text = print_program(program)
    for _ in range(data.draw(st.integers(1, 3))):
        i = data.draw(st.integers(0, len(text)))
        j = min(len(text), i + data.draw(st.integers(0, 8)))
        text = text[:i] + data.draw(st.sampled_from(["", *PIECES])) + text[j:]
    try:
        found = parse_program(text)
    except ParseError as error:
        assert error.line >= 1 and error.column >= 1
        return
    try:
        verify(found)
    except ProgramError:
        return
    assert_same(found, parse_program(print_program(found)))


def test_blocks_are_closed():
    text = """program(%p: bool[], %x: f32[]) {
      %0: f32[] = cond(%p, [])
        true() {
          return %x
        }
        false() {
          return %x
        }
      return %0
    }"""
    with pytest.raises(ParseError, match="not defined in this block"):
        parse_program(text)


def test_an_attribute_without_text_form_is_refused():
    with pytest.raises(ProgramError, match="no text form"):
        print_program(with_constant(object()))
