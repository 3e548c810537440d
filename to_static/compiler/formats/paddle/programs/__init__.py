"""ProgramDesc to Program and back: blocks, control flow, tensor arrays, names, forms that Paddle's kernels accept."""
