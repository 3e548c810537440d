from to_static.core.bytecode_names import names_mentioned, names_reached

OUTSIDE = [1]


def test_names_by_the_way_they_are_reached():
    around = 3

    def function(x):
        return [y.shape for y in x.items if around], len(OUTSIDE)

    reached = names_reached(function.__code__)
    assert reached.global_names == {"len", "OUTSIDE"}
    assert "around" in reached.cells and {"items", "shape"} <= reached.attributes and not reached.changes


def test_what_changes_something_outside():
    count = 0

    def closure():
        nonlocal count
        count += 1

    def of_module():
        global OUTSIDE
        OUTSIDE = []

    def imports():
        import os

        return os

    assert all(names_reached(function.__code__).changes for function in (closure, of_module, imports))


def test_strings_that_could_be_names_are_mentioned():
    def function(x):
        return getattr(x, "hidden"), "two words", (lambda y: y.inner)  # noqa: B009

    assert {"hidden", "inner"} <= names_mentioned(function.__code__)
    assert "two words" not in names_mentioned(function.__code__)
