"""Random numbers as C++ and NumPy draw them, bit by bit, and the states of their generators."""
