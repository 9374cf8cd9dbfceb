"""The replay page in a real browser: steps, keys, marks, numbers, and nothing else loaded.

Needs Playwright (the extra ``browser``) and Chromium: the program that the environment variable
CHROMIUM names, which then must be there, or else ``chromium`` from the path, without which these
tests are skipped. ``--basetemp DIR`` keeps the screenshots.
"""

import os
import re
import shutil
from pathlib import Path

import pytest

from battleship_ai import Density, ExactPosterior, Record, Replay, Rules, place, play_solo
from battleship_ai.naval import (
    NavalRecord,
    NavalRules,
    RandomSalvo,
    place_naval,
    play_solo_match,
)
from naval_fixture import small_rules

pytestmark = pytest.mark.browser

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")
OPTIONS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
)  # fmt: skip

RULES = Rules(board=(6, 6), fleet=(3, 2, 1))

PICTURE = "R0lGODlhAQABAAAAACwAAAAAAQABAAA="  # of one pixel


@pytest.fixture(scope="module")
def browser():
    if CHROMIUM is None:
        pytest.skip("there is no Chromium: `apt-get install chromium`, or name it in CHROMIUM")
    if not os.environ.get("CHROMIUM"):
        pytest.importorskip("playwright", reason="needs `pip install 'battleship_ai[browser]'`")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(OPTIONS))
        yield browser
        browser.close()


@pytest.fixture
def show(browser, tmp_path):
    """Opens a page from a file; afterwards it must have said nothing and loaded nothing else."""
    contexts, said, requests = [], [], []
    file = tmp_path / "game.html"

    def call(text, *, width=1100, height=860, scheme="light"):
        file.write_text(text)
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(file.as_uri())
        return page

    yield call
    for context in contexts:
        context.close()
    assert said == []
    assert set(requests) == {file.as_uri()}


@pytest.fixture(scope="module")
def game():
    (layout,) = place(RULES, seed=8)
    return play_solo(Density(), layout)


@pytest.fixture(scope="module")
def text(game):
    return Replay(game.record, game.layout).html


@pytest.fixture(scope="module")
def match():
    (layout,) = place_naval(small_rules(), placer="sequential", seed=3)
    return play_solo_match(RandomSalvo(), layout, seed=3)


@pytest.fixture(scope="module")
def match_text(match):
    return Replay(match.record, match.layout).html


def told(page):
    return page.get_by_role("status").inner_text()


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def kinds(page):
    """By the name of a square, the mark drawn there."""
    return page.evaluate(
        """() => Object.fromEntries(Array.from(document.querySelectorAll("td")).flatMap(td => {
          const mark = td.querySelector("use").getAttribute("href");
          return mark ? [[td.title.split(":")[0], mark.replace("#mark-", "")]] : [];
        }))"""
    )


def numbers(page):
    """By the name of a square, the number written there."""
    return page.evaluate(
        """() => Object.fromEntries(Array.from(document.querySelectorAll("td")).flatMap(td => {
          const number = td.querySelector(".number").textContent;
          return number ? [[td.title.split(":")[0], number]] : [];
        }))"""
    )


def titles(page):
    """By the name of a square, what the pointer is told there."""
    found = page.locator("td").evaluate_all("all => all.map(td => td.title.split(': '))")
    return dict(found)


def test_a_page_is_below_a_megabyte(text, match_text):
    assert len(text.encode()) < 1_000_000
    assert len(match_text.encode()) < 1_000_000


def test_buttons_go_to_the_first_and_the_last_shot_and_by_single_shots(show, game, text):
    page, shots = show(text), len(game.record)
    assert told(page) == "Before the first shot."
    press(page, "Forward")
    assert told(page).startswith(f"Shot 1 of {shots}: ")
    press(page, "Last")
    assert told(page).startswith(f"Shot {shots} of {shots}: ")
    assert told(page).endswith("All ships are sunk.")
    assert page.get_by_role("button", name="Forward").is_disabled()
    press(page, "Back")
    assert told(page).startswith(f"Shot {shots - 1} of {shots}: ")
    press(page, "First")
    assert told(page) == "Before the first shot."
    assert page.get_by_role("button", name="Back").is_disabled()


def test_play_goes_on_by_itself_to_the_end_and_pause_holds_it(show, game, text):
    page, shots = show(text), len(game.record)
    page.clock.install()
    page.reload()
    press(page, "Play")
    page.clock.run_for(2500)
    assert told(page).startswith("Shot 3 of")
    press(page, "Pause")
    page.clock.run_for(2500)
    assert told(page).startswith("Shot 3 of")
    press(page, "Play")
    page.clock.run_for(1000 * shots)
    assert told(page).startswith(f"Shot {shots} of")
    press(page, "Play")  # once more, from the start
    assert told(page) == "Before the first shot."


