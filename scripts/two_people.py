"""Plays two people at one screen by keys and mouse, and looks for secrets that leak.

    python scripts/two_people.py --out DIR [--seed 3] [--rounds 2]

Every picture is drawn on a screen that nobody sees. After each, the words on it are compared with the secrets
that each person has drawn: a secret may stand there only while its own player is alone with the screen, or
holds the eye. Saves pictures of the curtain, of each seat's secret, and of a seat that is done. Exits 1 where
a secret leaked or a picture is missing.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
import pygame

from datasheets.library import Library
from engine.core import event as ev
from engine.core.request import PRIVATE
from engine.horde.setup import Options
from engine.systems import new_game
from engine.w40k.activation.turn_taking import PASS, is_done_here
from engine.w40k.seat_log import BALLOTS
from viewer.commands.seating import seat_agents
from viewer.input.gate import Gate
from viewer.input.seat import ALONE, Seated
from viewer.input.settings import Rules
from viewer.story.name import title
from viewer.window.window import Window

SEATS = ("p1", "p2")
SIZE = (1600, 900)
MOST_STEPS = 60_000
TICK = 0.2
"""The seconds between what a person does."""
PICTURES = ("curtain", "seat-1", "seat-2", "done", "peek-1", "peek-2")
"""The pictures that are to be saved."""


class TwoPeople:
    """Two people at one window, what they do, and what leaked."""

    def __init__(self, seed: int, rounds: int, out: Path | None) -> None:
        """Sit them down."""
        library = Library()
        army = library.army("space-marines-500")
        game = new_game(Options((army, army), ("death-guard",), 1000, seed=seed, rounds=rounds), library)
        pygame.init()
        source = Seated(game, seat_agents(SEATS, "steady"), SEATS, gate=Gate(Rules()))
        self.game, self.source = game, source
        self.window = Window(pygame.display.set_mode(SIZE), source)
        self.out = out
        self.leaks: list[str] = []
        self.saved: set[str] = set()
        self.looked_at = 0
        self.asked: Counter[tuple[str, str]] = Counter()
        self._peeked: set[str] = set()
        self._rendered: set[str] = set()
        """All words that were made into pictures for the last look, covered ones too."""
        self._listen()

    def _listen(self) -> None:
        """Note all words of which the window's lettering makes a picture."""
        lettering, made = self.window.lettering, self.window.lettering.text

        def text(words: str, *style: Any, **more: Any) -> pygame.Surface:
            self._rendered.add(words)
            return made(words, *style, **more)

        lettering.text = text  # type: ignore[method-assign]

    # what may be seen

    def secrets(self) -> dict[str, set[str]]:
        """Return the names of the cards that each seat has drawn and nobody has shown."""
        found: dict[str, set[str]] = {seat: set() for seat in SEATS}
        for event in self.game.events:
            if isinstance(event, ev.CardRevealed) and event.deck == "secret" and event.player in found:
                found[event.player].add(event.card)
        shown = {card for player in self.game.state.players.values() for card in player.revealed}
        return {seat: {title(card) for card in cards - shown} for seat, cards in found.items()}

    def look(self, alone: str = "") -> None:
        """Draw the window and note each secret on it but those of the seat that is alone with it."""
        self._rendered.clear()
        self.window.draw()
        self.looked_at += 1
        words = "\n".join([*(each.words for each in self.window.lettering.written), *self._rendered])
        for seat, names in self.secrets().items():
            if seat != alone:
                where = self._where()
                self.leaks += [f"{name} of {seat} in {where}" for name in sorted(names) if name in words]

    def sees(self, seat: str) -> bool:
        """Return whether any secret of a seat stands on the picture."""
        words = "\n".join(each.words for each in self.window.lettering.written)
        return any(name in words for name in self.secrets()[seat])

    def _where(self) -> str:
        asked = self.window.player.asked
        return f"{asked.view.seat}: {asked.request.decision}" if asked is not None else "between questions"

    def save(self, name: str) -> None:
        """Save the picture that is shown, the first of its name."""
        if name not in self.saved:
            self.saved.add(name)
            if self.out is not None:
                pygame.image.save(self.window.surface, self.out / f"two-people-{name}.png")

    # what they do

    def key(self, name: str, kind: int = pygame.KEYDOWN) -> None:
        """Press a key."""
        self.window.handle(pygame.event.Event(kind, key=pygame.key.key_code(name), unicode="", mod=0))

    def mouse(self, kind: int, at: tuple[int, int]) -> None:
        """Press or release the left button."""
        self.window.handle(pygame.event.Event(kind, pos=at, button=1))

    def play(self) -> None:
        """Play to the end of the battle, looking at each picture."""
        window = self.window
        for _ in range(MOST_STEPS):
            window.playback.seek(len(window.playback.chronicle))
            window.tick(TICK)
            if window.player.asked is not None:
                self._answer()
            elif window.playback.source.ended and window.playback.at_end:
                self.look()
                break
            else:
                self.look()

    def _answer(self) -> None:
        asked = self.window.player.asked
        assert asked is not None
        seat, decision = asked.view.seat, asked.request.decision
        self.asked[seat, decision] += 1
        private = decision in (*PRIVATE, *BALLOTS)
        self.look(alone=seat if private else "")
        if decision == ALONE:
            self.save("curtain")
            button = self.window.screens.curtain.button.center
            if self.asked[seat, decision] % 2:
                self.key("return")
            else:
                self.mouse(pygame.MOUSEBUTTONDOWN, button)
                self.mouse(pygame.MOUSEBUTTONUP, button)
            return
        if private and self.sees(seat):
            self.save(f"seat-{SEATS.index(seat) + 1}")
        if any(is_done_here(player) for player in self.game.state.players.values()):
            self.save("done")
        if self.game.state.round and seat not in self._peeked:
            self._peek(seat)
        self._say(decision)

    def _peek(self, seat: str) -> None:
        """Hold the eye, look, and let it go: then the secret is hidden again."""
        self._peeked.add(seat)
        eye = self.window.top.eye.center
        self.mouse(pygame.MOUSEBUTTONDOWN, eye)
        self.look(alone=seat)
        if self.sees(seat):
            self.save(f"peek-{SEATS.index(seat) + 1}")
        self.mouse(pygame.MOUSEBUTTONUP, eye)
        self.look()

    def _say(self, decision: str) -> None:
        """Answer: now and then another player acts first, else as suggested."""
        asked = self.window.player.asked
        if asked is None:
            return
        options = [option.id for option in asked.options]
        if decision == "next-unit" and PASS in options and self.asked[asked.view.seat, decision] % 3 == 2:
            box = next((box for box, place in self.window.panel.rows if options[place] == PASS), None)
            if box is not None:
                self.mouse(pygame.MOUSEBUTTONDOWN, box.center)
                self.mouse(pygame.MOUSEBUTTONUP, box.center)
                return
        if asked.offer is not None:
            self.key("k")
            return
        self.key("return")
        if self.window.player.asked is asked:
            self.key("end")


def main(
    out: Annotated[Path | None, typer.Option(help="Where the pictures go; nowhere without one.")] = None,
    seed: Annotated[int, typer.Option(help="The battle's seed.")] = 3,
    rounds: Annotated[int, typer.Option(help="How many rounds are played.")] = 2,
) -> None:
    """Play, and say what leaked."""
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    people = TwoPeople(seed, rounds, out)
    people.play()
    missing = [name for name in PICTURES if name not in people.saved]
    by_seat = ", ".join(
        f"{seat} {sum(n for (s, _), n in people.asked.items() if s == seat)}" for seat in SEATS
    )
    sys.stdout.write(
        f"{people.looked_at} pictures looked at, questions: {by_seat}; "
        f"round {people.game.state.round}; leaks: {len(people.leaks)}\n"
    )
    for leak in dict.fromkeys(people.leaks):
        sys.stdout.write(f"  {leak}\n")
    if missing:
        sys.stdout.write(f"  no picture of: {', '.join(missing)}\n")
    sys.exit(1 if people.leaks or missing or not people.game.is_over else 0)


if __name__ == "__main__":
    typer.run(main)
