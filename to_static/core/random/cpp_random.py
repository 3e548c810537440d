"""The random numbers that PaddlePaddle draws on a CPU after the same seed: C++'s distributions over one stream of 64-bit words.

Each is what GNU's C++ library computes, made of arrays: it takes from the stream as many words as a loop would, in the same order.
Numbers equal Paddle's bit for bit, but for the last bit of the logarithm in normal numbers of 32 bits, which is the C library's.
"""

from __future__ import annotations

import functools
import math
import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.core.processes.forking import free_in_children
from to_static.core.random import rejection_sampling
from to_static.core.random.mt19937_64 import Engine, plain_seeded, sequence_seeded

if TYPE_CHECKING:
    from to_static.core.array_types import Array

_UNIT = 2.0**-64
_MOST = 2**64 - 1  # the largest word
_PAIRS = 1 << 14  # pairs of numbers at once: what fits into the cache
_FEW = 1 << 10  # numbers of which the steps take less time than NumPy's calls
_FEW_INTEGERS = 8  # whole numbers that Python draws sooner than NumPy
_SHORT = 64  # numbers of which a permutation takes less time step by step
_AHEAD = 1 << 9  # words of which normal numbers are made ahead
_FLOATS: tuple[Any, ...] = (np.float32, np.float64)
_UNITS = {cls: np.array(_UNIT, cls) for cls in _FLOATS}
_DOUBLE_UNITS = {cls: np.array(2 * _UNIT, cls) for cls in _FLOATS}
_BELOW_ONE = {cls: np.array(np.nextafter(cls(1), cls(0)), cls) for cls in _FLOATS}  # the largest words round up to 1
_BELOW_TWO = {cls: np.array(2 * np.nextafter(cls(1), cls(0)), cls) for cls in _FLOATS}
_ONE = {cls: np.array(1, cls) for cls in _FLOATS}


class _Ahead:
    """Normal numbers made of words that are not taken yet, in pairs; ``ends``: how many words are taken after each pair."""

    __slots__ = ("at", "cls", "ends", "normals", "used_pairs", "words")

    def __init__(self, words: np.ndarray, at: int, cls: Any, normals: np.ndarray, ends: list[int]) -> None:
        self.words, self.at, self.cls, self.normals, self.ends = words, at, cls, normals, ends
        self.used_pairs = 0  # pairs


