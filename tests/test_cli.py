"""The command line: what it prints, and one clear line for bad input."""

import json
import subprocess
import sys

import pytest
from click.shell_completion import ShellComplete

from battleship_ai import PRESETS, STRATEGIES, Layout, Rules, solve
from battleship_ai.cli import cli, main
from battleship_ai.naval import CAPTAINS, NAVAL_PRESETS, NavalRules


@pytest.fixture
def run(capsys):
    def call(*arguments):
        status = main(list(arguments))
        out, err = capsys.readouterr()
        return status, out, err

    return call


def test_count_prints_the_number(run):
    status, out, _ = run("count", "--board", "4x4", "--fleet", "3,2", "--contact", "allowed")
    assert (status, out) == (0, "264\n")
    _, out, _ = run("count", "--board", "4x4", "--fleet", "3,2", "--json")
    assert json.loads(out) == {"layouts": 104}


def test_posterior_prints_the_layouts_and_the_map(run):
    rules = ("--board", "4x4", "--fleet", "3,2")
    status, out, _ = run("posterior", *rules, "--record", "a0:hit a1:miss", "--json")
    document = json.loads(out)
    assert status == 0
    assert document["layouts"] == 16
    assert sum(map(sum, document["probabilities"])) == pytest.approx(5)
    _, out, _ = run("posterior", *rules)
    assert out.startswith("104 layouts\n")


def test_sample_prints_legal_layouts(run):
    status, out, _ = run("sample", "--rules", "ship-bombing-any", "--count", "3", "--json")
    assert status == 0
    rules = Rules.preset("ship-bombing-any")
    assert [len(Layout(rules, ships).ships) for ships in json.loads(out)] == [10, 10, 10]
    _, out, _ = run("sample", "--rules", "ship-bombing-any", "--count", "2")
    pictures = out.split("\n\n")
    assert [Layout.parse(rules, text).rules for text in pictures] == [rules, rules]


def test_tournament_prints_one_document(run):
    status, out, _ = run(
        "tournament", "--rules", "hasbro", "--strategies", "random,density", "--games", "20",
        "--seed", "3", "--placer", "edge", "--json",
    )  # fmt: skip
    document = json.loads(out)
    assert status == 0
    assert document["rules"]["fleet"] == [5, 4, 3, 3, 2]
    assert (document["placer"], document["games"], document["seed"]) == ("edge", 20, 3)
    row = document["strategies"][0]
    assert {"name", "games", "mean", "ci95", "sd", "median", "p95", "min", "max", "seconds",
            "games_per_second"} <= set(row)  # fmt: skip
    assert {"a", "b", "mean_difference", "ci95"} <= set(document["comparisons"][0])


def test_tournament_prints_a_table(run):
    status, out, _ = run("tournament", "--strategies", "random,density", "--games", "5")
    assert status == 0
    assert "placer uniform, seed 0" in out
    assert "random - density" in out


