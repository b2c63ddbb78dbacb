"""Places where trials are run: one file here for every kind."""
