"""What a replay tells of a game, and the page and the command that show it."""

import html
import json
import re

import numpy as np
import pytest

from battleship_ai import (
    Board,
    DataError,
    Design,
    ExactPosterior,
    HuntTarget,
    Layout,
    LayoutError,
    Record,
    RecordError,
    Replay,
    Rules,
    Run,
    place,
    play_solo,
    run_design,
)
from battleship_ai.cli import main
from battleship_ai.naval import (
    NavalLayout,
    NavalPosterior,
    NavalRecord,
    RandomSalvo,
    place_naval,
    play_solo_match,
)
from battleship_ai.replay.bombing import bombing_story
from battleship_ai.replay.naval import naval_story
from battleship_ai.replay.page import page
from battleship_ai.replay.story import Map, Step, Story, packed
from naval_fixture import small_rules

SMALL = Rules(board=(4, 5), fleet=(3, 2))
UNCOVERED = Rules(board=(4, 4), fleet=(3, 2), shape="any", contact="allowed")


def story_of(record, layout=None, *, maps=True):
    return bombing_story(record, layout, "a game", maps=maps, progress=False)


def naval_story_of(record, layout=None, *, maps=True):
    return naval_story(record, layout, "a match", maps=maps, progress=False)


def data_in(text):
    (data,) = re.findall(r'<script id="story" type="application/json">(.*?)</script>', text)
    return json.loads(data)


@pytest.fixture(scope="module")
def game():
    (layout,) = place(SMALL, seed=4)
    return play_solo(HuntTarget(), layout, seed=4)


@pytest.fixture(scope="module")
def match():
    (layout,) = place_naval(small_rules(), placer="sequential", seed=3)
    return play_solo_match(RandomSalvo(), layout, seed=3)


# Ship bombing.


def test_there_is_a_map_before_each_shot_and_after_the_last(game):
    story = story_of(game.record)
    assert len(story.maps) == len(story.steps) + 1 == len(game.record) + 1
    posterior = ExactPosterior(SMALL)
    for n, shown in enumerate(story.maps):
        record = Record(SMALL, game.record.shots[:n])
        assert shown.source.startswith("Exact posterior")
        (layer,) = shown.layers
        right = posterior.probabilities(record).ravel()
        assert layer[record.unasked] == pytest.approx(right[record.unasked])
        assert np.isnan(layer[list(record.asked)]).all()


def test_each_shot_is_told_with_the_probability_that_it_had():
    record = Record.parse(Rules(board=(1, 4), fleet=(2,)), "a1:hit a0:miss a1:hit a2:sunk")
    told = [step.told for step in story_of(record).steps]
    assert told == [
        "Shot 1 of 4: a1, hit. A ship there had probability 0.667.",
        "Shot 2 of 4: a0, miss. A ship there had probability 0.500.",
        "Shot 3 of 4: a1, hit. It was asked before.",
        "Shot 4 of 4: a2, sunk. A ship there had probability 1.000. All ships are sunk.",
    ]
    assert [step.entry for step in story_of(record, maps=False).steps][3] == "4. a2 sunk"
    assert story_of(record, maps=False).steps[1].told == "Shot 2 of 4: a0, miss."


def test_where_no_posterior_is_exact_it_is_estimated_and_the_map_says_so():
    record = Record.parse(UNCOVERED, "b1:hit")
    shown = story_of(record).maps[1]
    assert "estimated from 2,000 weighted draws" in shown.source
    assert np.nansum(shown.layers[0]) == pytest.approx(4)


def test_where_no_draw_fits_the_map_is_the_placement_density():
    record = Record(UNCOVERED, [(s, "miss") for s in range(16) if s not in (0, 1, 2, 15)])
    shown = story_of(record).maps[-1]
    assert shown.source.startswith("Placement density")
    assert np.nanmax(shown.layers[0]) == 1.0
    longer = Record(UNCOVERED, [*record.shots, (0, "hit")])
    assert "probability" not in story_of(longer).steps[-1].told


def test_a_record_that_no_layout_fits_has_no_map():
    record = Record(SMALL, [(square, "miss") for square in range(18)])
    story = story_of(record)
    assert story.maps[0] is not None
    assert story.maps[-1] is None
    assert data_in(page(story))["maps"][-1] is None


