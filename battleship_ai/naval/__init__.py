"""Naval Bombardment: salvos on a large board, ships that lose their guns, and mines.

The rules that `NavalRules` states by default, on a board of 20 rows A to T and 20 columns:

- **Fleet.** Thirteen ships with 24 guns. Hits on distinct squares of a ship destroy its guns:

  ===================  =====  =======  ====  ===================
  class                ships  squares  guns  one lost at hits
  ===================  =====  =======  ====  ===================
  Flagship (FS)            1        8     3  3, 6, 8
  Battleship (BS)          1        7     3  3, 5, 7
  Heavy Cruiser (HC)       2        6     2  3, 6
  Light Cruiser (LC)       2        5     2  3, 5
  Destroyer (Dy)           3        4     2  2, 4
  Corvette (Cv)            4        3     1  3
  ===================  =====  =======  ====  ===================

- **Mines.** Eight ordinary and four high-explosive ones, of one square each.
- **Placement.** Every ship is a straight run across, down or diagonal. No two objects, ships
  or mines, touch, not even at a corner.
- **Salvo.** In each round the players in turn call squares, at most as many as they have guns
  left; fewer are allowed. More, or a square off the board, loses the match, whatever else
  the salvo would have done. Squares are called one by one. One that was called before is
  inert: it uses up a shot, and nothing else.
- **Mine struck.** It ends the salvo: its square and kind are announced, the shots before it
  count, those after it are never called. It is then spent, and inert like any called square.
  A high-explosive mine also costs the next salvo, so that its number, the round, is
  missing; both players may be skipping in one round.
- **Report.** After the salvo, for each ship that it hit: its class and the number of squares.
  Neither squares nor misses nor sinkings are told. Which ship of its class it is depends on
  ``identify``:

  - ``tracks``: as soon as two ships of the class are damaged, this salvo included, a ship is
    named by the salvos that hit it so far. So each damaged ship has a public track: ships
    A, B, … in the order of their first damage, by lot where it fell in one salvo.
  - ``literal``: a ship is named so only where two ships of the class had been damaged before
    the salvo; otherwise the class is all that is told.

- **Fire-power.** The guns left are counted after each report, and public.
- **End.** The match is won with the hit on the last ship square of the other fleet, even in
  the middle of a salvo. Mines do not count. A coin decides who starts.

Examples
--------
>>> layout, other = place_naval(NavalRules(), 2, seed=1)
>>> match = play_match(NavalRules(), (RandomSalvo(), RandomSalvo()), (layout, other), seed=1)
>>> match.winner in (0, 1)
True
"""

from battleship_ai.naval.captains import (
    CAPTAINS,
    DEFAULT_CAPTAINS,
    Lattice,
    ListInfo,
    Peppering,
    PosteriorCaptain,
    RandomSalvo,
    SalvoDensity,
    Tactician,
    make_captain,
)
from battleship_ai.naval.inference.candidates import Candidates
from battleship_ai.naval.inference.posterior import NavalPosterior
from battleship_ai.naval.layouts import NavalLayout
from battleship_ai.naval.match import Captain, Match, SoloMatch, play_match, play_solo_match
from battleship_ai.naval.placements import naval_placements
from battleship_ai.naval.placers import NAVAL_PLACERS, place_naval
from battleship_ai.naval.record import NavalRecord, NavalState
from battleship_ai.naval.referee import NavalTarget
from battleship_ai.naval.rules import NAVAL_PRESETS, NavalRules
from battleship_ai.naval.salvos import MineStrike, Salvo, ShipHits
from battleship_ai.naval.ship_classes import NavalClass

__all__ = [
    "CAPTAINS",
    "DEFAULT_CAPTAINS",
    "NAVAL_PLACERS",
    "NAVAL_PRESETS",
    "Candidates",
    "Captain",
    "Lattice",
    "ListInfo",
    "Match",
    "MineStrike",
    "NavalClass",
    "NavalLayout",
    "NavalPosterior",
    "NavalRecord",
    "NavalRules",
    "NavalState",
    "NavalTarget",
    "Peppering",
    "PosteriorCaptain",
    "RandomSalvo",
    "Salvo",
    "SalvoDensity",
    "ShipHits",
    "SoloMatch",
    "Tactician",
    "make_captain",
    "naval_placements",
    "place_naval",
    "play_match",
    "play_solo_match",
]
