"""Programs that several objects share because they have the same structure: instances of a class, replaced Layers and
parameters.
"""
