"""Opens the first view, the training and the kept games of the page of crates/web in headless Chromium.

usage: coach.py CHROMIUM SITE FOLDER [AXE.js]
       coach.py CHROMIUM SITE FOLDER --figures
       coach.py CHROMIUM SITE FOLDER --answers
       coach.py CHROMIUM SITE FOLDER --days
       coach.py CHROMIUM SITE FOLDER --languages

FOLDER holds game.fm2 and what the program says of it, reviewed-game.fm2.json and (12 Hz) reviewed-12hz-game.fm2.json. Screenshots go there. With --figures it only
measures how fast the page is, which wants a machine that does nothing else. Exit code 1 says what was wrong.
"""

import gzip
import json
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta, timezone
from pathlib import Path

from browser import AXE, Chromium, Failure, accessible, check, in_view, no_overflow, skip
from web import Site, click, many, no_complaints, put, saved, serve, text, until

SIZES = ((390, 844), (1280, 800))
WIDTHS = (360, 390, 768, 1280, 2560)


def looked_at(browser, folder, name, axe, *ids):
    """A view in all windows: what it needs is in view, nothing overflows, axe-core finds nothing, light and dark."""
    for width in WIDTHS:
        browser.window(width, 844 if width < 600 else 900)
        browser.js("scrollTo(0, 0)")
        no_overflow(browser, f"{name}, {width} wide")
        in_view(browser, f"{name}, {width} wide", *ids)
    for width, height in SIZES:
        for dark in (False, True):
            browser.window(width, height, dark)
            browser.js("scrollTo(0, 0)")
            browser.frames()
            if width < 600 or dark:
                accessible(browser, f"{name}, {width} wide, dark {dark}", axe)
            browser.shot(folder / f"{name}-{width}{'-dark' * dark}.png", whole=not dark)
    browser.window(1280, 900)


def home(browser, folder, axe):
    check(browser.js("document.getElementById('views').hidden"), "something competes with the doors")
    doors = browser.js("[...document.querySelectorAll('.door b')].map((b) => b.textContent)")
    check(doors == ["Review my game", "Train", "Watch the best player"], f"the doors are {doors}")
    check(browser.js("document.getElementById('screen').dataset.game") is None, "a game plays while nobody looks")
    looked_at(browser, folder, "home", axe, "door-review", "door-train", "door-watch")


def expected_places(board, piece):
    """Where a piece can lie by dropping straight: (column, row) sets, by the shapes as anyone draws them."""
    shapes = {
        "I": ["####", "#/#/#/#"], "O": ["##/##"], "T": ["###/.#.", ".#/##/.#", ".#./###", "#./##/#."],
        "S": [".##/##.", "#./##/.#"], "Z": ["##./.##", ".#/##/#."],
        "J": ["###/..#", ".#/.#/##", "#../###", "##/#./#."], "L": ["###/#..", "##/.#/.#", "..#/###", "#./#./##"],
    }[piece]
    found = set()
    for shape in shapes:
        cells = [(x, y) for y, row in enumerate(shape.split("/")) for x, cell in enumerate(row) if cell == "#"]
        for left in range(-1, 10):
            placed = None
            for top in range(20):
                at = [(x + left, y + top) for x, y in cells]
                if any(not (0 <= x < 10 and y < 20) or board[10 * y + x] == "#" for x, y in at):
                    break
                placed = frozenset(at)
            if placed:
                found.add(placed)
    return found


def geometry(browser):
    """All straight drops, on boards with and without an overhang; one tuck by hand; and a tetris that is cleared."""
    boards = ["." * 200, "." * 160 + "#..#......####.#########.#####." + "#########", "." * 150 + "##........" + "#.........#.######.##...######." + "#########"]
    call = "import('./puzzles.js').then((p) => %s)"
    for board in boards:
        check(len(board) == 200, "a board of the test")
        for piece in "TJZOSLI":
            places = browser.js(call % f"p.places({json.dumps(board)}, '{piece}').map((place) => p.cellsOf(place))")
            places = {frozenset(map(tuple, cells)) for cells in places}
            missing = [sorted(place) for place in expected_places(board, piece) - places]
            check(not missing, f"{piece} cannot go to {missing}")
    under = "." * 170 + "###......." + "." * 10 + "." * 10
    places = browser.js(call % f"p.places({json.dumps(under)}, 'O').map((place) => p.cellsOf(place).flat().join())")
    check(any(sorted(map(int, place.split(",")))[:2] == [0, 0] and "18" in place for place in places), "no O below an overhang")
    well = "." * 160 + "#########." * 4
    left = browser.js(call % f"p.after({json.dumps(well)}, p.places({json.dumps(well)}, 'I').find((place) => p.cellsOf(place).every(([x, y]) => x === 9 && y >= 16)))")
    check(left == "." * 200, f"a tetris leaves {left}")


def answer(browser):
    """Answers the position by keyboard, and returns the milliseconds until the answer is laid out."""
    browser.js("document.activeElement.blur()")
    before = browser.js("document.getElementById('train-where').textContent")
    browser.press("ArrowUp")
    browser.press("ArrowLeft")
    after = browser.js("document.getElementById('train-where').textContent")
    check(before != after or " O " in f" {browser.js('document.getElementById(`train-ask`).textContent')} ", f"the keys do not move the piece: {before}")
    took = browser.js("(() => { const begun = performance.now(); document.getElementById('train-place').click(); document.body.offsetHeight; return performance.now() - begun; })()")
    check(browser.js("!document.getElementById('train-answer').hidden"), "no answer at once")
    until(browser, "document.getElementById('train').dataset.written !== undefined", "the answer is kept")
    return took


def taps(browser):
    """Taps on a cell take all places that cover it, also when another position has come meanwhile."""
    got = browser.js("""Promise.all([import('./pad.js'), import('./puzzles.js')]).then(([{ Picker }, { places, cellsOf }]) => {
      const picker = new Picker(), empty = '.'.repeat(200), at = 195;
      const covers = (place) => cellsOf(place).some(([x, y]) => 10 * y + x === at);
      picker.open = places(empty, 'T');
      const all = picker.open.filter(covers).length, taken = new Set();
      for (let k = 0; k < all; k++) {
        picker.tap(at);
        taken.add(picker.pick);
      }
      picker.open = places(empty, 'O');
      return [taken.size === all, ...[...taken].filter((pick) => pick < picker.open.length).map((pick) => {
        picker.pick = pick;
        picker.tap(at);
        return covers(picker.open[picker.pick]);
      })];
    })""")
    check(len(got) > 1 and all(got), f"taps take {got}")


