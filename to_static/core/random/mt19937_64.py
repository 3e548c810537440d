"""The Mersenne Twister of 64-bit words, and the two ways in which PaddlePaddle seeds it.

Source: Nishimura, "Tables of 64-bit Mersenne twisters", 2000; C++'s ``std::mt19937_64`` and ``std::seed_seq`` are the same.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

WORDS = 312  # of the state
_MIDDLE = 156
_STEP = WORDS - 1  # words that follow from a state at once: the next one needs the first of them
_MOST_STEPS = 32  # made together: what fits into the cache


def _word(value: int) -> np.ndarray:
    return np.array(value, np.uint64)  # an array: NumPy takes it sooner than a scalar


_LOWER, _TWIST, _ONE = _word(0x7FFFFFFF), _word(0xB5026F5AA96619E9), _word(1)
_SHIFTS = tuple(_word(n) for n in (29, 17, 37, 43))
_MASKS = tuple(_word(m) for m in (0x5555555555555555, 0x71D67FFFEDA60000, 0xFFF7EEE000000000))


@functools.lru_cache(maxsize=64)
def plain_seeded(seed: int) -> np.ndarray:
    """The state that the engine's own seeding makes of a number (of the low 64 bits of it). Read-only: calls share it."""
    word, words = seed % 2**64, []
    for i in range(1, WORDS + 1):
        words.append(word)
        word = (6364136223846793005 * (word ^ word >> 62) + i) % 2**64
    return _read_only(np.array(words, np.uint64))


@functools.lru_cache(maxsize=64)  # programs set the same seed again and again, and the loop takes a third of a millisecond
def sequence_seeded(seed: int) -> np.ndarray:
    """The state that a sequence of one number seeds (of the low 32 bits of it). Read-only: calls share it."""
    n, offset, low = 2 * WORDS, 306, 2**32 - 1  # offset: (n - 11) / 2, as the sequence is shorter than n
    words, last = [0x8B8B8B8B] * n, 0x8B8B8B8B
    for k in range(n):
        mixed = words[k] ^ words[(k + offset) % n] ^ last
        mixed = 1664525 * (mixed ^ mixed >> 27) & low
        last = mixed + (k or 1) + (seed % 2**32 if k == 1 else 0)
        words[(k + offset) % n] = words[(k + offset) % n] + mixed & low
        words[(k + offset + 11) % n] = words[(k + offset + 11) % n] + last & low
        words[k] = last = last & low
    for k in range(n):
        mixed = words[k] + words[(k + offset) % n] + last & low
        mixed = 1566083941 * (mixed ^ mixed >> 27) & low
        last = mixed - k & low
        words[(k + offset) % n] ^= mixed
        words[(k + offset + 11) % n] ^= last
        words[k] = last
    return _read_only(np.array(words, np.uint32).view("<u8").astype(np.uint64))


def _read_only(state: np.ndarray) -> np.ndarray:
    state.flags.writeable = False
    return state


class Engine:
    """A stream of 64-bit words, from a state of 312 on. Not for several threads at once."""

    def __init__(self, state: np.ndarray) -> None:
        self._views: list[tuple[np.ndarray, ...]] = []
        self._twisted, self._carried = np.empty(_STEP, np.uint64), np.empty(_STEP, np.uint64)
        self._restart(state)

    def _restart(self, state: np.ndarray) -> None:
        self._start, self._next = state, state  # where the words at hand began, and where those after them do
        self._steps, self._at, self._ready = 0, 0, state[:0]

    @property
    def place(self) -> Any:
        """The position in the stream; nothing changes the returned object."""
        return self._start, self._steps, self._at

    @place.setter
    def place(self, value: Any) -> None:
        state, steps, at = value
        self._restart(state)
        if steps:
            self._refill(steps)
        self._at = at

    def parts(self, count: int) -> Iterator[tuple[slice, np.ndarray]]:
        """The next ``count`` words, some thousands at a time, after which of them they are; to be read before the next are."""
        done = 0
        while done < count:
            if self._at == len(self._ready):
                self._refill(min(_MOST_STEPS, max(-((done - count) // _STEP), 2 * self._steps)))
            words = self._ready[self._at : self._at + count - done]
            self._at += len(words)
            yield slice(done, done + len(words)), words
            done += len(words)

    def one(self) -> np.uint64:
        """The next word."""
        if self._at == len(self._ready):
            self._refill(min(_MOST_STEPS, max(1, 2 * self._steps)))
        self._at += 1
        return self._ready[self._at - 1]

    def take(self, count: int) -> np.ndarray:
        """The next ``count`` words, to be read before the next are."""
        end = self._at + count
        if end <= len(self._ready):
            words = self._ready[self._at : end]
            self._at = end
            return words
        out = np.empty(count, np.uint64)
        for part_slice, words in self.parts(count):
            out[part_slice] = words
        return out

    def ahead(self, count: int) -> np.ndarray:
        """The words at hand from the next one on, at most ``count``, which are not taken by this."""
        return self._ready[self._at : self._at + count]

    def skip(self, count: int) -> None:
        """Take so many of the words at hand."""
        self._at += count

    @property
    def position(self) -> tuple[np.ndarray, int]:
        """The words at hand, and how many of them are taken."""
        return self._ready, self._at

    def _reserve(self, steps: int) -> None:
        """Memory for the words of some steps, and the views on it that each step reads and writes."""
        raw = self._raw = np.empty(WORDS + steps * _STEP, np.uint64)
        self._tempered, self._shifted = np.empty(steps * _STEP, np.uint64), np.empty(steps * _STEP, np.uint64)
        self._views = []
        for at in range(0, steps * _STEP, _STEP):
            first, second = at + WORDS, at + WORDS + _MIDDLE
            self._views.append(
                (
                    raw[at : at + _STEP], raw[at + 1 : first], raw[at + _MIDDLE : first], raw[first:second],
                    raw[first : second - 1], raw[second : first + _STEP],
                )
            )  # fmt: skip

    def _refill(self, steps: int) -> None:
        if len(self._views) < steps:
            self._reserve(steps)
        raw, y, feedback = self._raw, self._twisted, self._carried
        raw[:WORDS] = self._start = self._next
        early, late = y[:_MIDDLE], y[_MIDDLE:]
        xor, both, shift, times = np.bitwise_xor, np.bitwise_and, np.right_shift, np.multiply
        for current, following, middle, first, first_again, second in self._views[:steps]:
            both(xor(current, following, y), _LOWER, y)
            xor(y, current, y)  # the upper bits of a word with the lower ones of the following
            times(both(following, _ONE, feedback), _TWIST, feedback)
            xor(shift(y, _ONE, y), feedback, y)
            xor(early, middle, first)
            xor(late, first_again, second)
        done = steps * _STEP
        self._next = raw[done : done + WORDS].copy()
        self._steps, self._at = steps, 0
        self._ready = _temper(raw[WORDS : WORDS + done], self._tempered[:done], self._shifted[:done])


def _temper(x: np.ndarray, out: np.ndarray, shifted: np.ndarray) -> np.ndarray:
    xor, both, right, left = np.bitwise_xor, np.bitwise_and, np.right_shift, np.left_shift
    xor(x, both(right(x, _SHIFTS[0], shifted), _MASKS[0], shifted), out)
    for k in (1, 2):
        xor(out, both(left(out, _SHIFTS[k], shifted), _MASKS[k], shifted), out)
    return xor(out, right(out, _SHIFTS[3], shifted), out)
