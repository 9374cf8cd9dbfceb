"""Captains of Naval Bombardment: what all must do, and what each is for."""

import numpy as np
import pytest

from battleship_ai.errors import RulesError, UnknownName
from battleship_ai.naval import (
    CAPTAINS,
    DEFAULT_CAPTAINS,
    NAVAL_PLACERS,
    Lattice,
    ListInfo,
    NavalClass,
    NavalLayout,
    NavalRecord,
    NavalRules,
    NavalState,
    NavalTarget,
    Peppering,
    SalvoDensity,
    make_captain,
    place_naval,
    play_match,
    play_solo_match,
)
from battleship_ai.naval.inference.candidates import Candidates, pruned
from battleship_ai.naval.inference.independent import (
    IndependentShips,
    expected_hits,
    independent_ships,
    mine_prior,
    mine_risk,
)
from battleship_ai.naval.inference.weights import placement_chances, placement_weights
from battleship_ai.naval.placers import place_naval_arrays
from battleship_ai.naval.tables import naval_tables
from battleship_ai.rng import game_keys, key_of
from naval_fixture import fixture, small_rules
from naval_lists_naive import all_layouts, numbers

MODES = ("tracks", "literal")


class Watched:
    """A captain whose salvos are checked."""

    def __init__(self, captain):
        self.captain = captain

    def choose(self, state, rng):
        salvo = list(self.captain.choose(state, rng))
        assert 1 <= len(salvo) <= state.guns
        assert len(set(salvo)) == len(salvo)
        assert not set(salvo) & set(state.record.called)
        return salvo


def strange_rules(identify):
    """Small boards, a fleet of single squares, more guns than squares, no mines or many."""
    dot = NavalClass("Dot", 1, 2, "Dt", (1,))
    gunboat = NavalClass("Gunboat", 2, 1, "Gb", (1,) * 9 + (2,) * 9)
    return [
        small_rules(identify),
        NavalRules("1x1", [NavalClass("Dot", 1, 1, "Dt", (1,))], 0, 0, identify),
        NavalRules("3x5", [dot], 1, 1, identify),
        NavalRules("4x4", [gunboat], 1, 0, identify),
        NavalRules("2x12", [NavalClass("Cutter", 3, 2, "Ct", (3,))], 0, 1, identify),
    ]


@pytest.mark.parametrize("identify", MODES)
@pytest.mark.parametrize("name", CAPTAINS)
def test_every_captain_wins_by_legal_salvos_without_repeats(name, identify):
    for rules in strange_rules(identify):
        for seed in range(3):
            (layout,) = place_naval(rules, seed=seed)
            assert play_solo_match(Watched(make_captain(name)), layout, seed=seed).won


@pytest.mark.parametrize("identify", MODES)
@pytest.mark.parametrize("name", CAPTAINS)
def test_every_captain_wins_on_the_large_board(name, identify):
    (layout,) = place_naval(NavalRules(identify=identify), seed=1)
    assert play_solo_match(Watched(make_captain(name)), layout, seed=1).rounds < 33


@pytest.mark.slow
@pytest.mark.parametrize("identify", MODES)
@pytest.mark.parametrize("name", CAPTAINS)
def test_every_captain_wins_many_games(name, identify):
    games = 40 if name in DEFAULT_CAPTAINS else 8
    for layout in place_naval(NavalRules(identify=identify), games, seed=2):
        assert play_solo_match(Watched(make_captain(name)), layout).won


@pytest.mark.parametrize("name", CAPTAINS)
def test_a_game_is_reproduced_by_its_seed_and_does_not_depend_on_those_before(name):
    captain = make_captain(name)
    first, other = place_naval(small_rules(), 2, seed=4)
    game = play_solo_match(captain, first, seed=4)
    play_solo_match(captain, other, seed=4)
    assert play_solo_match(captain, first, seed=4) == game
    assert play_solo_match(make_captain(name), first, seed=4) == game


@pytest.mark.parametrize("name", CAPTAINS)
def test_every_captain_plays_matches_in_which_it_loses_guns(name):
    layouts = place_naval(small_rules(), 2, seed=3)
    captains = Watched(make_captain(name)), Watched(make_captain("random-salvo"))
    match = play_match(small_rules(), captains, layouts, seed=3)
    assert "are sunk" in match.reason


@pytest.mark.parametrize("name", CAPTAINS)
def test_captains_are_compared_and_shown_by_their_parameters(name):
    assert make_captain(name) == make_captain(name)
    assert type(make_captain(name)).__name__ in repr(make_captain(name))


def choose(captain, *salvos, layout=None, round=9):
    target = NavalTarget(layout or fixture())
    for salvo in salvos:
        target.fire(salvo.split())
    state = NavalState(round, target.record)
    return [
        state.rules.board.name(square) for square in captain.choose(state, np.random.default_rng(0))
    ]


