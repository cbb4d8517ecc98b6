"""The player at the window: the meaning of keys, clicks and drags while a question waits.

Stands between the window and the answering; it draws nothing.
"""

from __future__ import annotations

import pygame

from engine.core.request import AnyAnswer
from viewer.input.answering import OUT, Answering
from viewer.input.seat import Seated
from viewer.window.camera import Camera
from viewer.window.playback import Playback
from viewer.window.scene import model_at

NUDGES = {"up": (1.0, 0.0), "down": (-1.0, 0.0), "left": (0.0, 15.0), "right": (0.0, -15.0)}
"""What the arrows do to a flight: inches farther, degrees to the left."""


class PlayerSeat:
    """The person that answers in the window, where the battle asks one."""

    def __init__(self, playback: Playback, camera: Camera) -> None:
        """Sit down before a battle."""
        self._playback, self._camera = playback, camera
        self._seat = playback.source if isinstance(playback.source, Seated) else None
        self._seen: Answering | None = None
        self.left = False

    @property
    def people(self) -> tuple[str, ...]:
        """Return the seats whose players are at the window; nobody's where the battle is watched."""
        asked = self._seat.asked if self._seat is not None else ()
        return tuple(seat for seat in asked if seat in self._playback.state.players)

    @property
    def waits(self) -> bool:
        """Return whether a question waits, be it of a moment that is not shown yet."""
        return self._seat is not None and self._seat.question is not None

    @property
    def asked(self) -> Answering | None:
        """Return the question, as soon as all that came before it has been shown."""
        if self._seat is None or not self._playback.at_end or self._playback.effect is not None:
            return None
        return self._seat.question

    def look(self) -> bool:
        """Return whether another question is there, or none any more, since the last look."""
        seen, self._seen = self._seen, self.asked
        return seen is not self._seen

    def answer(self, answer: AnyAnswer | None) -> None:
        """Give an answer, if it is one, and let the battle go on."""
        if answer is not None and self._seat is not None:
            self._seat.answer(answer)
            self._playback.pull()
            self._playback.playing = True

    def enter(self, line: str | None = None) -> None:
        """Say a line, if not given the one that is written."""
        asked = self.asked
        if asked is None or self._seat is None:
            return
        word = (asked.line if line is None else line).strip().lower()
        if word in OUT:
            self.left = True
        elif word == "auto":
            self._seat.hand_over()
            self._playback.playing = True
        elif word == "undo":
            self._undo(asked)
        else:
            self.answer(asked.enter(line))

    def _undo(self, asked: Answering) -> None:
        """Take back the last answer that was given here, and all that came of it."""
        assert self._seat is not None
        if self._seat.undo():
            self._playback.renew()
        else:
            asked.write("")
            asked.fault = "There is no answer of yours to take back."

    # keys

    def key(self, event: pygame.event.Event) -> bool:
        """Take a key while a question waits; return whether it was one for the answer."""
        asked = self.asked
        if asked is None:
            return False
        name, sign = pygame.key.name(event.key), event.unicode
        if name == "z" and event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
            self.enter("undo")
            return True
        if name in ("return", "enter", "keypad enter"):
            self.enter()
        elif name == "backspace":
            asked.erase()
        elif name == "escape" and (asked.line or asked.fault or asked.told):
            asked.write("")
            asked.told = []
        elif name in NUDGES and asked.course is not None:
            asked.nudge(*NUDGES[name])
        elif sign and sign.isprintable():
            asked.type(sign)
        else:
            return False
        return True

    # the mouse

    def click(self, button: str | None, option: int | None) -> None:
        """Take a click on a button's line or on an option."""
        asked = self.asked
        if asked is None:
            return
        if button is not None:
            self.enter(button or None)
        elif option is not None:
            self.answer(asked.pick(option))

    def takes_up(self, at: tuple[int, int]) -> bool:
        """Return whether a press at a pixel takes hold of what is asked to move."""
        asked = self.asked
        if asked is None or asked.mover is None:
            return False
        model = model_at(self._camera, self._playback, at)
        return model is not None and model.unit == asked.mover.id

    def drag(self, at: tuple[int, int]) -> None:
        """Take hold of a flight and draw it along; other moves are worked out where they are let go."""
        asked = self.asked
        if asked is not None and asked.course is not None:
            asked.point(self._camera.to_world(*at))

    def point(self, at: tuple[int, int], *, turn: bool = False) -> bool:
        """Take a click on the board; return whether it was for the answer."""
        asked = self.asked
        if asked is None:
            return False
        model = model_at(self._camera, self._playback, at)
        line = asked.line
        answer = asked.point(self._camera.to_world(*at), model.row if model else None, turn=turn)
        self.answer(answer)
        return answer is not None or asked.line != line or asked.draft is not None
