"""Random programs behave by default as in Python in all that a caller can see, and nearly all of them are static."""

import contextlib
import re
import signal

import daily
import pytest
from language_table import HERE, outcome
from random_aliases import Aliases
from random_compare import WAYS, Different, kind_of, shrunk
from random_language import CALLS, Writer, compiled

pytestmark = pytest.mark.slow
KEPT = HERE / "kept_programs.txt"  # each was different once; they are always run
PROGRAMS = re.split(r"(?m)^(?=def )", KEPT.read_text())[1:]


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


def check(text, ways=WAYS):
    """A program that differs is shown as short as it can be made. A long run looks at what the warnings say, too."""
    try:
        for warning in kind_of(text, ways)[1] if daily.LONG else ():
            if "in Python, a graph break" in warning:
                assert re.search(r'File "(<random language \d+>|.*random_\w+.py)", line \d+', warning), f"no place: {warning}"
                assert "\n  rewrite: " in warning, f"no rewrite: {warning}"
        return
    except Different as found:
        first = str(found)

    def fails(candidate):
        try:
            with limited(2):
                kind_of(candidate, ways)
        except Different:
            return True
        except Exception:
            return False
        return False

    short = shrunk(text, fails) if hasattr(signal, "setitimer") else text
    with pytest.raises(Different) as shorter:
        kind_of(short, ways)
    raise AssertionError(f"{shorter.value if len(short) < len(text) else first}\n\nTo keep it as a case, add to {KEPT}:\n\n{short}")


@pytest.mark.parametrize("seed", daily.seeds("language", 60, 1000))
def test_same(seed):
    check(Writer(seed).program(), daily.way(f"language {seed}", WAYS))


@pytest.mark.parametrize("seed", daily.seeds("objects", 60, 1000))
def test_objects(seed):
    check(Writer(seed, objects=True).program(), daily.way(f"objects {seed}", WAYS))


@pytest.mark.parametrize("seed", daily.seeds("aliases", 20, 500))
def test_aliases(seed):
    check(Aliases(seed).program(), ["values"])


@pytest.mark.parametrize("seed", daily.seeds("breaking", 20, 500))
def test_words_that_break(seed):
    check(Writer(seed, objects=bool(seed % 2), breaking=True).program(), daily.way(f"breaking {seed}", WAYS))


def test_kept():
    for text in PROGRAMS:
        check(text)


@pytest.mark.parametrize("objects", [False, True])
def test_few_break(objects):
    programs = [Writer(seed, objects).program() for seed in daily.seeds("breaks", 40, 300)]
    kinds = [kind_of(text, ["first"])[0] for text in programs]
    assert kinds.count("breaks") <= len(kinds) / (8 if daily.LONG else 5)  # some of a few may be many


def test_programs_do_something():
    """Most programs end with a value for most calls; else comparing them would prove little."""
    ends = [outcome(compiled(Writer(seed).program())[0], call)[0] for seed in range(100) for call in CALLS[:2]]
    assert ends.count("value") > len(ends) * 0.45
