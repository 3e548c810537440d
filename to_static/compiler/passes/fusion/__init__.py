"""Several operators become one: a kernel that does their work together, or a weight that holds it."""
