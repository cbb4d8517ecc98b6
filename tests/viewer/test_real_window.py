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

from tests.viewer.real_display import Display, NotSeen, Program, display, missing
from viewer.window.palette import DEFAULT, Colour

LACKS = missing()
pytestmark = pytest.mark.skipif(bool(LACKS), reason=LACKS)
BATTLE = ("--seed", "7", "--faction", "death-guard")
FASTEST = 64.0
MOST_ANSWERS = 400
HAS_KEYS = importlib.util.find_spec("viewer.window.early") is not None
"""Whether letters are keys while a question waits, and a question takes none at once."""
REST = 0.16 if HAS_KEYS else 0.0
BEGINS_A_LINE = "/" if HAS_KEYS else ""
Seen = dict[str, Any]


@pytest.fixture
def screen() -> Iterator[Display]:
    with display() as opened:
        yield opened


def begin(screen: Display, folder: Path, *words: str | Path) -> Program:
    """Start the program and wait for its first question."""
    more = {"XDG_DATA_HOME": str(folder / "data"), "HORDE_SETTINGS": str(folder / "settings.json")}
    program = Program(screen, folder, *words, more=more)
    program.until("a question", lambda seen: seen.get("decision"))
    return program


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
    seen = program.until(
        " and ".join(words),
        lambda seen: all(any(word.lower() in each.lower() for each, _ in seen["words"]) for word in words),
    )
    time.sleep(0.1)
    picture = program.screen.picture()
    assert len(picture.getcolors(1 << 24) or []) > 200, "the screen is blank"
    assert share(picture, seen["header"], DEFAULT.panel) > 0.3
    assert share(picture, seen["bottom"], DEFAULT.panel) > 0.3
    assert share(picture, seen["bottom"], DEFAULT.accent) > 0.002, "there is no yellow button"
    assert share(picture, seen["board"], DEFAULT.ground, 24) > 0.1
    for word in words:
        box = next(box for each, box in seen["words"] if word.lower() in each.lower())
        left, top, wide, high = box
        low, most = picture.crop((left, top, left + wide, top + high)).convert("L").getextrema()
        assert most - low > 60, f"'{word}' cannot be read"
    return seen


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
    return program.until("a question or the end", lambda seen: seen.get("decision") or seen.get("over"), 40)


def take_suggestion(program: Program) -> Seen:
    """Press Enter; where that changes nothing, what else takes a suggestion."""
    before = wait_for_question(program)
    number = before["answers"]

    def is_another(seen: Seen) -> bool:
        return bool(seen["over"] or seen["answers"] != number or seen["decision"] != before["decision"])

    time.sleep(REST)
    for press in (("Return",), ("Return",), ("End", "End"), ("k",), ()):
        if press:
            program.screen.key(*press)
        else:
            press_button(program, "")
        try:
            return program.until("another question", is_another, 2.5)
        except NotSeen:
            continue
    raise NotSeen(f"nothing answers {before['decision']}")


def say(program: Program, word: str) -> None:
    """Type a word as an answer, and Enter."""
    wait_for_question(program)
    time.sleep(REST)
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
            program.screen.key("BackSpace")
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
    program.screen.key("ctrl+z")
    program.until("the unit taken back", lambda seen: unit not in seen["units"] and seen["answers"] <= number)


def move_by_mouse(program: Program) -> None:
    """Drag a unit some inches, with the mouse alone."""
    seen = play_to(
        program,
        "a unit to move",
        lambda seen: (
            seen["phase"] == "movement" and seen["turn"] == "players" and seen["decision"] == "next-unit"
        ),
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
    """Come to the Horde's turn, stop it there, and let it go on."""
    number = program.see()["round"]
    for _ in range(MOST_ANSWERS):
        take_suggestion(program)
        seen = program.until(
            "the Horde's turn or a question",
            lambda seen: seen["decision"] or seen["turn"] == "horde" or seen["over"],
            40,
        )
        if seen["turn"] == "horde" and seen["round"] > number:
            break
    check_looks(program, "THE HORDE'S TURN", "Mortarion")


def play_to_the_end(program: Program) -> None:
    """Hand the battle over and watch its end."""
    say(program, "auto")
    program.until("the end", lambda seen: seen["over"] and not seen["plays_on"], 60)
    check_looks(program, "won")


def test_a_battle_by_a_real_mouse_and_keyboard(screen: Display, tmp_path: Path) -> None:
    """From a new battle through rounds, a save, a sudden end and an undoing to its end."""
    began = time.monotonic()
    program = begin(screen, tmp_path, "play", *BATTLE)
    try:
        check_looks(program, "DEFENDER ZONE", "SPAWN ZONE S1", "Undo")
        speed_up(program)
        set_up_by_mouse(program)
        move_by_mouse(program)
        check_looks(program, "YOUR TURN", "Movement")
        seen = play_to(program, "round 2", lambda seen: seen["round"] >= 2)
        buy(program)
        seen = play_to(
            program, "round 2's fights", lambda seen: seen["round"] == 2 and seen["phase"] == "shooting"
        )
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
        press_button(program, "undo")
        program.until("an answer taken back", lambda seen: seen["answers"] < kept)
        speed_up(program)
        watch_the_horde(program)
        play_to_the_end(program)
    finally:
        program.kill()
    print(f"{time.monotonic() - began:.0f} s")
