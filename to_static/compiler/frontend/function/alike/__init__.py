"""What is built alike runs the same Programs: instances of one class, Layers and parameters in place of ones like them."""
