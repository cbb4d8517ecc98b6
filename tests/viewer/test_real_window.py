"""A battle in a real window on an unseen X screen, by a real mouse and a real keyboard.

It is skipped where no such screen can be opened.
"""

from __future__ import annotations

import importlib.util
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.viewer.real_display import SIZE, Display, NotSeen, Program, display, missing
from viewer.window.palette import DEFAULT, Colour, mix

LACKS = missing()
pytestmark = pytest.mark.skipif(bool(LACKS), reason=LACKS)
SEED = "7"
HAS_MENU = importlib.util.find_spec("viewer.menu") is not None
FASTEST = 64.0
MOST_ANSWERS = 400
SETTLED = 4.0
"""The most seconds until the screen shows what it is to show."""
HAS_END = importlib.util.find_spec("viewer.window.end_board") is not None
HAS_KEYS = importlib.util.find_spec("viewer.window.early") is not None
"""Whether letters are keys while a question waits, and a question takes none at once."""
REST = 0.16 if HAS_KEYS else 0.0
BEGINS_A_LINE = "/" if HAS_KEYS else ""
Seen = dict[str, Any]


@pytest.fixture
def screen() -> Iterator[Display]:
    with display() as opened:
        yield opened


def begin_from_menu(screen: Display, folder: Path) -> Program:
    """Open the start menu, type the seed of the battle there, make it fast, and begin."""
    program = started(screen, folder, "menu")
    seen = program.until(
        "the start menu", lambda seen: any("Begin battle" in word for word, _ in seen["words"])
    )
    time.sleep(0.3)
    picture = screen.picture()
    assert share(picture, [0, 0, *SIZE], DEFAULT.background) > 0.2
    assert share(picture, [0, 0, *SIZE], DEFAULT.accent) > 0.003, "there is no yellow button"
    entry = next(box for word, box in seen["words"] if word.isdecimal() and len(word) > 3)
    screen.click(entry[0] + entry[2] / 2, entry[1] + entry[3] / 2)
    screen.key("ctrl+a")
    screen.xdo("type", "--delay", 30, SEED)
    program.until("the seed typed", lambda seen: any(word == SEED for word, _ in seen["words"]))
    program.click_words("Skip")
    program.click_words("Begin battle")
    program.until("a question", lambda seen: seen.get("decision"))
    return program


def begin(screen: Display, folder: Path, *words: str | Path) -> Program:
    """Start the program and wait for its first question."""
    program = started(screen, folder, *words)
    program.until("a question", lambda seen: seen.get("decision"))
    return program


def started(screen: Display, folder: Path, *words: str | Path) -> Program:
    """Start the program with a data folder of its own."""
    more = {"XDG_DATA_HOME": str(folder / "data"), "HORDE_SETTINGS": str(folder / "settings.json")}
    return Program(screen, folder, *words, more=more)


# what is on the screen


def is_close(one: Colour, other: Colour, by: int) -> bool:
    return all(abs(a - b) <= by for a, b in zip(one, other, strict=True))


def share(picture: Image.Image, box: list[int], colour: Colour, by: int = 2) -> float:
    """Return what part of a box on the screen has about this colour."""
    left, top, wide, high = box
    colours = picture.crop((left, top, left + wide, top + high)).getcolors(wide * high) or []
    return sum(count for count, each in colours if is_close(each, colour, by)) / (wide * high)


def check_looks(program: Program, *words: str) -> Seen:
    """Check that the screen shows a battle in its colours, and that these words can be read."""
    end = time.monotonic() + SETTLED
    while True:
        seen = program.until(
            " and ".join(words),
            lambda seen: all(
                any(word.lower() in each.lower() for each, _ in seen["words"]) for word in words
            ),
        )
        time.sleep(0.1)
        picture = program.screen.picture()
        wrong = wrongs(picture, seen, words)
        if not wrong:
            return seen
        if time.monotonic() > end:
            picture.save(program.folder / "wrong.png")
            raise AssertionError(f"{' and '.join(wrong)} ({program.folder / 'wrong.png'})")


def wrongs(picture: Image.Image, seen: Seen, words: tuple[str, ...]) -> list[str]:
    """Return what is wrong with a picture that is to show a battle and these words."""
    found = []
    if len(picture.getcolors(1 << 24) or []) < 200:
        found.append("the screen is blank")
    # The last board fills the whole screen.
    bars = [[0, 0, *SIZE]] if HAS_END and seen["over"] else [seen["header"], seen["bottom"]]
    if min(share(picture, bar, DEFAULT.panel) for bar in bars) < 0.25:
        found.append("the panels have another colour")
    # Under the mouse a button is lighter.
    yellows = (DEFAULT.accent, mix(DEFAULT.accent, DEFAULT.ink, 0.15))
    if sum(share(picture, bars[-1], yellow) for yellow in yellows) < 0.002:
        found.append("there is no yellow button")
    if len(bars) > 1 and share(picture, seen["board"], DEFAULT.ground, 24) < 0.1:
        found.append("there is no ground")
    for word in words:
        left, top, wide, high = next(box for each, box in seen["words"] if word.lower() in each.lower())
        low, most = picture.crop((left, top, left + wide, top + high)).convert("L").getextrema()
        if most - low < 60:
            found.append(f"'{word}' cannot be read")
    return found


