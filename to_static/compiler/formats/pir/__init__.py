"""Files of Paddle 3: PIR programs in JSON, and their parameters."""
