"""The joint posterior against every layout of small games, and against the truth of large ones."""

from collections import Counter
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battleship_ai import RecordError, RulesError, UnknownName
from battleship_ai.naval import (
    NavalClass,
    NavalLayout,
    NavalRecord,
    NavalRules,
    NavalState,
    NavalTarget,
    PosteriorCaptain,
    make_captain,
    place_naval,
    play_solo_match,
)
from battleship_ai.naval.inference import regimes
from battleship_ai.naval.inference.candidates import Candidates, pruned
from battleship_ai.naval.inference.fleet_lists import fleet_lists
from battleship_ai.naval.inference.posterior import NavalPosterior
from battleship_ai.naval.inference.regimes import draw_fleets
from battleship_ai.naval.tables import naval_tables

IDENTIFY = ("tracks", "literal")
SAMPLED = ("sequential", "chains")


ROWS, COLS = 4, 6
N = ROWS * COLS


def game_rules(identify="tracks"):
    """A sloop and two boats, one ordinary and one high-explosive mine."""
    sloop = NavalClass("Sloop", 3, 1, "Sp", (2, 3))
    boat = NavalClass("Boat", 2, 2, "Bt", (1, 2))
    return NavalRules((ROWS, COLS), [sloop, boat], 1, 1, identify)


def runs(size):
    found = set()
    for row in range(ROWS):
        for col in range(COLS):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + i * down, col + i * right) for i in range(size)]
                if all(0 <= r < ROWS and 0 <= c < COLS for r, c in cells):
                    found.add(tuple(sorted(r * COLS + c for r, c in cells)))
    return sorted(found)


