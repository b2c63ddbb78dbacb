"""Ways to weigh the members, one per file."""
