"""A phase that stands open: which unit acts next, its targets, where it would go.

Reads and asks; nothing is chosen here. Lines that order a unit are `viewer.input.unit_order`'s.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from ai.agents import agent
from engine.core.facts import HORDE
from engine.core.request import AnyAnswer, AnyRequest, Choose, Chosen, Move, Moves, Split
from engine.w40k.view import View
from viewer.input.ghost import Pose
from viewer.input.newest import Newest
from viewer.input.odds import charge_at, volley_at, wounds_at
from viewer.input.thinking import Work
from viewer.input.unit_order import AT, ATTACKS, next_one, ready, targets_of
from viewer.story.name import short_name

Poses = dict[int, Pose]
"""Where models would stand, by row."""
Adviser = tuple[str, str]
"""A unit, and the name of the agent that says where it would go."""
KINDS = {"normal-move": "normal", "fall-back": "fall-back"}
"""The kinds of move of which the way is known before a die is rolled."""
_TIPS = {
    "movement": "drag it, double click stays",
    "shooting": "click a target",
    "charge": "click a target",
    "fight": "click a target",
}


class Bench(Protocol):
    """Where something is worked out of a question, beside the window or in it."""

    @property
    def patience(self) -> float | None:
        """Return for how many seconds the window may wait for it; None where it has to."""
        ...

    def worker(self, work: Work[Poses]) -> Callable[[Any], Poses]:
        """Return what works something out of the question and a wish, for a thread to wait for."""
        ...


class OpenPhase:
    """The units that may act, and the one whose turn it is until another is chosen."""

    def __init__(
        self,
        view: View,
        request: AnyRequest,
        advised: Callable[[], AnyAnswer | None],
        bench: Bench | None = None,
        adviser: str = "",
    ) -> None:
        """Begin with the suggested unit.

        `advised` returns what is suggested, None while that is not known. At the bench is worked out where
        the agent of the name `adviser` would move a unit.
        """
        self._view, self._request, self._advised = view, request, advised
        self._bench, self._adviser = bench, adviser
        self._places: Newest[Adviser, Poses] | None = None
        self.ready = ready(request)
        self._chosen = ""
        self._foreseen: dict[str, AnyRequest | None] = {}
        self._worth: dict[str, list[tuple[str, str]]] = {}

    @property
    def unit(self) -> str:
        """Return the unit that a target or a key is for: one chosen, else the suggested."""
        return self._chosen or next_one(self._request, self._advised())

    def turn_to(self, unit: str) -> bool:
        """Let a unit be the one that acts next, "" the suggested one; return whether it may act."""
        if unit in self.ready or not unit:
            self._chosen = unit
        return unit in self.ready

    def after(self, step: int) -> str:
        """Return the ready unit that is some places after the present one, in a ring."""
        place = self.ready.index(self.unit) if self.unit in self.ready else 0
        return self.ready[(place + step) % len(self.ready)] if self.ready else ""

    @property
    def tip(self) -> str:
        """Return what the mouse does with the unit whose turn it is, in a few words."""
        if not self.unit:
            return ""
        name = short_name(self._view.unit(self.unit).name)
        return f"{name}: {_TIPS.get(self._view.phase, 'click it')} · Tab: next unit"

    @property
    def foreseen(self) -> AnyRequest | None:
        """Return what the unit would be asked: its way, its targets."""
        if self.unit and self.unit not in self._foreseen:
            self._foreseen[self.unit] = self._view.foreseen(self._view.unit(self.unit))
        return self._foreseen.get(self.unit)

    @property
    def targets(self) -> tuple[str, ...]:
        """Return the enemy units at which the unit may shoot, charge or strike."""
        return targets_of(self.foreseen)

    @property
    def worth(self) -> list[tuple[str, str]]:
        """Return the targets, each with what the unit may expect there, in a few words."""
        if self.unit not in self._worth:
            self._worth[self.unit] = [(each, self._worth_of(each)) for each in self.targets]
        return self._worth[self.unit]

    def _worth_of(self, target: str) -> str:
        request = self.foreseen
        if isinstance(request, Split):
            return f"{wounds_at(self._view, request, target):.1f} wounds"
        if isinstance(request, Choose):
            odds = charge_at(self._view, request, target)
            return f"{odds.apart:.1f}″ · {100 * odds.chance:.0f}%"
        return ""

    def line_at(self, unit: str) -> str:
        """Return the line that lets the present unit attack another; "" where it may not."""
        # Before its pile-in a unit may have none to strike.
        may = unit in self.targets or (self._view.phase == "fight" and not self.targets)
        return f"{self.unit} {AT} {unit}" if self._is_aimed_at(unit) and may else ""

    def _is_aimed_at(self, unit: str) -> bool:
        return self._view.unit(unit).side == HORDE and self._view.phase in ATTACKS and bool(self.unit)

    def refusal(self, unit: str) -> str:
        """Return why the present unit may not attack another, "" where it may, or nobody would."""
        if not self._is_aimed_at(unit) or self.line_at(unit):
            return ""
        enemy, own, request = self._view.unit(unit), self._view.unit(self.unit), self.foreseen
        bars: list[str] = []
        if isinstance(request, Split):
            bars = [salvo.bar for salvo in volley_at(self._view, request, unit).salvos if salvo.bar]
        why = bars[0] if bars else f"{self._view.gap(own, enemy):.1f}″ away, no target"
        return f"{enemy.name}: {why}"

    @property
    def suggested(self) -> Poses:
        """Return where the suggestion moves the models of the unit, by row.

        There are none where it stays, and none while that is worked out beside the window.
        """
        choice = self.foreseen
        bench = self._bench
        if bench is None or not isinstance(choice, Choose) or choice.decision != "move":
            return {}
        if self._places is None:
            self._places = Newest(bench.worker(suggested_places))
        wish = self.unit, self._adviser
        if self._places.known(wish) is None:
            # A frame is not worth waiting for: a later one shows it.
            self._places.comes(wish, None if bench.patience is None else 0.0)
        return self._places.known(wish) or {}

    @property
    def is_late(self) -> bool:
        """Return whether the suggestion for the unit is still worked out."""
        return self._places is not None and self._places.is_late

    def look(self) -> bool:
        """Take in what was worked out meanwhile; return whether anything is new."""
        return self._places is not None and self._places.look()

    def close(self) -> None:
        """Drop what is worked out, and begin nothing more."""
        self._bench = None
        if self._places is not None:
            self._places.stop(waits=False)


def suggested_places(view: View, request: AnyRequest, wish: Adviser) -> Poses:
    """Return where an agent would move a unit that may act; nothing where it stays."""
    unit, mind = view.unit(wish[0]), agent(wish[1])
    choice = view.foreseen(unit)
    if not isinstance(choice, Choose):
        return {}
    chosen = mind.answer(view, choice)
    kind = KINDS.get(chosen.ids[0] if isinstance(chosen, Chosen) else "")
    if kind is None:
        return {}
    way = Move(
        seats=choice.seats,
        rule=choice.rule,
        decision="path",
        prompt=choice.prompt,
        unit=unit.id,
        kind=kind,
        limits=view.move_limits(unit),
    )
    moves = mind.answer(view, way)
    return poses_after(view, unit.id, moves.paths if isinstance(moves, Moves) else {})


def poses_after(view: View, unit: str, paths: dict[int, tuple[tuple[float, ...], ...]]) -> Poses:
    """Return where the models of a unit that move end, by row: x, y and facing."""
    mover = view.unit(unit)
    rows = zip(mover.rows, view.poses_after(mover, paths), strict=True)
    return {row: (float(p[0]), float(p[1]), float(p[3])) for row, p in rows if paths.get(row)}