@cache
def touch(a, b):
    return any(
        abs(s // COLS - t // COLS) <= 1 and abs(s % COLS - t % COLS) <= 1 for s in a for t in b
    )


@cache
def every_layout():
    """All legal layouts: (sloop, boat, boat, ordinary mine, high-explosive mine)."""
    pairs = [pair for pair in combinations(runs(2), 2) if not touch(*pair)]
    layouts = []
    for sloop in runs(3):
        for pair in pairs:
            if not touch(sloop, pair[0]) and not touch(sloop, pair[1]):
                fleet = (sloop, *pair)
                free = [(m,) for m in range(N) if not any(touch((m,), ship) for ship in fleet)]
                mines = [(o, h) for o in free for h in free if not touch(o, h)]
                layouts += [(*fleet, o, h) for o, h in mines]
    return layouts


@cache
def ship_squares():
    return np.array([sum(layout[:3], ()) for layout in every_layout()])


def with_as_many_hits(record, when):
    """The layouts with the right number of hits in every salvo: a first sieve, for speed."""
    called_in = np.array([when.get(square, 0) for square in range(N)])
    rounds = called_in[ship_squares()]
    passed = np.ones(len(rounds), dtype=bool)
    for salvo in record:
        passed &= (rounds == salvo.round).sum(axis=1) == sum(e.hits for e in salvo.report)
    return [every_layout()[i] for i in np.flatnonzero(passed)]


def those_giving(record):
    """The layouts that give a record, each with the tracks of its ships."""
    rules = record.rules
    when = {}
    for salvo in record:
        for square in salvo.fired:
            when.setdefault(square, salvo.round)
    struck = {m.square: m.kind for m in record.mines}
    told = [(salvo.round, report_of(record, salvo), salvo.guns_left) for salvo in record]
    for layout in with_as_many_hits(record, when):
        *ships, (ordinary,), (explosive,) = layout
        mines = {ordinary: "ordinary", explosive: "high-explosive"}
        if {m: kind for m, kind in mines.items() if m in when} == struck:
            tracks = [tuple(sorted(when[s] for s in ship if s in when)) for ship in ships]
            if all(
                expected_report(rules, tracks, n) == report
                and guns
                == sum(
                    ship.guns_left(sum(m <= n for m in track))
                    for ship, track in zip(rules.ships, tracks, strict=True)
                )
                for n, report, guns in told
            ):
                yield layout, tracks


def report_of(record, salvo):
    """The entries of a report: class, hits, and the earlier hits where they are told."""
    entries = Counter()
    for entry in salvo.report:
        earlier = entry.earlier
        if record.rules.identify == "tracks":
            track = record.tracks[entry.ship_class][entry.track]
            earlier = tuple(n for n in track if n < salvo.round)
        entries[entry.ship_class, entry.hits, earlier] += 1
    return entries


def expected_report(rules, tracks, number):
    entries = Counter()
    for ship, track in zip(rules.ships, tracks, strict=True):
        if number in track:
            earlier = tuple(n for n in track if n < number)
            mates = [t for s, t in zip(rules.ships, tracks, strict=True) if s == ship]
            told = (
                rules.identify == "tracks" or sum(min(t, default=99) < number for t in mates) >= 2
            )
            entries[ship.short, track.count(number), earlier if told else None] += 1
    return entries


@cache
def placement_numbers():
    tables = naval_tables(game_rules())
    return {
        (group, tuple(tables.squares[p, :size].tolist())): p
        for group, (size, first, stop) in enumerate(tables.groups.tolist())
        for p in range(first, stop)
    }


def unspent_mines(layout, record):
    spent = {m.square for m in record.mines}
    return [mine for mine in layout[3:] if mine[0] not in spent]


def weight_of(layout, record, weights):
    """The product of the weights of a layout's ships and unspent mines."""
    mines = ((2, mine) for mine in unspent_mines(layout, record))
    objects = [*zip((0, 1, 1), layout[:3], strict=True), *mines]
    return np.prod([weights[placement_numbers()[each]] for each in objects])


def by_hand(record, weights):
    """Number of layouts that give the record, and the maps by class and track and of mines."""
    total, count = 0.0, 0
    maps, mines = {}, np.zeros(N)
    for layout, tracks in those_giving(record):
        unspent = unspent_mines(layout, record)
        weight = weight_of(layout, record, weights)
        total, count = total + weight, count + 1
        for short, ship, track in zip(("Sp", "Bt", "Bt"), layout[:3], tracks, strict=True):
            maps.setdefault((short, track), np.zeros(N))[list(ship)] += weight
        mines[[m[0] for m in unspent]] += weight
    return count, {row: m / total for row, m in maps.items()}, mines / total


def shot_at(identify, seed, salvos):
    (layout,) = place_naval(game_rules(identify), seed=seed)
    target = NavalTarget(layout, seed=seed)
    for salvo in salvos:
        if not target.all_sunk:
            target.fire(salvo)
    return target


def random_weights(rules, seed):
    n = naval_tables(rules).groups[-1, 2]
    return np.ones(n) if seed == 0 else np.random.default_rng(seed).uniform(0.2, 3.0, n)


def drawn(record, weights, draws=200, regime=None, key=1):
    tables = naval_tables(record.rules)
    lists, rows = fleet_lists(pruned(Candidates(record)), weights)
    found = draw_fleets(lists, tables.squares, draws, key, regime)
    return found, rows


SALVOS = st.lists(st.lists(st.integers(0, N - 1), max_size=4), max_size=5)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(IDENTIFY), st.integers(0, 500), SALVOS, st.integers(0, 3))
def test_enumeration_equals_every_layout_by_hand(identify, seed, salvos, weight_seed):
    record = shot_at(identify, seed, salvos).record
    weights = random_weights(record.rules, weight_seed)
    _, maps, mines = by_hand(record, weights)
    found, rows = drawn(record, weights, regime="enumeration")
    assert found.diagnostics.exact
    assert set(maps) <= set(rows)
    for row, squares in zip(rows, found.ships, strict=True):
        np.testing.assert_allclose(squares, maps.get(row, np.zeros(N)), rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.mine_squares, mines, rtol=0, atol=1e-12)


def test_the_chances_of_placements_are_those_of_every_layout():
    weights = random_weights(game_rules(), 2)
    for identify, seed, salvos in RECORDS[1:4]:
        record = shot_at(identify, seed, salvos).record
        squares = naval_tables(record.rules).squares
        shares, total = Counter(), 0.0
        for layout, tracks in those_giving(record):
            weight = weight_of(layout, record, weights)
            total += weight
            for short, ship, track in zip(("Sp", "Bt", "Bt"), layout[:3], tracks, strict=True):
                shares[short, track, ship] += weight
        for regime, error in (("enumeration", 1e-9), ("sequential", 0.06), ("chains", 0.06)):
            found, rows = drawn(record, weights, draws=2000, regime=regime)
            for (short, track), chances in zip(rows, found.chances, strict=True):
                for placement, chance in enumerate(chances):
                    ship = tuple(squares[placement][squares[placement] < N].tolist())
                    assert chance == pytest.approx(shares[short, track, ship] / total, abs=error)


