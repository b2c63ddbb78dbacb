"""Ways to make an ensemble, one per file."""
