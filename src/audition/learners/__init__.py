"""Online algorithms, one per file."""
