"""Measures how long the play window stands still, over a battle that a script plays at it.

    python benchmarks/stand_still.py [--points 1000] [--horde orks] [--rounds 2] [--here]

A script of real events (keys, clicks, drags) plays a battle at a window without a screen; the window runs its
loop as it does for a person, at 60 frames a second. It prints from each input to the drawn frame that has
taken it in, from each answer to what was drawn of it next, and how long each frame stood: by the clock, and
in processor time of the window's process, which another program on the machine does not lengthen. With
`--here` the agents think in the window's own process. Exit code 1 where by the clock the median from answer
to what came of it, or the longest stand-still, is above 150 ms.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Annotated, NamedTuple

if __name__ == "__main__":
    # This folder has a module called like a package: it must not stand before it.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame
import typer

from datasheets.library import Library
from engine.core.request import Choose, Place, Places
from engine.horde.setup import Options
from engine.systems import new_game
from viewer.cli import seldom_collect
from viewer.commands.seating import seat_agents
from viewer.input.answering import Answering
from viewer.input.beside import Beside
from viewer.input.gate import Gate
from viewer.input.orders import REST
from viewer.input.seat import Seated, think_here
from viewer.input.settings import Rules
from viewer.window.application import FRAMES_A_SECOND
from viewer.window.garbage import Garbage
from viewer.window.window import Window

LIMIT = 0.150
"""The most seconds from input to drawn answer, and of a stand-still."""
LOOK = 0.5
"""The seconds on the window's clock before a question is answered."""
STEPS = 12
"""The motions of a drag."""
IN_A_PHASE = 12
"""After this number of questions in a phase the rest of it is left to the adviser."""
PATIENCE = 20.0
"""The seconds after which a battle that asks nothing more is given up."""


class Spent(NamedTuple):
    """Seconds by the clock and of the processor, and what they were spent on."""

    clock: float
    processor: float
    what: str


class Clocked:
    """A window whose loop is run frame by frame, each with its time."""

    def __init__(self, window: Window) -> None:
        """Take the window."""
        self.window = window
        self.frames: list[Spent] = []
        """The seconds of each frame, and what was done in it."""
        self.inputs: list[Spent] = []
        """The seconds from each input to the frame that has drawn what came of it, and what it was."""
        self.answers: list[Spent] = []
        """The seconds from each answer to the next drawn question or event."""
        self._clock, self._garbage = pygame.time.Clock(), Garbage()

    def frame(self, what: str = "", *events: pygame.event.Event) -> float:
        """Run the loop once; return how long it stood, without the rest until the next frame."""
        passed = min(self._clock.tick(FRAMES_A_SECOND) / 1000, 0.1)
        begun = perf_counter(), process_time()
        for event in events:
            self.window.handle(event)
        self.window.tick(passed)
        is_drawn = self.window.changed
        if is_drawn:
            self.window.draw()
            pygame.display.flip()
        self._garbage.collect(rests=not is_drawn)
        spent = Spent(perf_counter() - begun[0], process_time() - begun[1], what or self._what())
        self.frames.append(spent)
        if events:
            self.inputs.append(spent)
        return spent.clock

    def _what(self) -> str:
        return "the question waits" if self.window.player.waits else "the battle goes on"

    def until_asked(self) -> Answering | None:
        """Run the loop until a question is shown; return it, None where the battle is over."""
        playback, given_up = self.window.playback, perf_counter() + PATIENCE
        while self.window.player.asked is None:
            if (playback.source.ended and playback.at_end) or perf_counter() > given_up:
                return None
            playback.playing = True
            self.frame()
            if not playback.at_end:
                # Nobody looks on: what is shown is shown at once.
                playback.seek(max(playback.cursor, len(playback.chronicle) - 1))
        # A person looks first: a key that comes with the question is not meant for it.
        self.window.tick(LOOK)
        return self.window.player.asked


