"""The PettingZoo environment: its interface, and that it is the duel."""

import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from battleship_ai import (
    PRESETS,
    Density,
    IllegalMove,
    Layout,
    LayoutError,
    Rules,
    place,
    play_duel,
)
from battleship_ai.envs.duel import DuelEnv, env
from battleship_ai.envs.observation import observe

SMALL = Rules(board=(4, 5), fleet=(3, 2, 2))
AGAIN = Rules(board=(4, 5), fleet=(3, 2, 2), turn="again-on-hit")
AGENTS = ["player_0", "player_1"]


def started(rules, **settings):
    """A duel whose fleets are known: a0-a2, c0-c1, c3-c4 on both sides."""
    duel = DuelEnv(rules, **settings)
    layout = Layout.parse(rules, "a0-a2, c0-c1, c3-c4")
    duel.reset(options={"layouts": (layout, layout)})
    return duel


@pytest.mark.parametrize("preset", PRESETS)
def test_the_environment_passes_pettingzoos_tests_without_a_warning(preset):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        api_test(env(rules=preset, placer="sequential"), num_cycles=250)
        seed_test(lambda: env(rules=preset, placer="sequential"), num_cycles=120)


@pytest.mark.parametrize("rules", [SMALL, AGAIN])
@pytest.mark.parametrize("starter", [0, 1])
def test_a_game_is_the_referees_duel(rules, starter):
    layouts = tuple(place(rules, 2, seed=4))
    referee = play_duel(rules, (Density(), Density()), layouts, starter=starter)
    duel = DuelEnv(rules, starter=starter)
    duel.reset(options={"layouts": layouts})
    for agent in duel.agent_iter():
        over = duel.terminations[agent]
        duel.step(None if over else Density().choose(duel.record(agent)))
        if any(duel.terminations.values()) and not over:
            assert duel.rewards[AGENTS[referee.winner]] == 1.0
            assert duel.rewards[AGENTS[1 - referee.winner]] == -1.0
    assert [duel.record(agent) for agent in AGENTS] == [referee.record(0), referee.record(1)]
    assert duel.agents == []


def test_after_a_hit_the_rules_say_who_is_next():
    for rules, next_agent in ((SMALL, "player_1"), (AGAIN, "player_0")):
        duel = started(rules)
        duel.step(0)
        assert str(duel.record("player_0")) == "a0:hit"
        assert duel.agent_selection == next_agent
        duel = started(rules)
        duel.step(7)
        assert duel.agent_selection == "player_1"


def test_a_shot_off_the_board_loses():
    for action in (20, -1, "z9", None):
        duel = started(SMALL, starter=1)
        duel.step(action)
        assert duel.rewards == {"player_0": 1.0, "player_1": -1.0}
        assert duel.terminations == dict.fromkeys(AGENTS, True)
        assert duel.truncations == dict.fromkeys(AGENTS, False)


def test_asking_again_is_legal_costs_the_turn_and_is_masked():
    duel = started(SMALL)
    for _ in range(2):
        duel.step(7)
        duel.step(8)
    assert str(duel.record("player_0")) == "b2:miss b2:miss"
    assert not any(duel.terminations.values())
    for agent, square in zip(AGENTS, (7, 8), strict=True):
        assert np.flatnonzero(duel.infos[agent]["action_mask"] == 0).tolist() == [square]


def test_who_never_wins_loses_by_the_referees_limit():
    duel = started(SMALL)
    for _ in range(40):
        duel.step(7)
        duel.step(8)
    assert not any(duel.terminations.values())
    duel.step(0)
    assert duel.rewards == {"player_0": -1.0, "player_1": 1.0}


def test_an_agent_sees_its_shots_its_ships_and_where_it_was_shot_at():
    duel = started(SMALL)
    duel.step(0)
    duel.step(19)
    mine = duel.observe("player_0")
    assert (mine[:-2] == observe(duel.record("player_0"))).all()
    assert np.flatnonzero(mine[-2]).tolist() == [0, 1, 2, 10, 11, 13, 14]
    assert np.flatnonzero(mine[-1]).tolist() == [19]
    assert np.flatnonzero(duel.observe("player_1")[-1]).tolist() == [0]


def test_the_seed_decides_the_fleets():
    duel = DuelEnv(SMALL)

    def fleets(seed):
        duel.reset(seed=seed)
        return [duel.observe(agent)[-2].tolist() for agent in AGENTS]

    assert fleets(1) == fleets(1)
    assert fleets(1) != fleets(2)
    assert fleets(1)[0] != fleets(1)[1]
    assert fleets(None) != fleets(None)


def test_it_draws_both_records_only_if_asked_to():
    assert started(SMALL).render() is None
    duel = started(SMALL, render_mode="ansi")
    duel.step(0)
    shown = duel.render()
    assert shown.startswith(f"shots of player_0\n{duel.record('player_0').picture()}\n")
    assert shown.endswith(f"shots of player_1\n{duel.record('player_1').picture()}")


def test_misuse_has_an_error_that_says_what_to_do():
    duel = DuelEnv(SMALL)
    with pytest.raises(IllegalMove, match="no game has begun; call reset"):
        duel.observe("player_0")
    layout = Layout.parse(SMALL, "a0-a2, c0-c1, c3-c4")
    with pytest.raises(LayoutError, match="layouts has 1 layouts; a duel has 2"):
        duel.reset(options={"layouts": [layout]})
    with pytest.raises(LayoutError, match="not a Layout of the environment's rules"):
        duel.reset(options={"layouts": [layout, layout.ships]})
    with pytest.raises(IllegalMove, match="starter 2 is not player 0 or player 1"):
        DuelEnv(SMALL, starter=2)