def reasons(browser, folder):
    """What the program says of a placement, the page says of the built-in positions in the same words."""
    told = json.loads((folder / "reviewed-game.fm2.json").read_text())[0]
    said = {why for placement in told["placements"] for one in [placement, *placement["alternatives"]] for why in one.get("why", [])}
    words = browser.js("import('./words.js').then(({ WORDS }) => Object.values(WORDS.reasons).flatMap((word) => [...Array(40).keys(), ...'TJZOSLI'].map((of) => word(String(of)))))")
    check(len(said) > 10 and said <= set(words), f"the page has no words for {sorted(said - set(words))}, or there are few: {len(said)}")
    shown = browser.js("import('./puzzles.js').then(async ({ set }) => (await set()).flatMap(({ choices }) => choices.flatMap(({ why }) => why)))")
    check(len(shown) > 10_000 and set(shown) <= set(words), f"the built-in positions say {sorted(set(shown) - set(words))[:5]}")


def train(browser, folder, axe):
    click(browser, "door-train")
    until(browser, "Number(document.getElementById('train').dataset.ready) > 0", "the positions")
    check(browser.js("location.hash") == "#train", "the view has no address")
    geometry(browser)
    taps(browser)
    reasons(browser, folder)
    looked_at(browser, folder, "train", axe, "train-board", "train-place", "train-turn")
    # A tap on a cell of the board moves the piece there.
    browser.js("document.querySelectorAll('#train-board i')[195].click()")
    check("column" in text(browser, "train-where"), "a tap leads nowhere")
    took = answer(browser)
    check(re_grade(text(browser, "train-grade")), f"the grade is {text(browser, 'train-grade')!r}")
    check("games played on" in text(browser, "train-why"), f"a built-in position says {text(browser, 'train-why')!r}")
    until(browser, "document.querySelector('#train-replies table') !== null || document.getElementById('train-replies').textContent.startsWith('The learned')", "the next pieces")
    print(f"an answer is laid out {took:.0f} ms after it is given")
    looked_at(browser, folder, "answer", axe, "train-board")
    # The weights may still be on their way at the first one.
    until(browser, "document.getElementById('home-status').textContent.startsWith('The best player is here')", "the weights")
    first = browser.js("document.getElementById('train').dataset.puzzle")
    click(browser, "train-place")
    until(browser, f"document.getElementById('train').dataset.puzzle !== '{first}'", "another position")
    browser.js("delete document.getElementById('train').dataset.written")
    answer(browser)
    until(browser, "document.querySelectorAll('#train-replies tr').length === 8", "seven next pieces for both")
    check("2 answered today" in text(browser, "train-due"), f"the counts are {text(browser, 'train-due')!r}")
    check(text(browser, "train-rating") != "Rating 1500 ± 700", "the rating stays")
    # Whoever leaves at once and comes back loses nothing of the answer.
    click(browser, "train-place")
    browser.js("delete document.getElementById('train').dataset.ready; ['train-place', 'to-home', 'door-train'].forEach((id) => document.getElementById(id).click())")
    until(browser, "Number(document.getElementById('train').dataset.ready) > 0", "Train again")
    check("3 answered today" in text(browser, "train-due"), f"after an answer, leaving and coming back the counts are {text(browser, 'train-due')!r}")
    kept = browser.js("import('./store.js').then((s) => Promise.all([s.all('cards'), s.get('facts', 'strength')])).then(([cards, {count}]) => [cards.length, count])")
    check(kept == [3, 3], f"{kept} cards and answers are kept, expected 3")


class NoWeights(Site):
    """Does not send the weights within an hour: the days need no search."""

    slow = 3600


# The page asks for the time nowhere else.
CLOCK = "window.clock = Number(sessionStorage.getItem('clock') ?? 0); Date.now = () => window.clock;"
# Answers a position: taps its best place if it `knows` it, and else takes the place that is picked. Returns the time, the grade and what the page
# says of the schedule.
ANSWER = """
(async (knows) => {
  const at = (id) => document.getElementById(id), train = at("train"), { set, cellsOf } = await import("./puzzles.js");
  const cells = () => [...document.querySelectorAll("#train-board i")], shown = () => cells().flatMap((cell, k) => (cell.classList.contains("played") ? [k] : [])).join();
  const best = cellsOf((await set()).find(({id}) => id === train.dataset.puzzle).choices[0]).filter(([, y]) => y >= 0).map(([x, y]) => 10 * y + x).sort((a, b) => a - b);
  for (let k = 0; knows && k < 40 && shown() !== best.join(); k++) cells()[best[0]].click();
  delete train.dataset.written;
  at("train-place").click();
  while (train.dataset.written === undefined) await new Promise((done) => setTimeout(done));
  const told = [window.clock, at("train-grade").textContent, at("train-again").textContent];
  window.clock += 20_000;
  return told;
})
"""