class Seeded:
    """A source of random numbers on the host. Threads may share it: each call takes its words together."""

    def __init__(self, state: np.ndarray) -> None:
        self._engine = Engine(state)
        self._ahead: _Ahead | None = None
        self._unit_cache: tuple[np.ndarray, Any, np.ndarray] | None = None  # words at hand, a dtype, and their numbers
        self._lock = free_in_children(threading.RLock())

    @classmethod
    def of_all(cls, seed: int) -> Seeded:
        """The source that `seed` starts."""
        return cls(sequence_seeded(seed))

    @classmethod
    def of_one(cls, seed: int) -> Seeded:
        """The source of an operator that has a seed of its own."""
        return cls(plain_seeded(seed))

    @classmethod
    def at(cls, state: Any) -> Seeded:
        """A source at a `place` of another."""
        generator = cls(state[0])
        generator.place = state
        return generator

    @property
    def place(self) -> Any:
        """The position in its stream."""
        return self._engine.place

    @place.setter
    def place(self, value: Any) -> None:
        self._engine.place = value

    def uniform(self, shape: tuple[int, ...], dtype: type = np.float64, low: float = 0.0, high: float = 1.0) -> np.ndarray:
        """Numbers evenly from ``[low, high)``, which are rounded to 32 bits, in float32 or float64."""
        with self._lock:
            out = self._units(math.prod(shape), np.dtype(dtype).type)
        if low == 0 and high == 1:
            return out.reshape(shape)
        span, start = _span(low, high, out.dtype)
        if span is not None:
            np.multiply(out, span, out)
        if start is not None:
            np.add(out, start, out)
        return out.reshape(shape)

    def units_to_read(self, count: int, cls: type) -> np.ndarray:
        """`uniform` from ``[0, 1)``, not to be written to: few numbers are a part of those that later calls read."""
        with self._lock:
            units = self._numbers_at_hand(count, cls)
            if units is None:
                return self._units(count, cls)
            self._engine.skip(count)
            return units  # type: ignore[no-any-return]

    def _units(self, count: int, cls: type) -> np.ndarray:
        out: np.ndarray
        if count <= _FEW:
            units = self._numbers_at_hand(count, cls)
            if units is not None:
                self._engine.skip(count)
                return units.copy()
            out = self._engine.take(count).astype(cls)
            np.multiply(out, _UNITS[cls], out)
            return np.minimum(out, _BELOW_ONE[cls], out=out)
        out = np.empty(count, cls)
        for part_slice, words in self._engine.parts(count):
            part = out[part_slice]
            part[...] = words
            part *= cls(_UNIT)
        return np.minimum(out, _BELOW_ONE[cls], out=out)

    def _numbers_at_hand(self, count: int, cls: Any) -> Any:
        """Numbers from ``[0, 1)`` of the next few words, not to be written to; None where so few are not at hand.

        They are made for all words at hand together, and kept until the engine makes others.
        """
        words, at = self._engine.position
        if at + count > len(words):
            return None
        cached = self._unit_cache
        if cached is None or cached[0] is not words or cached[1] is not cls:
            units = words.astype(cls)
            np.multiply(units, _UNITS[cls], units)
            cached = self._unit_cache = words, cls, np.minimum(units, _BELOW_ONE[cls], out=units)
        return cached[2][at : at + count]

    def bernoulli_mask(self, shape: tuple[int, ...], probability: float) -> np.ndarray:
        """A mask of booleans: True where a uniform number of 32 bits from [0, 1) is at least ``probability``."""
        count = math.prod(shape)
        if count <= _FEW:
            with self._lock:
                units = self._numbers_at_hand(count, np.float32) if probability < 1 else None
                if units is not None:
                    self._engine.skip(count)
                    return np.greater_equal(units, np.array(probability, np.float32)).reshape(shape)
                drawn_words = self._engine.take(count).astype(np.float32)
            mask: np.ndarray = np.greater_equal(drawn_words, np.array(probability * 2.0**64, np.float32))
            return mask.reshape(shape)
        out: np.ndarray = np.empty(count, np.bool_)
        bound = _least_word(float(np.float32(probability)))
        with self._lock:
            for part_slice, words in self._engine.parts(len(out)):
                np.greater_equal(words, bound, out[part_slice])
        return out.reshape(shape)

    def normal(self, shape: tuple[int, ...], dtype: type = np.float64, mean: float = 0.0, std: float = 1.0) -> np.ndarray:
        """Numbers of the normal distribution of ``mean`` and ``std``, which are rounded to 32 bits, in float32 or float64."""
        count = math.prod(shape)
        scalar_type = np.dtype(dtype).type
        with self._lock:
            few = self._of_ahead(count, scalar_type) if count <= _FEW else None
            out = self._normals(count, scalar_type) if few is None else few
        if std != 1 and np.float32(std) != 1:
            out *= scalar_type(np.float32(std))
        if mean != 0 and np.float32(mean) != 0:
            out += scalar_type(np.float32(mean))
        return out.reshape(shape)

    def _of_ahead(self, count: int, cls: Any) -> Any:
        """The next few normal numbers, of those that are made ahead; None where too few words are at hand for that."""
        cache, (words, at) = self._ahead, self._engine.position
        pairs = (count + 1) // 2
        is_current = cache is not None and cache.words is words and cache.at == at and cache.cls is cls
        if cache is None or not is_current or cache.used_pairs + pairs > len(cache.ends):
            cache = self._ahead = self._made_ahead(words, at, cls, max(_AHEAD, 3 * count + 64))
            if pairs > len(cache.ends):
                return None
        first, last = cache.used_pairs, cache.used_pairs + pairs
        out = cache.normals[2 * first : 2 * first + count].copy()
        cache.used_pairs, end = last, cache.ends[last - 1] if pairs else at
        self._engine.skip(end - at)
        cache.at = end
        return out

    def _made_ahead(self, words: np.ndarray, at: int, cls: Any, count: int) -> _Ahead:
        points = self._engine.ahead(count).astype(cls)
        points = points[: len(points) // 2 * 2]
        np.multiply(points, _DOUBLE_UNITS[cls], points)
        np.minimum(points, _BELOW_TWO[cls], out=points)
        np.subtract(points, _ONE[cls], points)
        points = points.reshape(-1, 2)
        normals, inside = _polar(points, cls)
        return _Ahead(words, at, cls, normals.reshape(-1), (at + 2 + 2 * inside).tolist())

    def _normals(self, count: int, cls: type) -> np.ndarray:
        """Marsaglia's polar method: points of a square, as long as they are in the circle, give two numbers each."""
        missing = (count + 1) // 2
        out: np.ndarray = np.empty((missing, 2), cls)
        done = 0
        while missing:  # as many points as are surely needed: no word is taken too many
            points = self._units(2 * min(missing, _PAIRS), cls).reshape(-1, 2)
            points *= cls(2)
            points -= cls(1)
            normals, inside = _polar(points, cls)
            out[done : done + len(inside)] = normals
            done += len(inside)
            missing -= len(inside)
        return out.reshape(-1)[:count]

    def integers(self, low: int, high: int, shape: tuple[int, ...]) -> np.ndarray:
        """Whole numbers evenly from ``[low, high)``, int64."""
        count = math.prod(shape)
        divisor = _MOST // (high - low)
        with self._lock:
            words = self._engine.ahead(count)
            if 0 < count <= _FEW_INTEGERS and len(words) == count:  # step by step
                listed = words.tolist()
                if max(listed) < divisor * (high - low):
                    self._engine.skip(count)
                    return np.array([word // divisor + low for word in listed], np.int64).reshape(shape)
            if len(words) == count and not np.count_nonzero(np.greater_equal(words, np.array(divisor * (high - low), np.uint64))):
                self._engine.skip(count)
                drawn = np.floor_divide(words, np.array(divisor, np.uint64))
            else:
                drawn = self._below(np.uint64(high - low), count)
        integers = drawn.view(np.int64)
        return (integers + low if low else integers).reshape(shape)

    def _below(self, ends: Array, count: int) -> np.ndarray:
        """Draw an integer of ``[0, end)`` for each: a word divided by ``_MOST // end``, without words beyond the last multiple."""
        divisors = np.uint64(_MOST) // ends
        limits = divisors * ends
        words = self._engine.take(count).copy()
        while len(rejected := np.flatnonzero(words >= limits)):
            first = rejected[0]  # the words after this one stand for the numbers from this one on
            words = np.concatenate([words[:first], words[first + 1 :], self._engine.take(1)])
        return words // divisors

    def permutation(self, count: int) -> np.ndarray:
        """0 to ``count - 1`` in random order, int64."""
        # One word serves two places i, i + 1 and those that they change with: a number below (i + 1) * (i + 2) is both. With an
        # even count place 1 has a word for itself.
        few = self._few_exchanged(count) if count <= _SHORT else None
        if few is not None:
            return few
        first = 1 if count % 2 else 2
        sizes = np.arange(first + 1, count + 1, 2, dtype=np.uint64)
        alone = np.full(1 if count and first == 2 else 0, 2, np.uint64)
        with self._lock:
            drawn = self._below(np.concatenate([alone, sizes * (sizes + np.uint64(1))]), len(alone) + len(sizes))
        partners = np.zeros(count, np.int64)
        partners[1 : 1 + len(alone)] = drawn[: len(alone)]
        partners[first::2], partners[first + 1 :: 2] = np.divmod(drawn[len(alone) :], sizes + np.uint64(1))
        return _exchanged(partners)

    def _few_exchanged(self, count: int) -> np.ndarray | None:
        """`permutation` of a few numbers, step by step; None where a word has to be passed over, or is not at hand."""
        ends, divisors = _steps_of_permutation(count)
        with self._lock:
            words = self._engine.ahead(len(ends))
            drawn = list(map(int.__floordiv__, words.tolist(), divisors))
            if len(drawn) < len(ends) or any(map(int.__ge__, drawn, ends)):
                return None
            self._engine.skip(len(ends))
        order = list(range(count))
        i = 1
        for draw, end in zip(drawn, ends, strict=True):
            for partner in divmod(draw, i + 2) if end > 2 else (draw,):
                order[i], order[partner] = order[partner], i
                i += 1
        return np.array(order, np.int64)

    def poisson(self, rates: np.ndarray) -> np.ndarray:
        """Counts of the Poisson distribution for each rate, in the dtype of ``rates``."""
        with self._lock:
            counts = [rejection_sampling.poisson(rate, self._unit) for rate in rates.reshape(-1).tolist()]
        return np.array(counts, rates.dtype).reshape(rates.shape)

    def gamma(self, shapes: np.ndarray) -> np.ndarray:
        """Gamma variables for each of ``shapes``, at least the smallest normal number; float32 or float64 as these are."""
        with self._lock:
            drawn = [rejection_sampling.gamma(shape, self._unit) for shape in shapes.reshape(-1)]
        return np.maximum(np.array(drawn, shapes.dtype), np.finfo(shapes.dtype).tiny).reshape(shapes.shape)

    def word(self) -> int:
        """The next 64 bits."""
        with self._lock:
            return int(self._engine.one())

    def _unit(self, cls: type) -> Any:
        return min(self._engine.one().astype(cls) * cls(_UNIT), np.nextafter(cls(1), cls(0)))


@functools.lru_cache(maxsize=_SHORT + 1)
def _steps_of_permutation(count: int) -> tuple[list[int], list[int]]:
    """The end of the number of each word that `permutation` takes, and what the word is divided by."""
    first = 1 if count % 2 else 2
    ends = [2] * (count > 0 and first == 2) + [size * (size + 1) for size in range(first + 1, count + 1, 2)]
    return ends, [_MOST // end for end in ends]


@functools.lru_cache(maxsize=64)
def _span(low: float, high: float, dtype: np.dtype) -> tuple[Any, Any]:
    """The length and the start of ``[low, high)``, bounds of 32 bits; None for a length of 1 and a start at 0."""
    start, end = dtype.type(np.float32(low)), dtype.type(np.float32(high))
    return None if end - start == 1 else np.array(end - start, dtype), None if start == 0 else np.array(start, dtype)


def _polar(points: np.ndarray, cls: Any) -> tuple[np.ndarray, np.ndarray]:
    """The pairs of normal numbers of those points ``[n, 2]`` that are in the circle, and the positions of these points."""
    squares = np.multiply(points, points)
    square = np.add(squares[:, 0], squares[:, 1])
    inside = np.flatnonzero((square <= 1) & (square != 0))
    square, points = square.take(inside), points.take(inside, 0)
    # The logarithm is rounded once, as that of C libraries (NumPy's own of 32 bits is less exact).
    factor = np.sqrt(cls(-2) * np.log(square, dtype=np.float64).astype(cls, copy=False) / square)
    return points[:, ::-1] * factor[:, None], inside


def _exchanged(partners: np.ndarray) -> np.ndarray:
    """0, 1, 2, ... after place 0, place 1, ... changed, in turn, with the place that ``partners`` has for it, at most itself.

    Step i moves to place i what is at place j = partners[i], and i to place j. If a step wrote to j before, as i does, that step's
    number is there, else what step j moved there. So steps are sorted by j, and what others moved is followed for all at once.
    """
    count = len(partners)
    bits = count.bit_length()
    steps = np.arange(count)
    by_place = partners << bits | steps
    by_place.sort()
    step, partner = by_place & ((1 << bits) - 1), by_place >> bits
    same_as_next = np.zeros(count, np.bool_)  # whether the next step goes to the same place
    np.equal(partner[1:], partner[:-1], same_as_next[:-1])
    sources = np.where(partners == steps, ~steps, partners)  # ~number: what step i moves; else what step sources[i] does
    earlier = np.flatnonzero(same_as_next)
    sources[step[earlier + 1]] = ~step[earlier]
    follow = np.flatnonzero(sources >= 0)
    while len(follow):
        sources[follow] = following = sources[sources[follow]]
        follow = follow[following >= 0]
    np.invert(sources, sources)
    last = np.flatnonzero(~same_as_next)
    sources[partner[last]] = step[last]
    return sources


@functools.lru_cache(maxsize=64)
def _least_word(probability: float) -> np.uint64:
    """The least word whose number of 32 bits is not below ``probability``, at most the largest."""
    low, high = 0, _MOST
    while low < high:
        middle = (low + high) // 2
        if float(np.uint64(middle).astype(np.float32)) * _UNIT >= probability:
            high = middle
        else:
            low = middle + 1
    return np.uint64(low)
