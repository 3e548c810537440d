"""Random programs behave statically as dynamically in all that a caller can see, or are refused before they run."""

import contextlib
import signal

import pytest
from language_table import outcome
from random_compare import Different, kind_of, shrunk
from random_language import CALLS, Writer, compiled


@contextlib.contextmanager
def limited(seconds):
    """Shorter programs may have lost what ends their loops."""

    def late(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.1)  # again and again: the program may catch it
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def check(seed, objects=False):
    """'same' or 'refused'; a program that differs is shown as short as it can be made."""
    text = Writer(seed, objects).program()
    try:
        return kind_of(text)[0]
    except Different as found:
        first = str(found)

    def fails(candidate):
        try:
            with limited(2):
                kind_of(candidate)
        except Different:
            return True
        except Exception:
            return False
        return False

    short = shrunk(text, fails) if hasattr(signal, "setitimer") else text
    with pytest.raises(Different) as shorter:
        kind_of(short)
    raise AssertionError(f"seed {seed}: {shorter.value if len(short) < len(text) else first}")


@pytest.mark.parametrize("seed", range(60))
def test_same_or_refused(seed):
    check(seed)


@pytest.mark.parametrize("seed", range(40))
def test_objects(seed):
    check(seed, objects=True)


@pytest.mark.slow
@pytest.mark.parametrize("objects", [False, True])
@pytest.mark.parametrize("start", range(1000, 1500, 100))
def test_many_more(start, objects):
    for seed in range(start, start + 100):
        check(seed, objects)


def test_few_are_refused():
    kinds = [check(seed) for seed in range(60, 120)]
    assert kinds.count("refused") <= len(kinds) / 12


def test_programs_do_something():
    """Most programs end with a value for most calls; else comparing them would prove little."""
    ends = [outcome(compiled(Writer(seed).program())[0], call)[0] for seed in range(100) for call in CALLS[:2]]
    assert ends.count("value") > len(ends) * 0.5