def test_density_and_list_info_finish_a_ship_whose_place_is_known():
    """Seven squares of the flagship are known: the eighth is at one of the two ends."""
    for captain in (SalvoDensity(), ListInfo()):
        salvo = choose(captain, "E10 F11 G12 H13", "I14 J15 K16")
        assert "L17" in salvo or "D9" in salvo


def test_squares_on_which_no_ship_can_be_are_not_fired_at():
    rules = NavalRules("3x6", [NavalClass("Boat", 2, 1, "Bt", (1,) * 9 + (2,))], 1, 0)
    layout = NavalLayout.parse(rules, "Bt A1-A2; ordinary C6")
    for captain in (SalvoDensity(), ListInfo()):
        assert sorted(choose(captain, "A1", layout=layout)) == ["A2", "B1", "B2"]


def test_the_squares_with_the_least_risk_of_a_mine_are_called_first():
    target = NavalTarget(fixture())
    target.fire(["E10", "F11", "G12"])
    candidates = pruned(Candidates(target.record))
    ships = independent_ships(candidates, placement_chances(candidates.rules))
    risk = mine_risk(candidates, ships, mine_prior(candidates.rules, "uniform"))
    salvo = ListInfo().choose(NavalState(2, target.record), np.random.default_rng(0))
    assert risk[salvo].tolist() == sorted(risk[salvo])
    assert risk[salvo[0]] < risk[salvo[-1]]


def test_list_info_spreads_its_shots_more_than_density():
    """Neighbours tell half the same; most expected hits alone lie side by side."""
    board = NavalRules().board

    def neighbours(salvo):
        squares = [board.square(s) for s in salvo]
        return sum(b in board.neighbours(a, diagonal=True) for a in squares for b in squares)

    greedy = choose(ListInfo(information=0.0, mines=0.0))
    assert sorted(greedy) == sorted(choose(SalvoDensity()))
    assert neighbours(choose(ListInfo())) < neighbours(greedy)


def naive_scores(record, picked, captain):
    """For each square what list-info's rule says it adds to a salvo, entropies by counting."""
    candidates = Candidates(record)
    rules = record.rules
    chances = placement_chances(rules)
    ships = independent_ships(candidates, chances)
    risk = mine_risk(candidates, ships, mine_prior(rules, "uniform"))
    table = naval_tables(rules).squares

    def entropy(lists, squares):
        number = np.isin(table[lists], list(squares)).sum(axis=1)
        share = np.bincount(number, chances[lists]) / chances[lists].sum()
        return -sum(p * np.log(p) for p in share if p > 0)

    scores = {}
    for square in record.uncalled:
        scores[square] = -captain.mines * risk[square]
        for i, count in enumerate(ships.ships):
            lists = ships.placements[ships.starts[i] : ships.starts[i + 1]]
            told = entropy(lists, {*picked, square}) - entropy(lists, picked)
            hit = np.average((table[lists] == square).any(axis=1), weights=chances[lists])
            scores[square] += count * (captain.hits * hit + captain.information * told)
    return scores


def test_list_info_picks_what_adds_most_to_hits_and_information():
    rules = small_rules()
    captain = ListInfo(hits=0.7, information=1.3, mines=0.4)
    for seed in range(3):
        (layout,) = place_naval(rules, seed=seed)
        target = NavalTarget(layout)
        target.fire(["A1", "C3", "D5", "F6"])
        if pruned_away(target.record):
            continue
        salvo = captain.choose(NavalState(2, target.record), np.random.default_rng(0))
        picked = set()
        for _ in salvo:
            scores = naive_scores(target.record, picked, captain)
            best = max(scores[s] for s in scores if s not in picked)
            chosen = [s for s in salvo if s not in picked and scores[s] > best - 1e-9]
            assert chosen
            picked.add(min(chosen))


def pruned_away(record):
    """Whether arc consistency shortens the lists, which the slow reference does not know."""
    plain, cut = Candidates(record), pruned(Candidates(record))
    return str(plain.classes) != str(cut.classes)


def test_the_lattice_leaves_no_room_across_down_or_along_the_other_diagonal():
    target = NavalTarget(fixture())
    called = set()
    while len(called) < 134 and not target.all_sunk:
        salvo = Lattice().choose(NavalState(1, target.record), np.random.default_rng(0))
        target.fire(salvo)
        called = set(target.record.called)
    mines = target.layout.rules.board.squares(mine.square for mine in target.record.mines)
    closed = called | set(mines.dilate(diagonal=True))
    for row in range(20):
        for col in range(18):
            assert any(row * 20 + col + i in closed for i in range(3))
            assert any((col + i) * 20 + row in closed for i in range(3))
            if row < 18:
                assert any((row + i) * 20 + col + i in closed for i in range(3))


