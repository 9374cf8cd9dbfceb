"""The Gymnasium environment: its interface, and that it is the game."""

import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from battleship_ai import (
    PRESETS,
    Density,
    IllegalMove,
    Layout,
    LayoutError,
    Record,
    Rules,
    UnknownName,
    place,
    play_solo,
)
from battleship_ai.envs import ShipBombingEnv, observe, plane_names, unasked

SMALL = Rules(board=(4, 5), fleet=(3, 2, 2))
ID = "battleship_ai/ShipBombing-v0"


def planes(rules, text):
    """The planes of a record by their names."""
    record = Record.parse(rules, text)
    return dict(zip(plane_names(rules), observe(record), strict=True))


def shots_of(env, choose):
    """The squares of one episode, chosen from the environment's info."""
    shots, over = [], False
    while not over:
        action = choose(env)
        shots.append(action)
        *_, over, _, _ = env.step(action)
    return shots


@pytest.mark.parametrize("preset", PRESETS)
def test_the_environment_passes_the_checker_without_a_warning(preset):
    env = gymnasium.make(ID, rules=preset, render_mode="ansi", placer="sequential")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


def test_a_module_path_makes_it_without_an_import():
    script = f"import gymnasium; print(gymnasium.make('battleship_ai.envs:{ID}').action_space)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "Discrete(100)\n"


def test_several_run_at_once():
    envs = gymnasium.make_vec(ID, num_envs=3, rules=SMALL)
    observation, info = envs.reset(seed=1)
    assert observation.shape == (3, *observe(Record(SMALL)).shape)
    assert info["action_mask"].shape == (3, 20)


def test_an_episode_is_the_referees_game():
    """The same strategy needs the same shots, whoever asks it."""
    (layout,) = place(SMALL, seed=5)
    game = play_solo(Density(), layout)
    env = ShipBombingEnv(SMALL)
    env.reset(options={"layout": layout})
    shots_of(env, lambda env: Density().choose(env.record))
    assert env.record == game.record


def test_the_return_is_minus_the_shots_to_win():
    env = ShipBombingEnv(SMALL)
    env.reset(seed=3)
    total, over = 0.0, False
    while not over:
        square = int(np.argmax(env.action_masks()))
        _, reward, over, truncated, _ = env.step(square)
        total += reward
        assert not truncated
    assert total == -len(env.record)
    assert env.layout.squares - env.record.hits == SMALL.board.squares()


def test_the_seed_decides_this_fleet_and_those_that_follow():
    env = ShipBombingEnv(SMALL)

    def fleets(seed):
        env.reset(seed=seed)
        first = env.layout
        env.reset()
        return first, env.layout

    assert fleets(1) == fleets(1)
    assert len({*fleets(1), *fleets(2)}) == 4


def test_the_placer_hides_the_fleet():
    edge, uniform = (
        ShipBombingEnv(Rules(board=(9, 9), fleet=(3,)), placer=name) for name in ("edge", "uniform")
    )
    rim = edge.rules.board.squares(
        (row, col) for row in range(9) for col in range(9) if {row, col} & {0, 8}
    )

    def at_the_rim(env):
        return sum(len(env.layout.squares & rim) for _ in range(100) if env.reset())

    edge.reset(seed=0)
    uniform.reset(seed=0)
    assert at_the_rim(edge) > 1.5 * at_the_rim(uniform)


def test_asking_again_costs_a_shot_and_is_masked():
    env = ShipBombingEnv(SMALL)
    env.reset(options={"layout": Layout.parse(SMALL, "a0-a2, c0-c1, c3-c4")})
    _, _, _, _, first = env.step(7)
    _, reward, over, truncated, again = env.step(7)
    assert (first["answer"], again["answer"]) == ("miss", "miss")
    assert (reward, over, truncated, len(env.record)) == (-1.0, False, False, 2)
    for mask in (again["action_mask"], env.action_masks()):
        assert np.flatnonzero(mask == 0).tolist() == [7]
    assert (again["action_mask"].dtype, env.action_masks().dtype) == (np.int8, np.bool_)