def test_keys_do_the_same(show, game, text):
    page, shots = show(text), len(game.record)
    page.clock.install()
    page.reload()
    for key, shown in (
        ("ArrowRight", "Shot 1 "), ("ArrowRight", "Shot 2 "), ("ArrowLeft", "Shot 1 "),
        ("End", f"Shot {shots} "), ("Home", "Before"),
        ("ArrowLeft", "Before"), ("ArrowRight", "Shot 1 "), ("Home", "Before"),
    ):  # fmt: skip
        page.keyboard.press(key)
        assert told(page).startswith(shown)
    page.keyboard.press("Space")
    page.clock.run_for(1700)
    page.keyboard.press("Space")
    page.clock.run_for(1700)
    assert told(page).startswith("Shot 2 ")


def test_controls_keep_the_keys_that_they_use_themselves(show, text):
    page = show(text)
    page.get_by_role("slider", name="shot").focus()
    page.keyboard.press("ArrowRight")
    assert told(page).startswith("Shot 1 ")
    page.get_by_role("button", name="Forward").focus()
    page.keyboard.press("Space")
    assert told(page).startswith("Shot 2 ")
    page.get_by_label("Numbers").focus()
    page.keyboard.press("Space")
    assert page.get_by_label("Numbers").is_checked()
    assert page.get_by_role("button", name="Play").is_visible()


def test_the_slider_and_the_record_go_to_any_shot(show, game, text):
    page = show(text)
    page.get_by_role("slider", name="shot").fill("4")
    assert told(page).startswith("Shot 4 ")
    lines = page.locator("#record li")
    assert lines.count() == len(game.record)
    assert page.locator("[aria-current=step]").inner_text() == lines.nth(3).inner_text()
    square, answer = game.record.shots[1]
    lines.nth(1).click()
    assert told(page).startswith(f"Shot 2 of {len(game.record)}: {RULES.board.name(square)}, ")
    assert lines.nth(1).inner_text() == f"2. {RULES.board.name(square)} {answer}"


def test_after_each_shot_the_board_has_the_marks_of_the_record(show, game, text):
    page = show(text)
    name = RULES.board.name
    for step in range(len(game.record) + 1):
        record = Record(RULES, game.record.shots[:step])
        # Ships may not touch: once one square is answered sunk, so are those beside it.
        sunk = {
            square for part in record.hits.components(diagonal=True)
            if any(str(record.answer_at(square)) == "sunk" for square in part) for square in part
        }  # fmt: skip
        expected = {name(s): "miss" for s in record.misses} | {
            name(s): "sunk" if s in sunk else "hit" for s in record.hits
        }
        assert kinds(page) == expected
        page.keyboard.press("ArrowRight")


def test_the_numbers_are_the_posterior_in_percent(show, game, text):
    page = show(text)
    assert numbers(page) == {}
    page.get_by_label("Numbers").check()
    posterior = ExactPosterior(RULES)
    for step in (0, 3, len(game.record)):
        page.get_by_role("slider").fill(str(step))
        record = Record(RULES, game.record.shots[:step])
        right = 100 * posterior.probabilities(record).ravel()
        shown, told_to_pointer = numbers(page), titles(page)
        assert set(shown) == {RULES.board.name(s) for s in record.unasked}
        for square in record.unasked:
            name = RULES.board.name(square)
            exact = float(told_to_pointer[name].removeprefix("not shot at, ships ").rstrip("%"))
            assert exact == pytest.approx(right[square], abs=0.07)
            assert float(shown[name].strip("<>")) == pytest.approx(exact, abs=0.6)
    assert page.locator("#source").inner_text().startswith("Exact posterior of a ship")


def test_a_square_tells_its_number_to_the_pointer_and_to_readers(show, text):
    page = show(text)
    square = page.locator("td").first
    assert re.fullmatch(r"a0: not shot at, ships \d+\.\d%", square.get_attribute("title"))
    assert square.locator(".said").text_content() == square.get_attribute("title")


def test_the_hidden_fleet_is_shown_on_demand_only(show, game, text):
    page = show(text)
    uncovered = page.locator("td.ship")
    assert uncovered.count() == 0
    page.get_by_label("Hidden fleet").check()
    names = [
        title.split(":")[0] for title in uncovered.evaluate_all("all => all.map(e => e.title)")
    ]
    assert sorted(names) == sorted(map(RULES.board.name, game.layout.squares))
    bare = show(Replay(game.record).html)
    assert not bare.get_by_label("Hidden fleet").is_visible()


