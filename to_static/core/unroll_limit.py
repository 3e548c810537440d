"""The number of iterations of an unrolled Python loop from which on a warning is due (see `ir.trace_errors.unroll_warning`)."""

UNROLL_WARNING_LIMIT = 1000
