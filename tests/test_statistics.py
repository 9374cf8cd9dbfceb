"""Statistics: intervals hold the truth as often as they say, and agree with SciPy's."""

import runpy
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, special, stats

from battleship_ai import BattleshipError, UnknownName
from battleship_ai.statistics import (
    Interval,
    Moments,
    StoppingRule,
    bradley_terry,
    compare_all,
    compare_differences,
    games_for_half_width,
    games_needed,
    holm,
    independent_difference,
    mean_interval,
    paired_interval,
    quantile_interval,
    starter_advantage,
    wilson_interval,
)

COVERAGE = runpy.run_path(str(Path(__file__).resolve().parent.parent / "benchmarks/coverage.py"))
REPLICATIONS = 2000
# Truly covering in 94 to 96% of games, one covers less or more often than this once in 2,000 runs.
FEWEST = stats.binom.ppf(0.0005, REPLICATIONS, 0.94)
MOST = stats.binom.ppf(0.9995, REPLICATIONS, 0.96)


def shots(n, seed=1):
    return np.random.default_rng(seed).integers(30, 70, n)


@pytest.mark.slow
@pytest.mark.parametrize("name", COVERAGE["CLOSE"])
def test_a_95_percent_interval_holds_the_truth_in_95_percent_of_samples(name):
    assert FEWEST <= COVERAGE["covered"](COVERAGE["CLOSE"][name], REPLICATIONS) <= MOST


@pytest.mark.slow
def test_the_interval_of_a_median_of_shots_is_wide_since_they_are_discrete():
    name = "median of 200 games (discrete)"
    assert COVERAGE["covered"](COVERAGE["OFF"][name], REPLICATIONS) > MOST


@pytest.mark.slow
def test_stopping_from_the_fifth_game_on_would_cover_too_little():
    name = "stopped from 5 games at half width 4"
    assert COVERAGE["covered"](COVERAGE["OFF"][name], REPLICATIONS) < FEWEST


def test_the_mean_interval_is_students():
    values = shots(25)
    low, high = stats.t.interval(0.9, 24, values.mean(), stats.sem(values))
    assert mean_interval(values, 0.9) == pytest.approx((values.mean(), low, high))


def test_one_game_has_no_interval():
    assert mean_interval([44]) == Interval(44.0, -np.inf, np.inf)


