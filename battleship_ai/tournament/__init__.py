"""Tournaments: designs, the games of all strategies on the same layouts, and their figures."""

from battleship_ai.tournament.design import Design, Pool
from battleship_ai.tournament.harness import run_design, run_duels, run_tournament, warmup
from battleship_ai.tournament.report import Report
from battleship_ai.tournament.results import (
    DuelResult,
    PoolResult,
    SoloResult,
    StrategySummary,
    TournamentResult,
)
from battleship_ai.tournament.run import Run
from battleship_ai.tournament.seats import Failure

__all__ = [
    "Design",
    "DuelResult",
    "Failure",
    "Pool",
    "PoolResult",
    "Report",
    "Run",
    "SoloResult",
    "StrategySummary",
    "TournamentResult",
    "run_design",
    "run_duels",
    "run_tournament",
    "warmup",
]
