"""Programs shared by things that are built alike: instances of one class, Layers and parameters in place of ones like them."""
