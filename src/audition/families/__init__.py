"""Kinds of simulators, one per file."""
