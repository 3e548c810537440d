"""What only gradients ask for goes, once they were taken."""

from tests.compiler.passes.rewriting import becomes
from to_static.compiler.passes.simplify import strip_custom_gradients


def test_a_leaf_that_got_a_value_is_the_value():
    becomes(
        strip_custom_gradients.strip_custom_gradients,
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


def test_a_copy_that_gradients_go_to_is_what_it_is_of():
    becomes(
        strip_custom_gradients.strip_custom_gradients,
        """
        program(%x: f32[3]) {
          %0: f32[3] = tanh(%x)
          %1: f32[3] grad = assign(%0)
          %2: f32[3] = square(%1)
          %3: f32[3] grad = assign(%0)
          %4: f32[3] = assign(%2)
          return %3, %4
        }
        """,
        """
        program(%x: f32[3]) {
          %0: f32[3] = tanh(%x)
          %1: f32[3] grad = square(%0)
          %2: f32[3] grad = assign(%0)
          %3: f32[3] = assign(%1)
          return %2, %3
        }
        """,
    )
