"""All that is settled before the first shot."""

from dataclasses import dataclass
from typing import Any

from battleship_ai.errors import BattleshipError, RulesError, StrategyError
from battleship_ai.rng import game_keys, key_of
from battleship_ai.tournament.games import game_of

__all__ = ["OPPONENT", "YOU", "Setup", "keys_of"]

YOU = 0
"""Who you are, where players are numbered."""
OPPONENT = 1
"""Who you play against."""

_COIN = 2  # a tournament's first two games have keys 0 and 1


@dataclass(frozen=True)
class Setup:
    """A game that nobody has moved in.

    Attributes
    ----------
    rules : Rules or NavalRules
    hidden : Layout or NavalLayout
        The opponent's fleet, or the one that you only shoot at.
    placer : str
        Who hid it, unless the opponent hides its own.
    seed : int
        Decides all that is random in the game.
    opponent : str, optional
        A strategy or captain by its name; None if nobody shoots back.
    yours : Layout or NavalLayout, optional
        Your fleet; None if nobody shoots back.
    starter : {YOU, OPPONENT}

    Examples
    --------
    >>> from battleship_ai import Rules, place
    >>> setup = Setup.new(Rules.preset("hasbro"), opponent=None, placer="edge", seed=3)
    >>> [setup.hidden] == place(setup.rules, placer="edge", seed=3)
    True
    """

    rules: Any
    hidden: Any
    placer: str
    seed: int
    opponent: str | None = None
    yours: Any = None
    starter: int = YOU

    @classmethod
    def new(
        cls,
        rules: Any,
        *,
        opponent: str | None,
        placer: str | None = None,
        seed: int = 0,
        yours: Any = None,
        starter: int | None = None,
    ) -> "Setup":
        """Hide the fleets.

        The first is that of the first game of a tournament with the same seed and placer.

        Parameters
        ----------
        rules : Rules or NavalRules
        opponent : str or None
        placer : str, optional
            By default layouts are uniform.
        seed : int
        yours : Layout or NavalLayout, optional
            By default the placer hides your fleet too.
        starter : {YOU, OPPONENT}, optional
            By default a coin of the seed decides.

        Raises
        ------
        BattleshipError
            If the placer is unknown or finds no layout, or the opponent cannot be made or
            hides no legal fleet.
        """
        if seed < 0:
            raise RulesError(f"seed {seed} is negative; it must be at least 0")
        game = game_of(rules)
        placer = game.default_placer if placer is None else placer
        hidden, other = game.sample(rules, 2, placer, seed)
        if opponent is None:
            return cls(rules, hidden, placer, seed)
        hidden = _own_fleet(rules, opponent, seed) or hidden
        if starter is None:
            starter = keys_of(seed)[_COIN] % 2
        return cls(rules, hidden, placer, seed, opponent, yours or other, starter)


def keys_of(seed: int) -> list[int]:
    """Keys of a seed: the first two hide fleets, and the opponent draws by the second."""
    return [int(key) for key in game_keys(key_of(seed), 0, _COIN + 1)]


def _own_fleet(rules: Any, opponent: str, seed: int) -> Any:
    """What an opponent with a method `hide` hides, None without."""
    player = game_of(rules).make_player(opponent)
    if not hasattr(player, "hide"):
        return None
    try:
        return player.hide(rules, keys_of(seed)[OPPONENT])
    except BattleshipError:
        raise
    except Exception as error:  # a strategy may raise anything
        raise StrategyError(
            f"opponent {opponent!r} hides no fleet: {type(error).__name__}: {error}"
        ) from error
