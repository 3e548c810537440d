"""What Adam says of its arguments."""

import pytest

import to_static as paddle


@pytest.mark.parametrize("kind", ["Adam", "AdamW"])
def test_lazy_mode_says_that_it_does_nothing(kind):
    with pytest.warns(UserWarning, match=f"{kind}: lazy_mode=True has no effect") as seen:
        getattr(paddle.optimizer, kind)(parameters=[paddle.nn.Linear(2, 2).weight], lazy_mode=True)
    assert seen[0].filename == __file__