def on_board(seen: Seen, x: float, y: float) -> tuple[float, float]:
    """Return the pixel of a point of the board, in inches."""
    (left, low), (right, high) = seen["corners"]
    return left + (right - left) * x / 60, low + (high - low) * y / 44


def colours_round(picture: Image.Image, at: tuple[float, float], reach: int = 6) -> Counter[Colour]:
    """Return the colours in a square round a pixel, with how often each is there."""
    x, y = map(round, at)
    square = picture.crop((x - reach, y - reach, x + reach + 1, y + reach + 1))
    return Counter({each: count for count, each in square.getcolors(4096) or []})


# what a person does


def wait_for_question(program: Program) -> Seen:
    """Wait until something is asked, or the battle is over; close a summary on the way."""

    def is_there(seen: Seen) -> bool:
        return bool(seen.get("decision") or seen.get("over") or seen.get("summary"))

    while True:
        seen = program.until("a question or the end", is_there, 40)
        if not seen.get("summary"):
            return seen
        check_looks(program, "turn is over")
        program.screen.key("Return")
        program.until("the summary closed", lambda seen: not seen["summary"])


def rested(program: Program) -> Seen:
    """Wait until a question has stood for a moment, with nothing typed."""
    while True:
        before = wait_for_question(program)
        time.sleep(REST)
        now = program.see()
        if now["line"]:
            program.screen.key("Escape")
        elif all(now[each] == before[each] for each in ("decision", "answers", "summary", "over")):
            return now


def take_suggestion(program: Program) -> Seen:
    """Press Enter; where that changes nothing, what else takes a suggestion."""
    before = rested(program)
    number = before["answers"]

    def is_another(seen: Seen) -> bool:
        is_other = seen["answers"] != number or seen["decision"] != before["decision"]
        return bool(seen["over"] or seen["summary"] or is_other)

    keys: tuple[str, ...] = ("Return", "suggest", "Return", "End", "End", "k", "")
    if any(words == "As suggested" for words, _ in in_bar(before)):
        keys = ("g", *keys)
    elif before["shop"]:
        keys = ("End", *keys)
    for each in keys:
        if each == "suggest" or not each:
            press_in_bar(program, each)
        else:
            program.screen.key(each)
        try:
            return program.until("another question", is_another, 2.5)
        except NotSeen:
            continue
    program.screen.picture().save(program.folder / "stuck.png")
    raise NotSeen(f"nothing answers {before['decision']} ({program.folder / 'stuck.png'})")


def press_in_bar(program: Program, word: str) -> None:
    """Click the words of the bottom bar that hold a word, the last ones in it."""
    found = [box for words, box in in_bar(program.see()) if word in words.lower()]
    if found:
        x, y, w, h = max(found)
        program.screen.click(x + w / 2, y + h / 2)


def in_bar(seen: Seen) -> list[tuple[str, list[int]]]:
    """Return the words of the bottom bar, with their places."""
    _, top, _, high = seen["bottom"]
    return [(words, box) for words, box in seen["words"] if top <= box[1] < top + high]


def press_undo(program: Program) -> None:
    """Click on Undo."""
    program.click_words("Undo")


def say(program: Program, word: str) -> None:
    """Type a word as an answer, and Enter."""
    rested(program)
    program.screen.type(f"{BEGINS_A_LINE}{word}")


def press_button(program: Program, line: str) -> None:
    """Click the button of the bottom bar that stands for a line; "" is the yellow one."""
    seen = program.until("a button", lambda seen: [box for of, box in seen["buttons"] if of == line])
    left, top, wide, high = next(box for of, box in seen["buttons"] if of == line)
    program.screen.click(left + wide / 2, top + high / 2)


def play_to(program: Program, what: str, holds: Any) -> Seen:
    """Take suggestions until something holds of a question."""
    for _ in range(MOST_ANSWERS):
        seen = wait_for_question(program)
        assert not seen["over"], f"the battle was over before {what}"
        if holds(seen):
            return seen
        take_suggestion(program)
    raise NotSeen(what)


def speed_up(program: Program) -> None:
    """Let the battle be shown as fast as the window can, by the key for that."""
    for _ in range(20):
        seen = wait_for_question(program)
        if seen["speed"] >= FASTEST or seen["over"]:
            return
        program.screen.key("Return")
        program.screen.key("plus", "plus", "plus", "plus", "plus")
        time.sleep(0.2)
        while wait_for_question(program)["line"]:
            program.screen.key("Escape")
            time.sleep(0.1)