def test_an_episode_without_end_is_truncated_where_the_referee_stops_it():
    env = ShipBombingEnv(SMALL)
    env.reset(options={"layout": Layout.parse(SMALL, "a0-a2, c0-c1, c3-c4")})
    ends = [env.step(7)[2:4] for _ in range(40)]
    assert ends == [(False, False)] * 39 + [(False, True)]


def test_misuse_has_an_error_that_says_what_to_do():
    env = ShipBombingEnv(SMALL)
    with pytest.raises(IllegalMove, match="no game has begun; call reset"):
        env.step(0)
    with pytest.raises(LayoutError, match="not a Layout of the environment's rules"):
        env.reset(options={"layout": place(Rules())[0]})
    env.reset(seed=1)
    with pytest.raises(IllegalMove, match="20 is off the board"):
        env.step(20)
    shots_of(env, lambda env: int(np.argmax(env.action_masks())))
    with pytest.raises(IllegalMove, match="every ship is sunk; call reset"):
        env.step(0)
    with pytest.raises(UnknownName, match="did you mean 'hasbro'"):
        ShipBombingEnv("hasbo")


def test_it_draws_the_record_only_if_asked_to():
    silent, drawn = ShipBombingEnv(SMALL), ShipBombingEnv(SMALL, render_mode="ansi")
    for env in (silent, drawn):
        env.reset(seed=1)
        env.step(0)
    assert silent.render() is None
    assert drawn.render() == drawn.record.picture()


def test_each_square_has_one_answer_the_latest():
    seen = planes(Rules.preset("openspiel", board=(1, 5), fleet=(2, 2)), "a0:hit a1:sunk a4:miss")
    assert seen["unasked"].tolist() == [[0, 0, 1, 1, 0]]
    assert seen["miss"].tolist() == [[0, 0, 0, 0, 1]]
    assert seen["hit"].tolist() == [[1, 0, 0, 0, 0]]
    assert seen["sunk"].tolist() == [[0, 1, 0, 0, 0]]
    again = planes(
        Rules.preset("openspiel", board=(1, 5), fleet=(2, 2)), "a0:hit a1:sunk a4:miss a0:sunk"
    )
    assert again["sunk"].tolist() == [[1, 1, 0, 0, 0]]
    assert again["afloat"].tolist() == seen["afloat"].tolist() == [[0.5] * 5]


def test_where_ships_are_apart_a_bare_sinking_tells_the_class():
    seen = planes(SMALL, "a0:hit a1:sunk d4:hit")
    assert (seen["afloat 3"] == 1.0).all()
    assert (seen["afloat 2"] == 0.5).all()


def test_a_told_ship_is_seen_at_its_square_and_in_the_fleet():
    sizes = planes(Rules.preset("hasbro"), "a0:hit a1:sunk:2 c4:hit c5:hit c6:sunk:3")
    assert sizes["told 2"].sum() == sizes["told 2"][0, 1] == 1.0
    assert (sizes["afloat 2"] == 0.0).all()
    assert (sizes["afloat 3"] == 0.5).all()
    names = planes(Rules.preset("hasbro-official"), "a0:hit:carrier b7:sunk:destroyer")
    assert names["told carrier"].sum() == names["told carrier"][0, 0] == 1.0
    assert (names["afloat carrier"] == 1.0).all()
    assert (names["afloat destroyer"] == 0.0).all()


@pytest.mark.parametrize("preset", PRESETS)
def test_the_planes_tell_how_a_game_ended(preset):
    """All that was asked, each ship sunk, and every answer in one plane."""
    rules = Rules.preset(preset)
    record = play_solo(Density(), place(rules, placer="sequential", seed=2)[0]).record
    seen = dict(zip(plane_names(rules), observe(record), strict=True))
    answers = seen["unasked"] + seen["miss"] + seen["hit"] + seen["sunk"]
    assert (answers == 1.0).all()
    assert (seen["unasked"].ravel() == unasked(record)).all()
    assert seen["hit"].sum() + seen["sunk"].sum() == rules.ship_squares
    assert all((seen[name] == 0.0).all() for name in seen if name.startswith("afloat"))
    assert (observe(Record(rules))[4:] >= 0.0).all()
