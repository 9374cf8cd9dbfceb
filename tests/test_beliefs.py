"""What the beliefs conclude from a record, against all layouts of small boards."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from battleship_ai import (
    DensityWeights,
    Layout,
    Record,
    RecordError,
    Rules,
    placement_density,
    sample_posterior,
)
from battleship_ai.bitboard import unpack
from battleship_ai.inference._tracker import AFLOAT, CLOSED, COMPLETE, EMPTY, FIXED
from battleship_ai.inference.density import track_record
from battleship_ai.inference.tables import tables
from small_rules import SMALL_RULES, describe, layouts_of


@st.composite
def positions(draw):
    """Rules, a record that some game under them produced, and the layouts that fit it."""
    chosen = draw(st.sampled_from(SMALL_RULES))
    hidden = draw(st.sampled_from(layouts_of(chosen)))
    shots = draw(st.lists(st.sampled_from(naive.squares_of(chosen)), max_size=12))
    said = naive.answers(chosen, hidden, shots)
    record = Record(chosen, zip(shots, said, strict=True))
    return record, naive.consistent(chosen, layouts_of(chosen), shots, said)


def indexed(rules, ship):
    return tuple(sorted(r * rules.board.cols + c for r, c in ship))


def named(rules, squares):
    return {divmod(s, rules.board.cols) for s in squares}


@settings(max_examples=400)
@given(positions())
def test_the_placement_belief_never_rules_out_what_some_fitting_layout_has(position):
    record, layouts = position
    rules = record.rules
    tracker, arrays = track_record(record), tables(rules)
    alive = unpack(tracker.alive[AFLOAT] | tracker.alive[COMPLETE])
    kept = {
        (rules.classes[arrays.placement_class[p]].name,
         tuple(s for s in arrays.squares[p].tolist() if s < rules.board.n_squares))
        for p in alive
    }  # fmt: skip
    names = rules.names if rules.names_ships else [str(size) for size in rules.fleet]
    for layout in layouts:
        for name, ship in zip(names, layout, strict=True):
            assert (name, indexed(rules, ship)) in kept


@settings(max_examples=400)
@given(positions())
def test_what_the_placement_belief_calls_certain_is_certain(position):
    record, layouts = position
    rules = record.rules
    tracker = track_record(record)
    asked = named(rules, record.asked)
    empty = named(rules, unpack(tracker.sets[EMPTY]))
    for layout in layouts:
        assert not empty & naive.occupied(layout)
        sunk = [ship for ship in layout if ship <= asked]
        assert named(rules, unpack(tracker.sets[CLOSED])) <= frozenset().union(*sunk)
        fixed = named(rules, unpack(tracker.sets[FIXED]))
        assert fixed == frozenset().union(*(ship for ship in sunk if ship & fixed))


@settings(max_examples=250)
@given(positions())
def test_an_open_square_that_some_fitting_layout_occupies_has_density(position):
    record, layouts = position
    density = placement_density(record)
    asked = named(record.rules, record.asked)
    for layout in layouts:
        for square in naive.occupied(layout) - asked:
            assert density[square] > 0


@settings(max_examples=250)
@given(positions(), st.integers(0, 2**32))
def test_every_draw_is_a_layout_that_fits_the_record(position, seed):
    record, layouts = position
    sample = sample_posterior(record, 40, seed=seed)
    fitting = {Layout(record.rules, layout) for layout in layouts}
    for draw in range(len(sample.weights)):
        assert sample.layout(draw) in fitting


@pytest.mark.parametrize(
    "rules", [r for i, r in enumerate(SMALL_RULES) if i % 9 == 4], ids=describe
)
def test_weighted_draws_estimate_the_posterior_without_bias(rules):
    """20,000 draws agree with the listed layouts in number and in every square."""
    rng = np.random.default_rng(5)
    squares = naive.squares_of(rules)
    for _ in range(4):
        hidden = layouts_of(rules)[rng.integers(len(layouts_of(rules)))]
        picks = rng.permutation(len(squares))[: rng.integers(1, len(squares) - 2)]
        shots = [squares[i] for i in picks]
        said = naive.answers(rules, hidden, shots)
        layouts = naive.consistent(rules, layouts_of(rules), shots, said)
        record = Record(rules, zip(shots, said, strict=True))
        sample = sample_posterior(record, 20_000, seed=int(rng.integers(2**32)))
        exact = np.array(naive.probabilities(rules, layouts))
        error = np.sqrt(exact * (1 - exact) / sample.effective_size) + 1e-12
        assert np.all(np.abs(sample.probabilities - exact) < 5.5 * error)
        raw = np.exp(sample.log_weights)
        spread = np.sqrt((raw**2).sum() / sample.asked_draws - sample.layout_count**2 + 1e-9)
        allowance = 5.5 * spread / np.sqrt(sample.asked_draws) + 1e-6 * len(layouts)
        assert abs(sample.layout_count - len(layouts)) < allowance


# Squares (row, col); A and B have the same shots and answers in another order.
ORDER_A = "b1:hit c1:hit d3:miss b2:hit c0:sunk:2 a0:miss e1:miss"
ORDER_B = "b2:hit b1:hit e1:miss d3:miss c0:hit a0:miss c1:sunk:2"
ORDER_C = "e1:hit d4:miss d1:sunk:2 e3:miss c1:hit e4:miss e2:miss a0:miss b3:hit"


@pytest.mark.parametrize(("text", "number"), [(ORDER_A, 41), (ORDER_B, 53), (ORDER_C, 22)])
def test_where_ships_may_touch_the_order_of_the_shots_matters(text, number):
    rules = Rules(board=(5, 5), fleet=(3, 2, 2), contact="allowed", announce="sunk-size")
    record = Record.parse(rules, text)
    shots = [divmod(shot.square, 5) for shot in record]
    said = [str(shot.answer) for shot in record]
    fitting = naive.consistent(rules, layouts_of(rules), shots, said)
    assert len(fitting) == number
    sample = sample_posterior(record, 4000, seed=1)
    drawn = {sample.layout(draw) for draw in range(len(sample.weights))}
    assert drawn == {Layout(rules, layout) for layout in fitting}


def test_an_order_free_reading_of_the_third_case_would_give_26():
    rules = Rules(board=(5, 5), fleet=(3, 2, 2), contact="allowed", announce="sunk-size")
    record = Record.parse(rules, ORDER_C)
    hits, misses = named(rules, record.hits), named(rules, record.misses)
    sinking = (3, 1)

    def fits_order_free(layout):
        sunk = [ship for ship in layout if ship <= hits]
        return (
            hits <= naive.occupied(layout)
            and not misses & naive.occupied(layout)
            and len(sunk) == 1
            and sinking in sunk[0]
            and len(sunk[0]) == 2
        )

    assert sum(map(fits_order_free, layouts_of(rules))) == 26


def test_a_record_that_no_layout_fits_is_an_error():
    rules = Rules(board=(3, 3), fleet=(2,))
    with pytest.raises(RecordError, match="none of 100 draws fits"):
        sample_posterior(Record.parse(rules, "a0:hit c2:hit"), 100)
    with pytest.raises(RecordError, match="draws is 0"):
        sample_posterior(Record(rules), 0)


def test_the_halo_of_a_hit_is_open_to_its_own_ship_only():
    rules = Rules.preset("ship-bombing")
    density = placement_density(Record.parse(rules, "e4:hit"))
    assert density[3, 3] == density[3, 5] == density[5, 3] == density[5, 5] == 0
    assert density[3, 4] > 0
    assert density[4, 3] > 0


def test_density_weights_refuse_nonsense():
    for bad in ({"by_hits": ()}, {"by_hits": (0,)}, {"by_hits": (1.5,)}, {"halo_price": -1.0}):
        with pytest.raises(ValueError, match=r"weight|empty|price"):
            DensityWeights(**bad)
