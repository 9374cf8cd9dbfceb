"""Optimal play on small boards, worst cases, and what no strategy can beat on large ones."""

from battleship_ai.solving.bounds import Bound, lower_bounds
from battleship_ai.solving.expectation import AllGames, play_all
from battleship_ai.solving.solver import Solution, solve

__all__ = ["AllGames", "Bound", "Solution", "lower_bounds", "play_all", "solve"]
