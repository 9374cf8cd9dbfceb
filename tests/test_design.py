"""Designs: what a file may say, and what it is told when it says something else."""

import pytest

from battleship_ai import BattleshipError, Design, Rules, StoppingRule, TournamentError

WHOLE = """
rules = ["hasbro", {label = "small", preset = "hasbro", board = "6x6", fleet = [3, 2]},
         {label = "own", board = [5, 5], fleet = [3, 2, 1], shape = "tetris"}]
placers = ["uniform", "edge"]
strategies = ["random", "monte-carlo:draws=50",
              {label = "wide", strategy = "monte-carlo:draws=200"}]
games = 50
seed = 7
keep_shots = true
game_seconds = 5
"""


@pytest.fixture
def write(tmp_path):
    def write(text):
        path = tmp_path / "design.toml"
        path.write_text(text)
        return path

    return write


def test_a_file_says_all_that_python_can(write):
    design = Design.read(write(WHOLE))
    assert design == Design(
        {
            "hasbro": "hasbro",
            "small": Rules.preset("hasbro", board="6x6", fleet=[3, 2]),
            "own": Rules(board=(5, 5), fleet=(3, 2, 1), shape="tetris"),
        },
        {"random": "random", "monte-carlo:draws=50": "monte-carlo:draws=50",
         "wide": "monte-carlo:draws=200"},
        placers=["uniform", "edge"], games=50, seed=7, keep_shots=True, game_seconds=5,
    )  # fmt: skip


def test_a_design_survives_the_way_through_a_table(write):
    design = Design.read(write(WHOLE + "[stop]\nhalf_width = 0.5\nat_most = 4000\n"))
    again = Design.from_dict(design.to_dict())
    assert again == design
    assert again.digest == design.digest
    assert again.stop == StoppingRule(0.5, 4000)


def test_every_setting_is_part_of_the_digest(write):
    path = write(WHOLE)
    digests = {Design.read(path).digest}
    for old, new in [("seed = 7", "seed = 8"), ("games = 50", "games = 51"), ("edge", "sequential"),
                     ("draws=200", "draws=201"), ("3, 2, 1", "2, 2, 1"), ("true", "false"),
                     ("game_seconds = 5", "game_seconds = 6")]:  # fmt: skip
        digests.add(Design.read(write(WHOLE.replace(old, new))).digest)
    assert len(digests) == 8


def test_an_empty_file_is_the_tournament_of_the_command_line(write):
    assert Design.read(write("")) == Design()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("game = 3", "unknown key 'game'; did you mean 'games'"),
        ("games = 0", "games 0 is not an integer of at least 1"),
        ("games = true", "games True is not an integer"),
        ("seed = -1", "seed -1 is not an integer of at least 0"),
        ("seed = 1.5", "seed 1.5"),
        ("mode = 'team'", "mode 'team' is not solo or duel"),
        ("luck_adjusted = 1", "luck_adjusted 1 is not true or false"),
        ("game_seconds = 0", "game_seconds 0 is not a positive number"),
        ("rules = 3", "rules 3 is not a list"),
        ("rules = []", "rules is empty"),
        ("rules = [3]", "rules has 3, which is no preset"),
        ("rules = ['habsro']", "unknown preset 'habsro'; did you mean 'hasbro'"),
        ("rules = [{fleet = [3]}]", "without a label"),
        ("rules = [{label = 'a', flet = [3]}]", "unknown rules key 'flet'"),
        ("rules = [{label = 'a', preset = 'hasbro', flet = [3]}]", "unknown rules key 'flet'"),
        ("rules = [{label = 'a', fleet = [30]}]", "fleet has no legal layout"),
        ("rules = [{label = '../a', fleet = [3]}]", "rules has the label '../a'"),
        ("rules = ['hasbro', 'hasbro']", "rules has 'hasbro' twice"),
        ("placers = ['rim']", "unknown placer 'rim'"),
        ("placers = []", "placers is empty"),
        ("placers = ['edge', 'edge']", "placers has 'edge' twice"),
        ("strategies = []", "there is no strategy"),
        ("strategies = ['desnity']", "unknown strategy 'desnity'"),
        ("strategies = ['monte-carlo:drws=3']", "no parameter drws"),
        ("strategies = ['random', 'random']", "strategies has 'random' twice"),
        ("strategies = [{label = 'a'}]", "no table of label and strategy"),
        ("stop = 3", "stop 3 is not a table"),
        ("[stop]\nhalf_width = 1", "stop has no at_most"),
        ("[stop]\nhalf_width = 1\nat_most = 9\nmost = 3", "unknown key of stop 'most'"),
        ("[stop]\nhalf_width = -1\nat_most = 9", "half_width -1"),
        ("mode = 'duel'\nstrategies = ['random']", "a duel needs two"),
        ("mode = 'duel'\nluck_adjusted = true", "luck_adjusted is for mode solo"),
        ("luck_adjusted = true\nplacers = ['edge']", "uniform"),
        ("games = [", "Invalid value"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_the_file_and_the_key(write, text, message):
    path = write(text)
    with pytest.raises(BattleshipError) as error:
        Design.read(path)
    assert str(error.value).startswith(f"{path}: ")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(TournamentError, match="No such file"):
        Design.read(tmp_path / "none.toml")