def key(name: str, unicode: str = "") -> pygame.event.Event:
    """Return the press of a key."""
    return pygame.event.Event(pygame.KEYDOWN, key=pygame.key.key_code(name), unicode=unicode, mod=0)


def mouse(kind: int, at: tuple[float, float]) -> pygame.event.Event:
    """Return an event of the mouse at a pixel."""
    pos = round(at[0]), round(at[1])
    if kind == pygame.MOUSEMOTION:
        return pygame.event.Event(kind, pos=pos, rel=(3, 0), buttons=(1, 0, 0))
    return pygame.event.Event(kind, pos=pos, button=1)


def play(clocked: Clocked, most: int) -> int:
    """Play a battle with keys, clicks and drags; return the number of questions answered."""
    dragged: set[tuple[int, str]] = set()
    phases: Counter[tuple[int, str, str]] = Counter()
    number = 0
    while number < most and (asked := clocked.until_asked()) is not None:
        request, state = asked.request, clocked.window.playback.state
        phase = state.round, state.turn, state.phase
        phases[phase] += 1
        if phases[phase] == IN_A_PHASE:
            # The rest of the phase goes by itself, so that the Horde's turns come.
            for sign in f"/{REST}":
                clocked.frame("a key", key(sign, sign))
            answered(clocked, f"the rest of {state.phase}", key("return"))
            continue
        unit = next(
            (each for each in _offered(asked) if (state.round, each) not in dragged and number % 3), ""
        )
        if unit and _is_dragged(clocked, asked, unit):
            dragged.add((state.round, unit))
            drag(clocked, unit)
        elif isinstance(request, Place) and isinstance(asked.advised, Places) and number % 2:
            place(clocked, asked.advised)
        else:
            look_about(clocked)
            take(clocked, asked)
        number += 1
    return number


def _offered(asked: Answering) -> Iterator[str]:
    request = asked.request
    if isinstance(request, Choose) and request.decision == "next-unit":
        yield from (option.id for option in request.options)


def _is_dragged(clocked: Clocked, asked: Answering, unit: str) -> bool:
    hand, units = clocked.window.player.hand, clocked.window.playback.state.position.units
    return hand is not None and unit in units and hand.takes(asked, unit)


def drag(clocked: Clocked, unit: str) -> None:
    """Drag a unit some inches towards the middle, and let it go there."""
    window = clocked.window
    state = window.playback.state
    row = state.position.units[unit].rows[0]
    x, y = map(float, state.position.table.xy[row])
    wide, high = state.position.board.size
    far = max(((wide / 2 - x) ** 2 + (high / 2 - y) ** 2) ** 0.5, 1.0)
    window.fit()
    clocked.frame("press", mouse(pygame.MOUSEBUTTONDOWN, window.camera.to_screen(x, y)))
    for step in range(1, STEPS + 1):
        share = 7.0 * step / STEPS / far
        at = window.camera.to_screen(x + share * (wide / 2 - x), y + share * (high / 2 - y))
        clocked.frame("take hold" if step == 1 else "drag", mouse(pygame.MOUSEMOTION, at))
    for _ in range(10):
        clocked.frame("the hand rests")
    answered(clocked, "let go", mouse(pygame.MOUSEBUTTONUP, at))


def place(clocked: Clocked, places: Places) -> None:
    """Click where a unit is suggested to be set up, and take it."""
    pose = next(iter(places.poses.values()), None)
    if pose is not None:
        at = clocked.window.camera.to_screen(pose[0], pose[1])
        clocked.frame("press", mouse(pygame.MOUSEBUTTONDOWN, at))
        clocked.frame("click to set up", mouse(pygame.MOUSEBUTTONUP, at))
    asked = clocked.window.player.asked
    if asked is not None:
        answered(clocked, "set up", suggested(asked))


def look_about(clocked: Clocked) -> None:
    """Move the mouse over each unit on the board, as a person that weighs a choice."""
    window = clocked.window
    for unit in window.playback.state.position.on_table()[::4]:
        x, y = map(float, window.playback.state.position.table.xy[unit.rows[0]])
        clocked.frame("hover", mouse(pygame.MOUSEMOTION, window.camera.to_screen(x, y)))


