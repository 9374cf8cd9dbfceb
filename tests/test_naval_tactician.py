"""The captain that weighs hits, guns and information on the joint posterior."""

import numpy as np
import pytest

from battleship_ai.errors import RulesError, UnknownName
from battleship_ai.naval import (
    NavalClass,
    NavalLayout,
    NavalRecord,
    NavalRules,
    NavalState,
    NavalTarget,
    Tactician,
    place_naval,
)
from battleship_ai.naval.captains.tactician import guns_by_hit
from battleship_ai.naval.inference.posterior import NavalPosterior
from battleship_ai.naval.tables import naval_tables
from naval_fixture import fixture, small_rules


def choose(captain, record, enemy_record=None):
    state = NavalState(record.next_round, record, enemy_record)
    return captain.choose(state, np.random.default_rng(0))


def names(rules, squares):
    return [rules.board.name(square) for square in squares]


def naive_scores(posterior, picked, captain, duel):
    """For each square what it adds to a salvo, by trying every placement of every ship."""
    rules = posterior.rules
    table = naval_tables(rules).squares

    def worth(row, squares):
        """Expected hits and guns of a ship of a row, and the entropy of its hits, in hits."""
        short, track = posterior.rows[row]
        ship_class, before = rules.ship_class(short), len(track)
        chances = posterior.chances[row] / posterior.chances[row].sum()
        number = np.isin(table[: len(chances)], list(squares)).sum(axis=1)
        total = 0.0
        for hits in range(ship_class.size - before + 1):
            p = chances[number == hits].sum()
            guns = ship_class.guns_left(before) - ship_class.guns_left(before + hits)
            total += p * (hits + duel * captain.gun_weight * guns)
            information = captain.duel_information if duel else captain.information
            total -= information * p * np.log(p) if p > 0 else 0.0
        return total

    rows = [row for row in range(len(posterior.rows)) if posterior.chances[row].any()]
    counts = posterior.chances.sum(axis=1)
    base = sum(counts[row] * worth(row, picked) for row in rows)
    return {
        square: sum(counts[row] * worth(row, {*picked, square}) for row in rows)
        - base
        - captain.mine_weight * posterior.mine_probabilities[square]
        for square in set(range(rules.board.n_squares)) - set(picked)
        if posterior.square_probabilities[square] > 0
    }


@pytest.mark.parametrize(
    ("identify", "duel", "placer"),
    [
        ("tracks", False, "uniform"),
        ("tracks", True, "edge"),
        ("literal", False, "edge"),
        ("literal", True, "uniform"),
    ],
)
def test_each_square_adds_most_to_hits_guns_and_information_less_the_risk(identify, duel, placer):
    rules = small_rules(identify)
    captain = Tactician(1.3, 0.4, mine_weight=0.7, gun_weight=2.5, draws=50, placer=placer)
    for seed in range(3):
        (layout,) = place_naval(rules, seed=seed)
        target = NavalTarget(layout, seed=seed)
        target.fire(["A1", "C3", "D5", "F6"])
        record = target.record
        posterior = NavalPosterior(record, placer, draws=50, seed=np.random.default_rng(0))
        salvo = choose(captain, record, NavalRecord(rules) if duel else None)
        assert len(salvo) == rules.guns
        picked = set()
        for _ in salvo:
            scores = naive_scores(posterior, picked, captain, duel)
            uncalled = {s: scores[s] for s in scores if s in record.uncalled}
            best = max(uncalled.values())
            chosen = [s for s in salvo if s not in picked and uncalled[s] > best - 1e-9]
            assert chosen
            picked.add(min(chosen))


def test_guns_are_lost_at_the_hits_of_the_rules():
    target = NavalTarget(fixture())
    target.fire(["E10", "F11", "G12", "C14"])  # three hits of the flagship, which cost a gun
    posterior = NavalPosterior(target.record, draws=16)
    guns = dict(zip((row for row in posterior.rows), guns_by_hit(posterior).tolist(), strict=True))
    assert guns["FS", (1, 1, 1)] == [0, 0, 1, 0, 1, 0, 0, 0, 0, 0]
    assert guns["BS", (1,)] == [0, 1, 0, 1, 0, 1, 0, 0, 0, 0]
    assert guns["HC", ()] == [0, 0, 1, 0, 0, 1, 0, 0, 0, 0]
    assert guns["Dy", ()] == [0, 1, 0, 1, 0, 0, 0, 0, 0, 0]


