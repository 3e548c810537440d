"""Answers that are kept by which object it is."""

from __future__ import annotations

from to_static.core.caching.identity_cache import cached_by_identity


def test_equal_objects_are_asked_once_each_and_need_no_hash():
    asked = []

    @cached_by_identity()
    def size(items):
        """Of a list."""
        asked.append(items)
        return len(items)

    a, b = [1], [1]
    assert [size(a), size(b), size(a), size(b)] == [1] * 4
    assert len(asked) == 2 and asked[0] is a and asked[1] is b
    assert size.__doc__ == "Of a list."


def test_an_attribute_in_place_of_the_object():
    asked = []

    @cached_by_identity("__code__")
    def name(function):
        asked.append(function)
        return function.__code__.co_name

    def made():
        return lambda: None

    assert [name(made()), name(made()), name(made)] == ["<lambda>", "<lambda>", "made"]
    assert len(asked) == 2


def test_objects_are_kept_so_that_ids_stay():
    size = cached_by_identity()(len)
    assert [size([0] * n) for n in range(50)] == list(range(50))
