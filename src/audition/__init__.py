"""Audition chooses which online learner to deploy, from a limited log."""