@pytest.mark.parametrize(
    ("rules", "shots", "marked"),
    [
        (SMALL, "a0:hit c4:hit a1:hit a2:sunk", ["a0", "a1", "a2"]),
        (Rules((4, 5), (3, 2), contact="allowed"), "a0:hit a1:hit a2:sunk", ["a2"]),
        (
            Rules((4, 5), (3, 2), contact="allowed", announce="hit-name"),
            "a0:hit:3 a1:hit:2 b0:hit:3 c0:sunk:3", ["a0", "b0", "c0"],
        ),
    ],
)  # fmt: skip
def test_a_sinking_marks_the_whole_ship_where_it_is_plain(rules, shots, marked):
    last = story_of(Record.parse(rules, shots), maps=False).steps[-1]
    assert last.marks == {rules.board.square(name): "sunk" for name in marked}


def test_the_hidden_fleet_is_there_if_the_layout_is_known(game):
    assert story_of(game.record, maps=False).hidden == {}
    hidden = story_of(game.record, game.layout, maps=False).hidden
    assert sorted(hidden) == sorted(game.layout.squares)
    for ship in game.layout.ships:
        assert {hidden[square].mark for square in ship} == {str(len(ship))}


def test_a_layout_that_does_not_give_the_record_is_refused():
    layout = Layout.parse(SMALL, "a0-a2, c4-d4")
    with pytest.raises(LayoutError, match="it answers miss at b0, not hit"):
        story_of(Record.parse(SMALL, "a0:hit b0:hit"), layout)
    other = Rules(board=(4, 5), fleet=(3, 2), turn="again-on-hit")
    with pytest.raises(LayoutError, match="of other rules"):
        story_of(Record.parse(other, "a0:hit"), layout)


# Naval Bombardment.


def test_the_maps_of_a_match_are_the_posteriors_of_ships_and_mines(match):
    story = naval_story_of(match.record)
    assert len(story.maps) == len(match.record) + 1
    assert story.layers == ("ships", "mines")
    for n in (0, 1, len(match.record)):
        record = NavalRecord(match.record.rules, match.record.salvos[:n])
        right = NavalPosterior(record)
        ships, mines = story.maps[n].layers
        spent = [mine.square for mine in record.mines]
        for layer, expected in (
            (ships, right.square_probabilities), (mines, right.mine_probabilities)
        ):  # fmt: skip
            assert np.flatnonzero(np.isnan(layer)).tolist() == sorted(spent)
            rest = ~np.isnan(layer)
            assert layer[rest] == pytest.approx(expected[rest])
    assert story.maps[-1].source.startswith("Exact posterior")


def test_a_called_square_is_marked_and_a_mine_by_its_kind(match):
    marks = {}
    for step, salvo in zip(
        naval_story_of(match.record, maps=False).steps, match.record, strict=True
    ):
        assert step.squares == salvo.fired
        marks |= step.marks
    mines = {mine.square: mine.kind for mine in match.record.mines}
    assert marks == {square: mines.get(square, "called") for square in match.record.called}
    assert len(mines) > 0


def test_calling_a_spent_mine_again_leaves_its_mark():
    rules = small_rules()
    text = "1: A1 -> no hits; ordinary mine at A1; 8 guns left\n2: A1 B5 -> no hits; 8 guns left"
    steps = naval_story_of(NavalRecord.parse(rules, text), maps=False).steps
    assert [list(step.marks.values()) for step in steps] == [["ordinary"], ["called"]]
    assert steps[0].told == ("Salvo 1: 1 square called, no hits, ordinary mine at A1; 8 guns left.")


def test_the_last_salvo_of_a_match_won_says_so(match):
    steps = naval_story_of(match.record, maps=False).steps
    assert steps[-1].told.endswith("0 guns left. All ships are sunk.")
    assert not any("sunk" in step.told for step in steps[:-1])


def test_ships_and_mines_that_do_not_give_the_record_are_refused(match):
    story = naval_story_of(match.record, match.layout, maps=False)
    assert sorted(story.hidden) == sorted(match.layout.squares)
    (other,) = place_naval(small_rules(), placer="sequential", seed=99)
    with pytest.raises(LayoutError, match=r"salvo \d+ hits other ships or mines there"):
        naval_story_of(match.record, other, maps=False)
    literal = NavalLayout.from_dict(small_rules("literal"), match.layout.to_dict())
    with pytest.raises(LayoutError, match="of other rules"):
        naval_story_of(match.record, literal, maps=False)


# The page.


