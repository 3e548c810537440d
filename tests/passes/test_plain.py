"""What only gradients ask for goes, once they were taken."""

from tests.passes.rewriting import becomes
from to_static.passes import plain


def test_a_leaf_that_got_a_value_is_the_value():
    becomes(
        plain.run,
        """
        program(%x: f32[3], %w: f32[3]) {
          %0: f32[3] = add(%x, %w)
          %1: f32[3] = as_leaf(%0, %w)
          %2: f32[3] = as_leaf(%1, %w)
          %3: f32[3] = tanh(%2)
          return %2, %3
        }
        """,
        """
        program(%x: f32[3], %w: f32[3]) {
          %0: f32[3] = add(%x, %w)
          %1: f32[3] = tanh(%0)
          return %0, %1
        }
        """,
    )