def set_up_by_mouse(program: Program) -> None:
    """Set a unit up with the mouse, and take that back."""
    seen = play_to(program, "a unit to set up", lambda seen: seen["kind"] == "Place" and seen["unit"])
    unit, number = seen["unit"], seen["answers"]
    start, end = on_board(seen, 9, 14), on_board(seen, 10, 18)
    program.screen.drag(start, end)
    seen = program.until(
        "the unit on the table", lambda seen: unit in seen["units"] and seen["answers"] > number
    )
    _, side, x, y = seen["units"][unit]
    assert side == "players"
    assert abs(x - end[0]) < 120
    assert abs(y - end[1]) < 120
    seen = wait_for_question(program)
    blue = colours_round(program.screen.picture(), (x, y), 14)
    assert sum(count for each, count in blue.items() if each[2] > 1.5 * each[0]) > 20, "no token is there"
    for _ in range(3):
        rested(program)
        program.screen.key("ctrl+z")
        try:
            program.until("the unit taken back", lambda seen: unit not in seen["units"], 4)
        except NotSeen:
            continue
        return
    raise NotSeen("the unit taken back")


def is_movement(seen: Seen) -> bool:
    return (seen["phase"], seen["turn"], seen["decision"]) == ("movement", "players", "next-unit")


def move_by_mouse(program: Program) -> None:
    """Drag a unit some inches, with the mouse alone."""
    seen = play_to(
        program,
        "a unit to move",
        is_movement,
    )
    (left, _), (right, _) = seen["corners"]
    inch = (right - left) / 60
    for unit in [each for each in seen["can_act"] if each in seen["units"]]:
        _, _, x, y = seen["units"][unit]
        program.screen.drag((x, y), (x - 2 * inch, y), 8)
        try:
            moved = program.until(
                "the unit moved",
                lambda seen, u=unit, x=x: u in seen["units"] and seen["units"][u][2] < x - inch,
                3,
            )
        except NotSeen:
            program.screen.key("Escape")
            continue
        assert abs(moved["units"][unit][3] - y) < 3 * inch
        return
    raise NotSeen("a unit that can be dragged")


def buy(program: Program) -> None:
    """Come to the purchases of a Command phase, look, and take what is suggested."""
    play_to(program, "purchases", lambda seen: seen["decision"] == "purchase")
    check_looks(program, "SP", "CP")
    take_suggestion(program)


def leave(program: Program) -> Path:
    """Leave the battle by the word for that; return its save."""
    say(program, "quit")
    code, out, err = program.end()
    assert (code, err) == (0, ""), err
    said = "The battle is saved. Go on with: horde play "
    assert said in out
    return program.folder / out.split(said)[1].strip()


def watch_the_horde(program: Program) -> None:
    """Come to the Horde's next turn, and see that it says so."""
    number = wait_for_question(program)["round"]
    for _ in range(MOST_ANSWERS):
        take_suggestion(program)
        seen = program.until("the Horde's turn or a question", is_horde_or_question, 40)
        if seen["turn"] == "horde" and seen["round"] > number:
            assert any("THE HORDE'S TURN" in words for words, _ in seen["words"])
            return
    raise NotSeen("the Horde's turn")


def is_horde_or_question(seen: Seen) -> bool:
    return bool(seen["decision"] or seen["turn"] == "horde" or seen["over"] or seen["summary"])


def play_to_the_end(program: Program) -> None:
    """Hand the battle over and watch its end."""
    say(program, "auto")
    program.until("the end", lambda seen: seen["over"] and not seen["plays_on"], 60)
    if not HAS_END:
        check_looks(program, "won")
        return
    check_looks(program, "What decided it", "Play again", "Watch")


def quit_by_menu(program: Program) -> None:
    """Go from the last board to the start menu, and quit there."""
    program.screen.key("Escape")
    program.until("the start menu", lambda seen: any("Begin battle" in words for words, _ in seen["words"]))
    program.click_words("Quit")
    code, out, err = program.end()
    assert (code, err) == (0, ""), err
    assert "The battle is over" in out


def test_a_battle_by_a_real_mouse_and_keyboard(screen: Display, tmp_path: Path) -> None:
    """From a new battle through rounds, a save, a sudden end and an undoing to its end."""
    began = time.monotonic()
    if HAS_MENU:
        program = begin_from_menu(screen, tmp_path)
    else:
        program = begin(screen, tmp_path, "play", "--seed", SEED)
    try:
        check_looks(program, "DEFENDER ZONE", "SPAWN ZONE S1", "Undo")
        speed_up(program)
        set_up_by_mouse(program)
        move_by_mouse(program)
        check_looks(program, "YOUR TURN", "Movement")
        seen = play_to(program, "round 2", lambda seen: seen["round"] >= 2)
        buy(program)
        seen = play_to(program, "round 2's movement", is_movement)
        save = leave(program)
        assert save.is_file()

        program = begin(screen, tmp_path, "play", save)
        assert wait_for_question(program)["answers"] == seen["answers"]
        take_suggestion(program)
        number = take_suggestion(program)["answers"]
        program.kill()
        [journal] = tmp_path.glob("*.journal")

        program = begin(screen, tmp_path, "play", journal)
        kept = wait_for_question(program)["answers"]
        assert kept >= number - 1 > seen["answers"]
        press_undo(program)
        program.until("an answer taken back", lambda seen: seen["answers"] < kept)
        speed_up(program)
        watch_the_horde(program)
        play_to_the_end(program)
        if HAS_END and HAS_MENU:
            quit_by_menu(program)
    finally:
        program.kill()
    print(f"{time.monotonic() - began:.0f} s")