def unpacked(text):
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/"
    numbers = []
    for word in re.findall(r"\.|-|..", text):
        if word in ".-":
            numbers.append(np.nan if word == "." else 0.0)
        else:
            numbers.append((64 * letters.index(word[0]) + letters.index(word[1])) / 4095)
    return np.array(numbers)


def test_numbers_keep_12_bits_and_only_the_certain_looks_certain():
    numbers = np.array([np.nan, 0.0, 1e-15, 1e-6, 0.3, 0.5, 1 - 1e-6, 1 - 1e-15, 1.0])
    found = unpacked(packed(numbers))
    assert found == pytest.approx(numbers, abs=1 / 4095, nan_ok=True)
    assert (found == 0).tolist() == [False, True, True, *[False] * 6]
    assert (found == 1).tolist() == [*[False] * 7, True, True]


def test_a_page_holds_its_story_and_is_ascii(game):
    story = story_of(game.record, game.layout)
    text = page(story)
    data = data_in(text)
    assert text.isascii()
    assert [step["told"] for step in data["steps"]] == [step.told for step in story.steps]
    (first,) = data["maps"][0]["layers"]
    assert unpacked(first) == pytest.approx(story.maps[0].layers[0], abs=1 / 4095)
    assert data["rows"] == list("abcd")
    assert data["columns"] == list("01234")


def test_no_title_and_no_name_breaks_out_of_the_page():
    nasty = "</script><script>alert(1)</script><!--story-->&Õ"
    rules = Rules((2, 2), (1,), names=["</script><b>"], announce="hit-name")
    record = Record(rules, [("a0", "sunk:</script><b>")])
    text = page(bombing_story(record, None, nasty, maps=False, progress=False))
    assert "alert(1)</script>" not in text
    assert "<title>&lt;/script&gt;" in text
    assert text.count("</script>") == 2
    assert data_in(text)["steps"][0]["entry"] == "1. a0 sunk:</script><b>"


def long_story(squares, steps):
    """A game on the largest board with numbers everywhere but on the squares asked."""
    rng = np.random.default_rng(1)
    maps = []
    for asked in range(steps + 1):
        layer = rng.random(squares)
        layer[: min(asked, squares)] = np.nan
        maps.append(Map((layer,), "A source of a usual length, about a ship on each square."))
    told = "Shot 123 of 676: a11, miss. A ship there had probability 0.123."
    shots = [
        Step("123. a11 miss", told, (i % squares,), {i % squares: "miss"}) for i in range(steps)
    ]
    return Story("Long", "rules", "shot", Board(26, 26), {"miss": "miss"}, shots, ("ships",), maps)


def test_shooting_at_every_square_of_the_largest_board_takes_less_than_a_megabyte():
    assert len(page(long_story(676, 676))) < 1_000_000


def test_a_page_of_a_megabyte_is_refused():
    steps = [Step("entry", "x" * 1_000_000, (0,), {})]
    with pytest.raises(DataError, match=r"1 steps would have 1,0.* leave out its maps"):
        page(Story("Long", "rules", "shot", Board(2, 2), {}, steps))


# From Python.


def test_records_make_their_own_pages(game, match):
    assert game.record.to_html(game.layout) == Replay(game.record, game.layout).html
    assert "<title>Ship bombing</title>" in game.record.to_html(maps=False)
    text = match.record.to_html(match.layout, maps=False)
    assert text == Replay(match.record, match.layout, maps=False).html
    assert "<title>Naval Bombardment</title>" in text
    assert data_in(text)["maps"] == []


def test_a_notebook_shows_the_page_in_a_frame(game, tmp_path):
    replay = Replay(game.record, title="Mine")
    (source,) = re.findall(
        r'<iframe srcdoc="([^"]*)" sandbox="allow-scripts"', replay._repr_html_()
    )
    assert html.unescape(source) == replay.html
    replay.save(tmp_path / "game.html")
    assert (tmp_path / "game.html").read_text() == replay.html
    assert [path.name for path in tmp_path.iterdir()] == ["game.html"]


def test_what_is_no_record_or_no_layout_is_one_error(game, match):
    with pytest.raises(RecordError, match="'a0:hit' is no Record and no NavalRecord"):
        Replay("a0:hit")
    with pytest.raises(LayoutError, match="is no Layout, as a Record asks for"):
        Replay(game.record, match.layout)
    with pytest.raises(LayoutError, match="is no NavalLayout, as a NavalRecord asks for"):
        Replay(match.record, game.layout)


def test_an_empty_record_is_a_page_too():
    assert data_in(Record(SMALL).to_html())["steps"] == []
    assert data_in(NavalRecord(small_rules()).to_html(maps=False))["steps"] == []


