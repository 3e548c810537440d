"""What a newcomer meant: in the text of our errors, and as a note below those of Python."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import to_static as paddle
from to_static import nn
from to_static.core.diagnostics.error_hints import note_meaning
from to_static.core.diagnostics.exception_notes import add_note, notes_of
from to_static.nn import functional as F

X = paddle.ones([2, 3])
EXACT = sys.version_info >= (3, 11)  # before, Python does not say which of a line's expressions it was


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda: paddle.randn(2, 3), "; several numbers go into one list: `paddle.randn([2, 3])`"),
        (lambda: paddle.zeros(2, 3), "; several numbers go into one list: `paddle.zeros([2, 3])`"),
        (lambda: paddle.full(2, 3, 1.0), "; several numbers go into one list: `paddle.full([2, 3], 1.0)`"),
        (lambda: X.view(3, 2), "one list, got 3 and 2; several numbers go into one list: `X.view([3, 2])`"),
        (lambda: X.view(-1), "one list, got -1; numbers go into one list: `X.view([-1])`"),
        (lambda: X.reshape(-1, 2), "one list, got -1 and 2; several numbers go into one list: `X.reshape([-1, 2])`"),
        (lambda: paddle.reshape(X, 3, 2), "several numbers go into one list: `paddle.reshape(X, [3, 2])`"),
        (lambda: paddle.ones([1, 3]).expand(2, 3), "go into one list: `paddle.ones([1, 3]).expand([2, 3])`"),
        (lambda: X.sum(0, 1), "several numbers go into one list: `X.sum([0, 1])`"),
        (lambda: eval("paddle.randn(2, 3)"), "; several numbers go into one list, `[2, 3]`"),
        (lambda: X.transpose(0, 1), "a list of all dimensions in their new order, `[1, 0]` say, got 0"),
        (lambda: paddle.ones([2, 3, 4]).transpose(0, -1), "`[2, 1, 0]` say"),
        (lambda: paddle.optimizer.SGD(nn.Linear(1, 1).parameters()), "got list; parameters are given by name, `parameters="),
        (lambda: paddle.metric.Accuracy(topk=5), "topk should be a tuple of numbers, `topk=(5,)`, got 5"),
        (lambda: paddle.vision.transforms.Compose(len), "expected a list of transforms, `Compose([...])`, got builtin"),
        (lambda: paddle.load({"a": 1}), "load: expected the path of a file, or a BytesIO, got dict"),
        (lambda: nn.Linear(3, 1)([X, X]), "got a list of tensors; is one of them meant, `batch[0]`, or `paddle.stack(...)`"),
    ],
)
def test_the_text_says_what_to_write(call, said):
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    if not EXACT and "go into one list" in said:
        said = "numbers go into one list"
    assert said in str(caught.value)


CALLS = {
    "[].sort().mean()": "`[].sort()` gave None, as a function does that ends without `return`",
    "out, h, c = nn.LSTM(3, 2)(x.unsqueeze(0))": None,  # what is called is no name
    "out, h, c = lstm(x.unsqueeze(0))": "LSTM returns two things: `out, (h, c) = lstm(x.unsqueeze(0))`",
    "a, b = (1, 2, 3)": None,
    "paddle.rand([2], stop_gradient=False)": "leave it out: a gradient is asked for afterwards, `x.stop_gradient = False`",
    "paddle.io.TensorDataset(x, x)": "`paddle.io.TensorDataset` takes one list: `paddle.io.TensorDataset([x, x])`",
    "x.max(dim=1)": "PaddlePaddle calls it `axis=...`",
    "F.softmax(x, dim=1)": "PaddlePaddle calls it `axis=...`",
    "paddle.optimizer.Adam(net.parameters(), lr=0.1)": "PaddlePaddle calls it `learning_rate=...`",
    "paddle.to_tensor([1.0], requires_grad=True)": "PaddlePaddle calls it `stop_gradient=False`",
    "x.size(0)": "`x.size` is the number of elements; the size of a dimension is `x.shape[0]`",
    "net.weight.grad.numpy()": "`net.weight.grad` is None: no `backward()` has come there since it was made or cleared, "
    "or it has stop_gradient=True",
    "np.mean(x)": "NumPy's functions are for arrays: `x.mean()`, or `np.mean(x.numpy())`",
    "x.type()": "`x.type` is the kind of variable; `x.astype('float32')` converts, and `x.dtype` tells",
    "x.shape(0)": "`x.shape` is no function: leave out the parentheses, `x.shape[0]` is the size of a dimension",
}


def test_below_errors_of_python(tmp_path):
    """All of them in one process: what its excepthook prints."""
    lines = ["import sys", "import numpy as np", "import to_static as paddle", "from to_static.nn import functional as F"]
    lines += ["from to_static import nn", "x, net, lstm = paddle.ones([2, 3]), nn.Linear(1, 1), nn.LSTM(3, 2)"]
    lines += ["def theirs(x): return x"]
    for call in [*CALLS, "theirs(dim=1)", "[1][2]"]:
        lines += ["try:", f"    {call}", "except Exception as e:", "    sys.excepthook(type(e), e, e.__traceback__)"]
        lines += ["print('--', file=sys.stderr)"]
    (tmp_path / "calls.py").write_text("\n".join(lines))
    run = subprocess.run([sys.executable, str(tmp_path / "calls.py")], capture_output=True, text=True, check=True)
    last = [part.strip().splitlines()[-1] for part in run.stderr.split("--\n") if part.strip()]
    assert len(last) == len(CALLS) + 2
    if EXACT:
        for text, said in zip(last, CALLS.values(), strict=False):
            assert text == said or (said is None and "unpack" in text)
    assert last[-2] == "TypeError: theirs() got an unexpected keyword argument 'dim'"
    assert last[-1] == "IndexError: list index out of range"


def test_a_list_in_a_static_function_that_is_too_short():
    @paddle.jit.to_static
    def f(x, at):
        items = [x, x + 1]
        return items[at]

    with pytest.raises(IndexError) as caught:
        f(X, 2)
    assert str(caught.value) == "list index out of range"
    assert notes_of(caught.value) == ["`items` has 2 items: the last one is `items[1]`, or `items[-1]`"]


def test_in_a_static_function():
    @paddle.jit.to_static
    def f(x):
        return x + paddle.randn(2, 3)

    with pytest.raises(TypeError, match="several numbers go into one list") as caught:
        f(X)
    assert not EXACT or "`paddle.randn([2, 3])`" in str(caught.value)


def test_a_note_replaces_the_one_of_its_kind():
    error = ValueError("x")
    assert notes_of(error) == []
    add_note(error, "a", "1")
    add_note(error, "b", "2")
    add_note(error, "a", "3")
    assert notes_of(error) == ["2", "3"] and str(error) == "x"


def test_a_user_s_own_function_is_left_alone():
    @paddle.jit.to_static
    def f(x):
        return F.relu(helper(x, dim=1))

    def helper(x):
        return x

    with pytest.raises(TypeError, match="unexpected keyword argument 'dim'") as caught:
        f(X)
    assert notes_of(caught.value) == []


def test_a_keyword_that_is_much_like_one():
    for call, said in {
        lambda: nn.Conv2D(1, 2, 3, pading=1): "did you mean `padding=...`?",
        lambda: F.softmax(X, aksis=1): "did you mean `axis=...`?",
        lambda: paddle.vision.models.resnet18(num_class=10): "did you mean `num_classes=...`?",
        lambda: nn.LayerList(X, X): "`nn.LayerList` takes one list: `nn.LayerList([X, X])`",
        lambda: nn.ReLU(inplace=True): "leave it out: functions that change a tensor in place have a name of their own, "
        "`F.relu_(x)`",
    }.items():
        with pytest.raises(TypeError) as caught:
            call()
        note_meaning(caught.value)
        assert not EXACT or notes_of(caught.value) == [said]


def test_a_package_that_is_missing():
    error = ModuleNotFoundError("No module named 'gast'", name="gast")
    note_meaning(error)
    assert notes_of(error) == [
        "static functions are translated with the package gast: `pip install gast`, or install to_static again with pip"
    ]
    other = ModuleNotFoundError("No module named 'mine'", name="mine")
    note_meaning(other)
    assert notes_of(other) == []


def test_modules_that_are_called(tmp_path):
    for call, said in {
        lambda: paddle.tensor([1.0]): "`paddle.tensor` is a module; `paddle.to_tensor(...)` makes a tensor",
        lambda: paddle.nn.linear(4, 2): "`paddle.nn.linear` is a module; did you mean `paddle.nn.Linear`?",
        lambda: paddle.device("cpu"): "`paddle.device` is a module; `paddle.set_device('cpu')` chooses one",
        lambda: os.path(1): None,
    }.items():
        with pytest.raises(TypeError) as caught:
            call()
        note_meaning(caught.value)
        assert not EXACT or notes_of(caught.value) == ([said] if said else [])


def test_what_is_no_tensor():
    none = "`F.cross_entropy` takes a tensor, and got None: a function that ends without `return` gives None"
    of_list = "`paddle.topk` takes a tensor, and got a list: `paddle.to_tensor(...)` makes tensors of numbers, lists and arrays"
    for call, said in {
        lambda: F.cross_entropy(None, X): [none],
        lambda: paddle.topk([1.0, 2.0], 1): [of_list],
        lambda: nn.CrossEntropyLoss()(None, X): ["`nn.CrossEntropyLoss()`" + none[17:]],
        lambda: None.foo: [],
        lambda: paddle.nothing_of_the_kind: [],
    }.items():
        with pytest.raises(AttributeError) as caught:
            call()
        note_meaning(caught.value)
        assert not EXACT or notes_of(caught.value) == said

    @paddle.jit.to_static
    def f(x):
        return F.cross_entropy(None, x)

    with pytest.raises(AttributeError) as caught:
        f(X)
    assert not EXACT or notes_of(caught.value) == [none]
