"""The battle that plays on as a person watches it: transport, jumps, the turn's summary.

Owns what is jumped to and which summary is open. The moment shown is the playback's.
"""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from engine.core import event as ev
from viewer.input.halting import halts
from viewer.input.seat import Seated
from viewer.story.aftermath import toll_at
from viewer.story.horde_order import in_order
from viewer.story.roster import Section
from viewer.story.source import Entry, Reason
from viewer.story.turn_strip import place_in_turn, strip
from viewer.story.turn_summary import Unasked, summarize
from viewer.story.turns import Turn
from viewer.window.lettering import Lettering
from viewer.window.open_summary import OpenSummary, marks_of
from viewer.window.playback import Playback
from viewer.window.player import PlayerSeat
from viewer.window.scene import Told
from viewer.window.summary_page import AGAIN, CLOSE, SHOW, WIDE, SummaryPage
from viewer.window.transport import Transport, TurnRun

KEYS = {
    "space": "toggle",
    ".": "unit",
    "]": "phase",
    "return": "turn",
    "enter": "turn",
    "keypad enter": "turn",
    "+": "faster",
    "=": "faster",
    "-": "slower",
    "right": "step",
    "left": "back",
    "f": "follow",
}
"""The keys of the transport, by their sign or name."""
END = "end-of-turn"
_SIGNS = ("+", "-", "=", ".", "]")