def take(clocked: Clocked, asked: Answering) -> None:
    """Take what is suggested, as soon as it is."""
    answered(clocked, f"take: {asked.request.decision}", suggested(asked))


def suggested(asked: Answering) -> pygame.event.Event:
    """Return the key that takes what is suggested; in set-up that is not Enter."""
    return key("return") if asked.set_up is None else key("g", "g")


def answered(clocked: Clocked, what: str, event: pygame.event.Event) -> None:
    """Give an answer, and run the loop until anything that came of it has been drawn."""
    window, begun, worked = clocked.window, perf_counter(), process_time()
    before, known = window.player.asked, len(window.playback.chronicle)
    clocked.frame(what, event)
    while window.player.asked is before and len(window.playback.chronicle) == known:
        if before is not None and before.fault:
            break
        clocked.frame("the answer is worked out")
        if perf_counter() > begun + PATIENCE:
            raise RuntimeError(f"{what}: nothing came of it for {PATIENCE:.0f} s.")
    clocked.answers.append(Spent(perf_counter() - begun, process_time() - worked, what))


def told(what: str, found: list[Spent]) -> str:
    """Return the median and the worst of some times, with what the worst were."""
    rows = [f"{what}, {len(found)} times:"]
    for clock, name in (("clock", "by the clock"), ("processor", "processor")):
        times = sorted(((getattr(each, clock), each.what) for each in found), reverse=True)
        words = ", ".join(f"{1000 * spent:.0f} ms {of}" for spent, of in times[:3])
        rows.append(f"  {name}: median {1000 * median(each for each, _ in times):.0f} ms, worst {words}")
    return "\n".join(rows)


def main(
    points: Annotated[int, typer.Option(help="1000 or 2000.")] = 1000,
    horde: Annotated[str, typer.Option(help="The Horde's faction.")] = "orks",
    rounds: Annotated[int, typer.Option(help="How many rounds are played.")] = 2,
    seed: Annotated[int, typer.Option(help="The battle's seed.")] = 11,
    most: Annotated[int, typer.Option(help="After how many questions it ends.")] = 1000,
    here: Annotated[bool, typer.Option("--here", help="Think in the window's own process.")] = False,
) -> None:
    """Play a battle and print how long the window stood."""
    seldom_collect()
    library = Library()
    armies = (library.army(f"space-marines-{points}"),)
    game = new_game(Options(armies, (horde,), points, rounds=rounds, seed=seed), library)
    pygame.display.init()
    surface = pygame.display.set_mode((1920, 1080))
    think = think_here if here else Beside
    source = Seated(game, seat_agents(("p1",), "steady"), ("p1",), gate=Gate(Rules()), think=think)
    begun = perf_counter()
    clocked = Clocked(Window(surface, source))
    clocked.frame("the first frame")
    typer.echo(f"the window is there after {1000 * (perf_counter() - begun):.0f} ms")
    questions = play(clocked, most)
    source.stop()
    typer.echo(
        f"{points} points, {horde}: {questions} questions, {len(game.events)} events, "
        f"{len(clocked.frames)} frames"
    )
    typer.echo(told("from input to drawn frame", clocked.inputs))
    typer.echo(told("from answer to what came of it", clocked.answers))
    horde_thinks = [each for each in clocked.frames if each.what == "the battle goes on"]
    typer.echo(told("frames while the battle goes on", horde_thinks))
    typer.echo(told("frames", clocked.frames))
    slow = [each for each in clocked.frames if each.clock > LIMIT]
    busy = sum(each.processor > LIMIT for each in slow)
    typer.echo(f"frames above {1000 * LIMIT:.0f} ms: {len(slow)} by the clock, {busy} of the processor")
    raise typer.Exit(int(bool(slow) or median(each.clock for each in clocked.answers) > LIMIT))


if __name__ == "__main__":
    typer.run(main)
