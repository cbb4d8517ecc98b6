"""The answering of one question in the window: the line, typed or drawn, and its draft.

Mouse and keys only write the line that a person would type in the terminal; `viewer.input.wish` reads it in
both places. It draws nothing and decides nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol, TypeVar, runtime_checkable

from engine.core.facts import Point
from engine.core.request import (
    RETURN,
    AnyAnswer,
    AnyRequest,
    Choose,
    Chosen,
    Move,
    Moves,
    Option,
    Order,
    Place,
    Places,
    Split,
)
from engine.core.state import Unit
from engine.w40k.view import View
from viewer.input.button import Button, phase_buttons, phase_menu, question_buttons
from viewer.input.course import FlightCourse
from viewer.input.gesture import Gesture
from viewer.input.ghost import Ghost, Pose
from viewer.input.odds import ChargeOdds, Volley, charge_at, volley_at
from viewer.input.offer import offer
from viewer.input.open_phase import OpenPhase, poses_after
from viewer.input.question import (
    WHY_NOT,
    aside,
    hint,
    labelled,
    places_told,
    question,
    rows_of,
    suggestion,
)
from viewer.input.reading import Misread
from viewer.input.setting_up import setting_up
from viewer.input.shopping import shopping
from viewer.input.thinking import Thinking, Work
from viewer.input.unit_order import UNIT, is_open
from viewer.input.weapon_talk import Group, WeaponTalk, weapon_groups
from viewer.input.wish import answer_of
from viewer.story.knowledge import Knowledge

LONGEST = 400
"""The most signs that a line holds."""
OUT = ("quit", "exit")
STAY = "remain-stationary"
CARRIED = "Release to move, right click puts it back · Q E turn, wheel spreads, Ctrl bends the way"
"""What may be done with a unit in the hand."""


V = TypeVar("V")
NOT_YET = "…"
"""What stands for a suggestion that is not known yet."""


@runtime_checkable
class Late(Protocol):
    """What an adviser would answer, which may not be known yet."""

    def look(self) -> AnyAnswer | None:
        """Return it where it is known."""
        ...

    def wait(self) -> AnyAnswer:
        """Return it, however long that takes."""
        ...


class Answering:
    """A question, the line that is to answer it, and what the line would do."""

    def __init__(
        self, view: View, request: AnyRequest, advice: AnyAnswer | Late, thinking: Thinking | None = None,
        adviser: str = "", knowledge: Knowledge | None = None,
    ) -> None:  # fmt: skip
        """Take the question and what the adviser would answer, be that known yet or not.

        `thinking` works out beside the window what takes long; without it, that is done in the window.
        `adviser` is the name of the agent that says where a unit would go, "" for none. `knowledge` is of the
        battle that is played.
        """
        self._thinking, self._knowledge = thinking, knowledge or Knowledge()
        self.view, self.request = view, request
        self._advice = advice
        self.open: OpenPhase | None = None
        """The phase that stands open, where any ready unit may act."""
        if is_open(request):
            self.open = OpenPhase(view, request, lambda: self.advised, self if adviser else None, adviser)
        self.warned: tuple[str, ...] = ()
        """The units that have not acted, where the end of the phase was warned of."""
        self.line = ""
        self.is_begun = False
        """Whether a line is begun, so that letters are no keys of their own."""
        self.fault = ""
        self.settled: list[str] = []
        """What was settled unasked before it."""
        self.told: list[str] = self.settled
        self.draft: AnyAnswer | None = None
        self.ghost: Ghost | None = None
        """What the hand shows, where the line was drawn by carrying the unit."""
        # These few questions wait for the advice: it says what is marked at first.
        self.shop = shopping(view, request, lambda: self.advice)
        """What is marked in the list of purchases, where one is asked for."""
        self.offer = offer(view, request, lambda: self.advice)
        self.set_up = setting_up(view, request, lambda: self.advice)
        self._suggestion = ""
        self.undo_refusal = ""
        """Why no answer may be taken back, "" where one may."""
        self.hint = hint(request)
        head, *details = question(view, request).split("\n")
        self.when, _, self.prompt = head.removeprefix("[").partition("] ")
        self.options = self._options()
        # The options are drawn by themselves; what follows them says what they do.
        self.details = [line.strip() for line in details[len(self.options) :]]
        self.course = FlightCourse(view, view.unit(request.unit)) if _is_flight(request) else None
        self._odds: dict[tuple[str, str], Volley | ChargeOdds | None] = {}
        self._talk: WeaponTalk | None = None
        self._groups: list[Group] = []

    def worker(self, work: Work[V]) -> Callable[[Any], V]:
        """Return what works something out of this question and a wish, for a thread to wait for."""
        if self._thinking is None:
            return partial(work, self.view, self.request)
        return self._thinking.worker(self.view, self.request, work)

    @property
    def patience(self) -> float | None:
        """Return for how many seconds the window may wait for a worker; None where it has to."""
        return None if self._thinking is None else self._thinking.patience

    def look(self) -> bool:
        """Take in what was worked out meanwhile; return whether anything is new."""
        return self.open is not None and self.open.look()

    def close(self) -> None:
        """Drop what is worked out: the question is no longer put."""
        if self.open is not None:
            self.open.close()

    @property
    def advised(self) -> AnyAnswer | None:
        """Return what the adviser would answer; None while that is not known yet."""
        if isinstance(self._advice, Late):
            found = self._advice.look()
            if found is None:
                return None
            self._advice = found
        return self._advice

    @property
    def advice(self) -> AnyAnswer:
        """Return what the adviser would answer, and wait for it."""
        if isinstance(self._advice, Late):
            self._advice = self._advice.wait()
        return self._advice

    @property
    def suggestion(self) -> str:
        """Return what is suggested, in words."""
        advised = self.advised
        if advised is None:
            return NOT_YET
        self._suggestion = self._suggestion or suggestion(self.view, self.request, advised)
        return self._suggestion

    def _options(self) -> list[Option]:
        request = self.request
        if isinstance(request, Choose):
            return list(labelled(self.view, request.options))
        if isinstance(request, Order):
            return list(labelled(self.view, request.items))
        if isinstance(request, Split):
            rows = [row.strip() for row in question(self.view, request).split("\n")[1:]]
            targets = dict.fromkeys(target for line in request.lines for target in line.targets)
            return [
                Option(id=id_, label=row.partition(" ")[2]) for id_, row in zip(targets, rows, strict=True)
            ]
        return []

    @property
    def several(self) -> bool:
        """Return whether more than one option may be picked."""
        return isinstance(self.request, Order) or (
            isinstance(self.request, Choose) and self.request.maximum > 1
        )

    @property
    def in_order(self) -> bool:
        """Return whether the options are put in order."""
        return isinstance(self.request, Order)

    @property
    def mover(self) -> Unit | None:
        """Return the unit that is to move, None where none is."""
        return self.view.unit(self.request.unit) if isinstance(self.request, Move) else None

    @property
    def subject(self) -> str:
        """Return the unit that the question is about, in an open phase the one that acts next."""
        return self.request.unit or (self.open.unit if self.open is not None else "")

    @property
    def buttons(self) -> list[Button]:
        """Return what may be pressed, the main button first."""
        if self.open is not None and not self.line:
            return phase_buttons(self.view, self.request, self.open.unit)
        return question_buttons(
            self.request,
            line=self.line,
            flies=self.course is not None,
            has_options=bool(self.options),
            by_weapon=bool(self._groups),
        )

    @property
    def menu(self) -> list[Button]:
        """Return the buttons that stand in the main button's menu, none where it has none."""
        return phase_menu() if self.open is not None else []

    @property
    def tip(self) -> str:
        """Return what may be done with the mouse, or what may be typed."""
        if self.ghost is not None:
            return CARRIED
        tip = self.open.tip if self.open is not None else ""
        return tip or f"Type: {self.hint}"

    def shortcut(self, key: str) -> str | None:
        """Return the line of the button with a key, None where no button has it."""
        every = (*self.buttons, *self.menu)
        return next((each.line for each in every if key and each.key.lower() == key), None)

    # the line

    def write(self, line: str) -> None:
        """Write a line in place of what is there."""
        self.line, self.fault, self.draft, self.ghost = line[:LONGEST], "", None, None
        self.warned, self.is_begun = (), False
        if self.course is not None and line:
            self._draw()

    def begin(self) -> None:
        """Begin an empty line: letters are typed from now on, even those that are keys."""
        self.write("")
        self.is_begun = True

    def take(self, ghost: Ghost) -> None:
        """Take what the hand shows for the line and its draft."""
        self.write(ghost.gesture.line)
        self.told = [] if ghost.outlook is None else ghost.outlook.lines
        self.draft, self.ghost = ghost.moves, ghost

    @property
    def gesture(self) -> Gesture | None:
        """Return the gesture that the line says, where it was drawn."""
        return self.ghost.gesture if self.ghost is not None else None

    def type(self, sign: str) -> None:
        """Add what was typed to the line."""
        self.write((self.line + sign).lstrip())

    def erase(self) -> None:
        """Take the last sign off the line."""
        self.write(self.line[:-1])

    @property
    def picked(self) -> list[int]:
        """Return the places of the options that the line names by their numbers, in its order."""
        words = self.line.replace(",", " ").split()
        if not all(word.isascii() and word.isdigit() and len(word) < 6 for word in words):
            return []
        return [int(word) - 1 for word in words if 1 <= int(word) <= len(self.options)]

    def pick(self, place: int) -> AnyAnswer | None:
        """Pick an option, or let it go; return the answer where one is all that is asked for."""
        if not self.several:
            return self.enter(str(place + 1))
        chosen = self.picked
        chosen = [each for each in chosen if each != place] if place in chosen else [*chosen, place]
        self.write(" ".join(str(each + 1) for each in chosen))
        return None

    def hangs_on_advice(self, line: str) -> bool:
        """Return whether what a line asks for is not known before the advice is."""
        word = line.strip().lower()
        is_taken = not word and (self._talk is None or not isinstance(self.request, Split))
        return is_taken or word == "why" or word.startswith(WHY_NOT) or isinstance(self.request, Split)

    def enter(self, line: str | None = None) -> AnyAnswer | None:
        """Return the legal answer that a line means (the typed one by default), or None.

        What is wrong with it stands in `fault` then.
        """
        text = (self.line if line is None else line).strip()
        self.fault, self.told = "", []
        told = aside(self.view, self.request, lambda: self.advice, text, self._knowledge)
        if told:
            self.told = [row.strip() for row in told.splitlines()]
            self.write("")
            return None
        try:
            answer = self._answer(text)
        except Misread as fault:
            self.fault = str(fault)
            return None
        faults = [] if answer is None else self.view.faults(self.request, answer)
        if faults:
            more = f" ({len(faults) - 1} more)" if len(faults) > 1 else ""
            self.fault = f"That may not be: {faults[0]}{more}."
            return None
        return answer

    def _answer(self, text: str) -> AnyAnswer | None:
        if isinstance(self.request, Split):
            return self._weapons(self.request, text)
        if not text:
            return self.advice
        if self.draft is not None and text == self.line:
            return self.draft
        return answer_of(self.view, self.request, text)

    def _weapons(self, request: Split, text: str) -> AnyAnswer | None:
        """Return the attacks; None while weapons are still asked for one by one."""
        if self._talk is None and not text:
            return self.advice
        if self._talk is None and text.lower() != "each":
            return WeaponTalk(self.view, request, self.advice).all_at(text)
        if self._talk is None:
            self._talk, self._groups = WeaponTalk(self.view, request, self.advice), weapon_groups(request)
        else:
            self._talk.declare(self._groups[0], text)
            self._groups = self._groups[1:]
        self.write("")
        self._groups = [group for group in self._groups if self._talk.left_of(group)]
        if not self._groups:
            return self._talk.answer()
        group = self._groups[0]
        self.prompt, self.hint = self._talk.told(group), "a target, none; empty: as suggested"
        self.options = [Option(id=id_, label=self.view.unit(id_).name) for id_ in group[2]]
        return None

    # the board

    def rows(self, place: int | None) -> tuple[int, ...]:
        """Return the models that an option stands for, by its place; none where it stands for none."""
        if place is None or place >= len(self.options):
            return ()
        return rows_of(self.view, self.options[place])

    def point(self, at: Point, row: int | None = None, *, turn: bool = False) -> AnyAnswer | None:
        """Take a click on the board, perhaps on a model; return an answer where that says it all.

        With `turn` it tells where AIRCRAFT are to look at after their flight.
        """
        if self.course is not None:
            self.write(self.course.toward(at, self.line) if turn else self.course.ahead(at, self.line))
        elif isinstance(self.request, Move | Place):
            if row is None and self.draft is None and self._is_suggested(at):
                return self.advice
            self.write(self.line_at(at, row))
            self._draw()
        elif self.open is None:
            if self._stays(row):
                return Chosen(ids=(STAY,))
            places = [i for i in range(len(self.options)) if row is not None and row in self.rows(i)]
            return self.pick(places[0]) if places else None
        return None

    def order_at(self, at: Point, row: int | None) -> str:
        """Return the line that a click orders in an open phase, "" where it orders nothing."""
        phase = self.open
        if phase is None:
            return ""
        if row is None:
            return f"{phase.unit} {UNIT}" if self._is_suggested(at) else ""
        return phase.line_at(self.view.model(row).unit)

    def line_at(self, at: Point, row: int | None = None) -> str:
        """Return the line that makes for a point of the board, or for the unit of a model there."""
        word = "at" if isinstance(self.request, Place) else "toward"
        x, y = self.view.board.size
        at = min(max(at[0], 0.0), x), min(max(at[1], 0.0), y)
        unit = "" if row is None else self.view.model(row).unit
        other = unit if unit != self.request.unit and word == "toward" else ""
        return f"{word} {other or f'{at[0]:.1f} {at[1]:.1f}'}"

    def show(self, line: str, draft: AnyAnswer | None, fault: str) -> None:
        """Take a line with what it would do, and what is wrong with it, worked out beside."""
        self.write(line)
        self.told = []
        self.draft, self.fault = draft, fault

    def _stays(self, row: int | None) -> bool:
        """Return whether a click on a model lets its unit stay, as it is asked how it moves."""
        request = self.request
        if not isinstance(request, Choose) or request.decision != "move" or row is None:
            return False
        return row in self.view.unit(request.unit).rows and any(o.id == STAY for o in request.options)

    def odds(self, unit: str) -> Volley | ChargeOdds | None:
        """Return what attacks or a charge at a unit would do; None where none is asked about."""
        asker, request = self.subject, self.request
        if self.open is not None and self.open.foreseen is not None:
            request = self.open.foreseen
        if (asker, unit) not in self._odds:
            found: Volley | ChargeOdds | None = None
            if isinstance(request, Split) and any(unit in line.targets for line in request.lines):
                found = volley_at(self.view, request, unit)
            elif isinstance(request, Choose) and request.decision == "charge":
                named = any(option.id == unit for option in request.options)
                found = charge_at(self.view, request, unit) if named else None
            self._odds[asker, unit] = found
        return self._odds[asker, unit]

    def nudge(self, inches: float, degrees: float) -> None:
        """Fly farther and turn more, or less; nothing where nobody flies."""
        if self.course is not None:
            self.write(self.course.nudged(self.line, inches, degrees))

    def _draw(self) -> None:
        """Work out what the line would do, and what is wrong with it."""
        try:
            self.draft = answer_of(self.view, self.request, self.line)
        except Misread as fault:
            self.fault = "" if self.course is not None else str(fault)
            return
        faults = self.view.faults(self.request, self.draft)
        self.fault = f"That may not be: {faults[0]}." if faults else ""

    @property
    def note(self) -> str:
        """Return what is to be known of the draft: that it is not as wanted, or not whole."""
        request, draft = self.request, self.draft
        if self.ghost is not None:
            return self.ghost.note
        if not isinstance(request, Place) or not isinstance(draft, Places):
            return ""
        if not draft.poses and request.kind == RETURN:
            return "It finds no place, and does not return."
        if not draft.poses:
            return "No model finds a place: all are destroyed."
        if len(draft.poses) < len(request.rows):
            return f"It would stand {places_told(request, draft)}; the others are destroyed."
        return ""

    def suggested(self) -> dict[int, Pose]:
        """Return where the suggestion moves models, by row: x, y and facing; none without a move."""
        if self.open is not None:
            return self.open.suggested
        mover, advised = self.mover, self.advised
        if mover is None or self.course is not None or not isinstance(advised, Moves):
            return {}
        return poses_after(self.view, mover.id, advised.paths)

    def _is_suggested(self, at: Point) -> bool:
        """Return whether a point of the board lies on a base where the suggestion sets it."""
        for row, (x, y, _) in self.suggested().items():
            base = self.view.model(row).facts.base
            if math.dist((x, y), at) <= max(base.length, base.width) / 2:
                return True
        return False

    def poses(self) -> dict[int, tuple[float, float, float]]:
        """Return where the draft sets models down, by row: x, y and facing."""
        if isinstance(self.draft, Places):
            return {row: (pose[0], pose[1], pose[3]) for row, pose in self.draft.poses.items()}
        if not isinstance(self.draft, Moves) or self.mover is None:
            return {}
        after = self.view.poses_after(self.mover, self.draft.paths)
        rows = zip(self.mover.rows, after, strict=True)
        return {row: (float(p[0]), float(p[1]), float(p[3])) for row, p in rows if row in self.draft.paths}


def _is_flight(request: AnyRequest) -> bool:
    return isinstance(request, Move) and request.least > 0
