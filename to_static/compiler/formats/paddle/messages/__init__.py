"""The messages of Paddle's files, and plain Python views of their parts."""
