"""The player at the window: the meaning of keys, clicks and drags while a question waits.

Stands between the window and the answering; it draws nothing.
"""

from __future__ import annotations

import pygame

from engine.core.facts import Point
from engine.core.request import AnyAnswer, Move, Place
from engine.core.state import Model
from viewer.input.answering import OUT, Answering
from viewer.input.mending import into_reserves, mend
from viewer.input.odds import ChargeOdds, Volley
from viewer.input.orders import REST, Errand
from viewer.input.seat import ALONE, Seated
from viewer.input.unit_order import STAY, UNIT
from viewer.window.camera import Camera
from viewer.window.early import Early
from viewer.window.ghost_drag import GhostDrag
from viewer.window.place_drag import PlaceDrag
from viewer.window.playback import Playback
from viewer.window.scene import model_at

NUDGES = {"up": (1.0, 0.0), "down": (-1.0, 0.0), "left": (0.0, 15.0), "right": (0.0, -15.0)}
"""What the arrows do to a flight: inches farther, degrees to the left."""
TURNS = {"q": 1, "e": -1}
"""The keys that turn a unit that is held, and by how many steps to the left."""
WAITS = "As soon as the suggestion is known."
"""What is said where a line hangs on an advice that is not known yet."""
ADVANCE_SIZE = (240, 36)
"""Width and height of the sign on which a release advances, in pixels."""
COMMANDS = pygame.KMOD_CTRL | pygame.KMOD_META | pygame.KMOD_ALT
"""The keys with which another key is no letter."""
BEGIN = "/"
"""The sign that begins a line whose first letter is a key of its own."""
ENTERS = ("return", "enter", "keypad enter")
BENDS = ("w", "left ctrl", "right ctrl")
"""The keys with which the way of a unit that is held bends where it is."""


