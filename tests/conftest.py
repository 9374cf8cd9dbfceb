"""Hypothesis without deadlines, since a first example may compile, and the same in every run."""

from hypothesis import settings

settings.register_profile("battleship", deadline=None, derandomize=True)
settings.load_profile("battleship")
