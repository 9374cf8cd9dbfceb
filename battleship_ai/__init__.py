"""AI opponents for Battleship-type games."""

from battleship_ai.board import Board, SquareSet
from battleship_ai.conformance import check_strategy
from battleship_ai.errors import (
    BattleshipError,
    DataError,
    GameFileError,
    IllegalMove,
    LayoutError,
    MissingExtra,
    ProgramError,
    RecordError,
    RulesError,
    SquareError,
    StrategyError,
    TournamentError,
    UnknownName,
)
from battleship_ai.game import Duel, SoloGame, Target, play_duel, play_solo
from battleship_ai.inference.counting import count_layouts
from battleship_ai.inference.density import DensityWeights, placement_density
from battleship_ai.inference.exact import ExactPosterior
from battleship_ai.inference.sampled import PosteriorSample, sample_posterior
from battleship_ai.layouts import Layout
from battleship_ai.luck import RolloutValue, ValueFunction, luck_of
from battleship_ai.placements import Placements, forms, placements
from battleship_ai.placers import PLACERS, place
from battleship_ai.plotting import show_probabilities
from battleship_ai.programs import Program
from battleship_ai.record import Answer, Record, Shot
from battleship_ai.replay import Replay
from battleship_ai.rules import PRESETS, Rules, ShipClass
from battleship_ai.solving import AllGames, Bound, Solution, lower_bounds, play_all, solve
from battleship_ai.statistics import Interval, StoppingRule, mean_interval, paired_interval
from battleship_ai.strategies import (
    STRATEGIES,
    Density,
    Exact,
    HuntTarget,
    Lookahead,
    MonteCarlo,
    ParityHunt,
    Random,
    Strategy,
    installed_strategies,
    make_strategy,
)
from battleship_ai.tables import Table
from battleship_ai.tournament import (
    Design,
    DuelResult,
    Report,
    Run,
    SoloResult,
    TournamentResult,
    run_design,
    run_duels,
    run_tournament,
    warmup,
)

__version__ = "0.1.0"

__all__ = [
    "PLACERS",
    "PRESETS",
    "STRATEGIES",
    "AllGames",
    "Answer",
    "BattleshipError",
    "Board",
    "Bound",
    "DataError",
    "Density",
    "DensityWeights",
    "Design",
    "Duel",
    "DuelResult",
    "Exact",
    "ExactPosterior",
    "GameFileError",
    "HuntTarget",
    "IllegalMove",
    "Interval",
    "Layout",
    "LayoutError",
    "Lookahead",
    "MissingExtra",
    "MonteCarlo",
    "ParityHunt",
    "Placements",
    "PosteriorSample",
    "Program",
    "ProgramError",
    "Random",
    "Record",
    "RecordError",
    "Replay",
    "Report",
    "RolloutValue",
    "Rules",
    "RulesError",
    "Run",
    "ShipClass",
    "Shot",
    "SoloGame",
    "SoloResult",
    "Solution",
    "SquareError",
    "SquareSet",
    "StoppingRule",
    "Strategy",
    "StrategyError",
    "Table",
    "Target",
    "TournamentError",
    "TournamentResult",
    "UnknownName",
    "ValueFunction",
    "check_strategy",
    "count_layouts",
    "forms",
    "installed_strategies",
    "lower_bounds",
    "luck_of",
    "make_strategy",
    "mean_interval",
    "paired_interval",
    "place",
    "placement_density",
    "placements",
    "play_all",
    "play_duel",
    "play_solo",
    "run_design",
    "run_duels",
    "run_tournament",
    "sample_posterior",
    "show_probabilities",
    "solve",
    "warmup",
]