class PlayerSeat:
    """The person that answers in the window, where the battle asks one."""

    def __init__(self, playback: Playback, camera: Camera) -> None:
        """Sit down before a battle."""
        self._playback, self._camera = playback, camera
        self._seat = playback.source if isinstance(playback.source, Seated) else None
        self._seen: Answering | None = None
        self._is_advised = False
        """Whether the advice to that question was known at the last look."""
        self.hand = GhostDrag(self._seat, playback) if self._seat is not None else None
        self.setter = PlaceDrag()
        self._later: tuple[Answering, str] | None = None
        """A question, and the line that answers it as soon as its advice is known."""
        self._typed: list[str] = []
        """What was typed before the next question was shown, sign by sign; "\n" is Enter."""
        self.left = False
        self._early = Early()

    @property
    def plays(self) -> bool:
        """Return whether a person sits here whom the battle may still ask something."""
        return self._seat is not None and bool(self._seat.asked) and not self._seat.ended

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
        playback = self._playback
        if self._seat is None or not playback.at_end or playback.effect is not None or playback.held:
            return None
        return self._seat.question

    def look(self, passed: float = 0.0) -> bool:
        """Return whether another question or its advice is there, or none, since the last look."""
        self._early.pass_by(passed)
        seen, was_advised, self._seen = self._seen, self._is_advised, self.asked
        if seen is not self._seen:
            self._early.open_anew()
        self._is_advised = self._seen is not None and self._seen.advised is not None
        if seen is not self._seen and self._seen is not None and self._typed:
            self._take_typed()
        if self._later is not None and (self._is_advised or self._later[0] is not self._seen):
            (asked, line), self._later = self._later, None
            if asked is self._seen:
                self.enter(line)
        return seen is not self._seen or was_advised != self._is_advised

    def _take_typed(self) -> None:
        """Type what was typed before the question was shown, up to its first Enter."""
        asked = self.asked
        if asked is not None and asked.request.decision == ALONE:
            # What was typed before must not lift the curtain.
            self._typed.clear()
        while self._typed and asked is not None:
            sign = self._typed.pop(0)
            if sign != "\n":
                asked.type(sign)
                continue
            self.enter()
            if asked.fault:
                self._typed.clear()
            break

    def answer(self, answer: AnyAnswer | None, errand: Errand | None = None) -> None:
        """Give an answer, if it is one, with that to the next question, and let the battle go on."""
        if answer is not None and self._seat is not None:
            if errand is not None and self._seat.question is not None:
                self._seat.gate.orders.send(self._seat.question.view, errand)
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
            self._typed.clear()
            self._playback.playing = True
        elif word == "undo":
            self._undo(asked)
        elif (word in (REST, UNIT) or asked.hangs_on_advice(word)) and asked.advised is None:
            self._later = asked, word
            asked.told = [WAITS]
        elif self._seat.order(word):
            self._playback.pull()
            self._playback.playing = True
        else:
            self.answer(asked.enter(line))

    def _undo(self, asked: Answering) -> None:
        """Take back the last answer that was given here, and all that came of it."""
        assert self.hand is not None
        if not self.hand.undo():
            asked.write("")
            asked.fault = f"{asked.undo_refusal}."

    # the unit that acts next in an open phase

    def turn_to(self, unit: str) -> bool:
        """Let a unit be the one that acts next; return whether it may."""
        asked = self.asked
        return asked is not None and asked.open is not None and asked.open.turn_to(unit)

    def chosen_now(self, chosen: str) -> str:
        """Return which unit is chosen as another question is shown: none that can act no more.

        One that is chosen and may act is the one that acts next.
        """
        asked, units = self.asked, self._playback.state.position.units
        if asked is None or asked.open is None or self.turn_to(chosen) or chosen not in units:
            return chosen
        return "" if units[chosen].player == asked.view.seat else chosen

    def ready_after(self, step: int) -> str:
        """Return the ready unit some places after the one that acts next, "" where none may act."""
        asked = self.asked
        return asked.open.after(step) if asked is not None and asked.open is not None else ""

    def forget(self) -> None:
        """Let go of what is held and typed, whatever it was."""
        self.setter.forget()
        if self.hand is not None:
            self.hand.forget()
        self._typed.clear()
        self._seen = None

    def set_up_anew(self, unit: str, line: str) -> str:
        """Set up a unit elsewhere that stands already; return why it could not be, "" where it was."""
        if self._seat is None:
            return ""
        fault = mend(self._seat, unit, line)
        self._playback.renew()
        self._playback.playing = True
        return fault

    def keep_in_reserves(self, unit: str) -> bool:
        """Keep a unit in reserves whose place is asked for; return whether it may be."""
        done = self._seat is not None and into_reserves(self._seat, unit)
        self._playback.renew()
        self._playback.playing = True
        return done

    # keys

    def key(self, event: pygame.event.Event) -> bool:
        """Take a key while a question waits; return whether it was one for the answer."""
        name, sign = pygame.key.name(event.key), event.unicode
        is_early = self._early.take_key(name)
        if self.hand is not None and self.hand.unit:
            self._hand_key(self.hand, name or sign)
            return True
        if self.setter.asked is not None:
            if name == "escape":
                self.setter.let_go()
            return True
        asked = self.asked
        if asked is None:
            return self._type_ahead(name, sign)
        if name == "z" and event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
            self.enter("undo")
            return True
        line = self._shortcut(asked, event)
        if is_early and (line is not None or name in ENTERS):
            # It was pressed for the question before this one, or is held down.
            return True
        if line is not None:
            self.enter(line)
        elif name in ENTERS:
            self.enter()
        elif name == "backspace":
            asked.erase()
        elif name == "escape" and (asked.line or asked.is_begun or asked.fault or asked.told):
            asked.write("")
            asked.told = []
        elif name == "escape" and self.hand is not None and self.hand.is_under_way:
            self.take_back()
        elif name in NUDGES and asked.course is not None:
            asked.nudge(*NUDGES[name])
        elif sign == BEGIN and not asked.line and not asked.is_begun:
            asked.begin()
        elif sign and sign.isprintable():
            asked.type(sign)
        else:
            return False
        return True

    @property
    def types_ahead(self) -> bool:
        """Return whether letters are kept for the next question: not while the person looks back."""
        looks_back = not self._playback.playing and not self._playback.at_end
        return self.plays and not looks_back and self.asked is None

    @property
    def has_typed(self) -> bool:
        """Return whether a line has been begun, for this question or the next."""
        asked = self.asked
        return bool(self._typed) if asked is None else bool(asked.line)

    def _shortcut(self, asked: Answering, event: pygame.event.Event) -> str | None:
        """Return the line that a key stands for at once, None where it is typed, or means nothing."""
        name = pygame.key.name(event.key)
        if asked.line or asked.is_begun or event.mod & COMMANDS:
            return None
        return asked.shortcut(f"shift {name}" if event.mod & pygame.KMOD_SHIFT else name)

    def _type_ahead(self, name: str, sign: str) -> bool:
        """Keep what is typed for the next question; return whether the key was kept.

        While the person looks back at what has happened, letters are the viewer's.
        """
        if not self.types_ahead:
            return False
        if name in ENTERS:
            # Enter alone would take a suggestion that nobody has seen.
            self._typed += ["\n"] if self._typed and self._typed[-1] != "\n" else []
            return True
        if name == "backspace":
            self._typed = self._typed[:-1]
            return True
        if sign.isalpha() and self._early.is_repeated:
            return True
        if sign.isalnum() or (sign == " " and self._typed and self._typed[-1] != "\n"):
            self._typed.append(sign)
            return True
        return False

    # the mouse

    def click(self, button: str | None, option: int | None) -> None:
        """Take a click on a button's line or on an option; the second of a double click is none."""
        asked, is_second = self.asked, self._early.take_click("panel")
        if asked is None or (is_second and self._early.is_new):
            return
        if button is not None:
            self.enter(button or None)
        elif option is not None:
            self.answer(asked.pick(option))

    @property
    def holds(self) -> bool:
        """Return whether the mouse holds something that follows it: a unit, or what is to be set up."""
        return self.setter.asked is not None or (self.hand is not None and bool(self.hand.unit))

    def odds_at(self, at: tuple[int, int]) -> Volley | ChargeOdds | None:
        """Return what attacks or a charge would do at what is under a pixel of the board."""
        asked = self.asked
        model = model_at(self._camera, self._playback, at) if asked is not None else None
        return None if asked is None or model is None else asked.odds(model.unit)

    @property
    def draws(self) -> bool:
        """Return whether the mouse draws something along: a unit that it holds, or a flight."""
        asked = self.asked
        return self.holds or (asked is not None and asked.course is not None)

    def takes_up(self, at: tuple[int, int]) -> bool:
        """Return whether a press at a pixel may take hold of a unit that is to move."""
        asked = self.asked
        if asked is not None and self.setter.takes(asked, self._camera.to_world(*at)):
            return True
        model = model_at(self._camera, self._playback, at) if asked is not None else None
        if asked is None or model is None or self.hand is None:
            return False
        if asked.course is not None:
            return asked.mover is not None and model.unit == asked.mover.id
        return self.hand.takes(asked, model.unit)

    def drag(self, start: tuple[int, int], at: tuple[int, int], *, alone: bool = False) -> bool:
        """Draw what was pressed at a pixel along to another; return whether it is held.

        A flight is drawn ahead; a unit is taken hold of and its ghost carried, with `alone` one model of it.
        """
        asked, hand = self.asked, self.hand
        there = self._camera.to_world(*at)
        if asked is not None and asked.course is not None:
            asked.point(there)
            return True
        if asked is not None and isinstance(asked.request, Place):
            self.setter.carry(asked, there)
            return True
        if hand is None:
            return False
        if not hand.unit:
            model = model_at(self._camera, self._playback, start)
            if model is None:
                return False
            rows = self._playback.state.position.units[model.unit].rows
            place = rows.index(model.row) if alone else None
            if not hand.take(model.unit, self._camera.to_world(*start), place):
                self._playback.playing = True
                return False
        hand.carry(there)
        return True

    @property
    def advance_sign(self) -> pygame.Rect | None:
        """Return where a held unit may be let go to Advance, at the board's foot; None if nowhere."""
        hand = self.hand
        request = hand.asked.request if hand is not None and hand.asked is not None else None
        if hand is None or not hand.may_advance or not isinstance(request, Move) or request.kind != "normal":
            return None
        left, top, wide, high = self._camera.viewport
        sign = pygame.Rect(0, 0, min(ADVANCE_SIZE[0], wide), min(ADVANCE_SIZE[1], high))
        sign.midbottom = (left + wide // 2, top + high - 10)
        return sign

    def release(self, at: tuple[int, int]) -> None:
        """Let a dragged thing be where it is: a unit moves there, a flight is drafted."""
        sign = self.advance_sign
        if self.hand is not None and sign is not None and sign.collidepoint(at):
            self.hand.advance()
            self.hand.rest()
        elif self.setter.asked is not None:
            self.setter.carry(self.setter.asked, self._camera.to_world(*at))
            self.answer(self.setter.release())
        elif self.hand is not None and self.hand.unit:
            self.hand.carry(self._camera.to_world(*at))
            self.hand.release()
        else:
            self.point(at)

    def take_back(self) -> bool:
        """Take the last bend back, else let go of what is held; return whether the hand had any."""
        if self.setter.let_go():
            return True
        if self.hand is None:
            return False
        return (bool(self.hand.unit) and self.hand.straighten()) or self.hand.let_go()

    def wheel(self, turns: int) -> bool:
        """Draw the unit that is held apart, or together; return whether one is held."""
        if self.hand is None or not self.hand.unit:
            return False
        self.hand.spread(turns)
        return True

    @property
    def is_late(self) -> bool:
        """Return whether what is held is still to be shown where the mouse is."""
        return self.setter.is_late or (self.hand is not None and self.hand.is_late)

    def ghost_is_new(self) -> bool:
        """Return whether another ghost or suggestion is to be shown since the last look."""
        is_new = self.setter.look() | (self.asked is not None and self.asked.look())
        self.answer(self.setter.late())
        return is_new or (self.hand is not None and self.hand.look())

    def _hand_key(self, hand: GhostDrag, name: str) -> None:
        """Take a key while a unit is held; those that mean nothing for it do nothing."""
        if name in TURNS:
            hand.turn(TURNS[name])
        elif name in BENDS:
            hand.bend()
        elif name == "a" and hand.may_advance:
            hand.advance()
        elif name == "s":
            hand.stay()
        elif name == "g":
            hand.suggested()
        elif name == "escape":
            self.take_back()

    def point(self, at: tuple[int, int], *, turn: bool = False) -> bool:
        """Take a click on the board; return whether it was for the answer."""
        asked = self.asked
        if asked is None or asked.offer is not None:
            return False
        model = model_at(self._camera, self._playback, at)
        there = self._camera.to_world(*at)
        if asked.open is not None:
            return not turn and self._order_at(asked, there, model)
        line = asked.line
        answer = asked.point(there, model.row if model else None, turn=turn)
        self.answer(answer)
        return answer is not None or asked.line != line or asked.draft is not None

    def _order_at(self, asked: Answering, at: Point, model: Model | None) -> bool:
        """Take a click in an open phase: a target, the suggestion, twice a unit that stays."""
        unit = model.unit if model is not None else ""
        is_second = self._early.take_click(unit) and not self._early.is_new
        if is_second and asked.open is not None and unit in asked.open.ready:
            self.enter(f"{unit} {STAY}")
            return True
        line = asked.order_at(at, model.row if model is not None else None)
        if line:
            self.enter(line)
        elif unit and asked.open is not None:
            asked.fault = asked.open.refusal(unit)
        return bool(line)
