"""The set-up before the battle: one unit's turn, and setting up anew what stands already.

Says what may be done with the unit; what a line means as a set-up is `viewer.input.wish`'s.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.facts import Point
from engine.core.log import AnswerLine
from engine.core.request import AnyAnswer, AnyRequest, Choose, Chosen, Place, Places
from engine.w40k.view import View
from viewer.input.stops import SET_UP, kind_of
from viewer.input.thinking import Advice, advised
from viewer.story.name import short_name

FIELD, RESERVES = "battlefield", "reserves"
DECISIONS = ("deploy", "redeploy", "place")
"""The decisions of the set-up in which a unit is set up."""


@dataclass(frozen=True, slots=True)
class SettingUp:
    """A unit that is set up: where, if that is still open, and as the adviser would."""

    view: View
    request: Choose | Place
    advice: AnyAnswer

    @property
    def name(self) -> str:
        """Return the unit's short name."""
        facts = {unit.id: unit.name for unit in self.view.units()}
        known = facts.get(self.request.unit)
        return short_name(known if known is not None else self.view.facts(self.request.unit).name)

    @property
    def is_placing(self) -> bool:
        """Return whether its place on the board is asked for, not yet whether it has one."""
        return isinstance(self.request, Place)

    @property
    def may_reserve(self) -> bool:
        """Return whether it may be kept in reserves."""
        options = self.request.options if isinstance(self.request, Choose) else ()
        return any(option.id == RESERVES for option in options)

    @property
    def is_to_reserve(self) -> bool:
        """Return whether the adviser would keep it in reserves."""
        return isinstance(self.advice, Chosen) and RESERVES in self.advice.ids

    @property
    def suggested(self) -> dict[int, tuple[float, float, float]]:
        """Return where the adviser would set its models, by row: x, y and facing."""
        poses = self.advice.poses if isinstance(self.advice, Places) else {}
        return {row: (pose[0], pose[1], pose[3]) for row, pose in poses.items()}

    def answer(self, where: str) -> AnyAnswer | None:
        """Return the answer that it begins on the battlefield or in reserves; None where it may not."""
        options = self.request.options if isinstance(self.request, Choose) else ()
        return Chosen(ids=(where,)) if any(option.id == where for option in options) else None

    def is_whole(self, answer: AnyAnswer | None) -> bool:
        """Return whether a set-up has a place for each of its models."""
        rows = self.request.rows if isinstance(self.request, Place) else ()
        return isinstance(answer, Places) and len(answer.poses) == len(rows)

    def nearest_marker(self, at: Point) -> tuple[str, float] | None:
        """Return the objective marker closest to a point, and how far its middle is in inches."""
        far = [
            (((x - at[0]) ** 2 + (y - at[1]) ** 2) ** 0.5, name)
            for name, marker in self.view.objectives.items()
            for x, y in (marker.at,)
        ]
        return (min(far)[1], min(far)[0]) if far else None


def setting_up(view: View, request: AnyRequest, advice: Advice) -> SettingUp | None:
    """Return the set-up that a question is about; None where it is about something else."""
    if request.decision not in DECISIONS or kind_of(view, request) is not SET_UP:
        return None
    if isinstance(request, Place) and (request.kind != "deploy" or request.piece is not None):
        return None
    return SettingUp(view, request, advised(advice)) if isinstance(request, Choose | Place) else None


def placed_by(answers: list[AnswerLine], rows: tuple[int, ...]) -> AnswerLine | None:
    """Return the answer that set up the unit of these models; None where none did."""
    for line in reversed(answers):
        poses = line.value.poses if isinstance(line.value, Places) else {}
        if line.decision == "place" and poses and set(poses) <= set(rows):
            return line
    return None