def test_a_salvo_of_the_lattice_is_spread_over_all_quarters_of_the_board():
    board = NavalRules().board
    quarters = {
        (row < 10, col < 10)
        for row, col in (divmod(board.square(s), 20) for s in choose(Lattice()))
    }
    assert len(quarters) == 4


def test_the_lattice_leaves_the_squares_beside_spent_mines_to_the_end():
    target = NavalTarget(fixture())
    while not target.all_sunk:
        record = target.record
        mines = record.rules.board.squares(mine.square for mine in record.mines)
        beside = set(mines.dilate(diagonal=True))
        salvo = Lattice().choose(NavalState(2, record), np.random.default_rng(0))
        assert not set(salvo) & beside or set(record.uncalled) - beside <= set(salvo)
        target.fire(salvo)
    assert len(mines) > 6


def test_peppering_blitzes_the_area_of_its_last_hits():
    salvo = choose(Peppering(), "E10 A1", "A3", "L2 T10", "A5")
    board = NavalRules().board
    first = {s for c in ("L2", "T10") for s in near(board, c)}
    second = {s for c in ("E10", "A1") for s in near(board, c)} - {board.square("E10")}
    assert {board.square(s) for s in salvo[: len(first)]} == first
    assert {board.square(s) for s in salvo[len(first) :]} <= second | set(range(400))
    assert len({board.square(s) for s in salvo} & second) >= 24 - len(first) - 1


def near(board, name):
    return set(board.neighbours(board.square(name), diagonal=True))


@pytest.mark.parametrize("weight", ["hits", "information", "mines"])
@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf])
def test_a_weight_that_is_no_number_from_0_is_an_error(weight, value):
    with pytest.raises(RulesError, match=f"{weight} .* is not a number from 0"):
        ListInfo(**{weight: value})


@pytest.mark.parametrize("captain", [SalvoDensity, ListInfo])
def test_an_unknown_prior_is_an_error(captain):
    with pytest.raises(UnknownName, match="unknown placer 'sequentiel'; did you mean"):
        captain(placer="sequentiel")


def test_expected_hits_are_counted_over_the_lists():
    target = NavalTarget(fixture())
    target.fire(["E10", "A10"])
    candidates = Candidates(target.record)
    table = naval_tables(candidates.rules).squares
    hits = expected_hits(
        candidates.rules, independent_ships(candidates, placement_weights(candidates.rules))
    )
    for square in range(0, 400, 37):
        expected = sum(
            s.count * (table[s.placements] == square).any(axis=1).mean()
            for (history,) in candidates.classes
            for s in history
        )
        assert hits[square] == pytest.approx(expected)


def test_histories_are_weighed_by_the_ways_to_fill_their_lists():
    target = NavalTarget(fixture("literal"))
    target.fire(["S5"])
    target.fire(["S6"])
    candidates = Candidates(target.record)
    ships = independent_ships(candidates, placement_weights(candidates.rules))
    two, one = candidates.classes[5]  # corvettes: two were hit once, or one twice
    sizes = [[len(s.placements) for s in history] for history in (two, one)]
    ways = sizes[0][0] * sizes[0][1] * sizes[0][2] ** 2 / 2, sizes[1][0] * sizes[1][1] ** 3 / 6
    p = ways[0] / sum(ways)
    assert ships.ships[-5:] == pytest.approx([p, p, 2 * p, 1 - p, 3 * (1 - p)])


def test_the_risks_of_mines_are_the_mines_left():
    target = NavalTarget(fixture())
    target.fire(["E10", "B1"])
    candidates = Candidates(target.record)
    ships = independent_ships(candidates, placement_chances(candidates.rules))
    risk = mine_risk(candidates, ships, mine_prior(candidates.rules, "uniform"))
    assert risk.sum() == pytest.approx(11)
    board = candidates.rules.board
    assert risk[board.square("E10")] == risk[board.square("A1")] == 0
    assert risk[board.square("E11")] < risk[board.square("M3")]


def shares(placer, draws):
    """How many ships of each class, and mines, a placer has on each square, on average."""
    rules = NavalRules()
    tables = naval_tables(rules)
    layouts = place_naval_arrays(rules, game_keys(key_of(77), 0, draws), placer)
    found = np.zeros((len(tables.groups), 400))
    for group, start in tables.objects.tolist():
        squares = layouts[:, start : start + tables.groups[group, 0]]
        found[group] += np.bincount(squares.ravel(), minlength=400) / draws
    return found