def test_a_hit_may_destroy_several_guns():
    rules = NavalRules("3x6", [NavalClass("Boat", 2, 1, "Bt", (1, 1, 2))], 0, 0)
    assert guns_by_hit(NavalPosterior(NavalRecord(rules))).tolist() == [[2, 1, 0, 0]]


def lone_gun():
    """Which of two ships to hit next is known to destroy a gun, or not; there is one gun."""
    classes = [
        NavalClass("Frigate", 4, 1, "Fg", (4,)),
        NavalClass("Corvette", 3, 1, "Cv", (3,)),
    ]
    rules = NavalRules("4x8", classes, 0, 0)
    layout = NavalLayout.parse(rules, "Fg A1-A4; Cv D1-D3")
    target = NavalTarget(layout)
    target.fire(["B8", "C8"])
    target.fire(["A1", "A2"])
    target.fire(["D1", "D2"])
    enemy = NavalTarget(layout)
    enemy.fire(["A1", "A2"])
    enemy.fire(["A3", "A4"])
    return rules, target.record, enemy.record


def test_in_a_duel_it_fires_at_the_square_that_destroys_a_gun():
    rules, record, enemy = lone_gun()
    careful = Tactician(duel_information=0.0, gun_weight=5.0)
    assert names(rules, choose(careful, record, enemy)) == ["D3"]
    posterior = NavalPosterior(record)
    hits = posterior.square_probabilities
    by_hits = Tactician(duel_information=0.0, gun_weight=0.0)
    (square,) = choose(by_hits, record, enemy)
    assert hits[square] == hits[record.uncalled].max()


def test_the_last_squares_are_all_fired_at():
    target = NavalTarget(fixture())
    ships = [square for ship in target.layout.ships for square in ship]
    last = [ship[-1] for ship in target.layout.ships if len(ship) > 3]
    while not set(ships) - set(last) <= set(target.record.called):
        open_squares = [s for s in ships if s not in {*last, *target.record.called}]
        target.fire(open_squares[:24])
    salvo = choose(Tactician(), target.record)
    assert set(last) <= set(salvo)
    target.fire(salvo)
    assert target.all_sunk


def test_squares_that_cannot_hold_a_ship_are_not_fired_at():
    rules = NavalRules("3x6", [NavalClass("Boat", 2, 1, "Bt", (1,) * 9 + (2,))], 1, 0)
    target = NavalTarget(NavalLayout.parse(rules, "Bt A1-A2; ordinary C6"))
    target.fire(["A1"])
    assert sorted(names(rules, choose(Tactician(), target.record))) == ["A2", "B1", "B2"]


def test_the_squares_with_the_least_risk_are_called_first():
    record = NavalTarget(fixture()).record
    risk = NavalPosterior(
        record, draws=Tactician().draws, seed=np.random.default_rng(0)
    ).mine_probabilities
    salvo = choose(Tactician(), record)
    assert risk[salvo].tolist() == sorted(risk[salvo])
    assert risk[salvo[0]] < risk[salvo[-1]]


def test_it_shuns_mines_by_their_weight():
    record = NavalTarget(fixture()).record
    posterior = NavalPosterior(record, draws=400)

    def risk(weight):
        return posterior.mine_probabilities[choose(Tactician(mine_weight=weight), record)].sum()

    assert risk(20.0) < risk(0.0)


@pytest.mark.parametrize("weight", ["information", "duel_information", "mine_weight", "gun_weight"])
@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf])
def test_a_weight_that_is_no_number_from_0_is_an_error(weight, value):
    with pytest.raises(RulesError, match=f"{weight} .* is not a number from 0"):
        Tactician(**{weight: value})


def test_other_bad_parameters_are_errors():
    with pytest.raises(RulesError, match="draws 3 is not an integer"):
        Tactician(draws=3)
    with pytest.raises(UnknownName, match="unknown placer 'sequentiel'"):
        Tactician(placer="sequentiel")