# The command.


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs")
    rules = {"small": SMALL, "tiny": Rules(board=(3, 3), fleet=(2, 1))}
    run_design(
        Design(rules, ["density", "random"], games=4, seed=2, placers=["uniform", "edge"]),
        path / "several",
    )
    run_design(Design({"small": SMALL}, ["density"], games=3, seed=2), path / "one")
    run_design(
        Design({"small": SMALL}, ["hunt-target", "density"], games=3, seed=2, mode="duel"),
        path / "duels",
    )
    run_design(
        Design({"boats": small_rules()}, ["random-salvo"], games=2, seed=2, placers="sequential"),
        path / "naval",
    )
    return path


@pytest.fixture
def replay(directory, tmp_path, capsys):
    """What `battleship-ai replay` prints on standard error, and the page, None if none."""

    def call(run, *arguments, html=tmp_path / "game.html"):
        status = main(["replay", str(directory / run), *arguments, "--html", str(html)])
        out, err = capsys.readouterr()
        assert out == ""
        assert status == (0 if html.exists() else 2)
        return err, html.read_text() if html.exists() else None

    return call


def test_the_command_writes_the_page_of_a_game(replay, directory):
    game = Run(directory / "one").replay(2, "density")
    err, text = replay("one", "--game", "2")
    title = "density, game 2 of small--uniform"
    assert text == Replay(game.record, game.layout, title=title).html
    assert err.startswith(f"{len(game.record)} steps in ")


def test_the_cell_of_a_run_is_chosen_by_its_names(replay, directory):
    cell = {"rules": "tiny", "placer": "edge"}
    game = Run(directory / "several").replay(3, "random", **cell)
    options = [f"--{key}={value}" for key, value in {**cell, "strategy": "random"}.items()]
    _, text = replay("several", "--game", "3", *options, "--no-map")
    title = "random, game 3 of tiny--edge"
    assert text == Replay(game.record, game.layout, title=title, maps=False).html


def test_either_side_of_a_duel_can_be_seen(replay, directory):
    duel = Run(directory / "duels").replay(1, "hunt-target", "density")
    outcomes = {duel.winner: "won", 1 - duel.winner: "lost"}
    for player, label, other in ((0, "hunt-target", "density"), (1, "density", "hunt-target")):
        _, text = replay("duels", "--game", "1", "--strategy", label, "--no-map")
        title = f"{label}, game 1 of small--uniform against {other}: {outcomes[player]}"
        layout = duel.layout(1 - player)
        assert text == Replay(duel.record(player), layout, title=title, maps=False).html


def test_a_match_is_written_too(replay, directory):
    match = Run(directory / "naval").replay(1, "random-salvo")
    _, text = replay("naval", "--game", "1", "--no-map")
    title = "random-salvo, game 1 of boats--sequential"
    assert text == Replay(match.record, match.layout, title=title, maps=False).html


@pytest.mark.parametrize(
    ("run", "arguments", "message"),
    [
        ("several", "--game 1", "--rules is needed to choose one of: small, tiny"),
        ("several", "--game 1 --rules tiny", "--placer is needed to choose one of: uniform, edge"),
        (
            "several", "--game 1 --rules tiny --placer edge",
            "--strategy is needed to choose one of: density, random",
        ),
        ("one", "--game 1 --strategy densty", "unknown strategy 'densty'; did you mean 'density'?"),
        ("one", "--game 1 --rules big", "unknown rules 'big'; there are: small"),
        ("one", "--game 3", "game 3 is not one of the 3 games"),
        ("one", "--game x", "'x' is not a valid integer"),
        ("one", "--game 1 --opponent density", "--opponent 'density' is for duels"),
        ("duels", "--game 1", "--strategy is needed to choose one of: hunt-target, density"),
        ("duels", "--game 1 --strategy density --opponent density", "unknown opponent 'density'"),
        ("missing", "--game 1", "does not exist"),
    ],
)  # fmt: skip
def test_a_game_that_is_not_there_is_one_line_and_no_file(replay, run, arguments, message):
    err, text = replay(run, *arguments.split())
    assert message in err
    assert err.count("\n") == 1
    assert text is None


def test_a_page_cannot_go_where_there_is_no_directory(replay, tmp_path):
    err, _ = replay("one", "--game", "1", html=tmp_path / "no" / "game.html")
    assert "is not in a directory that exists" in err
