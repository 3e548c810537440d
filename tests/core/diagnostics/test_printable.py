"""Text of others as it is shown."""

import sys
import unicodedata

import pytest

from to_static.core.diagnostics.printable import cut, printable, quoted

ACTING = [c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")]


def test_nothing_that_acts_on_a_terminal_is_left():
    for made in (printable("".join(ACTING), 10**9), quoted("".join(ACTING), 10**9)):
        assert made.isprintable() and made.isascii()


@pytest.mark.parametrize("text", ["conv2d_0.w_0", "fc weights", "权重", "größe_µ", "", r"a\b"])
def test_what_people_write_stays(text):
    assert printable(text) == text


def test_escapes_are_those_of_python():
    assert printable("a\nb\x1b[2J\u202e\x85\udc80") == r"a\nb\x1b[2J\u202e\x85\udc80"
    assert quoted("it's\n") == '"it\'s\\n"'


@pytest.mark.parametrize("size", [199, 200, 201, 5000])
def test_of_long_texts_the_middle_is_left_out(size):
    text = "".join(chr(ord("a") + i % 26) for i in range(size))
    made = cut(text)
    assert len(made) == min(size, 200)
    assert made == text if size <= 200 else (made[:100] == text[:100] and made[-60:] == text[-60:] and "..." in made)


def test_other_objects_are_shown_as_their_text():
    assert printable(3) == "3" and printable(None) == "None"
