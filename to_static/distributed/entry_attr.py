"""Rules by which Paddle's parameter servers let features into a table; here settings that `static.nn.sparse_embedding` takes."""

from __future__ import annotations


class EntryAttr:
    """The base of the rules."""

    _name = ""

    def _to_attr(self) -> str:
        raise NotImplementedError("EntryAttr is base class")


class ProbabilityEntry(EntryAttr):
    """A new feature comes in with this probability, above 0 and at most 1. Raises ValueError for others.

    Example:
        >>> entry = paddle.distributed.ProbabilityEntry(0.5)
    """

    def __init__(self, probability: float) -> None:
        if not isinstance(probability, float):
            raise ValueError("probability must be a float in (0,1)")
        if probability <= 0 or probability >= 1:
            raise ValueError("probability must be a float in (0,1)")
        self._name, self._probability = "probability_entry", probability

    def _to_attr(self) -> str:
        return f"{self._name}:{self._probability}"


class CountFilterEntry(EntryAttr):
    """A feature comes in when it was seen so often. Raises ValueError for no whole number above 0.

    ``count_filter``: how often.

    Example:
        >>> entry = paddle.distributed.CountFilterEntry(10)
    """

    def __init__(self, count_filter: int) -> None:
        if not isinstance(count_filter, int):
            raise ValueError("count_filter must be a valid integer greater than 0")
        if count_filter < 0:
            raise ValueError("count_filter must be a integer greater or equal than 0")
        self._name, self._count_filter = "count_filter_entry", count_filter

    def _to_attr(self) -> str:
        return f"{self._name}:{self._count_filter}"


class ShowClickEntry(EntryAttr):
    """The names of the inputs that hold how often a feature was shown and clicked. Raises ValueError for no strings.

    ``show_name``, ``click_name``: the two names.

    Example:
        >>> entry = paddle.distributed.ShowClickEntry("show", "click")
    """

    def __init__(self, show_name: str, click_name: str) -> None:
        if not isinstance(show_name, str) or not isinstance(click_name, str):
            raise ValueError("show_name click_name must be a str")
        self._name, self._show_name, self._click_name = "show_click_entry", show_name, click_name

    def _to_attr(self) -> str:
        return f"{self._name}:{self._show_name}:{self._click_name}"
