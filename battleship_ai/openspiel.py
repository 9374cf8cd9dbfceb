"""OpenSpiel's game ``battleship``: our strategies and placers as a bot (extra ``openspiel``).

The game is that of the preset ``openspiel``: straight ships that may touch, on boards to
10×10, each shot answered by miss, hit or bare sunk, and a repeated shot answered from the
present state. It differs from a `Duel` in these points:

- Placing is part of the game: the players place their ships in turn, one a move, in the
  order of ``ship_sizes``. Player 0 begins.
- It also ends, without a winner, when both players have fired ``num_shots`` shots, 50 by
  default; a duel has no such limit.
- Its returns are the values of the ships that a player sank, less ``loss_multiplier``
  times those it lost: general-sum unless the multiplier is 1. Neither the values nor the
  multiplier are rules of ours, and a bot plays the same whatever they are.
- Where ``allow_repeated_shots`` is false, a repeated shot is no action. Our rules allow it.
- The information state tells ``sunk``, the observation string only hit or miss. We read
  the former, of the player concerned alone.

``python benchmarks/openspiel_games.py`` plays random games in OpenSpiel and in our
referee, and compares them move by move.

Examples
--------
>>> game = load_game("openspiel")
>>> state = game.new_initial_state()
>>> bots = [Bot(0, "density", seed=3), Bot(1, "hunt-target", placer="edge", seed=4)]
>>> while not state.is_terminal():
...     state.apply_action(bots[state.current_player()].step(state))
>>> state.returns()
[2.0, -2.0]
>>> len(record_of(state, 0))
58
"""

import re
from typing import Any

import numpy as np

from battleship_ai._extras import extra
from battleship_ai.errors import IllegalMove, RulesError, SquareError
from battleship_ai.game import Chooser
from battleship_ai.layouts import Layout
from battleship_ai.placers import place
from battleship_ai.record import Answer, Record
from battleship_ai.rng import Seed
from battleship_ai.rules import Rules
from battleship_ai.strategies import make_strategy

with extra("openspiel", __name__):
    import pyspiel

__all__ = ["Bot", "load_game", "placing_actions", "record_of", "rules_of"]

_MAX_SIDE = 10
_ANSWERS = {"W": Answer("miss"), "H": Answer("hit"), "S": Answer("sunk")}
_OWN_SHOT = re.compile(r"/shot_(\d+)_(\d+):([WHS])")
_OWN_SHIP = re.compile(r"/([hv])_(\d+)_(\d+)")


def rules_of(game: Any) -> Rules:
    """The rules of an OpenSpiel game.

    Parameters
    ----------
    game : pyspiel.Game
        A ``battleship``, with any parameters.

    Raises
    ------
    RulesError
        If it is another game.

    Examples
    --------
    >>> rules_of(pyspiel.load_game("battleship")) == Rules.preset("openspiel", names=None)
    True
    """
    name = game.get_type().short_name
    if name != "battleship":
        raise RulesError(f"game {name!r} is not OpenSpiel's battleship")
    parameters = game.get_parameters()
    board = (parameters["board_height"], parameters["board_width"])
    return Rules.preset("openspiel", board=board, fleet=_sizes(game))


def _sizes(game: Any) -> list[int]:
    """The sizes of the ships in the order in which they are placed."""
    return [int(size) for size in re.findall(r"\d+", game.get_parameters()["ship_sizes"])]


def load_game(
    rules: Rules | str = "openspiel", *, shots: int | None = None, repeated: bool = False
) -> Any:
    """An OpenSpiel game with given rules.

    Parameters
    ----------
    rules : Rules or str
        Rules, or the name of a preset.
    shots : int, optional
        The most shots of a player; by default as many as the board has squares, enough
        to win.
    repeated : bool
        Whether a square may be shot at twice.

    Returns
    -------
    pyspiel.Game
        With ship values and a loss multiplier of 1.

    Raises
    ------
    RulesError
        If OpenSpiel does not have these rules.

    Examples
    --------
    >>> load_game(Rules.preset("openspiel", board=(6, 6), fleet=(3, 2))).num_distinct_actions()
    108
    >>> load_game("hasbro")
    Traceback (most recent call last):
    ...
    battleship_ai.errors.RulesError: OpenSpiel has announce sunk, not sunk-size
    """
    rules = Rules.preset(rules) if isinstance(rules, str) else rules
    ours = Rules.preset("openspiel")
    for setting in ("shape", "contact", "announce", "turn"):
        theirs, asked = getattr(ours, setting), getattr(rules, setting)
        if asked != theirs:
            raise RulesError(f"OpenSpiel has {setting} {theirs}, not {asked}")
    board = rules.board
    if max(board.rows, board.cols) > _MAX_SIDE:
        raise RulesError(f"OpenSpiel has boards to {_MAX_SIDE}x{_MAX_SIDE}, not {board}")
    parameters = {
        "board_height": board.rows,
        "board_width": board.cols,
        "ship_sizes": f"[{';'.join(map(str, rules.fleet))}]",
        "ship_values": f"[{';'.join('1' for _ in rules.fleet)}]",
        "num_shots": board.n_squares if shots is None else shots,
        "allow_repeated_shots": repeated,
    }
    return pyspiel.load_game("battleship", parameters)


