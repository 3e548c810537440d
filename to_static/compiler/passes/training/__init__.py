"""Steps of optimizers and gradients of tables, for Programs that train."""
