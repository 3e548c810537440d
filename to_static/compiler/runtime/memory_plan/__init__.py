"""The memory of plans: the arena and its gaps, the memory of branches, views of buffers, and buffers that are used again."""
