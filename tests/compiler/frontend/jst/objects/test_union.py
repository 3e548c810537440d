"""One of several values, as a tensor decides, where library code is called with it: in a branch for each."""

import importlib.util
import sys

import pytest
from both import T, check, op_names

import to_static as paddle
import to_static.nn.functional as F
from to_static import nn
from to_static.compiler.frontend.transpile import transpile_module
from to_static.core.errors import ToStaticError

WEIGHT, BIAS = T([[1.0, 2.0], [3.0, 4.0]]), T([10.0, 20.0])
X = [(T([[1.0, 2.0], [3.0, 4.0]]),), (T([[-1.0, 2.0], [-3.0, 1.0]]),)]


def linear(x, bias):
    return F.linear(x, WEIGHT, bias)


def test_none_or_a_tensor_by_place_by_name_and_through_a_function():
    def f(x):
        bias = None
        if x.sum() > 0:
            bias = BIAS
        return F.linear(x, WEIGHT, bias), F.layer_norm(x, [2], weight=bias), linear(x, bias)

    assert "cond" in op_names(check(f, *X))


def test_items_of_a_list_and_an_expression():
    def f(x):
        first = None
        if x.sum() > 0:
            first = x[0]
        joined = paddle.stack([x[1] if first is None else first, x[0]])
        return joined, F.linear(x, WEIGHT, BIAS if x.max() > 3 else None)

    check(f, *X)


def test_two_of_them_in_one_call():
    def f(x):
        scale = bias = None
        if x.sum() > 0:
            bias = BIAS
        if x.max() > 3:
            scale = BIAS
        return F.layer_norm(x, [2], scale, bias)

    check(f, *X, (T([[9.0, -90.0], [0.0, 1.0]]),), (T([[1.0, 1.0], [0.0, 1.0]]),))


def test_pythons_error_where_none_is_none():
    def f(x):
        y = None
        if x.sum() > 0:
            y = x
        return paddle.exp(y)

    check(f, *X, raises=TypeError)


def test_gradients_go_through_the_branch_that_ran():
    def f(x):
        bias = None
        if x.sum() > 0:
            bias = x[0] * 2
        return F.linear(x, WEIGHT, bias).sum()

    static = paddle.jit.to_static(f)
    for (value,) in X:
        grads = []
        for function in (f, static):
            x = value.clone().detach()
            x.stop_gradient = False
            function(x).backward()
            grads.append(x.grad.tolist())
        assert grads[0] == grads[1]


class Memory(nn.Layer):
    """A cell whose state and mask are there from the second step on, as that of a memory network."""

    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(2, 4)
        self.read = nn.MultiHeadAttention(4, 2)

    def forward(self, x):
        state = mask = None
        for i in range(x.shape[0]):
            out, state = self.cell(x[i], state)
            if out.sum() > 0:
                mask = paddle.zeros([1, 1, 3, 3])
            out = out + self.read(out.unsqueeze(0), attn_mask=mask)[0]
        return out


def test_a_layer_that_hands_them_to_layers_of_the_library_is_saved(tmp_path):
    paddle.seed(7)
    net = Memory()
    net.eval()
    inputs = [paddle.randn([2, 3, 2]) * s for s in (1.0, -1.0, 3.0)]
    expected = [net(x) for x in inputs]
    paddle.jit.save(net, str(tmp_path / "memory"), input_spec=[paddle.static.InputSpec([2, 3, 2], "float32")])
    loaded = paddle.jit.load(str(tmp_path / "memory"))
    for x, want in zip(inputs, expected, strict=True):
        assert paddle.allclose(loaded(x), want, atol=1e-6)


def test_what_the_text_does_not_tell_is_a_graph_break():
    def chosen(x):
        if x.sum() > 0:
            return BIAS
        return None

    def f(x):
        return F.linear(x, WEIGHT, chosen(x))

    with pytest.raises(ToStaticError, match="needs to know which value it has"):
        paddle.jit.to_static(f)(*X[0])


SOURCE = '''
import to_static as paddle
import to_static.nn.functional as F
from to_static import to_static


@to_static
def deep(x, n: "a number" = 1, *, scale=2.0):
    """A function that calls itself."""
    bias = None
    if x.sum() > 0:
        bias = x[0]
    y = F.linear(x, paddle.ones([2, 2]), bias) * scale
    return y if n == 0 else deep(y - 1, n - 1, scale=scale)
'''


def test_in_printed_files(tmp_path):
    def loaded(text, name):
        path = tmp_path / f"{name}.py"
        path.write_text(text)
        spec = importlib.util.spec_from_file_location(name, path)
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    printed = loaded(transpile_module(SOURCE, "source.py"), "printed_optional")
    dynamic = loaded(SOURCE.replace("@to_static\n", ""), "dynamic_optional")
    for value in (1.0, -1.0):
        x = paddle.full([2, 2], value)
        assert printed.deep(x, 2).tolist() == dynamic.deep(x, 2).tolist()