def days(program, site, place, hours):
    """Thirty days of training in a place, whose clocks are so many hours ahead of UTC, with a clock of the test's own. Another implementation of FSRS (py-fsrs) says when each position is due and how well it is known."""
    try:
        from fsrs import Card, Rating, Scheduler
    except ImportError:
        skip("py-fsrs is not here, which judges the schedule")
        return
    judge, book = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False), {}
    zone = timezone(timedelta(hours=hours))
    day_of = lambda ms: datetime.fromtimestamp(ms / 1000, zone).date()
    # Days between two answers are those of the calendar on the wall.
    date = lambda ms: datetime.combine(day_of(ms), datetime.min.time(), timezone.utc)
    interval = lambda card, when: (card.due - date(when)).days
    asked = wrong = repeated = most = 0
    longest = 0
    server, url = serve(site, NoWeights)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Chromium(program, profile)
        try:
            browser.window(390, 844)
            browser.call("Emulation.setTimezoneOverride", timezoneId=place)
            browser.call("Page.addScriptToEvaluateOnNewDocument", source=CLOCK)
            browser.open(url)
            for number in range(30):
                # From seven in the morning to eleven at night.
                begins = datetime(2026, 11, 2, 7 + number * 5 % 16, number * 7 % 60, tzinfo=zone) + timedelta(days=number)
                clock = int(begins.timestamp() * 1000)
                browser.js(f"window.clock = {clock}; sessionStorage.setItem('clock', {clock})")
                # Once in a while the page is opened anew.
                if number % 10 == 5:
                    browser.open("about:blank")
                    browser.open(url)
                click(browser, "to-home")
                browser.js("delete document.getElementById('train').dataset.ready")
                click(browser, "door-train")
                until(browser, "Number(document.getElementById('train').dataset.ready) > 0", "the positions")
                expected = {id: due for id, (_, due) in book.items() if day_of(due) <= day_of(clock)}
                most, first, fresh = max(most, len(expected)), [], 0
                # Four new positions a day, and of all six in ten are known, each day others.
                while fresh < 4:
                    if first:
                        click(browser, "train-place")
                    id = browser.js("document.getElementById('train').dataset.puzzle")
                    first.append(id)
                    when, grade, told = browser.js(f"{ANSWER}({str((int(id[4:]) + 3 * number + 7 * first.count(id)) % 10 < 6).lower()})")
                    right = grade in ("Best", "Excellent")
                    asked, wrong, fresh = asked + 1, wrong + (not right), fresh + (id not in book)
                    card, due = book.get(id, (None, 0))
                    if card and day_of(due) > day_of(when):
                        # Again in the same session, which changes nothing.
                        repeated += 1
                        continue
                    next_card, _ = judge.review_card(card or Card(), Rating.Good if right else Rating.Again, date(when))
                    wait = interval(next_card, when)
                    if card and right:
                        # The library lets what is known wait longer than what is known badly.
                        hard, _ = judge.review_card(card, Rating.Hard, date(when))
                        wait = max(wait, min(wait, interval(hard, when)) + 1)
                    longest = max(longest, wait)
                    book[id] = (next_card, when + wait * 86_400_000)
                    when_next = "tomorrow" if wait == 1 else f"in {wait} days"
                    words = f"Comes back {when_next}." if right else f"Comes back in this session, and {when_next}."
                    check(told == words, f"day {number}, {id}, {grade}: the page says {told!r}, expected {words!r}")
                came = first[: len(expected)]
                check(set(came) == set(expected), f"day {number}: {first} come first, expected {sorted(expected)}, which are due")
                check(all(expected[a] <= expected[b] for a, b in zip(came, came[1:])), f"day {number}: {came} are not in the order of what is due")
                kept = {card["id"]: card for card in browser.js("import('./store.js').then((s) => s.all('cards'))")}
                check(set(kept) == set(book), f"day {number}: cards of {sorted(set(kept) ^ set(book))}")
                for id, (card, due) in book.items():
                    got = kept[id]
                    close = all(abs(got[name] - getattr(card, name)) <= 1e-4 * getattr(card, name) for name in ("stability", "difficulty"))
                    check(close and got["due"] == due, f"day {number}: {got}, expected {card.to_dict()}, due {due}")
        finally:
            browser.end()
            server.shutdown()
    check(wrong > 20 and asked - wrong > 100, f"{wrong} of {asked} answers are wrong, which shows too little")
    print(f"30 days in {place}: {asked} answers, {wrong} wrong, {repeated} again in the same session, {most} due on a day at most, intervals up to {longest} days; the schedule is that of py-fsrs")


