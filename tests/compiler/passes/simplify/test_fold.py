from tests.compiler.passes.rewriting import becomes, stays
from to_static.compiler.passes.simplify import fold


def test_constants_and_known_shapes_fold():
    becomes(
        fold.fold_constants,
        """
        program(%x: f32[2, 3], %y: f32[?]) {
          %a: f32[] = constant() {value=f32[](2.0)}
          %b: f32[] = multiply(%a, %a)
          %c: i64[] = dim_size(%x) {axis=1}
          %d: i64[] = dim_size(%y) {axis=0}
          %e: i64[] = multiply(%c, %c)
          %f: f32[2, 3] = add(%x, %b)
          return %f, %d, %e
        }
        """,
        """
        program(%x: f32[2, 3], %y: f32[?]) {
          %a: f32[] = constant() {value=f32[](2.0)}
          %b: f32[] = constant() {value=f32[](4.0)}
          %c: i64[] = constant() {value=i64[](3)}
          %d: i64[] = dim_size(%y) {axis=0}
          %e: i64[] = constant() {value=i64[](9)}
          %f: f32[2, 3] = add(%x, %b)
          return %f, %d, %e
        }
        """,
    )


def test_a_branch_that_is_known_takes_the_place_of_its_cond():
    becomes(
        fold.fold_constants,
        """
        program(%x: f32[2]) {
          %p: bool[] = constant() {value=bool[](False)}
          %a: f32[2], %b: f32[2] = cond(%p, [%x])
            true(%u: f32[2]) {
              return %u, %u
            }
            false(%v: f32[2]) {
              %c: f32[2] = add(%v, %v)
              return %c, %v
            }
          %d: f32[2] = multiply(%a, %b)
          return %d
        }
        """,
        """
        program(%x: f32[2]) {
          %p: bool[] = constant() {value=bool[](False)}
          %c: f32[2] = add(%x, %x)
          %d: f32[2] = multiply(%c, %x)
          return %d
        }
        """,
    )


def test_constants_sink_into_blocks_and_fold_there():
    becomes(
        fold.fold_constants,
        """
        program(%x: f32[2], %p: bool[]) {
          %two: f32[] = constant() {value=f32[](2.0)}
          %a: f32[2] = cond(%p, [%x, %two])
            true(%u: f32[2], %v: f32[]) {
              %c: f32[] = multiply(%v, %v)
              %d: f32[2] = multiply(%u, %c)
              return %d
            }
            false(%s: f32[2], %t: f32[]) {
              return %s
            }
          return %a
        }
        """,
        """
        program(%x: f32[2], %p: bool[]) {
          %two: f32[] = constant() {value=f32[](2.0)}
          %a: f32[2] = cond(%p, [%x, %two])
            true(%u: f32[2], %v: f32[]) {
              %0: f32[] = constant() {value=f32[](2.0)}
              %c: f32[] = constant() {value=f32[](4.0)}
              %d: f32[2] = multiply(%u, %c)
              return %d
            }
            false(%s: f32[2], %t: f32[]) {
              return %s
            }
          return %a
        }
        """,
    )


def test_a_loop_that_never_runs_is_its_start():
    becomes(
        fold.fold_constants,
        """
        program(%x: f32[2]) {
          %a: f32[2] = while_loop([%x]) {carried=1}
            while(%u: f32[2]) {
              %p: bool[] = constant() {value=bool[](False)}
              return %p
            }
            do(%v: f32[2]) {
              %c: f32[2] = add(%v, %v)
              return %c
            }
          return %a
        }
        """,
        """
        program(%x: f32[2]) {
          return %x
        }
        """,
    )


def test_what_would_make_a_file_large_is_not_folded_for_files():
    text = """
        program() {
          %a: f32[1000] = full([]) {dtype=f32, shape=(1000,), value=1.0}
          return %a
        }
        """
    stays(fold.fold_small_constants, text)


def test_ops_that_fail_are_left_to_fail_where_they_run():
    stays(
        fold.fold_constants,
        """
        program() {
          %a: f32[] = constant() {value=f32[](1.0)}
          %i: i64[] = constant() {value=i64[](5)}
          %l: list<f32[]> = list_new([%a])
          %b: f32[] = list_get(%l, %i) {sure=False}
          return %b
        }
        """,
    )


def test_results_of_branches_inside_branches_are_found():
    becomes(
        fold.fold_constants,
        """
        program(%x: f32[2]) {
          %p: bool[] = constant() {value=bool[](True)}
          %a: f32[2], %b: f32[] = cond(%p, [%x, %p])
            true(%x1: f32[2], %p1: bool[]) {
              %c: f32[] = constant() {value=f32[](2.0)}
              %d: f32[] = multiply(%c, %c)
              %e: f32[2] = cond(%p1, [%x1])
                true(%x2: f32[2]) {
                  %f: f32[2] = exp(%x2)
                  return %f
                }
                false(%x3: f32[2]) {
                  return %x3
                }
              return %e, %d
            }
            false(%x4: f32[2], %p4: bool[]) {
              %g: f32[] = constant() {value=f32[](0.0)}
              return %x4, %g
            }
          return %a, %b
        }
        """,
        """
        program(%x: f32[2]) {
          %p: bool[] = constant() {value=bool[](True)}
          %c: f32[] = constant() {value=f32[](2.0)}
          %d: f32[] = constant() {value=f32[](4.0)}
          %f: f32[2] = exp(%x)
          return %f, %d
        }
        """,
    )
