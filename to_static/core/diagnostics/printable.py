"""Text that is not ours, such as names in files, as it may be shown: on one line, cut, with nothing that acts on a terminal."""

from __future__ import annotations

MOST = 200  # characters of one name
PAGE = 20_000  # characters of a text
_SPACES = frozenset(map(chr, (0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)))  # which act on nothing


def printable(text: object, max_length: int = MOST) -> str:
    r"""``str(text)`` as part of one line of ours.

    Control and escape codes, line breaks of every kind, marks of direction, invisible characters and halves of surrogates are
    written as escapes, ``\n`` or ``\u202e``; of more than ``max_length`` characters the middle is left out.

    Example:
        >>> printable("fc_0\x1b[2J\nimport os")
        'fc_0\\x1b[2J\\nimport os'
    """
    shortened = cut(text if isinstance(text, str) else str(text), max_length)
    return shortened if shortened.isprintable() else "".join(map(_escaped, shortened))


def quoted(text: object, max_length: int = MOST) -> str:
    """Return `printable` text in quotes, as ``repr`` of a string."""
    return repr(cut(str(text), max_length))


def harmless(text: str, max_length: int = PAGE) -> str:
    """A text of several lines, ours with that of others in it: what `printable` escapes is escaped, but for line ends and tabs.

    Whoever writes a name into a text uses `printable` or `quoted`; this is for the whole, where it leaves us.
    """
    text = cut(text, max_length)
    return text if text.isprintable() else "".join(c if c in "\n\t" else _escaped(c) for c in text)


def cut(text: str, max_length: int = MOST) -> str:
    """A text of at most ``max_length`` characters: of longer ones the middle is left out."""
    if len(text) <= max_length:
        return text
    left = max_length * 2 // 3
    return f"{text[:left]}...{text[len(text) - (max_length - left - 3) :]}"


def _escaped(character: str) -> str:
    return character if character.isprintable() or character in _SPACES else repr(character)[1:-1]
