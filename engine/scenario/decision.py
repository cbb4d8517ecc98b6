"""What was decided for a unit, in a scenario's words: normal-move, shoot, charge, spawn, …"""

from __future__ import annotations

from dataclasses import dataclass, field

from datasheets.errors import unknown
from engine.core.request import (
    AnyAnswer,
    AnyRequest,
    Because,
    Choose,
    Chosen,
    Move,
    Moves,
    Place,
    Places,
    Split,
    Splits,
)
from engine.w40k.activation.transport import STAY_OUT
from engine.w40k.battle import Battle
from engine.w40k.phase.shooting import SHOOT_INSTEAD

MOVING = ("normal-move", "advance", "fall-back", "charge")
"""Decisions of which the path is a second answer."""
IDLE = {"movement": "remain-stationary", "shooting": "no-shot", "charge": "no-charge"}
"""What a unit does in a phase in which it was not asked."""
FAMILY = {
    "movement": ("remain-stationary", "normal-move", "advance", "fall-back", "leave-board"),
    "shooting": ("shoot", "no-shot"),
    "charge": ("charge", "no-charge"),
}

KNOWN = (
    *(name for family in FAMILY.values() for name in family),
    *("pile-in", "fight", "no-fight", "consolidate", "spawn", "deep-strike", "reserves", "arrive", "deploy"),
    *("embark", "disembark", "action", "purchase", "marker", "recruit", "return", "beside", "redeploy"),
    *("scout", "surge"),
)
"""The decisions that a scenario's author is likely to mean."""


def misspelt(name: str) -> str:
    """Return what to do about a misspelt decision, "" where the name may be meant."""
    error = unknown(name, KNOWN, "decision")
    return str(error) if name and name not in KNOWN and error.near else ""


@dataclass(frozen=True, slots=True)
class Fired:
    """One weapon of one model, by the model's number, at a unit."""

    model: int
    weapon: str
    target: str


@dataclass(slots=True)
class Decision:
    """A unit's decision, what it is about, and why."""

    name: str
    unit: str
    seat: str
    targets: tuple[str, ...] = ()
    because: tuple[Because, ...] = ()
    passed: tuple[Because, ...] = ()
    fired: tuple[Fired, ...] = ()
    paths: dict[int, tuple[tuple[float, ...], ...]] = field(default_factory=dict)
    after: int = 0
    """How many events there were when it was made."""
    unasked: bool = False
    """Whether nothing asked for it, so that the log has no answer of it."""

    @property
    def clauses(self) -> tuple[str, ...]:
        """Return the clauses that the answer cites."""
        cited = [c for b in self.because for c in (b.clause, b.ruling) if c]
        return tuple(dict.fromkeys(cited))

    @property
    def rejected(self) -> tuple[tuple[str, str], ...]:
        """Return the candidates that failed, each with the first condition that it failed."""
        asked = (*self.because, *self.passed)
        return tuple(dict.fromkeys((c.id, c.failed) for b in asked for c in b.candidates if c.failed))

    @property
    def toward(self) -> tuple[str, ...]:
        """Return toward what or at what the unit acts."""
        if self.targets:
            return self.targets
        heading = [b.target for b in self.because if b.target and b.clause.startswith("AI.MOVE")]
        named = heading or [b.target for b in self.because if b.target]
        return tuple(
            dict.fromkeys(named or [c.id for b in self.because for c in b.candidates if not c.failed])
        )


class Minutes:
    """The decisions of a run, in order."""

    def __init__(self) -> None:
        """Begin with none."""
        self.decisions: list[Decision] = []

    def note(self, game: Battle, request: AnyRequest, answer: AnyAnswer, seat: str) -> None:
        """Note an answer that is about to be given."""
        name = _name(request, answer)
        if not name:
            return
        made = Decision(
            name, request.unit, seat, because=answer.because, passed=answer.passed, after=len(game.events)
        )
        if isinstance(answer, Chosen) and request.decision in ("charge", "embark"):
            made.targets = answer.ids
        if isinstance(request, Move) and isinstance(answer, Moves):
            made.paths = {row: legs for row, legs in answer.paths.items() if legs}
            made.targets = request.targets
            if name in MOVING and self._continued(made):
                return
        if isinstance(answer, Splits):
            made.fired = _fired(game, request.unit, answer)
            made.targets = tuple(dict.fromkeys(shot.target for shot in made.fired))
        self.decisions.append(made)

    def _continued(self, made: Decision) -> bool:
        """Add the path to the decision that asked for it; return whether there is one."""
        last = next((d for d in reversed(self.decisions) if d.unit == made.unit), None)
        if last is None or last.name != made.name or last.paths:
            return False
        last.paths = made.paths
        last.because = tuple(dict.fromkeys((*last.because, *made.because)))
        last.passed = tuple(dict.fromkeys((*last.passed, *made.passed)))
        return True

    def was_asked(self, phase: str, unit: str, began: int, ended: int) -> bool:
        """Return whether a unit decided anything of a phase between these events."""
        own = (d for d in self.decisions if d.unit == unit and d.name in FAMILY[phase])
        return any(began <= decision.after <= ended for decision in own)

    def idle(self, phase: str, unit: str, seat: str, ended: int, why: AnyAnswer | None) -> None:
        """Note what a unit did in a phase in which it was never asked.

        `why` is what it would have answered, if that is known.
        """
        made = Decision(IDLE[phase], unit, seat, after=ended, unasked=True)
        if why is not None:
            made.because, made.passed = why.because, why.passed
        self.decisions.append(made)


def _name(request: AnyRequest, answer: AnyAnswer) -> str:
    if isinstance(request, Choose) and isinstance(answer, Chosen):
        if request.decision == "move":
            return answer.ids[0] if answer.ids else ""
        if request.decision == "charge":
            return "charge" if answer.ids else "no-charge"
        if request.decision in ("embark", "action"):
            return "" if answer.ids in ((STAY_OUT,), (SHOOT_INSTEAD,)) else request.decision
        return request.decision if request.unit else ""
    if isinstance(request, Move) and isinstance(answer, Moves):
        if request.decision == "scout":
            return "scout" if any(answer.paths.values()) else ""
        if request.kind == "normal":
            return "normal-move"
        moved = any(answer.paths.values())
        return request.kind if moved or request.kind in MOVING else ""
    if isinstance(request, Split) and isinstance(answer, Splits):
        done = "fight" if request.melee else "shoot"
        return done if answer.shots else "no-fight" if request.melee else "no-shot"
    if isinstance(request, Place) and isinstance(answer, Places):
        return request.kind if answer.poses else ""
    return ""


def _fired(game: Battle, unit: str, answer: Splits) -> tuple[Fired, ...]:
    firing = game.state.position.units[unit]
    number = {model.row: i for i, model in enumerate(firing.facts.models)}
    return tuple(
        Fired(number[shot.model], firing.weapon(shot.weapon).name, shot.target) for shot in answer.shots
    )
