"""Identity and aliases of outputs: tensors of before the call, or other outputs."""
