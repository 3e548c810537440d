"""How fast NumPy can be: every workload written by hand, as well as we know how. Nothing here uses `to_static`.

Each file has functions that take the weights as arrays (in the order and layout of the networks' parameters) and an example of
the input, pack the weights, make all buffers, and return a function without arguments that computes the result.
"""