def test_rules_and_strategies_are_listed(run):
    _, out, _ = run("rules")
    assert [line.split()[0] for line in out.splitlines()] == [*PRESETS, *NAVAL_PRESETS]
    _, out, _ = run("strategies")
    assert [line.split()[0] for line in out.splitlines()] == [*STRATEGIES, *CAPTAINS]
    assert out.splitlines()[-1].split()[1:3] == ["Naval", "Bombardment"]
    _, out, _ = run("rules", "--json")
    rows = json.loads(out)
    assert [row["game"] for row in rows] == ["ship bombing"] * len(PRESETS) + ["Naval Bombardment"]
    assert [Rules.from_dict(row["rules"]) for row in rows[: len(PRESETS)]] == [
        Rules.preset(name) for name in PRESETS
    ]
    assert NavalRules.from_dict(rows[-1]["rules"]) == NavalRules()
    _, out, _ = run("strategies", "--json")
    assert [(row["name"], row["game"]) for row in json.loads(out)] == [
        *((name, "ship bombing") for name in STRATEGIES),
        *((name, "Naval Bombardment") for name in CAPTAINS),
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tournament", "--rules", "hasbor"], "did you mean 'hasbro'?"),
        (["tournament", "--strategies", "perfect"], "unknown strategy 'perfect'"),
        (["tournament", "--strategies", ","], "no strategy"),
        (["tournament", "--games", "0"], "games 0"),
        (["tournament", "--games", "many"], "many"),
        (["tournament", "--placer", "me"], "unknown placer 'me'"),
        (["count", "--shape", "any", "--contact", "corners"], "more than"),
        (["posterior", "--record", "a0"], "not of the form"),
        (
            ["posterior", "--shape", "any", "--contact", "corners"],
            "draw from the posterior instead",
        ),
        (["posterior", "--record", "a0:hit a1:hit b1:hit"], "from shot 3 on: b1:hit"),
        (["count", "--fleet", "3,x"], "fleet '3,x'"),
        (["count", "--fleet", ""], "fleet is empty"),
        (["count", "--board", "10"], "board '10'"),
        (["count", "--board", "30x30"], "30 rows"),
        (["count", "--shape", "round"], "shape 'round'"),
        (["sample", "--seed", "-1"], "seed -1"),
        (["sample", "--count", "-1"], "count -1"),
        (["sample", "--board", "3x3", "--fleet", "2,2,1"], "no legal layout"),
        (["bogus"], "bogus"),
        (["count", "--bogus"], "--bogus"),
    ],
)
def test_bad_input_is_one_line_and_status_2(run, arguments, message):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert message in err


def test_the_installed_command_runs():
    done = subprocess.run(
        [sys.executable, "-m", "battleship_ai.cli", "count", "--board", "4x4", "--fleet", "9"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == (
        "battleship-ai: fleet has no legal layout: a straight ship of 9 squares is longer than "
        "the 4x4 board\n"
    )


def test_solve_prints_optimal_play_and_what_strategies_give_away(run, tmp_path):
    small = ["--board", "3x3", "--fleet", "2,1", "--announce", "sunk-size"]
    tree = tmp_path / "tree.json"
    arguments = ["solve", *small, "--strategies", "exact,density", "--worst", "--tree", str(tree)]
    status, out, _ = run(*arguments, "--json")
    document = json.loads(out)
    assert status == 0
    solution = solve(Rules((3, 3), (2, 1), announce="sunk-size"))
    assert document["layouts"] == solution.layouts
    assert document["optimal"] == float(solution.shots)
    assert document["worst_case"] >= document["optimal"]
    assert [row["name"] for row in document["strategies"]] == ["exact", "density"]
    assert all(row["mean"] >= document["optimal"] for row in document["strategies"])
    assert json.loads(tree.read_text()) == solution.tree()
    _, out, _ = run(*arguments)
    assert f"optimal play: {document['optimal']:.4f} shots" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["solve"], "the 10x10 board has 100 squares"),
        (["solve", "--board", "2x3", "--fleet", "2", "--tree", "nowhere/tree.json"], "nowhere"),
        (["solve", "--board", "2x3", "--fleet", "2", "--strategies", "greedy"], "greedy"),
        (["solve", "--rules", "naval-bombardment"], "no board of it can be solved"),
    ],
)
def test_solve_refuses_in_one_line(run, arguments, said):
    status, _, error = run(*arguments)
    assert status == 2
    assert said in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["tourn"], ["tournament"]),
        (["tournament", "--rules", "hasbro-"], ["hasbro-official", "hasbro-no-touch"]),
        (["tournament", "--strategies", "density,ex"], ["density,exact"]),
        (["tournament", "--placer", "gu"], ["guards"]),
        (["solve", "--contact", ""], ["none", "corners", "allowed"]),
        (["play", "naval"], ["naval-bombardment"]),
        (["play", "--opponent", "list"], ["list-info"]),
    ],
)
def test_a_shell_is_told_how_a_word_may_go_on(words, offered):
    shell = ShellComplete(cli, {}, "battleship-ai", "_BATTLESHIP_AI_COMPLETE")
    found = shell.get_completions(words[:-1], words[-1])
    assert [item.value for item in found] == offered
