"""Which tensor an output is, and what it shares memory with: tensors of before, or other outputs."""