# Of a game its layout's seed and salvos; the last ones are dealt in several ways under literal.
RECORDS = [
    (identify, seed, salvos)
    for identify in IDENTIFY
    for seed, salvos in (
        (0, []),
        (1, [[17, 11, 22, 9], [7, 20, 19, 5], [5, 9]]),
        (86, [[4, 23, 13, 20], [8, 0, 7, 12], [3, 23]]),
        (115, [[5, 13, 14, 15], [23, 0, 1, 17], [9, 22]]),
    )
]


def within_error(estimate, truth, draws):
    """Whether every square is within five standard errors of the truth."""
    error = np.sqrt(truth * (1 - truth) / draws) + 2 / draws
    return (np.abs(estimate - truth) <= 5 * error).all()


@pytest.mark.parametrize("regime", SAMPLED)
@pytest.mark.parametrize(("identify", "seed", "salvos"), RECORDS)
def test_sampled_maps_equal_every_layout_by_hand_within_their_error(regime, identify, seed, salvos):
    record = shot_at(identify, seed, salvos).record
    for weight_seed in (0, 1):
        weights = random_weights(record.rules, weight_seed)
        _, maps, mines = by_hand(record, weights)
        found, rows = drawn(record, weights, 4000, regime)
        effective = found.diagnostics.effective_draws
        assert effective > 150
        for row, squares in zip(rows, found.ships, strict=True):
            assert within_error(squares, maps.get(row, np.zeros(N)), effective)
        assert within_error(found.mine_squares, mines, effective)


def test_some_of_these_records_can_be_dealt_in_several_ways():
    deals = [
        len(fleet_lists(pruned(Candidates(record)), random_weights(record.rules, 0))[0].deals)
        for record in (shot_at(*game).record for game in RECORDS)
    ]
    assert deals == [1, 1, 1, 1, 1, 2, 2, 2]


def test_every_fleet_is_enumerated_once():
    candidates = pruned(Candidates(NavalRecord(game_rules())))
    lists, _ = fleet_lists(candidates, random_weights(candidates.rules, 0))
    found = regimes._enumerated(lists, 10**6).placements.tolist()
    fleets = {(sloop, frozenset(boats)) for sloop, *boats in found}
    expected = [
        (sloop, a, b)
        for sloop in runs(3)
        for a, b in combinations(runs(2), 2)
        if not (touch(a, b) or touch(sloop, a) or touch(sloop, b))
    ]
    assert len(found) == len(fleets) == len(expected)


@pytest.mark.parametrize("weight_seed", [0, 1])
def test_enumerated_fleets_with_drawn_mines_are_right_within_their_error(monkeypatch, weight_seed):
    monkeypatch.setattr(regimes, "_MINE_SETS", 0)
    for game in RECORDS[1:4]:
        record = shot_at(*game).record
        weights = random_weights(record.rules, weight_seed)
        _, maps, mines = by_hand(record, weights)
        found, rows = drawn(record, weights, 4000, "enumeration")
        assert not found.diagnostics.exact
        effective = found.diagnostics.effective_draws
        for row, squares in zip(rows, found.ships, strict=True):
            assert within_error(squares, maps.get(row, np.zeros(N)), effective)
        assert within_error(found.mine_squares, mines, effective)


@pytest.mark.parametrize("regime", [*SAMPLED, "enumeration"])
@pytest.mark.parametrize("game", [RECORDS[2], RECORDS[6]])
def test_every_layout_drawn_is_legal_and_gives_the_record(game, regime):
    record = shot_at(*game).record
    possible = {
        (layout[0], frozenset(layout[1:3]), layout[3][0], layout[4][0])
        for layout, _ in those_giving(record)
    }
    posterior = NavalPosterior(record, draws=2000, regime=regime)
    drawn_layouts = Counter()
    for row, weight in zip(posterior.layouts, posterior.weights, strict=True):
        layout = NavalLayout.from_array(record.rules, row)
        assert (layout.to_array() == row).all()
        drawn_layouts[layout.ships[0], frozenset(layout.ships[1:]), *layout.mines] += weight
    assert set(drawn_layouts) <= possible
    assert len(drawn_layouts) > 0.5 * len(possible)


@pytest.mark.parametrize("regime", [*SAMPLED, "enumeration"])
def test_the_layouts_by_their_weights_agree_with_the_maps(regime):
    record = shot_at(*RECORDS[1]).record
    posterior = NavalPosterior(record, draws=4000, regime=regime)
    weights = np.broadcast_to(posterior.weights[:, np.newaxis], posterior.layouts.shape)
    counted = [
        np.bincount(posterior.layouts[:, part].ravel(), weights[:, part].ravel(), N)
        for part in (slice(7), slice(7, None))
    ]
    spent = [mine.square for mine in record.mines]
    counted[1][spent] -= 1.0
    draws = posterior.diagnostics.effective_draws
    assert within_error(counted[0], posterior.square_probabilities, draws)
    assert within_error(counted[1], posterior.mine_probabilities, draws)
    assert posterior.weights.sum() == pytest.approx(1.0)
    assert posterior.square_probabilities.sum() == pytest.approx(7.0)
    assert posterior.mine_probabilities.sum() == pytest.approx(2.0 - len(spent))