def believed(placer):
    """The same as the beliefs before the first salvo have it."""
    rules = NavalRules()
    candidates = Candidates(NavalRecord(rules))
    ships = independent_ships(candidates, placement_chances(rules, placer))
    by_class = [
        expected_hits(rules, one_list(ships, i)) for i in range(len(ships.ships))
    ]  # one list a class, since none is damaged
    return np.array([*by_class, mine_risk(candidates, ships, mine_prior(rules, placer))])


def one_list(ships, i):
    part = slice(ships.starts[i], ships.starts[i + 1])
    return IndependentShips(
        ships.ships[i : i + 1],
        ships.starts[i : i + 2] - ships.starts[i],
        ships.placements[part],
        ships.weights[part],
    )


def predicts(placer, draws, belief=None):
    """For each class whether it is off by less than half again as much as counting itself is."""
    seen, expected = shares(placer, draws), believed(belief or placer)
    noise = np.sqrt(seen / draws).mean(axis=1) * np.sqrt(2 / np.pi)
    return abs(seen - expected).mean(axis=1) < 1.5 * noise + 0.02 * seen.mean(axis=1)


@pytest.mark.parametrize("placer", ["sequential", "guards"])
def test_beliefs_before_the_first_salvo_are_the_frequencies_of_the_placer(placer):
    assert predicts(placer, 5000).all()


@pytest.mark.slow
@pytest.mark.parametrize(("placer", "draws"), [("uniform", 4000), ("edge", 5000), ("spread", 5000)])
def test_beliefs_are_the_frequencies_of_the_slower_placers_too(placer, draws):
    assert predicts(placer, draws).all()


def test_beliefs_in_another_placer_are_wrong_about_every_class():
    assert not predicts("sequential", 5000, belief="uniform").any()


def drawn_from(layouts, chances):
    def placer(rules, keys):
        rng = np.random.default_rng(int(keys[0]))
        rows = np.array([layout.to_array() for layout in layouts])
        return rows[rng.choice(len(rows), len(keys), p=chances)]

    return placer


def roomy_rules():
    classes = [NavalClass("Sloop", 3, 1, "Sp", (3,)), NavalClass("Boat", 2, 1, "Bt", (2,))]
    return NavalRules("5x6", classes, 0, 0)


def test_a_uniform_placer_gives_every_placement_the_same_weight(monkeypatch):
    """Though those along the edge occur more often, since they leave more room."""
    layouts = all_layouts(roomy_rules())
    monkeypatch.setitem(NAVAL_PLACERS, "drawn", drawn_from(layouts, None))
    weights = placement_weights.__wrapped__(roomy_rules(), "drawn")
    often = np.bincount(np.ravel([numbers(layout) for layout in layouts]))
    assert often[often > 0].max() > 2 * often[often > 0].min()
    assert occurring(weights, layouts) == pytest.approx(1, abs=0.15)
    assert (placement_weights(roomy_rules()) == 1).all()


def test_the_weights_of_a_placer_that_has_some_are_found(monkeypatch):
    """It lays layouts by the product of the weights of their boats: 3 along the edge, else 1."""
    rules = roomy_rules()
    layouts = all_layouts(rules)
    tables = naval_tables(rules)
    first, stop = tables.groups[1, 1:].tolist()
    rows, cols = np.divmod(tables.squares[first:stop, :2], 6)
    edge = ((rows % 4 == 0) | (cols % 5 == 0)).all(axis=1)
    true = np.ones(len(tables.squares))
    true[first:stop][edge] = 3.0
    chances = np.array([true[numbers(layout)].prod() for layout in layouts])
    monkeypatch.setitem(NAVAL_PLACERS, "drawn", drawn_from(layouts, chances / chances.sum()))
    weights = placement_weights.__wrapped__(rules, "drawn")
    boats = weights[first:stop]
    assert boats[edge].mean() / boats[~edge].mean() == pytest.approx(3.0, rel=0.1)
    assert weights[: int(first)] == pytest.approx(1, abs=0.1)


def occurring(weights, layouts):
    """The weights of the ships' placements that some layout has."""
    return weights[sorted({p for layout in layouts for p in numbers(layout)})]


@pytest.mark.parametrize("board", ["4x5", "4x4"])
def test_weights_have_the_symmetries_of_the_board(board, monkeypatch):
    rules = NavalRules(board, small_rules().classes[:1], 0, 1)
    monkeypatch.setitem(NAVAL_PLACERS, "drawn", drawn_from(all_layouts(rules)[:7], None))
    weights = placement_weights.__wrapped__(rules, "drawn")
    mines = weights[-rules.board.n_squares :].reshape(4, -1)
    assert mines.std() > 0.01
    assert (mines == mines[::-1]).all()
    assert (mines == mines[:, ::-1]).all()
    assert board == "4x5" or (mines == mines.T).all()
    assert not weights.flags.writeable