class TurnWatch:
    """What a person does while the battle plays on."""

    def __init__(self, lettering: Lettering, playback: Playback, player: PlayerSeat) -> None:
        """Begin with nothing to jump to and no summary."""
        self._playback, self._player, self._lettering = playback, player, lettering
        self.transport = Transport(lettering)
        self.page = SummaryPage(lettering)
        self.goal = ""
        """Whither the battle jumps: the next unit, the next phase, the next question."""
        self.follows = lettering.look.follow and player.plays
        self.opened: OpenSummary | None = None
        self._seen: set[int] = set()
        """The turns whose summaries were shown, by the numbers of the events that end them."""
        playback.less_motion = lettering.look.less_motion
        playback.rests = self._rests

    # what is shown

    @property
    def is_shown(self) -> bool:
        """Return whether the bottom bar is the transport: a person plays, and nothing is asked."""
        return self._player.plays and self._player.asked is None

    @property
    def takes_bar(self) -> bool:
        """Return whether something else than the line of time stands in the bottom bar."""
        return self.is_shown or self.is_open

    @property
    def horde_acts(self) -> bool:
        """Return whether a person watches the Horde's turn."""
        return self.is_shown and self._playback.state.turn == "horde"

    @property
    def is_open(self) -> bool:
        """Return whether a summary takes the place of the columns."""
        return self.opened is not None

    @property
    def aside(self) -> int:
        """Return how wide the right column is asked to be, 0 where it is as always."""
        return self._lettering.t(WIDE) if self.opened is not None else 0

    def halts(self) -> tuple[str, ...]:
        """Return what may stop the Horde's turn that a person watches; nothing at any other time."""
        source, players = self._playback.source, self._playback.state.players
        if not self.horde_acts or not isinstance(source, Seated):
            return ()
        return halts(source.gate.rules, [players[seat].cp for seat in self._player.people])

    def told(self) -> Told:
        """Return what the board tells of the turn that is summed up."""
        return marks_of(self._playback, self.opened) if self.opened is not None else Told()

    def in_order(self, sections: Sequence[Section]) -> tuple[Section, ...]:
        """Return the sections of the roster, the Horde in its order while it is its turn."""
        playback = self._playback
        decision = playback.decision
        entry = playback.chronicle.entries[decision] if decision is not None else None
        tolls = toll_at(playback.chronicle.entries, playback.cursor)
        acting = entry if isinstance(entry, Reason) else None
        return in_order(sections, playback.chronicle, playback.cursor, playback.state, acting, tolls)

    def run(self) -> TurnRun:
        """Return what the transport shows."""
        state = self._playback.state
        return TurnRun(
            playing=self._playback.playing or bool(self.goal),
            speed=self._playback.speed,
            goal=self.goal,
            follow=self.follows,
            side=state.turn,
            stretches=strip(state),
            last="To my turn" if state.turn != "players" else "Go on",
        )

    def draw_bar(self, surface: pygame.Surface, rect: pygame.Rect, mouse: tuple[int, int]) -> None:
        """Draw the transport."""
        self.transport.draw(surface, rect, self.run(), mouse)

    def draw_summary(
        self, surface: pygame.Surface, rect: pygame.Rect, bar: pygame.Rect, mouse: tuple[int, int]
    ) -> None:
        """Draw the summary that is open."""
        assert self.opened is not None
        go_on = "Close" if self.opened.back is not None else "Begin your turn"
        if self.opened.back is None and self._playback.source.ended:
            go_on = "Go on"
        told = self.opened.summary, self.opened.state, go_on
        self.page.draw(surface, rect, bar, told, mouse)

    # keys and mouse

    def key(self, event: pygame.event.Event) -> bool:
        """Take a key for the summary, the transport or the question; return whether it was for one."""
        return self._own_key(event) or self._player.key(event)

    def _own_key(self, event: pygame.event.Event) -> bool:
        name, sign = pygame.key.name(event.key), event.unicode
        if self.opened is not None:
            return self._summary_key(name)
        if not self.is_shown or self._player.has_typed or event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
            return False
        command = KEYS.get(sign if sign in _SIGNS else name) or KEYS.get(name)
        is_typed = command == "follow" and self._playback.state.turn == "players"
        if command is None or is_typed:
            # In the player's own turn letters are kept for the next question.
            return False
        self.act(command)
        return True

    def _summary_key(self, name: str) -> bool:
        if name in ("return", "enter", "keypad enter", "escape", "space", "f6"):
            self.close()
        elif name == "b":
            self.watch_again()
        elif name in ("up", "down", "page up", "page down"):
            far = 1 if name in ("up", "down") else 6
            self.page.turn(far if name.endswith("up") else -far)
        else:
            return name not in ("f1", "f10")
        return True

    def click(self, at: tuple[int, int]) -> bool:
        """Take a click on the summary or the transport; return whether it was for one."""
        if self.opened is not None:
            {CLOSE: self.close, AGAIN: self.watch_again, SHOW: self._show_answers}.get(
                self.page.button_at(at), lambda: None
            )()
            return True
        if not self.is_shown or not self.transport.rect.collidepoint(at):
            return False
        command, moment = self.transport.control_at(at), self.transport.moment_at(at)
        if command:
            self.act(command)
        elif moment is not None:
            self._go(*moment)
        return True

    def _show_answers(self) -> None:
        self.page.shows_answers = not self.page.shows_answers

    def act(self, command: str) -> None:
        """Carry out a command of the transport."""
        playback = self._playback
        if command.startswith("speed:"):
            playback.at_speed(float(command.removeprefix("speed:")))
        elif command in ("unit", "phase", "turn"):
            self.goal = "" if self.goal == command else command
        elif command == "faster":
            playback.faster(1)
        elif command == "slower":
            playback.faster(-1)
        elif command == "follow":
            self.follows = not self.follows
        elif command in ("step", "back"):
            self.goal, playback.playing = "", False
            (playback.forward if command == "step" else playback.back)()
        elif self.goal:
            self.goal, playback.playing = "", False
        else:
            playback.playing = not playback.playing

    def _go(self, phase: str, part: float) -> None:
        """Go to a part of a phase of the turn that is shown; one to come is played on to."""
        place = place_in_turn(self._playback.chronicle, self._playback.cursor, phase, part)
        if place is None:
            self.goal = f"phase:{phase}"
            return
        self.goal, self._playback.playing = "", False
        self._playback.seek(place)

    # time

    def tick(self) -> bool:
        """Go on with a jump, and sum up a Horde's turn that is over; return whether it did."""
        chronicle = self._playback.chronicle
        last = chronicle.entries[-1] if len(chronicle) else None
        if self._seen and isinstance(last, ev.Event):
            # What was taken back may be played again.
            self._seen = {number for number in self._seen if number <= last.n}
        if self.opened is not None:
            return False
        moved = bool(self.goal) and self._jump()
        index = self._playback.cursor - 1
        if index >= 0 and self._playback.effect is None and self._rests(chronicle.entries[index]):
            turn = chronicle.turns.ending(index)
            if turn is not None:
                self.open(turn)
                return True
        return moved

    def _rests(self, entry: Entry) -> bool:
        """Return whether playing rests after an entry: a Horde's turn of a person's battle is over."""
        return (
            isinstance(entry, ev.TurnEnded)
            and entry.whose == "horde"
            and self._player.plays
            and bool(self._player.people)
            and entry.n not in self._seen
        )

    def _jump(self) -> bool:
        """Show what lies before the goal as far as it is known; return whether anything was."""
        playback = self._playback
        if self._player.asked is not None:
            self.goal = ""
            return True
        playback.pull()
        before = playback.cursor
        place = self._place()
        playback.seek(len(playback.chronicle) if place is None else place)
        is_over = playback.at_end and (playback.source.ended or self._player.waits)
        if place is not None or is_over:
            self.goal = ""
        return playback.cursor != before or not self.goal

    def _place(self) -> int | None:
        """Return the moment of the goal, None where the log does not reach it yet."""
        playback = self._playback
        entries = playback.chronicle.entries
        acting = _acting(entries, playback.cursor)
        for index in range(playback.cursor, len(entries)):
            entry = entries[index]
            if self._rests(entry):
                return index + 1
            if self.goal == "unit" and _is_next_unit(entry, acting):
                return index + 1
            if isinstance(entry, ev.PhaseBegan) and self._is_goal(entry, index + 1):
                return index + 1
        return None

    def _is_goal(self, entry: ev.PhaseBegan, cursor: int) -> bool:
        """Return whether the phase that begins is the one that is jumped to."""
        if self.goal == "phase":
            return any(stop.cursor == cursor for stop in self._playback.chronicle.phases)
        return self.goal == f"phase:{entry.name}"

    # the summary

    def open(self, turn: Turn, back: int | None = None) -> None:
        """Show the summary of a turn that is over; the battle holds until it is closed."""
        playback, chronicle = self._playback, self._playback.chronicle
        assert turn.end is not None
        ended = chronicle.entries[turn.end - 1]
        assert isinstance(ended, ev.TurnEnded)
        self._seen.add(ended.n)
        before = chronicle.state_at(turn.first)
        begun = chronicle.entries[turn.first]
        first = begun.n if isinstance(begun, ev.Event) else 0
        answered, stops = self._asked_in(first, ended)
        summary = summarize(before, chronicle.entries[turn.first : turn.end], answered, stops)
        was_playing = playback.playing if back is not None else True
        if playback.cursor != turn.end:
            playback.seek(turn.end)
        self.goal, playback.playing, playback.held = "", False, True
        self.page.close()
        state = playback.state.copy()
        state.turn, state.phase = turn.whose, END
        self.opened = OpenSummary(turn, summary, state, back, was_playing)

    def _asked_in(self, first: int, ended: ev.TurnEnded) -> tuple[list[Unasked], int | None]:
        """Return what was answered unasked in a turn, and how many questions were put in it."""
        source = self._playback.source
        if not isinstance(source, Seated):
            return [], None
        answered = [told for number, told in source.answered_unasked if first <= number < ended.n]
        stops = source.gate.counts.stops
        wanted = (ended.round, ended.turn)
        return answered, sum(many for (_, moment), many in stops.items() if moment[:2] == wanted)

    def open_last(self) -> None:
        """Show the summary of the Horde's last turn that is over, if there is one, or close it."""
        if self.opened is not None:
            self.close()
            return
        turn = self._playback.chronicle.turns.over(self._playback.cursor)
        if turn is not None:
            self.open(turn, self._playback.cursor)

    def open_at(self, index: int) -> bool:
        """Show the summary of the turn that ends with an entry; return whether one does."""
        turn = self._playback.chronicle.turns.ending(index)
        if turn is None or turn.whose != "horde":
            return False
        self.open(turn, self._playback.cursor)
        return True

    def close(self) -> None:
        """Close the summary and go on, or back to where it was asked for."""
        opened, self.opened = self.opened, None
        self._playback.held = False
        self.page.close()
        if opened is None:
            return
        if opened.back is not None:
            self._playback.seek(opened.back)
        self._playback.playing = opened.playing

    def watch_again(self) -> None:
        """Show the turn that is summed up once more, from its beginning."""
        if self.opened is None:
            return
        turn = self.opened.turn
        ended = self._playback.chronicle.entries[(turn.end or 1) - 1]
        self.close()
        if isinstance(ended, ev.Event):
            self._seen.discard(ended.n)
        self._playback.seek(turn.first + 1)
        self._playback.playing = True


def _acting(entries: Sequence[Entry], cursor: int) -> str:
    """Return the unit whose decision is shown last, "" where a phase has begun since."""
    for index in range(cursor - 1, -1, -1):
        entry = entries[index]
        if isinstance(entry, Reason) and not entry.is_minor:
            return entry.unit
        if isinstance(entry, ev.PhaseBegan):
            return ""
    return ""


def _is_next_unit(entry: Entry, acting: str) -> bool:
    """Return whether with an entry another unit of the Horde acts, or a turn begins."""
    if isinstance(entry, ev.TurnBegan):
        return True
    return (
        isinstance(entry, Reason)
        and not entry.is_minor
        and entry.seat == "horde"
        and entry.unit not in ("", acting)
    )
