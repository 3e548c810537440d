"""The passes, one construct each; `to_static.transpile.pipeline` says in which order they run and why."""