def test_unspent_mines_are_of_either_kind_alike():
    record = NavalRecord(game_rules())
    posterior = NavalPosterior(record, draws=4000, regime="chains")
    ordinary, explosive = (
        np.bincount(posterior.layouts[:, column], posterior.weights, N) for column in (7, 8)
    )
    draws = posterior.diagnostics.effective_draws
    assert within_error(ordinary, posterior.mine_probabilities / 2, draws / 2)
    assert within_error(explosive, posterior.mine_probabilities / 2, draws / 2)


def test_the_same_seed_gives_the_same_draws():
    record = shot_at(*RECORDS[1]).record
    for regime in (*SAMPLED, "enumeration"):
        a, b, c = (NavalPosterior(record, seed=s, draws=64, regime=regime) for s in (5, 5, 6))
        assert (a.layouts == b.layouts).all()
        assert (a.weights == b.weights).all()
        assert a.layouts.shape != c.layouts.shape or (a.layouts != c.layouts).any()


def test_short_lists_are_enumerated_and_long_ones_are_left_to_chains():
    small = NavalPosterior(shot_at(*RECORDS[1]).record)
    assert (small.diagnostics.regime, small.diagnostics.exact) == ("enumeration", True)
    assert small.diagnostics.total_variation is None
    large = NavalPosterior(NavalRecord(NavalRules()), draws=200)
    assert (large.diagnostics.regime, large.diagnostics.exact) == ("chains", False)
    assert large.diagnostics.reliable
    assert 0.0 < large.diagnostics.total_variation < 0.4


def test_too_few_effective_draws_are_not_called_reliable():
    record = NavalRecord(NavalRules())
    diagnostics = NavalPosterior(record, draws=100, regime="sequential").diagnostics
    assert diagnostics.effective_draws < 25
    assert not diagnostics.reliable


def test_chains_that_disagree_are_worth_few_draws():
    """Four maps have a ship on the one square, four on the other, and never both."""
    trapped = np.array([[1.0, 0.0]] * 4 + [[0.0, 1.0]] * 4)
    effective, variation = regimes._spread(trapped)
    assert effective == pytest.approx(7.0)
    assert variation == pytest.approx(0.5)
    effective, variation = regimes._spread(np.array([[0.5, 0.5]] * 8))
    assert (effective, variation) == (np.inf, 0.0)


def test_a_record_that_no_layout_gives_is_an_error_though_each_ship_alone_has_a_place():
    """Three boats on rings of squares called: any two have room, never all three."""
    boat = NavalClass("Boat", 1, 3, "Bt", (1,))
    rules = NavalRules((1, 6), [boat], 0, 0)
    for regime in (None, "enumeration", "sequential", "chains"):
        record = NavalRecord.parse(rules, "1: A1 A6 A3 -> no hits; 3 guns left")
        with pytest.raises(RecordError, match="no layout"):
            NavalPosterior(record, draws=16, regime=regime)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"draws": 8}, RulesError, "draws 8 is not an integer of at least 16"),
        ({"draws": 100.0}, RulesError, "draws 100.0 is not an integer of at least 16"),
        ({"regime": "chain"}, RulesError, "unknown regime 'chain'; did you mean 'chains'"),
        ({"placer": "nobody"}, UnknownName, "'nobody'"),
    ],
)
def test_bad_arguments_are_one_clear_error(arguments, error, message):
    with pytest.raises(error, match=message):
        NavalPosterior(NavalRecord(game_rules()), **arguments)


def chosen(record, captain, guns=24, seed=3):
    state = NavalState(record.next_round, record)
    return captain.choose(state, np.random.default_rng(seed))[:guns]


def test_the_captain_fires_where_most_hits_are_expected_riskier_squares_last():
    record = shot_at(*RECORDS[1]).record
    posterior = NavalPosterior(record)
    value = posterior.square_probabilities - 0.5 * posterior.mine_probabilities
    salvo = chosen(record, PosteriorCaptain())
    assert len(salvo) == len(set(salvo)) == record.rules.guns
    assert not set(salvo) & set(record.called)
    others = set(record.uncalled) - set(salvo)
    assert min(value[salvo]) >= max(value[list(others)])
    assert (np.diff(posterior.mine_probabilities[salvo]) >= 0).all()