def test_a_histogram_stands_for_its_games():
    a, b = shots(60, seed=1), shots(60, seed=2)
    values, counts = np.unique(a, return_counts=True)
    shuffled = np.random.default_rng(3).permutation(len(values))
    values, counts = values[shuffled], counts[shuffled]
    assert mean_interval(values, counts=counts) == pytest.approx(mean_interval(a))
    assert quantile_interval(values, 0.8, counts=counts) == quantile_interval(a, 0.8)
    pairs, counts = np.unique([a // 9, b // 9], axis=1, return_counts=True)
    assert paired_interval(*pairs, counts=counts) == pytest.approx(paired_interval(a // 9, b // 9))
    (few,) = compare_all({"a": pairs[0], "b": pairs[1]}, counts=counts)
    (all_games,) = compare_all({"a": a // 9, "b": b // 9})
    assert (few.n, few.p_value) == (60, pytest.approx(all_games.p_value))


def test_ten_million_games_are_one_histogram():
    interval = quantile_interval([43, 44, 45], counts=[4_000_000, 5_000_000, 1_000_000])
    assert interval == Interval(44.0, 44.0, 44.0)
    assert mean_interval([43, 45], counts=[5_000_000, 5_000_000]).half_width == pytest.approx(
        1.959964 / np.sqrt(10_000_000)
    )


@given(st.lists(st.integers(0, 200), max_size=30), st.integers(0, 30), st.integers(0, 30))
def test_moments_of_parts_make_those_of_the_whole(values, i, j):
    parts = [values[: min(i, j)], values[min(i, j) : max(i, j)], values[max(i, j) :]]
    merged = sum((Moments.of(part) for part in parts if part), Moments())
    assert merged.n == len(values)
    if len(values) > 1:
        assert merged.mean == pytest.approx(np.mean(values))
        assert merged.variance == pytest.approx(np.var(values, ddof=1))
        assert merged.sd == pytest.approx(np.std(values, ddof=1))


def test_moments_lose_no_digits_to_a_large_mean():
    values = 1e9 + np.arange(1000) / 1000
    merged = sum((Moments.of(part) for part in np.split(values, 10)), Moments())
    assert merged.variance == pytest.approx(np.var(np.arange(1000) / 1000, ddof=1), rel=1e-6)


def test_one_game_has_no_spread():
    assert np.isnan(Moments.of([44]).sd)


def test_a_level_that_ranks_reach_exactly_gives_the_order_statistics():
    ordered = np.sort(np.random.default_rng(4).normal(size=20))
    # Between the third lowest and the third highest of ten lies the median but in 112 of 1,024.
    assert quantile_interval(ordered[:10], 0.5, 1 - 112 / 1024)[1:] == pytest.approx(
        (ordered[2], ordered[7])
    )
    below, above = stats.binom.cdf(2, 20, 0.3), stats.binom.sf(9, 20, 0.3)
    assert quantile_interval(ordered, 0.3, 1 - 2 * below).low == pytest.approx(ordered[2])
    assert quantile_interval(ordered, 0.3, 1 - 2 * above).high == pytest.approx(ordered[9])


def test_between_ranks_a_bound_lies_where_exponential_gaps_put_it():
    n, q = 40, 0.2
    rank, between = divmod(quantile_interval(np.arange(1, n + 1), q).low, 1)
    passed = stats.binom.cdf([rank - 1, rank], n, q)
    below, above = rank / q * between, (n - rank) / (1 - q) * (1 - between)
    assert below / (below + above) == pytest.approx((0.025 - passed[0]) / np.diff(passed)[0])


def test_a_quantile_is_estimated_as_numpy_does():
    values = shots(37)
    for q in (0.1, 0.5, 0.95):
        assert quantile_interval(values, q).mean == pytest.approx(np.quantile(values, q))


def test_upper_quantiles_mirror_lower_ones():
    values = shots(50)
    upper, lower = quantile_interval(values, 0.9), quantile_interval(-values, 0.1)
    assert upper == pytest.approx((-lower.mean, -lower.high, -lower.low))


def test_a_higher_level_gives_a_wider_interval_of_a_median():
    values = np.random.default_rng(5).normal(size=30)
    widths = [quantile_interval(values, level=level).half_width for level in (0.5, 0.8, 0.9, 0.99)]
    assert all(narrow < wide for narrow, wide in pairwise(widths))


def test_five_games_are_too_few_for_the_interval_of_a_median():
    assert quantile_interval([40, 41, 42, 43, 44]) == Interval(42.0, -np.inf, np.inf)
    assert np.isfinite(quantile_interval([40, 41, 42, 43, 44, 45])).all()


def test_no_number_of_games_bounds_a_high_quantile_that_none_has_reached():
    assert quantile_interval([41, 40], 0.999) == Interval(pytest.approx(40.999), 41.0, np.inf)


def test_all_pairs_are_compared_by_the_paired_t_test():
    samples = {"a": shots(40, 1), "b": shots(40, 2) + 3, "c": shots(40, 3)}
    comparisons = compare_all(samples, 0.9)
    assert [(c.a, c.b) for c in comparisons] == [("a", "b"), ("a", "c"), ("b", "c")]
    for c in comparisons:
        test = stats.ttest_rel(samples[c.a], samples[c.b])
        assert c.p_value == pytest.approx(test.pvalue)
        low, high = test.confidence_interval(0.9)
        assert c.difference[1:] == pytest.approx((low, high))
        assert c.n == 40
        assert c.sd == pytest.approx(np.std(samples[c.a] - samples[c.b], ddof=1))
        assert c.effect_size == pytest.approx(c.difference.mean / c.sd)
    assert [c.p_holm for c in comparisons] == holm(c.p_value for c in comparisons)


def test_differences_can_be_streamed():
    a, b = shots(40, 1), shots(40, 2)
    (kept,) = compare_all({"a": a, "b": b})
    streamed = Moments.of(a[:15] - b[:15]) + Moments.of(a[15:] - b[15:])
    (merged,) = compare_differences({("a", "b"): streamed})
    assert merged.difference == pytest.approx(kept.difference)
    assert merged.p_value == pytest.approx(kept.p_value)


def test_strategies_that_never_differ_are_no_finding_and_those_that_always_do_are_one():
    same, apart, once = compare_differences(
        {
            ("a", "b"): Moments.of([0, 0, 0]),
            ("a", "c"): Moments.of([2, 2, 2]),
            ("b", "c"): Moments.of([2]),
        }
    )
    assert (same.p_value, apart.p_value, once.p_value) == (1.0, 0.0, 1.0)
    assert apart.effect_size == np.inf


def test_holm_rejects_step_by_step():
    given = [0.02, 0.012, 0.7, 0.011, 0.9]
    corrected = holm(given)
    for level in (0.03, 0.05, 0.055, 0.06, 0.5):
        findings = []
        for tests_left, p in zip((5, 4, 3, 2, 1), sorted(given), strict=True):
            if p * tests_left > level:
                break
            findings.append(p)
        found = sorted(p for p, q in zip(given, corrected, strict=True) if q <= level)
        assert found == findings
    assert max(corrected) == 1.0
    assert holm([]) == []


@pytest.mark.slow
def test_equal_strategies_are_found_to_differ_in_one_study_of_twenty_at_most():
    rng = np.random.default_rng(6)
    studies = [
        any(c.p_holm <= 0.05 for c in compare_all(dict(zip("abcd", games, strict=True))))
        for games in rng.exponential(size=(2000, 4, 50))
    ]
    assert 0.02 < np.mean(studies) < 0.05 + 3.3 * np.sqrt(0.05 * 0.95 / 2000)


@pytest.mark.parametrize(("effect", "games"), [(0.8, 15), (0.5, 34), (0.2, 199)])
def test_games_needed_are_those_of_published_tables(effect, games):
    assert games_needed(sd=10, difference=10 * effect) == games
    assert games_needed(sd=10, difference=-10 * effect) == games


@pytest.mark.parametrize("effect", [2.5, 1.4, 1.0, 0.7, 0.05])
def test_games_needed_are_the_fewest_with_the_power(effect):
    def power(n):
        return stats.nct.sf(stats.t.ppf(0.975, n - 1), n - 1, effect * np.sqrt(n))

    n = games_needed(sd=1, difference=effect, power=0.9)
    assert power(n - 1) < 0.9 <= power(n)


@pytest.mark.slow
@pytest.mark.parametrize(("effect", "power"), [(1.2, 0.9), (0.4, 0.6)])
def test_that_many_games_find_the_difference_as_often_as_asked(effect, power):
    n = games_needed(8, 8 * effect, power=power)
    rng = np.random.default_rng(7)

    def found(games):
        samples = rng.normal(8 * effect, 8, size=(100_000, games))
        return np.mean(stats.ttest_1samp(samples, 0, axis=1).pvalue < 0.05)

    assert found(n) > power - 0.005
    assert found(n - 1) < power + 0.005


def test_games_for_a_half_width_are_the_fewest_that_reach_it():
    def half_width(n):
        return stats.t.ppf(0.995, n - 1) * 8 / np.sqrt(n)

    for wanted in (100.0, 6.0, 0.5):
        n = games_for_half_width(8, wanted, 0.99)
        assert half_width(n) <= wanted < half_width(n - 1)
    assert games_for_half_width(8, 1e6) == 2


def test_looks_are_fixed_and_end_at_the_most_games_allowed():
    looks = list(StoppingRule(0.1, at_most=1_000_000).looks())
    assert (looks[0], looks[-1]) == (100, 1_000_000)
    assert all(a < b <= 1.25 * a + 1 for a, b in pairwise(looks))
    assert list(StoppingRule(0.1, at_most=60).looks()) == [60]
    assert list(StoppingRule(0.1, at_most=100).looks()) == [100]
    assert list(StoppingRule(0.1, at_most=6, first=2, growth=1.01).looks()) == [2, 3, 4, 5, 6]


def test_play_stops_when_the_widest_interval_is_narrow_enough():
    rule = StoppingRule(0.5, at_most=1000)
    assert rule.is_met([Interval(3, 2.5, 3.5), Interval(40, 39.75, 40.25)])
    assert not rule.is_met([Interval(3, 2.25, 3.75), Interval(40, 39.75, 40.25)])


@pytest.mark.parametrize(("wins", "games"), [(0, 7), (7, 7), (61, 100), (1, 1000)])
def test_the_interval_of_a_share_is_wilsons(wins, games):
    wilson = stats.binomtest(wins, games).proportion_ci(0.9, method="wilson")
    expected = (wins / games, wilson.low, wilson.high)
    assert wilson_interval(wins, games, 0.9) == pytest.approx(expected, abs=1e-12)
    assert starter_advantage(wins, games, 0.9) == pytest.approx(np.subtract(expected, 0.5))


WINS = np.array([[0, 12, 30, 9], [8, 0, 0, 25], [10, 0, 0, 3], [1, 5, 2, 0]])


def test_strengths_are_the_most_likely():
    def minus_log_likelihood(strengths):
        return -(WINS * special.log_expit(strengths[:, None] - strengths)).sum()

    best = optimize.minimize(minus_log_likelihood, np.zeros(4), tol=1e-9).x
    strengths = bradley_terry(WINS).strengths
    assert strengths == pytest.approx(best - best.mean(), abs=1e-5)
    assert strengths.sum() == pytest.approx(0)


def test_of_two_strategies_the_odds_are_those_of_their_wins():
    ranking = bradley_terry([[0, 30], [10, 0]], ["a", "b"])
    ahead = ranking.strengths[0] - ranking.strengths[1]
    assert ahead == pytest.approx(np.log(3))
    error = np.sqrt(1 / 30 + 1 / 10)
    assert 2 * ranking.standard_errors == pytest.approx([error, error])
    odds = np.exp(ahead + np.array([0, -1, 1]) * stats.norm.ppf(0.95) * error)
    assert ranking.win_probability("a", "b", 0.9) == pytest.approx(odds / (1 + odds))


def test_the_best_comes_first_and_400_elo_are_ten_to_one():
    ranking = bradley_terry([[0, 1], [10, 0]], ["weak", "strong"])
    assert list(ranking.intervals()) == list(ranking.elo()) == ["strong", "weak"]
    assert ranking.elo()["strong"].mean - ranking.elo()["weak"].mean == pytest.approx(400)
    assert ranking.elo()["weak"].low == pytest.approx(
        ranking.intervals()["weak"].low * 400 / np.log(10)
    )
    low, high = ranking.intervals(0.9)["weak"][1:]
    assert high - low == pytest.approx(2 * stats.norm.ppf(0.95) * ranking.standard_errors[0])


def test_strengths_far_apart_are_found():
    wins = np.zeros((6, 6))
    for i in range(5):
        wins[i, i + 1], wins[i + 1, i] = 1_000_000, 1
    steps = -np.diff(bradley_terry(wins).strengths)
    assert steps == pytest.approx(np.full(5, np.log(1_000_000)))


def test_each_strategy_is_expected_to_win_what_it_won_however_uneven_that_is():
    wins = np.array([[0, 1e3, 1e5, 1e5], [1, 0, 1e2, 1e3], [10, 1, 0, 10], [1e2, 1e7, 10, 0]])
    strengths = bradley_terry(wins).strengths
    expected = (wins + wins.T) * special.expit(strengths[:, None] - strengths)
    np.fill_diagonal(expected, 0)
    assert expected.sum(axis=1) == pytest.approx(wins.sum(axis=1))


@pytest.mark.parametrize(
    ("wins", "message"),
    [
        ([[0, 9, 9], [0, 0, 4], [0, 4, 0]], "^best never lost to another strategy"),
        ([[0, 4, 9], [4, 0, 9], [0, 0, 0]], "^worst never beat another strategy"),
        ([[0, 0, 4], [0, 0, 0], [4, 0, 0]], "^middle never beat another strategy"),
    ],
)
def test_a_strategy_that_won_or_lost_everything_has_no_strength(wins, message):
    with pytest.raises(BattleshipError, match=message):
        bradley_terry(wins, ["best", "middle", "worst"])


def test_two_groups_that_never_met_cannot_be_ranked():
    wins = np.kron(np.eye(2), [[0, 3], [2, 0]])
    with pytest.raises(BattleshipError, match=r"^0, 1 never beat another strategy"):
        bradley_terry(wins)


def test_a_strategy_that_is_not_in_the_ranking_is_unknown():
    with pytest.raises(UnknownName, match="unknown strategy 'c'; there are a, b"):
        bradley_terry([[0, 1], [1, 0]], ["a", "b"]).win_probability("a", "c")


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: mean_interval([]), "the sample is empty"),
        (lambda: Moments().interval(), "the sample is empty"),
        (lambda: mean_interval([1, 2], counts=[0, 0]), "the sample is empty"),
        (lambda: mean_interval([[1, 2]]), r"values have shape \(1, 2\)"),
        (lambda: mean_interval([1, np.nan]), "value nan is not finite"),
        (lambda: mean_interval([1, 2], 95), "level 95 is not between 0 and 1"),
        (lambda: mean_interval([1, 2], counts=[1]), r"counts have shape \(1,\), values \(2,\)"),
        (lambda: mean_interval([1, 2], counts=[1, -1]), r"counts \[ 1 -1\] are not all whole"),
        (lambda: mean_interval([1, 2], counts=[1, 0.5]), r"counts \[1.  0.5\] are not all whole"),
        (lambda: quantile_interval([1, 2], 50), "q 50 is not between 0 and 1"),
        (lambda: quantile_interval([1, 2], level=1), "level 1 is not"),
        (lambda: paired_interval([1, 2], [1]), r"shapes \(2,\) and \(1,\)"),
        (lambda: holm([0.1, np.nan]), "p value nan is not"),
        (lambda: holm([0.1, 1.5]), "p value 1.5 is not"),
        (lambda: games_needed(0, 1), "sd 0 is not a positive number"),
        (lambda: games_needed(1, 0), "difference 0 is not a positive number"),
        (lambda: games_needed(1, 1, power=80), "power 80 is not between"),
        (lambda: games_needed(1, 1, level=95), "level 95 is not between"),
        (lambda: games_for_half_width(1, -1), "half_width -1 is not a positive number"),
        (lambda: games_for_half_width(np.nan, 1), "sd nan is not a positive number"),
        (lambda: games_for_half_width(1, 1, 95), "level 95 is not between"),
        (lambda: StoppingRule(0, 100), "half_width 0 is not a positive number"),
        (lambda: StoppingRule(1, 1), "at_most 1 is not an integer of at least 2"),
        (lambda: StoppingRule(1, 100, first=2.5), "first 2.5 is not an integer of at least 2"),
        (lambda: StoppingRule(1, 100, growth=1), "growth 1 is not a number above 1"),
        (lambda: StoppingRule(1, 100).is_met([]), "there is no interval"),
        (lambda: wilson_interval(3, 2), "3 wins of 2 games"),
        (lambda: wilson_interval(0, 0), "0 wins of 0 games"),
        (lambda: wilson_interval(1, 2, 95), "level 95 is not between"),
        (lambda: bradley_terry([[0, 1]]), r"wins have shape \(1, 2\)"),
        (lambda: bradley_terry([[0]]), r"wins have shape \(1, 1\)"),
        (lambda: bradley_terry([[0, 1], [-1, 0]]), "wins -1.0 are not a number of games"),
        (lambda: bradley_terry([[1, 1], [1, 0]]), "no strategy beats itself"),
        (lambda: bradley_terry([[0, 1], [1, 0]], ["a", "a"]), "not 2 different names"),
        (lambda: bradley_terry([[0, 1], [1, 0]], ["a"]), "not 2 different names"),
        (lambda: bradley_terry([[0, 1], [1, 0]]).intervals(95), "level 95 is not between"),
    ],
)  # fmt: skip
def test_bad_input_is_one_clear_error(ask, message):
    with pytest.raises(BattleshipError, match=message):
        ask()


def test_the_difference_of_independent_games_is_welchs():
    generator = np.random.default_rng(9)
    a, b = generator.normal(56, 6, 30), generator.normal(44, 9, 50)
    expected = stats.ttest_ind(a, b, equal_var=False).confidence_interval(0.9)
    interval = independent_difference(Moments.of(a), Moments.of(b), 0.9)
    assert interval.mean == pytest.approx(a.mean() - b.mean())
    assert (interval.low, interval.high) == pytest.approx(tuple(expected))
    one = independent_difference(Moments.of([3]), Moments.of(b))
    assert (one.low, one.high) == (-np.inf, np.inf)
    assert independent_difference(Moments.of([3, 3]), Moments.of([1, 1])) == (2, 2, 2)
