"""Default names."""

from to_static.core import unique_name


def test_names_are_numbered_per_key():
    with unique_name.guard():
        assert [unique_name.generate(k) for k in ("fc", "fc", "fc.w", "fc")] == ["fc_0", "fc_1", "fc.w_0", "fc_2"]


def test_guard_starts_again_and_restores():
    with unique_name.guard():
        unique_name.generate("a")
        with unique_name.guard("x/"):
            assert unique_name.generate("a") == "x/a_0"
        assert unique_name.generate("a") == "a_1"
        unique_name.reset()
        assert unique_name.generate("a") == "a_0"


def test_a_name_is_claimed_once():
    with unique_name.guard():
        assert unique_name.claim("w")
        assert not unique_name.claim("w")
        with unique_name.guard():
            assert unique_name.claim("w")


def test_the_public_name():
    import to_static as paddle

    with paddle.utils.unique_name.guard():
        assert paddle.nn.Linear(2, 2).full_name() == "linear_0"


def test_names_given_once_are_nothing_that_the_garbage_collector_looks_at():
    import gc

    with unique_name.guard():
        unique_name.generate("a")
        gc.collect()
        before = len(gc.get_objects())
        for i in range(1000):
            unique_name.generate(f"linear_{i}.w")
        assert len(gc.get_objects()) - before < 100
        assert [unique_name.generate("linear_7.w") for _ in range(2)] == ["linear_7.w_1", "linear_7.w_2"]
