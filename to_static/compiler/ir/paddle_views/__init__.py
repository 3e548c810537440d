"""Programs as code written for Paddle's Programs looks at them."""
