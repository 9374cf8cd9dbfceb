"""Estimates with their intervals: means, quantiles, paired differences, duels and rankings."""

from battleship_ai.statistics.comparisons import (
    PairedComparison,
    compare_all,
    compare_differences,
    holm,
    paired_interval,
)
from battleship_ai.statistics.intervals import Interval, Moments, mean_interval
from battleship_ai.statistics.planning import games_for_half_width, games_needed
from battleship_ai.statistics.proportions import starter_advantage, wilson_interval
from battleship_ai.statistics.quantiles import quantile_interval
from battleship_ai.statistics.ranking import Ranking, bradley_terry
from battleship_ai.statistics.stopping import StoppingRule

__all__ = [
    "Interval",
    "Moments",
    "PairedComparison",
    "Ranking",
    "StoppingRule",
    "bradley_terry",
    "compare_all",
    "compare_differences",
    "games_for_half_width",
    "games_needed",
    "holm",
    "mean_interval",
    "paired_interval",
    "quantile_interval",
    "starter_advantage",
    "wilson_interval",
]
