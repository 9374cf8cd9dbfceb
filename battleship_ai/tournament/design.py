"""What a tournament plays: rules, placers, strategies, games and seed, from Python or a file."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Union

from battleship_ai._names import check_keys
from battleship_ai.errors import BattleshipError, TournamentError, UnknownName
from battleship_ai.game import Chooser
from battleship_ai.rules import Rules
from battleship_ai.statistics import StoppingRule
from battleship_ai.tournament.game import Game
from battleship_ai.tournament.games import game_of, game_with_preset

if TYPE_CHECKING:
    from battleship_ai.naval.match import Captain
    from battleship_ai.naval.rules import NavalRules

__all__ = ["AnyRules", "Design", "Player", "Pool", "RulesList", "StrategyList"]

AnyRules = Union[Rules, "NavalRules"]
"""The rules of a game that has tournaments."""

Player = Union[Chooser, "Captain"]
"""A strategy, or a captain of Naval Bombardment."""

RulesList = AnyRules | str | Iterable[AnyRules | str] | Mapping[str, AnyRules | str]
"""One rule set or several, each itself or the name of a preset, with labels or without."""

StrategyList = Iterable[str | Player] | Mapping[str, str | Player]
"""Players, each itself or a name, with labels or without."""


class Pool(NamedTuple):
    """The games of all strategies against the same layouts: one rule set, one placer.

    Examples
    --------
    >>> (pool,) = Design("hasbro", placers="edge").pools
    >>> pool.name, pool.game.name
    ('hasbro--edge', 'ship bombing')
    """

    rules_name: str
    rules: AnyRules
    placer: str

    @property
    def game(self) -> Game[Any]:
        """The game whose rules they are."""
        return game_of(self.rules)

    @property
    def name(self) -> str:
        """Rules and placer in one word."""
        return f"{self.rules_name}--{self.placer}"


@dataclass(frozen=True)
class Design:
    """A tournament to be played: every rule set with every placer and every strategy.

    Parameters
    ----------
    rules : Rules, NavalRules, str, iterable or mapping
        Rule sets or names of presets, all of one game; a mapping gives them labels of
        their own.
    strategies : iterable or mapping, optional
        Names (with parameters, as `make_strategy` reads them) or objects with a
        method ``choose(record, rng)``; for Naval Bombardment, captains' names
        (`battleship_ai.naval.make_captain`) or objects with ``choose(state, rng)``. A
        mapping gives them labels of their own. An object is copied afresh for each game.
        By default the game's fast ones.
    games : int
        Games of each strategy, or duels of each pair, for each rule set and placer.
    stop : StoppingRule, optional
        Play until it is met for a rule set and placer, in place of `games`.
    seed : int
        Decides every layout and every random choice.
    placers : str or iterable of str, optional
        Who hides the fleets; by default ``uniform``, where the game has it.
    mode : {"solo", "duel"}
        Whether each strategy shoots alone, or each pair shoots in turn.
    luck_adjusted : bool
        Whether to estimate the luck of each game (`battleship_ai.luck`).
    keep_shots : bool
        Whether to keep every shot of every game.
    game_seconds : float
        Time limit for a game of a strategy in plain Python.

    Raises
    ------
    TournamentError, UnknownName, RulesError
        If a value is wrong; the message begins with its key.

    Examples
    --------
    >>> design = Design(rules=["hasbro", "ship-bombing"], placers=["uniform", "edge"], games=100)
    >>> [pool.name for pool in design.pools]
    ['hasbro--uniform', 'hasbro--edge', 'ship-bombing--uniform', 'ship-bombing--edge']
    """

    rules: Mapping[str, AnyRules]
    strategies: Mapping[str, Player]
    games: int
    stop: StoppingRule | None
    seed: int
    placers: tuple[str, ...]
    mode: Literal["solo", "duel"]
    luck_adjusted: bool
    keep_shots: bool
    game_seconds: float
    written: Mapping[str, str] = field(compare=False)
    """Each strategy as it was given, by label."""

    def __init__(
        self,
        rules: RulesList = "ship-bombing",
        strategies: StrategyList | None = None,
        *,
        games: int = 3000,
        stop: StoppingRule | None = None,
        seed: int = 0,
        placers: str | Iterable[str] | None = None,
        mode: Literal["solo", "duel"] = "solo",
        luck_adjusted: bool = False,
        keep_shots: bool = False,
        game_seconds: float = 60.0,
    ) -> None:
        rule_sets = _rules(rules)
        game = _common_game(rule_sets)
        made, written = _strategies(
            game, game.default_players if strategies is None else strategies
        )
        values = {
            "rules": rule_sets,
            "strategies": made,
            "games": _integer("games", games, 1),
            "stop": stop,
            "seed": _integer("seed", seed, 0),
            "placers": _placers(game, game.default_placer if placers is None else placers),
            "mode": mode,
            "luck_adjusted": _boolean("luck_adjusted", luck_adjusted),
            "keep_shots": _boolean("keep_shots", keep_shots),
            "game_seconds": _positive("game_seconds", game_seconds),
            "written": written,
        }
        for key, value in values.items():
            object.__setattr__(self, key, value)
        if mode not in ("solo", "duel"):
            raise TournamentError(f"mode {mode!r} is not solo or duel")
        if mode == "duel":
            self._check_duels()
        if luck_adjusted:
            for pool in self.pools:
                game.check_adjustable(pool.rules, pool.placer)

    def _check_duels(self) -> None:
        if len(self.strategies) < 2:
            raise TournamentError("strategies has one strategy; a duel needs two")
        for setting in ("stop", "luck_adjusted", "keep_shots"):
            if getattr(self, setting):
                raise TournamentError(f"{setting} is for mode solo, not for duels")

    @property
    def game(self) -> Game[Any]:
        """The game that is played."""
        return self.pools[0].game

    @property
    def pools(self) -> tuple[Pool, ...]:
        """Every rule set with every placer."""
        return tuple(
            Pool(name, rules, placer) for name, rules in self.rules.items()
            for placer in self.placers
        )  # fmt: skip

    @property
    def most_games(self) -> int:
        """Games of a pool, at most."""
        return self.games if self.stop is None else self.stop.at_most

    def looks(self) -> tuple[int, ...]:
        """The numbers of games after which a pool may end."""
        return (self.games,) if self.stop is None else tuple(self.stop.looks())

    @classmethod
    def read(cls, path: str | PathLike[str]) -> "Design":
        """The design in a TOML file.

        Its keys are the parameters of `Design`; ``rules`` lists presets or tables of
        settings with an optional ``label`` and ``preset`` (without a preset they are of
        ship bombing), ``strategies`` lists names or tables of ``label`` and ``strategy``,
        and ``stop`` is a table with the parameters of `StoppingRule`.

        Raises
        ------
        TournamentError
            If the file cannot be read, has an unknown key or a wrong value.
        """
        import tomllib

        path = Path(path)
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise TournamentError(f"{path}: {reason}") from None
        try:
            return cls.from_dict(table)
        except BattleshipError as error:
            raise TournamentError(f"{path}: {error}") from None

    @classmethod
    def from_dict(cls, table: Mapping[str, Any], *, load: bool = True) -> "Design":
        """The design of a table such as `read` finds in a file and `to_dict` makes.

        Parameters
        ----------
        table : mapping
        load : bool
            Whether to make the strategies; without, the design can be read, not played.

        Examples
        --------
        >>> Design.from_dict({"rules": ["hasbro"], "game": 20})
        Traceback (most recent call last):
        battleship_ai.errors.TournamentError: unknown key 'game'; did you mean 'games'? ...
        """
        known = [f.name for f in fields(cls) if f.name != "written"]
        check_keys("key", table, known, TournamentError)
        settings = dict(table)
        if "rules" in settings:
            listed = _listed("rules", settings["rules"])
            settings["rules"] = _unique("rules", map(_rules_entry, listed))
        if "strategies" in settings:
            named = _listed("strategies", settings["strategies"])
            entries = _unique("strategies", map(_strategy_entry, named))
            if not load:
                entries = {label: _Unloaded(text) for label, text in entries.items()}
            settings["strategies"] = entries
        if "placers" in settings:
            settings["placers"] = _listed("placers", settings["placers"])
        if "stop" in settings and settings["stop"] is not None:
            settings["stop"] = _stop_entry(settings["stop"])
        return cls(**settings)

    def to_dict(self) -> dict[str, Any]:
        """The design as plain values, for JSON or TOML.

        Examples
        --------
        >>> design = Design("hasbro", ["density"], games=10)
        >>> Design.from_dict(design.to_dict()) == design
        True
        """
        table: dict[str, Any] = {
            "rules": [_rules_table(name, rules) for name, rules in self.rules.items()],
            "strategies": [
                {"label": label, "strategy": text} for label, text in self.written.items()
            ],
            "placers": list(self.placers),
            "games": self.games,
            "seed": self.seed,
            "mode": self.mode,
            "luck_adjusted": self.luck_adjusted,
            "keep_shots": self.keep_shots,
            "game_seconds": self.game_seconds,
        }
        if self.stop is not None:
            table["stop"] = {f.name: getattr(self.stop, f.name) for f in fields(self.stop)}
        return table

    @property
    def digest(self) -> str:
        """A hash of all that decides the rows."""
        return hashlib.sha256(json.dumps(self.to_dict(), sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class _Unloaded:
    """A strategy of which only the text is known."""

    text: str

    def choose(self, position: Any, rng: Any) -> Any:
        raise TournamentError(f"strategy {self.text!r} was not loaded")


def _integer(what: str, value: Any, least: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise TournamentError(f"{what} {value!r} is not an integer of at least {least}")
    return value


def _boolean(what: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise TournamentError(f"{what} {value!r} is not true or false")
    return value


def _positive(what: str, value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not value > 0:
        raise TournamentError(f"{what} {value!r} is not a positive number")
    return float(value)


def _listed(what: str, value: Any) -> list[Any]:
    if isinstance(value, str | Mapping):
        return [value]
    if not isinstance(value, list):
        raise TournamentError(f"{what} {value!r} is not a list")
    return value


def _unique(what: str, pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for label, value in pairs:
        if label in found:
            raise TournamentError(f"{what} has {label!r} twice; give labels of their own")
        found[label] = value
    return found


def _rules_table(label: str, rules: AnyRules) -> dict[str, Any]:
    """The table that `_rules_entry` reads; without a preset it is of ship bombing."""
    if isinstance(rules, Rules):
        return {"label": label, **rules.to_dict()}
    return {"label": label, "preset": next(iter(game_of(rules).presets)), **rules.to_dict()}


def _rules_entry(entry: Any) -> tuple[str, AnyRules | str]:
    if isinstance(entry, str):
        return entry, entry
    if not isinstance(entry, Mapping):
        raise TournamentError(f"rules has {entry!r}, which is no preset and no table of settings")
    settings = dict(entry)
    preset = settings.pop("preset", None)
    label = settings.pop("label", preset)
    if not isinstance(label, str):
        raise TournamentError(f"rules has {entry!r} without a label")
    if preset is None:
        return label, Rules.from_dict(settings)
    return label, game_with_preset(preset).preset(preset, settings)


def _strategy_entry(entry: Any) -> tuple[str, str]:
    if isinstance(entry, str):
        return entry, entry
    if not isinstance(entry, Mapping) or set(entry) != {"label", "strategy"}:
        raise TournamentError(
            f"strategies has {entry!r}, which is no name and no table of label and strategy"
        )
    return entry["label"], entry["strategy"]


def _stop_entry(entry: Any) -> StoppingRule:
    if not isinstance(entry, Mapping):
        raise TournamentError(f"stop {entry!r} is not a table")
    check_keys("key of stop", entry, [f.name for f in fields(StoppingRule)], TournamentError)
    for key in ("half_width", "at_most"):
        if key not in entry:
            raise TournamentError(f"stop has no {key}")
    return StoppingRule(**entry)


def _rules(rules: RulesList) -> dict[str, AnyRules]:
    if isinstance(rules, str) or not isinstance(rules, Iterable):
        rules = [rules]
    if isinstance(rules, Mapping):
        pairs = list(rules.items())
    else:
        pairs = [(r if isinstance(r, str) else "rules", r) for r in rules]
    if not pairs:
        raise TournamentError("rules is empty; name at least one rule set")
    for label, _ in pairs:
        _check_label("rules", label)
    return _unique("rules", ((name, _rule_set(r)) for name, r in pairs))


def _rule_set(rules: AnyRules | str) -> AnyRules:
    if not isinstance(rules, str):
        return rules
    made: AnyRules = game_with_preset(rules).preset(rules, {})
    return made


def _common_game(rules: Mapping[str, AnyRules]) -> Game[Any]:
    games = {label: game_of(rule_set) for label, rule_set in rules.items()}
    first = next(iter(games))
    for label, game in games.items():
        if game is not games[first]:
            raise TournamentError(
                f"rules has {first!r} of {games[first].name} and {label!r} of {game.name}; "
                f"a tournament is of one game"
            )
    return games[first]


def _check_label(what: str, label: str) -> None:
    # Labels of rules become names of files.
    if not label or not all(c.isalnum() or c in "-_.+ " for c in label):
        raise TournamentError(f"{what} has the label {label!r}; use letters, digits and - _ . +")


def _placers(game: Game[Any], placers: str | Iterable[str]) -> tuple[str, ...]:
    names = (placers,) if isinstance(placers, str) else tuple(placers)
    if not names:
        raise TournamentError("placers is empty; name at least one")
    for name in names:
        check_keys("placer", [name], game.placers, UnknownName)
    _unique("placers", ((name, None) for name in names))
    return names


def _strategies(
    game: Game[Any], strategies: StrategyList
) -> tuple[dict[str, Player], dict[str, str]]:
    if isinstance(strategies, str):
        strategies = strategies.split(",")
    pairs: Iterable[tuple[str, str | Player]]
    if isinstance(strategies, Mapping):
        pairs = strategies.items()
    else:
        pairs = [(s if isinstance(s, str) else _default_label(s), s) for s in strategies]
    made: dict[str, Player] = {}
    written: dict[str, str] = {}
    for label, strategy in pairs:
        if label in made:
            raise TournamentError(f"strategy {label!r} is there twice; give labels by a mapping")
        if isinstance(strategy, str):
            made[label], written[label] = game.make_player(strategy), strategy
        elif isinstance(strategy, _Unloaded):
            made[label], written[label] = strategy, strategy.text
        elif not isinstance(strategy, type) and game.can_play(strategy):
            made[label], written[label] = strategy, _described(strategy)
        else:
            raise TournamentError(
                f"strategy {strategy!r} is neither a name nor an object with a method "
                f"{game.player_form}"
            )
    if not made:
        raise TournamentError("there is no strategy; name at least one")
    return made, written


def _default_label(strategy: Player) -> str:
    return str(getattr(strategy, "name", type(strategy).__name__))


def _described(strategy: Player) -> str:
    """An object of the caller's, as well as a file can name it."""
    kind = type(strategy)
    shown = repr(strategy) if kind.__repr__ is not object.__repr__ else ""
    return f"object {kind.__module__}:{kind.__qualname__} {shown}".strip()