def test_a_page_without_maps_has_no_controls_for_them(show, game):
    page = show(Replay(game.record, maps=False).html)
    assert not page.get_by_label("Map").is_visible()
    assert not page.get_by_label("Numbers").is_visible()
    press(page, "Last")
    assert len(kinds(page)) == len(game.record)


def test_a_match_shows_ships_or_mines_and_the_marks_of_its_salvos(show, match, match_text):
    page = show(match_text)
    assert told(page) == "Before the first salvo."
    page.get_by_label("Numbers").check()
    ships = numbers(page)
    page.get_by_label("Map").select_option("mines")
    mines = numbers(page)
    assert set(ships) == set(mines)
    assert sum(float(n.strip("<>")) for n in mines.values()) == pytest.approx(300, abs=21)
    press(page, "Last")
    spent = {match.record.rules.board.name(mine.square): mine.kind for mine in match.record.mines}
    called = {match.record.rules.board.name(square): "called" for square in match.record.called}
    assert kinds(page) == called | spent
    page.get_by_label("Map").select_option("none")
    assert numbers(page) == {}


def test_nothing_in_a_record_runs_as_a_script(show):
    nasty = '</script><img src="x" onerror="alert(1)"><script>throw 1</script>'
    rules = Rules((2, 2), (1,), names=["<b>x</b></script>"], announce="hit-name")
    record = Record(rules, [("a0", "sunk:<b>x</b></script>")])
    page = show(Replay(record, title=nasty).html)
    assert page.title() == nasty
    assert page.locator("h1").inner_text() == nasty
    press(page, "Last")
    assert "sunk (<b>x</b></script>)" in told(page)


LUMINANCE = """
const channel = c => (c /= 255) <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;
const rgb = colour => colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
const luminance = ([r, g, b]) => .2126 * channel(r) + .7152 * channel(g) + .0722 * channel(b);
const contrast = (a, b) => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + .05) / (low + .05);
};
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_number_stands_out_from_its_shade(show, text, scheme):
    page = show(text, scheme=scheme)
    page.get_by_label("Numbers").check()
    worst = page.evaluate(
        "() => {"
        + LUMINANCE
        + """
        const paper = rgb(getComputedStyle(document.body).backgroundColor);
        const found = [];
        for (let step = 0; step <= end; step++) {
          go(step);
          for (const td of document.querySelectorAll("td")) {
            if (!td.querySelector(".number").textContent) continue;
            const heat = td.querySelector(".heat");
            const share = Number(heat.style.opacity);
            const over = rgb(getComputedStyle(heat).backgroundColor);
            const ground = paper.map((c, i) => c * (1 - share) + over[i] * share);
            found.push(contrast(ground, rgb(getComputedStyle(td).color)));
          }
        }
        return Math.min(...found);
        }"""
    )
    assert worst >= 4.5


@pytest.mark.parametrize("width", [1100, 360])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_games_fit_the_width_of_the_window(show, text, match_text, scheme, width, tmp_path):
    for name, shown in (("game", text), ("match", match_text)):
        page = show(shown, scheme=scheme, width=width)
        page.get_by_role("slider").fill("5")
        page.get_by_label("Numbers").check()
        page.get_by_label("Hidden fleet").check()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        picture = Path(tmp_path / f"{name}-{scheme}-{width}.png")
        page.screenshot(path=picture, full_page=True)
        assert picture.stat().st_size > 10_000


def test_a_board_too_wide_for_the_window_scrolls_by_itself(show):
    page = show(NavalRecord(NavalRules()).to_html(maps=False), width=360)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    board = page.get_by_role("region", name="Board")
    assert board.evaluate("part => part.scrollWidth > part.clientWidth")


def test_the_page_lets_no_request_out(browser, text, tmp_path):
    (tmp_path / "game.html").write_text(text)
    page = browser.new_page()
    requests = []
    page.goto((tmp_path / "game.html").as_uri())
    page.on("request", lambda request: requests.append(request.url))
    for attempt in (
        "fetch('http://127.0.0.1:9/').then(() => 'loaded', () => 'refused')",
        f"""new Promise(end => Object.assign(new Image(), {{
          src: "data:image/gif;base64,{PICTURE}",
          onload: () => end("loaded"), onerror: () => end("refused"),
        }}))""",
    ):
        assert page.evaluate(attempt) == "refused"
    assert requests == []
    page.close()


def test_the_same_page_steps_in_a_notebook(show, game):
    page = show(f"<!doctype html>{Replay(game.record)._repr_html_()}")
    frame = page.frame_locator("iframe")
    frame.get_by_role("button", name="Last").click()
    assert frame.get_by_role("status").inner_text().endswith("All ships are sunk.")
