"""Luck against all layouts of small boards: it sums to nothing, and explains the spread."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from hashlib import sha256

import numpy as np
import pytest

from battleship_ai import (
    Answer,
    Density,
    Exact,
    ExactPosterior,
    HuntTarget,
    Layout,
    Record,
    RecordError,
    Rules,
    Target,
    TournamentError,
)
from battleship_ai.game import shot_limit
from battleship_ai.inference.tables import tables
from battleship_ai.luck import RolloutValue, check_adjustable, luck, luck_of
from battleship_ai.record import KINDS
from battleship_ai.rng import game_keys
from battleship_ai.strategies import BatchStrategy, Games
from battleship_ai.strategies._play import play_from
from small_rules import describe, layouts_of

# Every shape, contact rule and announcement.
RULES = [
    Rules((3, 3), (2, 1), "straight", "none", "sunk"),
    Rules((3, 4), (3, 2), "straight", "corners", "sunk-size"),
    Rules((1, 7), (2, 2, 1), "straight", "allowed", "sunk"),
    Rules((2, 4), (2, 2), "straight", "allowed", "sunk-name"),
    Rules((2, 5), (3, 1, 1), "straight", "corners", "sunk"),
    Rules((3, 3), (2, 1), "straight", "allowed", "hit-name"),
    Rules((3, 3), (3, 1), "tetris", "none", "sunk"),
    Rules((3, 3), (2, 1), "any", "none", "hit-name"),
    Rules((3, 4), (3, 1), "any", "none", "sunk-size"),
]
# Ships that may not touch and have names are drawn, not listed, however few.
NAMED_APART = Rules((3, 3), (2, 1), "any", "none", "hit-name")
LISTED = [rules for rules in RULES if rules != NAMED_APART]
BOARD = Rules(board=(4, 4), fleet=(3, 2))
MANY = [BOARD, Rules((2, 5), (3, 2), "straight", "allowed", "sunk-size")]


@cache
def all_layouts(rules):
    """Every layout of a small board, as rows."""
    board = rules.board
    ships = [[[board.index(s) for s in ship] for ship in layout] for layout in layouts_of(rules)]
    return np.array([Layout(rules, layout).to_array() for layout in ships])


def play_all(strategy, rules):
    """A game against every layout, random choices the same in all as long as the records are."""
    layouts = all_layouts(rules)
    same_key = np.full(len(layouts), 7, dtype=np.uint64)
    return layouts, strategy.play(rules, layouts, same_key, keep_squares=True)


class AskingTwice(BatchStrategy):
    """Asks the squares of a row one after another, then all of them again."""

    name = "asking-twice"

    def choose(self, record, rng=0):
        cols = record.rules.board.cols
        row, at = divmod(len(record), 2 * cols)
        return row * cols + at % cols

    def choose_keyed(self, record, key):
        return self.choose(record)


class NeverWinning(BatchStrategy):
    """Shoots at the same two squares for ever."""

    name = "never-winning"

    def choose(self, record, rng=0):
        return len(record) % 2

    def choose_keyed(self, record, key):
        return self.choose(record)


class NonsenseValue:
    """Knows nothing: numbers from -100 to 100 out of a hash."""

    def after(self, record, square, answers, layouts):
        words = [sha256(f"{record} {square} {answer}".encode()).digest() for answer in answers]
        return [int.from_bytes(word[:2]) % 201 - 100 for word in words]


class SquaresLeft:
    """The same whatever the answer."""

    def after(self, record, square, answers, layouts):
        return [len(record.unasked) - 1] * len(answers)


class TrueValue:
    """What a strategy truly expects: the mean over all its games that go on so."""

    def __init__(self, rules, layouts, games):
        self.left = defaultdict(list)
        for row, shots, squares in zip(layouts, games.shots, games.squares, strict=True):
            target = Target(Layout.from_array(rules, row))
            for square in squares[:shots]:
                target.shoot(int(square))
                self.left[str(target.record)].append(shots - len(target.record))

    def after(self, record, square, answers, layouts):
        longer = [Record(record.rules, [*record.shots, (square, a)]) for a in answers]
        return [np.mean(self.left[str(each)]) for each in longer]


@dataclass(frozen=True)
class GivenValue:
    values: tuple

    def after(self, record, square, answers, layouts):
        return self.values


STRATEGIES = [Density(), HuntTarget(), Exact(), AskingTwice(), NeverWinning()]


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda s: s.name)
@pytest.mark.parametrize("value", [NonsenseValue(), RolloutValue()], ids=["bad", "good"])
@pytest.mark.parametrize("rules", LISTED, ids=describe)
def test_luck_sums_to_nothing_over_all_layouts_whatever_the_value(rules, value, strategy):
    """The layouts of these boards are listed, so the chances are exact."""
    layouts, games = play_all(strategy, rules)
    assert abs(luck(rules, layouts, games, value, draws=20).mean()) < 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("strategy", [Density(), AskingTwice()], ids=lambda s: s.name)
@pytest.mark.parametrize("value", [NonsenseValue(), RolloutValue()], ids=["bad", "good"])
@pytest.mark.parametrize("rules", [NAMED_APART, *MANY], ids=describe)
def test_luck_estimated_from_draws_sums_to_nothing_on_average(rules, value, strategy):
    """Every number of draws has its own. The bound is four standard errors."""
    layouts, games = play_all(strategy, rules)
    means = [luck(rules, layouts, games, value, draws=n).mean() for n in range(2, 10)]
    assert 0.0 < abs(np.mean(means)) < 4 * np.std(means, ddof=1) / np.sqrt(len(means))


@pytest.mark.parametrize("rules", MANY, ids=describe)
def test_a_value_that_takes_no_notice_of_answers_tells_of_no_luck(rules):
    """Also where an answer comes that no draw gives."""
    layouts, games = play_all(Density(), rules)
    assert np.abs(luck(rules, layouts, games, SquaresLeft(), draws=1)).max() < 1e-9


def test_games_have_draws_of_their_own():
    """What is asked twice is known, and only makes another game of it."""
    once, twice = (Record.parse(Rules.preset("pomcp"), "a0:miss " * n) for n in (1, 2))
    assert luck_of(once, draws=5) != luck_of(twice, draws=5)


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda s: s.name)
@pytest.mark.parametrize("rules", LISTED, ids=describe)
def test_with_the_true_value_every_game_is_cleared_to_the_mean(rules, strategy):
    layouts, games = play_all(strategy, rules)
    cleared = games.shots - luck(rules, layouts, games, TrueValue(rules, layouts, games))
    assert cleared == pytest.approx(games.shots.mean(), abs=1e-9)


@pytest.mark.parametrize(("strategy", "ratio"), [(Density(), 20), (Exact(), 5)])
def test_rollouts_explain_most_of_the_spread(strategy, ratio):
    layouts, games = play_all(strategy, BOARD)
    cleared = games.shots - luck(BOARD, layouts, games)
    assert ratio * cleared.var() < games.shots.var()
    nonsense = games.shots - luck(BOARD, layouts, games, NonsenseValue())
    assert nonsense.var() > games.shots.var()


@pytest.mark.parametrize("announce", ["sunk", "hit-name"])
def test_rollouts_estimate_what_the_policy_still_needs(announce):
    """The policy need not be who shot at the first two squares."""
    rules = Rules(board=(4, 4), fleet=(3, 2), announce=announce)
    record, square = Record(rules, [(2, "miss")]), 3
    needed = defaultdict(list)
    for row in all_layouts(rules):
        target = Target(Layout.from_array(rules, row))
        if target.shoot(2) == Answer("miss"):
            answer = target.shoot(square)
            while not target.all_sunk:
                target.shoot(Density().choose(target.record))
            needed[answer].append(len(target.record) - 2)
    layouts = ExactPosterior(rules).sample(20_000, record, seed=1)
    values = RolloutValue().after(record, square, list(needed), layouts)
    assert values == pytest.approx([np.mean(shots) for shots in needed.values()], abs=0.05)


def test_the_same_record_has_the_same_luck_and_other_draws_another():
    record = Record.parse(Rules.preset("pomcp"), "a0:miss c3:hit")
    one, same, other = (luck_of(record, draws=n) for n in (5, 5, 6))
    assert one == same != other


@pytest.mark.parametrize("strategy", [Density(), HuntTarget()], ids=lambda s: s.name)
@pytest.mark.parametrize("rules", RULES, ids=describe)
def test_a_game_played_on_is_the_game_played_through(rules, strategy):
    layouts = all_layouts(rules)[::5]
    keys = game_keys(3, 0, len(layouts))
    played = strategy.play(rules, layouts, keys, keep_squares=True)
    belief, choice = strategy.kernel_pair(rules)
    rest, told = np.zeros(1, dtype=np.int32), np.zeros((1, 2), dtype=np.int64)
    for game, shots in enumerate(played.shots):
        one = slice(game, game + 1)
        target = Target(Layout.from_array(rules, layouts[game]))
        for opened in range(1, shots + 1):
            opening = played.squares[game, :opened].astype(np.int64)
            answer = target.shoot(int(opening[-1]))
            limit = shot_limit(rules)
            play_from(
                belief, choice, tables(rules), opening, layouts[one], keys[one], limit, rest, told
            )
            assert opened + rest[0] == shots
            kind, ship_class = told[0]
            assert KINDS[kind] == answer.kind
            assert ship_class == target.record.arrays().classes[-1]


def test_an_answer_that_no_draw_gives_is_worth_the_mean_of_all():
    answers = [Answer("miss"), Answer("hit"), Answer("sunk")]
    one_layout = all_layouts(BOARD)[:1]
    worth = RolloutValue().after(Record(BOARD), 0, answers, one_layout)
    assert worth[0] == worth[1] == worth[2] > 0


def test_the_luck_of_a_game_does_not_depend_on_the_other_games():
    layouts, games = play_all(HuntTarget(), BOARD)
    together = luck(BOARD, layouts, games)
    alone = luck(BOARD, layouts[[9]], Games(*(part[[9]] for part in games)))
    assert alone[0] == together[9] != 0.0


def test_a_hit_is_luck_and_a_miss_is_bad_luck():
    assert luck_of(Record.parse(BOARD, "b1:hit")) < 0 < luck_of(Record.parse(BOARD, "b1:miss"))


def test_an_answer_known_before_is_no_luck():
    rules = Rules(board=(1, 4), fleet=(2,))
    first = luck_of(Record.parse(rules, "a0:miss"), NonsenseValue())
    again = luck_of(Record.parse(rules, "a0:miss a0:miss a2:hit"), NonsenseValue())
    assert first == again != 0.0


def test_a_hit_asked_again_is_luck_where_ships_may_touch():
    """The ship sunk at a2 holds a1 in 4 of the 9 layouts, and a3 in the others."""
    rules = Rules(board=(1, 8), fleet=(2, 2, 1), contact="allowed", announce="sunk")
    record = Record.parse(rules, "a1:hit a3:hit a2:sunk")
    before = luck_of(record)
    hit, sunk = (luck_of(Record(rules, [*record, (1, a)])) - before for a in ("hit", "sunk"))
    assert hit != 0.0
    assert 5 * hit + 4 * sunk == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    ("rules", "placer", "message"),
    [
        (BOARD, "edge", "luck is known for placer 'uniform' only, not 'edge'"),
        (BOARD, "sequential", "not 'sequential'"),
        (Rules(shape="any", contact="allowed"), "uniform", "luck is not known under these rules"),
    ],
)
def test_games_whose_layouts_have_no_exact_posterior_are_refused(rules, placer, message):
    with pytest.raises(TournamentError, match=message):
        check_adjustable(rules, placer)


def test_a_record_under_rules_not_covered_is_refused():
    with pytest.raises(TournamentError, match="luck is not known under these rules"):
        luck_of(Record.parse(Rules(shape="any", contact="allowed"), "a0:miss"))


def test_games_without_their_squares_are_refused():
    layouts = all_layouts(BOARD)
    games = Density().play(BOARD, layouts, game_keys(0, 0, len(layouts)))
    with pytest.raises(TournamentError, match="keep_squares=True"):
        luck(BOARD, layouts, games)


@pytest.mark.parametrize("words", ["a0:miss a1:miss a2:hit a3:miss", "a1:hit a0:miss a2:miss"])
def test_a_record_that_no_layout_fits_is_refused(words):
    with pytest.raises(RecordError, match="no layout fits the record"):
        luck_of(Record.parse(Rules(board=(1, 4), fleet=(2,)), words))


@pytest.mark.parametrize("values", [(1.0,), (1.0, 2.0, 3.0), (1.0, float("nan"))])
def test_values_that_are_not_one_for_each_answer_are_refused(values):
    with pytest.raises(TournamentError, match="not one finite number for each of 2 answers"):
        luck_of(Record.parse(Rules(board=(1, 4), fleet=(2,)), "a0:miss"), GivenValue(values))


@pytest.mark.parametrize("draws", [0, 1.5])
def test_malformed_draws_are_one_error(draws):
    with pytest.raises(TournamentError, match=f"draws {draws} is not a positive integer"):
        luck_of(Record.parse(BOARD, "a0:miss"), draws=draws)


def test_a_policy_that_is_not_compiled_is_refused():
    with pytest.raises(TournamentError, match="is not a compiled strategy"):
        RolloutValue(policy=Exact())
