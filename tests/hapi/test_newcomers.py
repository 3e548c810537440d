"""Mistakes of people who come from Keras, PyTorch and NumPy: what is printed says what came, and what to write instead."""

from __future__ import annotations

import sys
import traceback
import warnings

import numpy as np
import pytest

import to_static as paddle
from to_static import nn
from to_static.core.errors import ShapeError
from to_static.nn import functional as F


class Listed(nn.Layer):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(2, 2), nn.Linear(2, 2)]

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Failing(paddle.io.Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        return {}["nope"]


def grow(x):
    while paddle.sum(x) < 1000:
        x = x.unsqueeze(0) * 2
    return x


x = paddle.ones([2, 3])
w = paddle.ones([2, 2])
net = nn.Linear(2, 2)


class Unindexed:
    def __len__(self):
        return 4


class Nothing(paddle.io.Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        np.ones(i)


def prepared(**more):
    model = paddle.Model(nn.Linear(2, 1))
    model.prepare(paddle.optimizer.SGD(parameters=model.parameters()), nn.MSELoss(), **more)
    return model


def asks_for_a_gradient():
    x.requires_grad = True


loss = 0.5
MISTAKES = {
    "compile": (lambda: paddle.Model(net).compile("adam", "mse"), "write `prepare(optimizer, loss, metrics)`"),
    "two arrays": (
        lambda: prepared().fit(np.ones([4, 2], "float32"), np.ones([4, 1], "float32")), "paddle.io.TensorDataset([x, y])",
    ),
    "metric": (lambda: prepared(metrics="accuracy"), "`paddle.metric.Accuracy()` makes one, got 'accuracy'"),
    "item": (lambda: loss.backward(), "`loss` is a number of Python's, as `.item()` and `float()` give"),
    "array": (lambda: np.ones(2).unsqueeze(0), "is a NumPy array, as `.numpy()` gives: `paddle.to_tensor("),
    "list": (lambda: [x, x].mean(), "`paddle.stack(...)` one of tensors"),
    "doubles": (lambda: net(paddle.ones([1, 2], "float64")), "got float64 and float32; convert the first: `.astype('float32')`"),
    "scores": (
        lambda: F.binary_cross_entropy(x * 10, x), "of scores before `F.sigmoid` it is `F.binary_cross_entropy_with_logits`",
    ),
    "no items": (lambda: paddle.io.DataLoader(Unindexed()), "`__getitem__(self, idx)`, which gives a sample, and `__len__(self)`"),
    "a class": (lambda: paddle.io.DataLoader(Nothing), "got the class itself, `Nothing(...)` makes one"),
    "no return": (lambda: next(iter(paddle.io.DataLoader(Nothing()))), "does `__getitem__` of the dataset end without `return`?"),
    "dim of a result": (lambda: paddle.ones([2, 3]).sum(dim=1), "PaddlePaddle calls it `axis=...`"),
    "betas of a long call": (
        lambda: paddle.optimizer.Adam(0.1, betas=(0.9, 0.99), parameters=net.parameters(), weight_decay=0.01),
        "PaddlePaddle calls it `beta1=..., beta2=...`",
    ),
    "momentum": (lambda: paddle.optimizer.SGD(0.1, momentum=0.9), "`paddle.optimizer.Momentum` has one"),
    "callback": (
        lambda: prepared().fit(Failing(), callbacks=paddle.callbacks.EarlyStopping), "got the class EarlyStopping itself;",
    ),
    "no callback": (lambda: prepared().fit(Failing(), callbacks=[print]), "expected objects of `paddle.callbacks.Callback`"),
    "epochs": (lambda: prepared().fit(Failing(), epochs="3"), "epochs should be an integer, got '3'"),
    "attr": (lambda: nn.Linear(2, 2, weight_attr=0.1), "got 0.1; `paddle.nn.initializer.Constant(0.1)` fills it"),
    "class attr": (lambda: nn.Linear(2, 2, weight_attr=nn.initializer.Constant), "got the class Constant itself"),
    "specs": (lambda: paddle.jit.to_static([paddle.static.InputSpec([None])]), "of a list it is `@to_static(input_spec=[...])`"),
    "a Program": (lambda: net.set_state_dict(paddle.static.Program()), "`paddle.jit.load('PREFIX').state_dict()`"),
    "no size": (lambda: paddle.summary(net), "`paddle.summary(net, (1, 3, 224, 224))`"),
    "text": (lambda: paddle.arange("5"), "arange: expected numbers or tensors of one element, got '5'"),
    "several": (lambda: x.item(), "`item(i)` takes one, `tolist()` all"),
    "steps": (lambda: [*range(paddle.to_tensor(3.0))], "`int(x)` makes one"),
    "requires_grad": (asks_for_a_gradient, "write `x.stop_gradient = False`"),
    "lstm": (lambda: nn.LSTM(3, 4, batch_first=True), "leave it out: the batch comes first, unless `time_major=True`"),
    "rate": (lambda: nn.Dropout(rate=0.5), "PaddlePaddle calls it `p=...`"),
    "units": (lambda: nn.Linear(3, units=4), "PaddlePaddle calls it `out_features=...`"),
    "filters": (lambda: nn.Conv2D(3, filters=4, kernel_size=3), "PaddlePaddle calls it `out_channels=...`"),
    "strides": (lambda: nn.Conv2D(3, 4, 3, strides=2), "PaddlePaddle calls it `stride=...`"),
    "use_bias": (lambda: nn.Linear(3, 4, use_bias=False), "PaddlePaddle calls it `bias_attr=...`"),
    "input_dim": (lambda: nn.Embedding(input_dim=3, embedding_dim=4), "PaddlePaddle calls it `num_embeddings=...`"),
    "pool_size": (lambda: nn.MaxPool2D(pool_size=2), "PaddlePaddle calls it `kernel_size=...`"),
    "target": (lambda: F.mse_loss(x, target=x), "PaddlePaddle calls it `label=...`"),
    "a_min": (lambda: paddle.clip(x, a_min=0.0), "PaddlePaddle calls it `min=...`"),
    "reps": (lambda: paddle.tile(x, reps=[2]), "PaddlePaddle calls it `repeat_times=...`"),
    "pin_memory": (lambda: paddle.io.DataLoader(Failing(), pin_memory=True), "leave it out: batches are made in ordinary memory"),
    "sqrt": (lambda: np.sqrt(w), "`paddle.sqrt(w)`, or `np.sqrt(w.numpy())`"),
    "cbrt": (lambda: np.cbrt(w), "NumPy's functions are for arrays: `np.cbrt(w.numpy())`"),
    "Tensor": (lambda: repr(paddle.Tensor([1.0])), "`paddle.to_tensor(...)` makes a tensor of numbers"),
    "spec": (
        lambda: paddle.jit.to_static(nn.Linear(3, 3), input_spec=[[None, 3]]),
        "argument 0, got the shape [None, 3]: write `input_spec=[InputSpec([None, 3], 'float32')]`",
    ),
    "spec of a file": (lambda: paddle.jit.save(net, "x", input_spec=[(None, 2)]), "`input_spec=[InputSpec([None, 2], 'float32')]`"),
    "no spec": (lambda: paddle.jit.save(nn.Conv2D(1, 2, 3), "x"), "input_spec=[InputSpec(shape, 'float32', 'x')]"),
    "fit": (lambda: paddle.Model(net).fit(3), "expected a Dataset, a DataLoader, or what gives batches"),
    "seed": (lambda: paddle.seed(None), "expected an integer, such as `paddle.seed(0)`, got None"),
    "string": (lambda: paddle.add("a", x), "got the string 'a'; `paddle.to_tensor(...)` makes tensors"),
    "reshape": (lambda: x.reshape(3, 2), "several numbers go into one list"),
    "loop": (lambda: paddle.jit.to_static(grow, full_graph=True)(paddle.ones([2])), " others "),
}


if sys.version_info < (3, 11):
    del MISTAKES["betas of a long call"]  # the call is found by columns, which Python 3.10 does not keep


@pytest.mark.parametrize("name", MISTAKES)
def test_what_is_printed_says_what_to_write(name):
    call, said = MISTAKES[name]
    with pytest.raises(Exception) as caught:
        call()
    printed = "".join(traceback.format_exception(caught.value))
    assert said in printed and "test_newcomers.py" in printed, printed


@pytest.mark.parametrize("use", [paddle.Model, lambda net: paddle.summary(net, (1, 2))], ids=["Model", "summary"])
def test_layers_in_a_plain_list_are_told_of(use):
    with pytest.warns(UserWarning, match=r"Listed: `layers` is a plain list with 2 Layers.*`self.layers = nn.LayerList\(...\)`"):
        use(Listed())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        use(nn.Sequential(nn.Linear(2, 2)))


def test_an_optimizer_without_parameters_says_so():
    with pytest.warns(UserWarning, match="SGD: the list of parameters is empty, so step.. changes nothing"):
        paddle.optimizer.SGD(0.1, parameters=Listed().parameters())


def test_an_error_of_a_worker_shows_the_user_s_frames():
    with pytest.raises(KeyError) as caught:
        list(paddle.io.DataLoader(Failing(), num_workers=1))
    text = str(caught.value.__cause__)
    assert "test_newcomers.py" in text and "to_static/io" not in text, text


def test_backward_of_nothing_is_told_once():
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("default")
        for _ in range(3):
            paddle.ones([1]).sum().backward()
    assert len(told) == 1 and "backward: the tensor has stop_gradient=True" in str(told[0].message)


STEP = 4


def test_explain_lists_what_is_read_and_drawn():
    class Net(nn.Layer):
        STEP = 1

        def __init__(self):
            super().__init__()
            self.drop = nn.Dropout(0.5)

        def forward(self, x):
            return self.drop(x) * self.STEP

    made = paddle.jit.to_static(Net())
    made.eval()
    made(paddle.ones([2]))
    text = made.forward.explain()
    assert "draws random numbers" not in text and "STEP = 4" not in text, text
    assert repr(text) == str(text)


@pytest.mark.parametrize(
    ("features", "shape", "text"),
    [
        ((3, 2), [4, 5], "the input [4, 5] is 5, but in_features is 3 (weight [3, 2]); nn.Linear(5, 2) fits this input"),
        ((12, 2), [4, 3, 4], "`paddle.flatten(x, 1)` of the input fits"),
        ((3, 5), [4, 5], "nn.Linear(5, 5) fits this input; for the transposed weight it is `x @ weight.T`"),
        ((3, 2), [5], "nn.Linear(5, 2) fits this input"),
    ],
)
def test_a_linear_of_another_size_says_which_fits(features, shape, text):
    layer = nn.Linear(*features)
    for call in (layer, paddle.jit.to_static(nn.Linear(*features), full_graph=True)):
        with pytest.raises(ShapeError) as caught:
            call(paddle.ones(shape))
        assert text in str(caught.value)


def test_the_layer_with_the_wrong_size_is_named():
    with pytest.raises(ShapeError) as caught:
        nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(5, 2))(paddle.ones([1, 3]))
    assert "in net.2 (Linear)" in caught.value.__notes__ or "2 (Linear)" in str(caught.value.__notes__)


def test_a_loss_that_gets_its_tensors_at_once():
    with pytest.raises(TypeError, match=r"`nn.CrossEntropyLoss\(\)\(input, label\)`"):
        nn.CrossEntropyLoss(paddle.rand([4, 3]), paddle.to_tensor([0, 1, 2, 0]))
    with pytest.raises(TypeError, match=r"`nn.ReLU\(\)\(x\)`"):
        nn.ReLU(paddle.ones([2]))
    assert nn.CrossEntropyLoss(paddle.ones([3])).weight.shape == [3]
    assert nn.Pad2D(paddle.to_tensor([1, 1, 0, 0]))(paddle.ones([1, 1, 2, 2])).shape == [1, 1, 2, 4]


def test_shapes_that_do_not_fit_say_what_would():
    with pytest.raises(ShapeError, match="differ beside axis 1; they can be joined along axis 0"):
        paddle.concat([paddle.ones([2, 3]), paddle.ones([4, 3])], axis=1)
    with pytest.raises(ShapeError, match=r"got shape \[4\]; a layer for this input has 3 features"):
        nn.BatchNorm2D(4)(paddle.ones([1, 3, 8, 8]))
    with pytest.warns(UserWarning, match="It is transposed, as PyTorch's weights are"):
        nn.Linear(4, 2).set_state_dict({"weight": np.ones((2, 4), "float32"), "bias": np.ones(2, "float32")})