def test_a_captain_that_fears_mines_fires_at_other_squares():
    record = shot_at(*RECORDS[1]).record
    risk = NavalPosterior(record).mine_probabilities
    reckless, timid = (chosen(record, PosteriorCaptain(mine_weight=w)) for w in (0.0, 50.0))
    assert risk[timid].sum() < risk[reckless].sum()


def test_the_captain_is_deterministic_and_sinks_every_ship():
    (layout,) = place_naval(game_rules(), seed=3)
    captain = make_captain("posterior")
    assert captain == PosteriorCaptain()
    first, again = (play_solo_match(captain, layout, seed=4) for _ in range(2))
    assert first.won
    assert first.record == again.record


@pytest.mark.parametrize(
    ("arguments", "error"),
    [({"draws": 3}, RulesError), ({"mine_weight": -1}, RulesError), ({"placer": "x"}, UnknownName)],
)
def test_a_captain_is_not_made_with_bad_parameters(arguments, error):
    with pytest.raises(error):
        PosteriorCaptain(**arguments)


@pytest.mark.slow
def test_the_truth_is_never_given_probability_zero_over_200_games():
    """Where some hundreds of draws miss a square of the truth, some thousands do not."""
    for game, layout in enumerate(place_naval(NavalRules(), 200, seed=11)):
        rules = NavalRules(identify=IDENTIFY[game % 4 == 3])
        target = NavalTarget(NavalLayout.from_array(rules, layout.to_array()), seed=game)
        ships = [square for ship in layout.ships for square in ship]
        while not target.all_sunk:
            record = target.record
            mines = sorted(set(layout.mines) - {mine.square for mine in record.mines})
            posterior = NavalPosterior(record, draws=200, seed=game)
            for draws in (4_000, 40_000):
                least = min(
                    posterior.square_probabilities[ships].min(),
                    posterior.mine_probabilities[mines].min(initial=1.0),
                )
                if least > 0.0:
                    break
                posterior = NavalPosterior(record, draws=draws, seed=game)
            assert least > 0.0
            open_squares = np.array(record.uncalled)
            value = posterior.square_probabilities[open_squares]
            target.fire(open_squares[np.argsort(-value, kind="stable")[:24]].tolist())


def predicted_hits(posterior, salvo):
    """Hits to be expected before the first mine, over the layouts drawn."""
    ship_squares = posterior.rules.ship_squares
    kind = np.zeros((len(posterior.layouts), posterior.rules.board.n_squares), dtype=np.int8)
    np.put_along_axis(kind, posterior.layouts[:, :ship_squares].astype(np.int64), 1, axis=1)
    np.put_along_axis(kind, posterior.layouts[:, ship_squares:].astype(np.int64), 2, axis=1)
    shots = kind[:, salvo]
    before_mine = np.cumsum(shots == 2, axis=1) == 0
    return float(posterior.weights @ ((shots == 1) & before_mine).sum(axis=1))


def predicted_less_actual(placer, games=200, salvos=2):
    """Of each sequential layout the hits predicted in its first salvos, less those made."""
    captain = PosteriorCaptain(placer=placer, draws=200)
    rows = []
    for game, layout in enumerate(place_naval(NavalRules(), games, placer="sequential", seed=77)):
        target = NavalTarget(layout, seed=game)
        predicted = made = 0.0
        for _ in range(salvos):
            salvo = chosen(target.record, captain, seed=game)
            # Draws of its own: those that chose the squares are too fond of them.
            posterior = NavalPosterior(target.record, placer, draws=200, seed=10_000 + game)
            predicted += predicted_hits(posterior, salvo)
            made += sum(entry.hits for entry in target.fire(salvo).report)
        rows.append((predicted, made))
    rows = np.array(rows)
    differences = rows[:, 0] - rows[:, 1]
    return differences.mean(), differences.std(ddof=1) / np.sqrt(games), rows[:, 1].mean()


@pytest.mark.slow
def test_hits_predicted_under_the_right_prior_agree_with_the_hits_made():
    difference, error, _ = predicted_less_actual("sequential")
    assert abs(difference) < 3 * error


@pytest.mark.slow
def test_a_uniform_prior_predicts_too_many_hits_on_sequential_layouts():
    difference, error, made = predicted_less_actual("uniform")
    assert difference > 3 * error
    assert difference > 0.1 * made
