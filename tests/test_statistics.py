"""Intervals."""

import numpy as np
import pytest
from scipy import stats

from battleship_ai.statistics import mean_interval, paired_interval


def test_the_mean_interval_is_students():
    values = np.random.default_rng(1).normal(3, 2, 25)
    low, high = stats.t.interval(0.95, 24, values.mean(), stats.sem(values))
    assert mean_interval(values)[1:] == pytest.approx((low, high))


def test_a_paired_interval_is_that_of_the_differences():
    generator = np.random.default_rng(2)
    a, b = generator.normal(size=30), generator.normal(size=30)
    assert paired_interval(a, b) == mean_interval(a - b)


@pytest.mark.slow
def test_the_interval_covers_the_truth_as_often_as_it_says():
    samples = np.random.default_rng(3).exponential(size=(4000, 200))
    covered = [low < 1 < high for _, low, high in map(mean_interval, samples)]
    assert 0.93 < np.mean(covered) < 0.97
