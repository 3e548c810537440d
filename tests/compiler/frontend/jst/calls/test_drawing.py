"""Random numbers of Python and NumPy in traced functions: built into files, as Paddle does it, and left to Python elsewhere."""

import functools
import random
import re
import warnings

import numpy as np
import pytest

import to_static as paddle
from to_static import nn
from to_static.core import flags
from to_static.core.errors import TranslationError

OWN = np.random.default_rng(4)
UNIFORM = functools.partial(np.random.uniform, 0, 1)
ITEMS = [1, 2, 3, 4]


def seeds(x):
    np.random.seed(33)
    return x * 2


def seeds_and_draws(x):
    random.seed(3)
    np.random.seed(4)
    return x + random.random() + float(np.random.rand())


def generator_of_before(x):
    return x + OWN.normal()


def partial(x):
    return x + UNIFORM()


def shuffles_a_list(x):
    items = [1, 2, 3, 4]
    random.shuffle(items)
    return x * items[0]


def in_a_branch(x):
    if x.sum() > 0:
        return x + np.random.rand()
    return x - np.random.rand()


def array(x):
    return x + paddle.to_tensor(np.random.RandomState(3).rand(3).astype("float32"))


def in_an_expression(x):
    return x + (0 if random.random() > 2 else 1)


def of_one_size(x):
    draw = np.random.rand
    return x + draw(*x.shape[1:]).astype("float32")


def made_here(x):
    return x + np.random.default_rng(0).integers(0, 5)


class Noisy(nn.Layer):
    def forward(self, x):
        np.random.seed(33)
        return x + random.choice([2.0, 3.0])


CASES = [
    seeds, seeds_and_draws, generator_of_before, partial, shuffles_a_list, in_a_branch, array, in_an_expression, of_one_size,
    made_here, Noisy(),
]  # fmt: skip
SPEC = [paddle.static.InputSpec([None, 3], "float32")]
X = paddle.to_tensor([[1.0, 2.0, 3.0]])


def reset():
    global OWN
    random.seed(1)
    np.random.seed(1)
    OWN = np.random.default_rng(4)


def saved(case, prefix, **options):
    """Real numbers of the loaded model, and the warnings that saving it gave."""
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        paddle.jit.save(case, prefix, **options)
    told = [str(w.message) for w in given if "jit.save" in str(w.message)]
    return paddle.jit.load(prefix), told


@pytest.mark.parametrize("case", CASES, ids=lambda case: getattr(case, "__name__", "layer"))
def test_a_file_has_the_numbers_that_python_draws_after_the_same_seed(case, tmp_path):
    reset()
    loaded, told = saved(case, str(tmp_path / "m"), input_spec=SPEC)
    after = random.random(), np.random.rand()
    reset()
    np.testing.assert_allclose(loaded(X).numpy(), case(X).numpy(), rtol=1e-6)
    assert len(told) == 1
    assert "constant in the file" in told[0]
    assert re.search(r'File ".*test_drawing\.py", line \d+, in', told[0]), told
    if case is not in_a_branch:  # of which a file has both sides
        assert after == (random.random(), np.random.rand())  # drawn once


def test_an_iteration_draws_once(tmp_path):
    def counts(x):
        rows = x
        while x.sum() < 100:
            x = x + np.random.rand()
            rows = paddle.concat([rows, x])  # so an iteration is traced again, for any number of rows
        return x

    reset()
    first = np.random.rand()
    reset()
    loaded, told = saved(counts, str(tmp_path / "m"), input_spec=SPEC)
    steps = (loaded(X).numpy() - X.numpy())[0] / first
    np.testing.assert_allclose(steps, np.round(steps), atol=1e-3)
    assert len(told) == 1


def test_every_file_draws_anew_and_calls_stay_pythons(tmp_path, monkeypatch):
    monkeypatch.setattr(flags.full_graph, "value", False)
    net = Noisy()
    reset()
    values = {float((saved(net, str(tmp_path / f"n{i}"), input_spec=SPEC)[0](X) - X)[0, 0]) for i in range(8)}
    assert values == {2.0, 3.0}
    static = paddle.jit.to_static(Noisy())
    with pytest.warns(UserWarning, match=r"seed\(\) draws"):
        results = {float((static(X) - X)[0, 0]) for _ in range(12)}
    assert results == {2.0, 3.0}
    again, told = saved(static, str(tmp_path / "again"))  # for the inputs of the newest call
    assert len(told) == 1
    assert float((again(X) - X)[0, 0]) in (2.0, 3.0)


def test_a_refusal_leaves_both_generators(tmp_path):
    def refused(x):
        np.random.seed(3)
        return x + float(np.load("nothing.npy"))

    reset()
    with pytest.raises(TranslationError):
        paddle.jit.save(refused, str(tmp_path / "m"), input_spec=SPEC)
    first = np.random.rand()
    reset()
    assert first == np.random.rand()


def test_what_a_library_draws_is_told_of(tmp_path):
    from to_static.vision import transforms

    flip = transforms.RandomHorizontalFlip(0.5)

    def flips(x):
        return x * flip(np.ones([2, 2, 3], "uint8")).shape[2]

    _, told = saved(flips, str(tmp_path / "m"), input_spec=SPEC)
    assert len(told) == 1
    assert "in flips" in told[0]


def test_no_warning_without_such_numbers(tmp_path):
    assert not saved(nn.Linear(3, 3), str(tmp_path / "m"), input_spec=SPEC)[1]
