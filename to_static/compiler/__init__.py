"""The compiler: from Python source to Programs, and from Programs to numbers and files. Users call it through Paddle's names."""