CYRILLIC = str.maketrans("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "абцдефгхийклмнопярстувшхузАБЦДЕФГХИЙКЛМНОПЯРСТУВШХУЗ")


def translated(source):
    """The words of another language: every letter of every text of words.js becomes a Cyrillic one. Tags, keys and what is reckoned stay."""
    out, depth, at, inside = [], [], 0, ""
    while at < len(source):
        one = source[at]
        if not inside and source.startswith(("//", "/*"), at):
            end = source.index("\n", at) if source[at + 1] == "/" else source.index("*/", at) + 2
            out.append(source[at:end])
            at = end
            continue
        if not inside and (key := re.match(r'"[^"]*":', source[at:])):
            one = key[0]
            at += len(one) - 1
        elif not inside and one in "\"'`":
            inside = one
        elif inside == "`" and source.startswith("${", at):
            # What is reckoned may hold texts itself.
            depth.append(0)
            inside, at, one = "", at + 1, "${"
        elif not inside and one == "}" and depth and depth[-1] == 0:
            inside = "`"
            depth.pop()
        elif not inside and one in "{}" and depth:
            depth[-1] += 1 if one == "{" else -1
        elif inside and one == inside:
            inside = ""
        elif inside and one == "<" and (tag := re.match(r"<[^>]*>", source[at:])):
            one = tag[0]
            at += len(one) - 1
        elif inside and one.isalpha():
            one = one.translate(CYRILLIC)
        out.append(one)
        at += 1
    return "".join(out)


# Texts and what a screen reader says, of all that the page has, shown or not, and where: those that hold two Latin letters in a row.
LATIN = """
(() => {
  const found = [], note = (text, where) => { if (/[A-Za-z]{2}/.test(text)) found.push([text.trim(), where]); };
  const walk = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  const where = (node) => { const host = node.closest("[id]"); return `${node.nodeName.toLowerCase()} in ${host?.id ?? "the page"}`; };
  while (walk.nextNode()) if (!walk.currentNode.parentElement.closest("script, style, noscript, #player, #player-source")) note(walk.currentNode.data, where(walk.currentNode.parentElement));
  for (const node of document.querySelectorAll("[title], [aria-label], [placeholder], [alt], [content]")) {
    if (node.closest("#player") || (node.nodeName === "META" && node.name !== "description")) continue;
    for (const name of ["title", "aria-label", "placeholder", "alt", "content"]) note(node.getAttribute(name) ?? "", `${name} of ${where(node)}`);
  }
  return found;
})()
"""
# What is no English: names of players, of a game and of buttons, numbers of taps.
NAMES = re.compile(r"\b(maxout(-fast|-\dply)?|plateau17|Hz|game\.fm2|[LRDAB]+)\b")


def languages(program, site, folder):
    """A translation of words.js leaves no English in the page, outside of names and of the sentences of the engine (reasons, habits, players)."""
    page = Path(__file__).parent.parent / "crates/web"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as other, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        other = Path(other)
        for file in Path(site).iterdir():
            (other / file.name).symlink_to(file.resolve()) if file.suffix == ".bin" else shutil.copy(file, other)
        for name in ("index.html", "overlay.html", "maxout.webmanifest"):
            shutil.copy(page / "page" / name, other)
        source = (page / "page/words.js").read_text("utf-8")
        words = translated(source).replace('locale: "ен-ГБ"', 'locale: "uk"').replace('lang: "ен"', 'lang: "uk"')
        (other / "translation.js").write_text(words, "utf-8")
        subprocess.run(["node", page / "fill.mjs", other, other / "translation.js"], check=True)
        check(not re.search("[A-Za-z]{2}", json.loads((other / "maxout.webmanifest").read_text("utf-8"))["description"]), "the manifest is in English")
        server, url = serve(other)
        browser = Chromium(program, profile)
        bad = {}

        def read(part):
            for text, where in browser.js(LATIN):
                if re.search("[A-Za-z]{2}", NAMES.sub("", text)):
                    bad.setdefault((text, where), part)

        try:
            browser.window(390, 844)
            browser.open(url)
            read("the first view")
            click(browser, "door-train")
            until(browser, "Number(document.getElementById('train').dataset.ready) > 0", "the positions")
            browser.js("document.getElementById('train-place').click()")
            read("Train")
            browser.shot(folder / "translated-train.png")
            browser.js("for (const _ of [1, 2, 3]) { document.getElementById('theme').click(); }")
            until(browser, f"document.getElementById('home-status').textContent.startsWith('{'The best player is here'.translate(CYRILLIC)}')", "the weights")
            click(browser, "train-place")
            browser.js("delete document.getElementById('train').dataset.written")
            click(browser, "train-place")
            until(browser, "document.querySelectorAll('#train-replies tr').length === 8", "the next pieces")
            read("an answer of Train")
            click(browser, "to-adjust")
            until(browser, "document.getElementById('adjust').dataset.state === 'hover'", "Adjust")
            read("Adjust")
            click(browser, "adjust-place")
            read("Adjust, where to wait")
            click(browser, "to-study")
            click(browser, "clear")
            until(browser, "document.querySelectorAll('#answers li').length > 1", "Study")
            read("Study")
            click(browser, "to-home")
            dropped(browser, "game.fm2", (folder / "game.fm2").read_bytes(), "door-games")
            until(browser, "!document.getElementById('review-on').hidden", "the review")
            read("Review")
            click(browser, "review-games")
            until(browser, "document.getElementById('games').dataset.count === '1'", "My games")
            # The habits are the engine's words.
            browser.js("document.getElementById('causes').replaceChildren()")
            read("My games")
            browser.shot(folder / "translated-games.png", whole=True)
            click(browser, "to-game")
            until(browser, "Number(document.getElementById('pieces').textContent) >= 1", "Watch")
            click(browser, "hand")
            read("Watch")
        finally:
            browser.end()
            server.shutdown()
    check(not bad, "English in a translation: " + "; ".join(f"{text!r} ({where}, {part})" for (text, where), part in bad.items()))
    print("a translation of words.js leaves no English in the page")


def re_grade(said):
    return said in ("Best", "Excellent", "Good", "Inaccuracy", "Mistake", "Blunder")


def dropped(browser, name, data, id):
    """Chooses a file in a field."""
    browser.js(
        "(() => { const drag = new DataTransfer();"
        f"drag.items.add(new File([new Uint8Array({list(data)})], '{name}'));"
        f"const field = document.getElementById('{id}'); field.files = drag.files; field.dispatchEvent(new Event('change', {{bubbles: true}})); }})()"
    )


def games(browser, url, folder, axe):
    """A game that comes in by the door is kept, with the numbers of the program; what is exported, deleted and imported is the same."""
    [told] = json.loads((folder / "reviewed-game.fm2.json").read_text())
    click(browser, "to-home")
    dropped(browser, "game.fm2", (folder / "game.fm2").read_bytes(), "door-games")
    until(browser, "!document.getElementById('review-on').hidden", "the review is kept")
    check("game.fm2 is kept" in text(browser, "review-status"), f"the page says {text(browser, 'review-status')!r}")
    click(browser, "review-games")
    until(browser, "document.getElementById('games').dataset.count === '1'", "one game")
    said = text(browser, "kept-games")
    summary, classes = told["summary"], told["phases"][0]["classes"]
    words = f"{int(summary['line_points']):,} points, accuracy {summary['accuracy']:.1f} %, tetris rate {100 * summary['tetris_rate']:.0f} %, {many(classes[4], 'mistake')}, {many(classes[5], 'blunder')}"
    check(words in said, f"the list says {said!r}, expected {words!r}")
    levels = browser.js("[...document.querySelectorAll('#levels tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent))")
    names = {"all": "all levels", "before 19": "up to level 18", "19-28": "levels 19 to 28", "29+": "from level 29"}
    expected = [[names[part["phase"]], f"{part['pieces']:,}", f"{part['accuracy']:.1f}", f"{part['lost'] / part['pieces']:,.0f}"] for part in told["phases"] if part["pieces"]]
    check(levels == expected, f"by level {levels}, expected {expected}")
    causes = browser.js("[...document.querySelectorAll('#causes li')].map((row) => [row.querySelector('span').textContent, Number(row.querySelector('b').textContent.replaceAll(',', ''))])")
    for habit in summary["habits"]:
        check(any(name == habit["name"] and abs(lost - habit["lost"]) <= 1 for name, lost in causes), f"{habit['name']} is not among {causes}")
    check(abs(sum(lost for _, lost in causes) - told["phases"][0]["lost"]) <= len(causes), f"the causes {causes} do not add up")
    # The same game at another tap speed is another one, to compare.
    click(browser, "to-review")
    put(browser, "review-taps", "12hz")
    click(browser, "review-again")
    until(browser, "document.querySelectorAll('#reviewed li').length === 2", "the review at 12 Hz")
    until(browser, "document.getElementById('review-status').textContent.includes('is kept')", "it is kept, too")
    click(browser, "to-games")
    until(browser, "document.getElementById('games').dataset.count === '2'", "two games")
    browser.js("document.querySelectorAll('#kept-games input').forEach((box) => 0)")
    for number in (0, 1):
        browser.js(f"document.querySelectorAll('#kept-games input')[{number}].click()")
    check(browser.js("document.querySelectorAll('#compared tbody tr').length") > 10, "two games are not compared")
    # For trends it is one game all the same, as it was judged last.
    [judged] = browser.js("import('./store.js').then((s) => s.all('games')).then((all) => all.filter(({taps}) => taps === '12hz'))")
    pieces, lost = judged["parts"]["all"]["pieces"], judged["parts"]["all"]["lost"]
    rows = browser.js("[...document.querySelectorAll('#levels tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent))")
    check(rows[0][1] == f"{pieces:,}" and rows[0][3] == f"{lost / pieces:,.0f}", f"by level {rows}, expected {pieces} pieces, {lost} lost")
    weeks = "[...document.querySelectorAll('#weeks tr')].map((row) => [...row.children].map((cell) => cell.textContent))"
    check(browser.js(weeks)[1][1] == "1", f"by week {browser.js(weeks)}, expected one game")
    # By week, of a range of levels.
    put(browser, "trend-metric", "accuracy")
    put(browser, "trend-range", "19-28")
    head, row = browser.js(weeks)
    part = judged["parts"]["19-28"]
    check(head[0] == "Week of, levels 19 to 28" and row[2] == "–" and row[3] == f"{part['accuracy']:.1f}" and row[6] == f"{part['lost'] / part['pieces']:,.0f}", f"by week {head}, {row}")
    put(browser, "trend-range", "before 19")
    check(len(browser.js(weeks)) == 1, "a week has a game on levels that it has not")
    put(browser, "trend-range", "all")
    looked_at(browser, folder, "games", axe, "games-title")
    card = saved_click(browser, "#kept-games button:nth-of-type(2)")
    (folder / "card.png").write_bytes(card)
    check(card[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", card[16:24]) == (1200, 630), "the card is no picture of 1200 by 630")
    whole = saved(browser, "export")
    before = json.loads(gzip.decompress(whole))
    check(len(before["games"]) == 2 and len(before["cards"]) >= 2 and len(before["pages"]) == 2, "the export lacks something")
    listed = text(browser, "kept-games")
    click(browser, "remove-all")
    accessible(browser, "the question before all is deleted", axe)
    browser.js("document.querySelector('#remove-all-sure [value=delete]').click()")
    until(browser, "document.getElementById('games').dataset.count === '0'", "nothing is left")
    for kind in ("games", "pages", "cards", "facts"):
        check(browser.js(f"import('./store.js').then((s) => s.all('{kind}')).then((all) => all.length)") == 0, f"{kind} are left")
    dropped(browser, "bad.gz", b"nothing", "import")
    until(browser, "document.getElementById('games-status').textContent.startsWith('bad.gz: not an export')", "the line about bad.gz")
    dropped(browser, "all.gz", whole, "import")
    until(browser, "document.getElementById('games').dataset.count === '2'", "the games are back")
    check(text(browser, "kept-games") == listed, "the import lists something else")
    check(json.loads(gzip.decompress(saved(browser, "export"))) == before, "export, delete and import give something else")
    # One's own mistakes are trained.
    costly = [placed for placed in told["placements"] if placed["class"] in ("inaccuracy", "mistake", "blunder")]
    click(browser, "to-train")
    put(browser, "train-source", "own")
    until(browser, "document.getElementById('train-from').textContent.startsWith('Your game game.fm2')", "a position of the game")
    number = int(text(browser, "train-from").rsplit(" ", 1)[1])
    # The game is kept twice, and its losses differ by tap speed. The first that is kept is asked about first.
    taps = browser.js("import('./store.js').then((s) => s.all('games')).then(([first]) => first.taps)")
    asked = json.loads((folder / "reviewed-12hz-game.fm2.json").read_text())[0]["placements"] if taps == "12hz" else told["placements"]
    placed = asked[number - 1]
    check(number == 1 + max(range(len(asked)), key=lambda n: asked[n]["loss"]), f"piece {number} is not the costliest at {taps}")
    check(text(browser, "train-ask").startswith(f"Level {placed['level']}, {placed['lines']} lines. Place the {placed['piece']}"), f"the page asks {text(browser, 'train-ask')!r}")
    browser.js("delete document.getElementById('train').dataset.written")
    answer(browser)
    check("In the game you played" in text(browser, "train-why"), f"the page says {text(browser, 'train-why')!r}")
    browser.shot(folder / "own-1280.png", whole=True)
    print(f"a game is kept with the program's numbers, {len(costly)} of its placements can be trained; export, delete, import give the same")
    play_on(browser, placed, folder, axe)


def adjustments(browser, folder, axe):
    """The drill: where to wait, then all seven next pieces, by keys; the clock; what is kept."""
    click(browser, "to-adjust")
    ready = "document.getElementById('adjust').dataset.ready"
    state = "document.getElementById('adjust').dataset.state"
    until(browser, f"{ready} !== undefined && {state} === 'hover'", "a position to adjust on")
    check(browser.js("location.hash") == "#adjust", "the view has no address")
    looked_at(browser, folder, "adjust", axe, "adjust-ask", "adjust-board", "adjust-place", "adjust-turn")
    put(browser, "adjust-limit", "0")
    check("Where do you wait" in text(browser, "adjust-ask"), f"the page asks {text(browser, 'adjust-ask')!r}")
    browser.js("document.activeElement.blur()")
    before = text(browser, "adjust-where")
    browser.press("ArrowLeft")
    browser.press("ArrowUp")
    check(text(browser, "adjust-where") != before or " O " in text(browser, "adjust-ask"), f"the keys do not move the piece: {before}")
    browser.press("Enter")
    check(browser.js(state) == "ready" and re_grade(text(browser, "adjust-grade")), f"the grade is {text(browser, 'adjust-grade')!r}")
    check("The best player: " in text(browser, "adjust-hover"), f"the page says {text(browser, 'adjust-hover')!r}")
    box = "document.getElementById('adjust-next').dataset.next"
    for number in range(7):
        # The last one comes too late.
        if number == 6:
            put(browser, "adjust-limit", "1")
        browser.press("Enter")
        until(browser, f"{state} === 'answer'", "the next piece")
        asked = text(browser, "adjust-ask")
        check(asked.startswith(f"Next is {browser.js(box)}. Place the "), f"the page asks {asked!r}")
        if number < 6:
            browser.press(("ArrowRight", "ArrowUp")[number % 2])
            browser.press("Enter")
            check(browser.js(box) == asked[8], "the box shows another piece than the one that was asked about")
        until(browser, f"{state} === 'told' && document.getElementById('adjust').dataset.written === '{number + 1}'", "the answer")
        if number == 0:
            looked_at(browser, folder, "adjusted", axe, "adjust-board", "adjust-place")
    rows = browser.js("[...document.querySelectorAll('#adjust-table tr')].slice(1).map((row) => [...row.children].map((cell) => cell.textContent))")
    check(sorted(row[0] for row in rows) == sorted("TJZOSLI"), f"the answers are {rows}")
    check(rows[6][2] == "Too late" and all(re_grade(row[2]) or row[2] == "Out of reach in time" for row in rows[:6]), f"the answers are {rows}")
    right = sum(row[2] in ("Best", "Excellent") for row in rows)
    check(text(browser, "adjust-ask").startswith(f"{right} of 7 right"), f"the page says {text(browser, 'adjust-ask')!r}")
    check(text(browser, "adjust-standing").startswith(f"{right} of 7 right"), f"the figures are {text(browser, 'adjust-standing')!r}")
    browser.shot(folder / "adjust-seven.png", whole=True)
    before = browser.js(ready)
    put(browser, "adjust-taps", "20hz")
    until(browser, f"{ready} !== '{before}' && {state} === 'hover'", "another tap speed")
    # A tap on the board and the gamepad move the piece, too.
    browser.js("(() => { const b = {pressed: false}; window.pad = Array.from({length: 17}, () => ({pressed: false})); navigator.getGamepads = () => [{mapping: 'standard', buttons: window.pad}]; })()")
    place = text(browser, "adjust-where")
    moved(browser, (14, 15, 0), "adjust-where")
    check(text(browser, "adjust-where") != place or " O " in text(browser, "adjust-ask"), "the gamepad does not move the piece")
    browser.js("(() => { const cells = [...document.querySelectorAll('#adjust-board i')]; cells[85].click(); })()")
    moved(browser, (9,), "adjust-where")
    check(browser.js(state) == "ready", "the gamepad does not answer")
    print(f"adjustments: {right} of 7 right by chance, the seventh too late")


def moved(browser, buttons, id):
    """Presses buttons of the gamepad that the page sees."""
    for button in buttons:
        for down in ("true", "false"):
            browser.js(f"window.pad[{button}].pressed = {down}")
            browser.frames()


def kept_from_position(browser, placed, folder, axe):
    """A game from a position is reviewed and kept with its start, which exports and imports carry, and which can be played again."""
    count = browser.js("import('./store.js').then((s) => s.all('games')).then((all) => all.length)")
    # The last piece of a game that has ended may be in the air.
    pieces = int(text(browser, "pieces"))
    click(browser, "review-game")
    until(browser, f"document.querySelector('#reviewed li').textContent.startsWith('From level 18, {placed['lines']} lines (')", "the review of the game from a position")
    until(browser, "document.getElementById('review-status').textContent.includes('is kept')", "it is kept")
    reviewed = browser.js("document.querySelector('#reviewed li').textContent")
    check(f": {many(pieces, 'placement')}, accuracy " in reviewed, f"the review says {reviewed!r} of {pieces} pieces")
    click(browser, "review-games")
    until(browser, f"document.getElementById('games').dataset.count === '{count + 1}'", "one game more")
    whole = saved(browser, "export")
    before = json.loads(gzip.decompress(whole))
    [start] = [game["start"] for game in before["games"] if "start" in game]
    board = "".join(row.replace("x", "#") for row in placed["board"]).rjust(200, ".")
    solid = "".join("." if cell == "." else "#" for cell in start["board"])
    check(solid == "".join("." if cell == "." else "#" for cell in board), f"the game is kept with the start {start['board']}, expected {board}")
    told = [start[name] for name in ("piece", "next", "level", "lines")]
    check(told == [placed["piece"], placed["next"] or start["next"], 18, placed["lines"]], f"the game is kept with the start {told}")
    listed = text(browser, "kept-games")
    browser.js("document.getElementById('games-status').textContent = ''; import('./store.js').then((s) => s.removeAll())")
    dropped(browser, "all.gz", whole, "import")
    until(browser, "document.getElementById('games-status').textContent.startsWith('Imported')", "the import")
    check(text(browser, "kept-games") == listed, f"the import lists {text(browser, 'kept-games')!r}, expected {listed!r}")
    after = json.loads(gzip.decompress(saved(browser, "export")))
    check(after == before, f"export, delete and import give other {[kind for kind in before if before[kind] != after[kind]]}")
    accessible(browser, "a kept game from a position", axe)
    browser.shot(folder / "kept-1280.png", whole=True)
    again = "[...document.querySelectorAll('#kept-games button')].filter((b) => b.textContent === 'Play from its start')"
    check(browser.js(f"{again}.length") == 1, "not exactly one game can be played from its start")
    game = browser.js("document.getElementById('screen').dataset.game")
    browser.js(f"{again}[0].click()")
    until(browser, f"document.getElementById('screen').dataset.game !== '{game}'", "the game from the same start")
    check([text(browser, id) for id in ("level", "lines", "pieces")] == ["18", str(placed["lines"]), "0"], "it begins elsewhere")


def race(browser, placed, folder, axe):
    """Against the best player on the same pieces, by keys, touch and gamepad; against the clock; what is measured."""
    browser.window(1280, 900)
    pieces = "Number(document.getElementById('pieces').textContent)"
    put(browser, "against", "bot")
    until(browser, f"{pieces} === 0 && document.getElementById('ghost').dataset.pieces === '0'", "the game begins again")
    down = {"key": "ArrowDown", "windowsVirtualKeyCode": 40}
    browser.js("document.activeElement.blur()")
    browser.call("Input.dispatchKeyEvent", type="keyDown", **down)
    until(browser, f"{pieces} >= 3", "three pieces by keys")
    browser.call("Input.dispatchKeyEvent", type="keyUp", **down)
    until(browser, "document.getElementById('race-text').textContent.startsWith('After ')", "the best player's score")
    # The best player may still be thinking about the last piece.
    until(browser, f"Math.abs(Number(document.getElementById('ghost').dataset.pieces) - {pieces}) <= 1", "the ghost's pieces are ours")
    said = text(browser, "race-text")
    check("you " in said and "the best player " in said, f"the race says {said!r}")
    check("probable misdrop" in text(browser, "own-hand"), f"what is measured: {text(browser, 'own-hand')!r}")
    looked_at(browser, folder, "race", axe, "game-title")
    # A phone: the board and the buttons of the controller are in view.
    browser.window(390, 844)
    browser.call("Emulation.setTouchEmulationEnabled", enabled=True)
    click(browser, "restart")
    until(browser, f"{pieces} === 0", "the game begins again")
    browser.js("scrollTo(0, 0)")
    browser.frames()
    check(not browser.js("document.getElementById('touch').hidden"), "a phone has no buttons")
    in_view(browser, "a phone", "touch", "screen", "race-text", "ghost")
    # The best player's board lies in the screen, below the next piece.
    for width, height in ((320, 568), (844, 390), (390, 844)):
        browser.window(width, height)
        browser.frames()
        top, ghost_top, ghost_bottom, bottom = browser.js("""(() => {
            const [screen, ghost] = ['screen', 'ghost'].map((id) => document.getElementById(id).getBoundingClientRect());
            return [screen.top + 0.32 * screen.height, ghost.top, ghost.bottom, screen.bottom];
        })()""")
        check(top <= ghost_top < ghost_bottom <= bottom, f"{width} × {height}: the ghost from {ghost_top} to {ghost_bottom}, the room from {top} to {bottom}")
    where = lambda selector: browser.js(f"(() => {{ const b = document.querySelector('{selector}').getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; }})()")
    for bit, least in ((2, 0), (4, 2)):
        x, y = where(f'#touch [data-bit="{bit}"]')
        browser.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        until(browser, f"/[{'L' if bit == 2 else 'D'}]/.test(document.getElementById('buttons').textContent)", "a finger presses")
        until(browser, f"{pieces} >= {least}", "pieces by touch")
        browser.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    browser.shot(folder / "race-touch.png")
    browser.call("Emulation.setTouchEmulationEnabled", enabled=False)
    # A gamepad, against the clock.
    browser.window(1280, 900)
    put(browser, "against", "clock")
    until(browser, f"{pieces} === 0 && document.getElementById('race-text').textContent.endsWith(' left')", "the clock")
    check(browser.js("document.getElementById('ghost').hidden"), "a ghost against the clock")
    browser.js("(() => { window.pad = Array.from({length: 17}, () => ({pressed: false})); navigator.getGamepads = () => [{mapping: 'standard', buttons: window.pad}]; })()")
    browser.js("window.pad[13].pressed = true")
    until(browser, f"{pieces} >= 2", "two pieces by gamepad")
    browser.js("window.pad[13].pressed = false")
    check(text(browser, "race-text") in [f"1:{second:02} left" for second in range(60)], f"the clock says {text(browser, 'race-text')!r}")
    browser.js("window.pad[13].pressed = true")
    until(browser, "!document.getElementById('result').hidden", "the end")
    browser.js("navigator.getGamepads = () => []")
    check(text(browser, "again") == "Again", "the card offers another game")
    browser.shot(folder / "race-end.png")
    kept_from_position(browser, placed, folder, axe)
    put(browser, "against", "bot")
    print(f"race: {said}")


def saved_click(browser, selector):
    browser.js(f"document.querySelector('{selector}').id = 'the-card'")
    return saved(browser, "the-card")


def play_on(browser, placed, folder, axe):
    """From the position, on the model, at another level, with a rating of what is played."""
    browser.js("document.getElementById('play-level').value = 18")
    click(browser, "train-play")
    until(browser, "!document.getElementById('game').hidden && document.getElementById('screen').dataset.game !== undefined", "the game from the position")
    until(browser, "document.getElementById('level').textContent === '18'", "the level")
    check(text(browser, "game-title") == "You play", "nobody holds the controller")
    check(text(browser, "lines") == str(placed["lines"]), f"the game begins with {text(browser, 'lines')} lines, expected {placed['lines']}")
    browser.js("document.activeElement.blur()")
    down = {"key": "ArrowDown", "windowsVirtualKeyCode": 40}
    browser.call("Input.dispatchKeyEvent", type="keyDown", **down)
    until(browser, "Number(document.getElementById('pieces').textContent) >= 1", "a piece from the position")
    browser.call("Input.dispatchKeyEvent", type="keyUp", **down)
    until(browser, "/^Piece \\d+: .*loses/.test(document.getElementById('own-last').textContent)", "a rating")
    print(f"play on: {text(browser, 'own-last')}")
    race(browser, placed, folder, axe)


def linked(browser, url):
    """The addresses of the views, and a position to play on from."""
    for part, id in (("#train", "train"), ("#adjust", "adjust"), ("#games", "games"), ("#review", "review"), ("#watch", "game"), ("#study", "study"), ("", "home")):
        browser.open("about:blank")
        browser.call("Page.navigate", url=url + part)
        until(browser, f"document.getElementById('{id}')?.hidden === false", f"{part or 'the first view'}")
        browser.frames()
        in_view(browser, f"{part or 'the first view'} by its address", "to-train" if part else "door-train")
    browser.open("about:blank")
    browser.call("Page.navigate", url=url + "#play?board=vfvfvfvf&piece=I&next=T&level=29&lines=229")
    until(browser, "document.getElementById('game-title')?.textContent === 'You play' && document.getElementById('level').textContent === '29'", "the game of the link")


def offline(program, site, folder):
    """Every view works after the server has gone, in a page that is opened anew."""
    server, url = serve(site)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Chromium(program, profile)
        try:
            browser.window(390, 844)
            browser.open(url)
            browser.js("navigator.serviceWorker.ready.then(() => 1)")
            faults = browser.call("Page.getInstallabilityErrors")["installabilityErrors"]
            manifest = browser.call("Page.getAppManifest")
            check(not faults and not manifest["errors"], f"the page cannot be installed: {faults}, {manifest['errors']}")
            check(manifest["manifest"]["display"] == "kStandalone" and manifest["manifest"]["startUrl"] == url, f"it would be installed as {manifest['manifest']}")
            until(browser, "document.getElementById('home-status').textContent === 'The best player is here. Everything works offline now.'", "the weights")
            until(browser, "caches.open('weights').then((kept) => kept.keys()).then((keys) => keys.length === 2)", "the weights are kept")
            server.shutdown()
            server.server_close()

            def opened(part):
                # The view may change the address at once.
                browser.open("about:blank")
                browser.call("Page.navigate", url=url + part)
                until(browser, f"location.href.startsWith('{url}') && document.readyState === 'complete'", f"{part or 'the first view'} offline")

            opened("#train")
            until(browser, "Number(document.getElementById('train').dataset.ready) > 0", "Train offline")
            until(browser, "document.getElementById('home-status').textContent.startsWith('The best player is here')", "the kept weights")
            answer(browser)
            until(browser, "document.querySelectorAll('#train-replies tr').length === 8", "the next pieces offline")
            opened("#adjust")
            until(browser, "document.getElementById('adjust').dataset.state === 'hover'", "Adjust offline")
            opened("#play?board=vfvfvfvf&piece=I&next=T&level=18&lines=100")
            until(browser, "document.getElementById('ghost').dataset.pieces === '0'", "a game from a position offline")
            opened("#study")
            click(browser, "clear")
            until(browser, "document.querySelectorAll('#answers li').length > 1", "Study offline")
            opened("#watch")
            until(browser, "Number(document.getElementById('pieces').textContent) >= 1", "Watch offline")
            opened("")
            dropped(browser, "game.fm2", (folder / "game.fm2").read_bytes(), "door-games")
            until(browser, "!document.getElementById('review-on').hidden", "Review offline")
            page = browser.js("document.querySelector('#reviewed a').href")
            opened("#games")
            until(browser, "document.getElementById('games').dataset.count === '1'", "My games offline")
            check(page.startswith(url + "review.html"), f"the review is at {page}")
            browser.open("about:blank")
            browser.call("Page.navigate", url=url + "review.html")
            until(browser, "location.pathname === '/review.html' && document.readyState === 'complete'", "the page of a review offline")
            no_complaints(browser, url)
        finally:
            browser.end()
    print("installable, and offline: Train, Adjust, a game from a position, Study, Watch, Review and My games work when the server has gone")


SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifts.push([one.value, one.sources.map(({node}) => node?.id || node?.parentElement?.id || node?.nodeName).join(" ")]);
}).observe({type: "layout-shift", buffered: true});
"""
# As somebody does who has decided before: the click comes as soon as there is something to click on.
AT_ONCE = """
(() => {
  const press = () => {
    const door = document.getElementById("door-train"), train = document.getElementById("train");
    if (train?.dataset.ready) { window.interactive = performance.now(); return; }
    // Until the page listens, a click is lost.
    if (train?.hidden) door?.click();
    setTimeout(press, 5);
  };
  press();
})();
"""


class Counted(Site):
    """Counts the bytes of the bodies that are sent, those of weights apart."""

    sent = {"page": 0, "weights": 0}

    def copyfile(self, source, outputfile):
        data = source.read()
        Counted.sent["weights" if ".bin" in self.path else "page"] += len(data)
        try:
            outputfile.write(data)
        except ConnectionError:
            # The browser has ended.
            pass


def figures(program, site):
    """First paint, the first click that does something, bytes and layout shifts, each with an empty cache. Bounds: issue 62."""
    bad = []
    for width, height in SIZES:
        for line, slow in (("at once", None), ("10 Mbit/s, 40 ms", {"offline": False, "latency": 40, "downloadThroughput": 1_250_000, "uploadThroughput": 1_250_000})):
            paints, firsts, moved = [], [], {}
            for _ in range(3):
                Counted.sent = {"page": 0, "weights": 0}
                server, url = serve(site, Counted)
                with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
                    browser = Chromium(program, profile)
                    try:
                        browser.window(width, height)
                        if slow:
                            browser.call("Network.emulateNetworkConditions", **slow)
                        browser.call("Page.addScriptToEvaluateOnNewDocument", source=SHIFTS + AT_ONCE)
                        browser.call("Page.navigate", url=url)
                        until(browser, "window.interactive !== undefined", "the first click")
                        firsts.append(browser.js("window.interactive"))
                        paints.append(browser.js("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN"))
                        code = browser.js("performance.getEntriesByType('resource').filter(({responseEnd}) => responseEnd <= window.interactive).reduce((sum, one) => sum + one.decodedBodySize, 0)")
                    finally:
                        browser.end()
                        server.shutdown()
            paint, first = sorted(paints)[1], sorted(firsts)[1]
            print(f"{width} wide, {line}, median of 3: first paint {paint:.0f} ms, a position of Train {first:.0f} ms after the address (worst {max(firsts):.0f}), {code:,} bytes by then, not compressed")
            if first > 1500:
                bad.append(f"{width} wide, {line}: the first click takes {first:.0f} ms, expected at most 1500")
        Counted.sent = {"page": 0, "weights": 0}
        server, url = serve(site, Counted)
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            browser = Chromium(program, profile)
            try:
                browser.window(width, height)
                browser.call("Page.addScriptToEvaluateOnNewDocument", source=SHIFTS)
                for part in ("", "#train", "#adjust", "#games", "#review", "#study", "#watch", "#play?board=vfvfvfvf&piece=I&next=T&level=18&lines=100"):
                    browser.open("about:blank")
                    browser.call("Page.navigate", url=url + part)
                    until(browser, f"location.href.startsWith('{url}') && document.getElementById('home-status')?.textContent.startsWith('The best player is here')", "the weights")
                    if part == "#adjust":
                        until(browser, "document.getElementById('adjust').dataset.state === 'hover'", "a position to adjust on")
                    if part == "#watch":
                        until(browser, "Number(document.getElementById('pieces').textContent) >= 2", "two pieces")
                    browser.frames()
                    moved[part or "home"] = browser.js("window.shifts")
                    if part == "":
                        print(f"{width} wide: {Counted.sent['page']:,} bytes of the page with what is kept for offline, {Counted.sent['weights']:,} of weights, not compressed")
                for part, shifts in moved.items():
                    total = sum(value for value, _ in shifts)
                    if total > 0:
                        bad.append(f"{width} wide, {part}: layout shift {total:.4f}, of {'; '.join(dict.fromkeys(nodes for _, nodes in shifts))}")
                print(f"{width} wide: layout shift " + ", ".join(f"{part} {sum(value for value, _ in shifts):.4f}" for part, shifts in moved.items()))
            finally:
                browser.end()
                server.shutdown()
    check(not bad, "; ".join(bad))


# Answers as somebody does who answers fast, while the search of the answer before may still go on. Returns the milliseconds from each click to the
# frame that shows the answer.
ANSWERS = """
(async (count) => {
  const at = (id) => document.getElementById(id), pause = (ms) => new Promise((done) => setTimeout(done, ms)), times = [];
  while (times.length < count) {
    delete at("train").dataset.written;
    await pause(150);
    times.push(await new Promise((done) => {
      const begun = performance.now();
      at("train-place").click();
      requestAnimationFrame(() => {
        const after = new MessageChannel();
        after.port1.onmessage = () => done(performance.now() - begun);
        after.port2.postMessage(0);
      });
    }));
    if (at("train-answer").hidden || at("train-grade").textContent === "") return null;
    while (at("train").dataset.written === undefined) await pause(20);
    await pause(150);
    at("train-place").click();
  }
  return times;
})
"""


def answers(program, site):
    """How fast an answer of Train is on the screen: the worst of 300 at each width."""
    bad = []
    for width, height in SIZES:
        server, url = serve(site)
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            browser = Chromium(program, profile)
            try:
                browser.window(width, height)
                browser.open(url + "#train")
                until(browser, "Number(document.getElementById('train')?.dataset.ready) > 0", "Train")
                until(browser, "document.getElementById('home-status').textContent.startsWith('The best player is here')", "the weights")
                times = []
                while len(times) < 300:
                    some = browser.js(f"{ANSWERS}(50)")
                    check(some, "no answer")
                    times += some
                times.sort()
                print(f"{width} wide: answers of Train on the screen after {times[150]:.0f} ms (median), {times[285]:.0f} ms (19 in 20), {times[-1]:.0f} ms (worst of {len(times)})")
                if times[-1] > 50:
                    bad.append(f"{width} wide: an answer takes {times[-1]:.0f} ms, expected at most 50")
            finally:
                browser.end()
                server.shutdown()
    check(not bad, "; ".join(bad))


def main(program, site, folder, axe=AXE):
    folder, axe = Path(folder), Path(axe)
    if axe.name in ("--figures", "--answers"):
        return {"--figures": figures, "--answers": answers}[axe.name](program, site)
    if axe.name == "--languages":
        return languages(program, site, folder)
    # No clocks are changed there in November.
    for place, hours in (("Asia/Tokyo", 9), ("America/Los_Angeles", -8)):
        days(program, site, place, hours)
    if axe.name == "--days":
        return None
    languages(program, site, folder)
    offline(program, site, folder)
    _, url = serve(site)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Chromium(program, profile)
        try:
            browser.window(390, 844)
            browser.open(url)
            home(browser, folder, axe)
            train(browser, folder, axe)
            adjustments(browser, folder, axe)
            games(browser, url, folder, axe)
            linked(browser, url)
            no_complaints(browser, url)
        finally:
            browser.end()
    print(f"screenshots in {folder}")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Failure as failure:
        sys.exit(f"coach.py: {failure}")
