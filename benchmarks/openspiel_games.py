"""Random games in OpenSpiel's battleship and in our referee, compared move by move.

    python benchmarks/openspiel_games.py [--games 10000] [--workers 2]

Every other game has the rules of the preset ``openspiel``, the others random ones: boards
to 10×10, one to five ships, with and without repeated shots, some with too few shots to
win. OpenSpiel proposes all legal moves, and one of them is drawn; compared are whose move
it is, the legal moves, the answer, whether the game is over, and in the end both records
and the returns. Prints the numbers of games and moves that agreed; the first difference
ends it.
"""

from collections import Counter
from concurrent.futures import ProcessPoolExecutor

import click
import numpy as np
from tqdm import tqdm

from battleship_ai import Duel, Layout, Rules, RulesError
from battleship_ai.layouts import check_feasible
from battleship_ai.openspiel import load_game, placing_actions, record_of, rules_of

SEED = 2026
ANSWERS = {"W": "miss", "H": "hit", "S": "sunk"}


def random_game(rng):
    """A game with random rules, and the most shots of a player."""
    while True:
        board = tuple(int(side) for side in rng.integers(1, 11, 2))
        fleet = [int(size) for size in rng.integers(1, 6, rng.integers(1, 6))]
        try:
            rules = Rules.preset("openspiel", board=board, fleet=fleet)
            check_feasible(rules)
        except RulesError:
            continue
        squares = rules.board.n_squares
        repeated = bool(rng.random() < 0.5)
        shots = int(rng.integers(1, squares + 1)) if rng.random() < 0.5 else squares
        return load_game(rules, shots=shots, repeated=repeated), shots


def agree(what, theirs, ours, state):
    """Raise if the two differ."""
    if theirs != ours:
        raise AssertionError(f"{what}: OpenSpiel says {theirs}, we say {ours}\n{state}")


def hide(game, state, rng):
    """Place both fleets by random legal actions; our layouts of the same ships."""
    rules = rules_of(game)
    squares, cols = rules.board.n_squares, rules.board.cols
    sizes = [int(size) for size in game.get_parameters()["ship_sizes"][1:-1].split(";")]
    ships, actions = ([], []), ([], [])
    for size in sizes:
        for player in (0, 1):
            agree("whose placing", state.current_player(), player, state)
            action = int(rng.choice(state.legal_actions()))
            first, step = action % squares, cols if action >= 2 * squares else 1
            ships[player].append(range(first, first + size * step, step))
            actions[player].append(action)
            state.apply_action(action)
    layouts = [Layout(rules, own) for own in ships]
    for layout, placed in zip(layouts, actions, strict=True):
        agree("placing", sorted(placed), sorted(placing_actions(game, layout)), state)
    return layouts


def play_both(game, shots, rng):
    """Play one random game in both; the number of shots that agreed, and how it ended."""
    state = game.new_initial_state()
    layouts = hide(game, state, rng)
    duel = Duel(rules_of(game), tuple(layouts))
    repeated = game.get_parameters()["allow_repeated_shots"]
    fired = 0
    while not duel.over and fired < 2 * shots:
        player = duel.to_move
        agree("whose move", state.current_player(), player, state)
        record = duel.record(player)
        open_ = list(range(record.rules.board.n_squares)) if repeated else record.unasked
        legal = state.legal_actions()
        agree("legal moves", legal, open_, state)
        action = int(rng.choice(legal))
        state.apply_action(action)
        told = ANSWERS[state.information_state_string(player)[-1]]
        agree("answer", told, str(duel.shoot(action)), state)
        fired += 1
    agree("over", state.is_terminal(), True, state)
    records = [duel.record(player) for player in (0, 1)]
    for player, record in enumerate(records):
        agree("record", str(record_of(state, player)), str(record), state)
    sunk = [
        sum(set(ship) <= set(record.asked) for ship in layout.ships)
        for record, layout in zip(records, reversed(layouts), strict=True)
    ]
    agree("returns", state.returns(), [sunk[0] - sunk[1], sunk[1] - sunk[0]], state)
    return fired, "won" if duel.over else "out of shots"


def play_game(number):
    """One game by its number."""
    rng = np.random.default_rng([SEED, number])
    if number % 2:
        game, shots = random_game(rng)
    else:
        game, shots = load_game("openspiel"), Rules.preset("openspiel").board.n_squares
    return play_both(game, shots, rng)


@click.command()
@click.option("--games", default=10_000, show_default=True)
@click.option("--workers", default=2, show_default=True)
def main(games: int, workers: int) -> None:
    ends, shots = Counter(), 0
    with ProcessPoolExecutor(workers) as pool:
        for fired, end in tqdm(pool.map(play_game, range(games), chunksize=20), total=games):
            shots += fired
            ends[end] += 1
    counts = ", ".join(f"{count:,} {end}" for end, count in sorted(ends.items(), reverse=True))
    click.echo(f"{games:,} games agreed in all {shots:,} shots: {counts}")


if __name__ == "__main__":
    main()
