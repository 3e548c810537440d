"""The state that Programs depend on beside the arguments, and the keys under which they are looked up."""