def record_of(state: Any, player: int) -> Record:
    """A player's shots and their answers, read from what that player may see.

    Parameters
    ----------
    state : pyspiel.State
    player : {0, 1}

    Examples
    --------
    >>> state = load_game(Rules.preset("openspiel", board=(1, 3), fleet=(2,))).new_initial_state()
    >>> for action in (3, 4, 0, 1, 1):  # each places a ship; then they shoot
    ...     state.apply_action(action)
    >>> str(record_of(state, 0)), str(record_of(state, 1))
    ('a0:miss a1:hit', 'a1:hit')
    """
    seen = state.information_state_string(player)
    shots = [((int(r), int(c)), _ANSWERS[told]) for r, c, told in _OWN_SHOT.findall(seen)]
    return Record(rules_of(state.get_game()), shots)


def placing_actions(game: Any, layout: Layout) -> list[int]:
    """The actions that place a layout, in their order.

    Parameters
    ----------
    game : pyspiel.Game
    layout : Layout

    Raises
    ------
    RulesError
        If the layout belongs to other rules.

    Examples
    --------
    >>> game = load_game(Rules.preset("openspiel", board=(2, 3), fleet=(2, 1)))
    >>> placing_actions(game, Layout.parse(rules_of(game), "a1-b1, a0"))
    [13, 6]
    """
    rules = rules_of(game)
    if layout.rules != rules:
        raise RulesError(f"the layout is one of {layout.rules}, the game has {rules}")
    left = list(layout.ships)
    actions = []
    for size in _sizes(game):
        ship = next(ship for ship in left if len(ship) == size)
        left.remove(ship)
        vertical = ship[0] // rules.board.cols != ship[-1] // rules.board.cols
        actions.append(_placing(rules, vertical, ship[0]))
    return actions


def _placing(rules: Rules, vertical: bool, first: int) -> int:
    """The action that places a ship whose first square is given."""
    return rules.board.n_squares * (2 if vertical else 1) + first


class Bot(pyspiel.Bot):
    """One of our strategies, with one of our placers, as a player of OpenSpiel's battleship.

    It plays one game after another, and hides a new fleet in each: when its first ship is
    to be placed.

    Parameters
    ----------
    player : {0, 1}
        Whom it plays.
    strategy : str or object with a method ``choose(record, rng)``
        A text is read by `make_strategy`.
    placer : str
        A name in `PLACERS`.
    seed : int, numpy.random.Generator or numpy.random.SeedSequence
        Decides the fleets and every random choice.

    Examples
    --------
    >>> game = load_game(Rules.preset("openspiel", board=(1, 3), fleet=(3,)))
    >>> bots = [Bot(0, "density"), Bot(1, "random")]
    >>> pyspiel.evaluate_bots(game.new_initial_state(), bots, 0)
    [1.0, -1.0]
    """

    def __init__(
        self,
        player: int,
        strategy: Chooser | str = "density",
        *,
        placer: str = "uniform",
        seed: Seed = 0,
    ) -> None:
        super().__init__()
        self._player = player
        self._strategy = make_strategy(strategy) if isinstance(strategy, str) else strategy
        self._placer = placer
        self._rng = np.random.default_rng(seed)
        self._plan: list[int] = []

    def player_id(self) -> int:
        """Whom it plays."""
        return self._player

    def restart(self) -> None:
        """Nothing is left to do: a game begins where no ship is placed."""

    def restart_at(self, state: Any) -> None:
        """The same."""

    def step(self, state: Any) -> int:
        """The action in a state in which it is this player's move.

        Raises
        ------
        IllegalMove
            If ships are already placed, some but not all, and not by this bot; or if the
            strategy shoots off the board, or again at a square where the game forbids it.
        """
        game = state.get_game()
        rules = rules_of(game)
        seen = _OWN_SHIP.findall(state.information_state_string(self._player))
        placed = [
            _placing(rules, way == "v", rules.board.index((int(r), int(c)))) for way, r, c in seen
        ]
        if len(placed) == len(rules.fleet):
            return self._shoot(game, record_of(state, self._player))
        if not placed:
            (layout,) = place(rules, placer=self._placer, seed=self._rng)
            self._plan = placing_actions(game, layout)
        if self._plan[: len(placed)] != placed:
            raise IllegalMove(f"player {self._player} has ships that this bot did not place")
        return self._plan[len(placed)]

    def _shoot(self, game: Any, record: Record) -> int:
        board = record.rules.board
        try:
            square = board.index(self._strategy.choose(record, self._rng))
        except SquareError as error:
            raise IllegalMove(f"illegal shot: {error}") from None
        if record.answer_at(square) is not None and not _may_repeat(game):
            raise IllegalMove(f"illegal shot: {board.name(square)} was shot at before")
        return square


def _may_repeat(game: Any) -> bool:
    return bool(game.get_parameters()["allow_repeated_shots"])
