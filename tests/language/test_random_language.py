"""Random programs behave statically as dynamically, types and printed text included, or are refused before they run."""

import warnings

import pytest
from language_table import T, outcome
from random_language import Writer, compiled

import to_static as paddle
from to_static.core.errors import ToStaticError

CALLS = [
    (T(1.0), T(2.0), T([1.0, -1.0]), T(2, "int64"), 1),
    (T(-1.0), T(0.5), T([3.0, 2.0]), T(0, "int64"), 3),
    (T(2.0), T(-2.0), T([-1.0, 0.0]), T(3, "int64"), 3),
]


def kind_of(seed):
    """'same' or 'refused'; raises AssertionError for a different outcome."""
    text = Writer(seed).program()
    function, static = compiled(text), paddle.jit.to_static(compiled(text))
    for call in CALLS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                static.get_concrete_program(*call)
            except ToStaticError as error:
                assert "File " in str(error), f"{error}\n{text}"
                return "refused", str(error)
            except Exception:  # an error of Python's that every call raises, or that comes with the first values
                pass
            wanted, got = outcome(function, call), outcome(static, call)
        if wanted[0] == "error":  # changes of arguments before an error are not promised, nor the words of operators' errors
            wanted, got = wanted[:2], got[:2]
        assert got == wanted, f"seed {seed}, called with {call}\n dynamic: {wanted}\n static:  {got}\n{text}"
    return "same", ""


@pytest.mark.parametrize("seed", range(40))
def test_same_or_refused(seed):
    kind_of(seed)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1000, 2000, 100))
def test_many_more(start):
    for seed in range(start, start + 100):
        kind_of(seed)


def test_few_are_refused():
    kinds = [kind_of(seed)[0] for seed in range(40, 80)]
    assert kinds.count("refused") <= len(kinds) / 4
