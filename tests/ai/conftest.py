"""Small battlefields for the agents: units of plain facts, a View of them, and requests."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from engine.core import event as ev
from engine.core.apply import apply
from engine.core.facts import (
    BaseFacts,
    BoardFacts,
    ModelFacts,
    ObjectiveFacts,
    PartFacts,
    PlayerFacts,
    TerrainFacts,
    UnitFacts,
    WeaponFacts,
    ZoneFacts,
)
from engine.core.request import Choose, Line, Move, Option, Split
from engine.core.state import State
from engine.horde.all_settings import SETTINGS
from engine.records.rulebook import InForce
from engine.w40k.ground.tabletop import Tabletop
from engine.w40k.numbers import QUESTIONS
from engine.w40k.parameters import Parameters
from engine.w40k.view import View

MM = 25.4
GRANTED = {"fire": True, "sight-blocked": True, "gain-cover": True}


def gun(name: str = "gun", reach: float = 24, **facts: Any) -> WeaponFacts:
    """Return a ranged weapon."""
    return WeaponFacts(
        name=name, item=facts.pop("item", name), range=reach, skill=facts.pop("skill", 3), **facts
    )


def blade(name: str = "choppa", **facts: Any) -> WeaponFacts:
    """Return a melee weapon."""
    return WeaponFacts(name=name, item=facts.pop("item", name), skill=facts.pop("skill", 3), **facts)


def ruin(name: str, x0: float, y0: float, x1: float, y1: float, kind: str = "ruin") -> TerrainFacts:
    """Return a piece of terrain with a rectangular footprint."""
    ring = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return TerrainFacts(id=name, kind=kind, footprint=ring, height=5)  # type: ignore[arg-type]


def spawn_zone(name: str, x0: float, y0: float, x1: float, y1: float, front: Any) -> ZoneFacts:
    """Return a rectangular spawn zone with one front."""
    ring = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return ZoneFacts(id=name, kind="spawn", polygon=ring, front=(front,))


class Printed:
    """Rules in force: none, but for what a test permits or abilities print."""

    def __init__(self, permits: dict[str, bool]) -> None:
        self.permits = {**GRANTED, **permits}

    def number(self, name: str, base: float, **_: object) -> Any:
        if name in ("attack.hit-modifier", "attack.wound-modifier"):
            base = max(-1, min(1, base))
        return SimpleNamespace(value=base)

    def value(self, name: str, base: float, **_: object) -> float:
        return self.number(name, base).value

    def about(self, **_: object) -> Printed:
        return self

    def reach(self, unit: Any, weapon: Any) -> float:
        return float(weapon.range or 0.0)

    def spares(self, name: str) -> bool:
        return False

    def are_asked(self, name: str) -> bool:
        return name in self.permits

    def effects(self, names: tuple[str, ...]) -> tuple[tuple[tuple[str, float], ...], ...]:
        return ((),) * len(names)

    @property
    def in_force(self) -> InForce:
        return InForce()

    def may(self, question: str, **_: object) -> bool:
        return self.permits.get(question, QUESTIONS.get(question, False))

    def weapon_keywords(
        self, unit: Any, row: int, weapon: int, target: Any = None, *, rewarded: bool | None = None
    ) -> tuple[str, ...]:
        return unit.weapon(weapon).keywords

    def rewards(self, unit: Any) -> tuple[str, ...]:
        return ()

    def granted_keyword(self, unit: Any, keyword: str) -> bool:
        return False

    def has_ability(self, unit: Any, ability: str) -> str:
        if all(any(a.startswith(ability) for a in p.abilities) for p in unit.parts):
            return next(a for a in unit.parts[0].abilities if a.startswith(ability))
        return ""


@dataclass
class Situation:
    """A battle frozen at a moment, with the game's few questions that a View asks."""

    terrain: tuple[TerrainFacts, ...] = ()
    objectives: dict[str, tuple[float, float]] = field(default_factory=dict)
    zones: tuple[ZoneFacts, ...] = ()
    board: dict[str, Any] = field(default_factory=dict)
    permits: dict[str, bool] = field(default_factory=dict)
    seed: int = 1
    round: int = 2
    phase: str = "movement"

    def __post_init__(self) -> None:
        self.state = State()
        self.answers: list[object] = []
        self.events: list[ev.Event] = []
        self.mustered: tuple[UnitFacts, ...] = ()
        self.ruleset = SimpleNamespace(parameters=Parameters())
        self.rulebook = SimpleNamespace(
            clauses=frozenset(),
            summary=lambda rule: rule,
            limit=lambda rule: "",
            is_bestowed=lambda unit, rule: False,
        )
        self.rulings: dict[str, str] = {}
        board = BoardFacts(
            terrain=self.terrain,
            zones=self.zones,
            objectives=tuple(ObjectiveFacts(id=i, at=at) for i, at in self.objectives.items()),
            **self.board,
        )
        apply(self.state, ev.Setup(ruleset="test", board=board, players=(PlayerFacts(id="p1", name="p1"),)))
        apply(self.state, ev.RoundBegan(number=self.round))
        apply(self.state, ev.TurnBegan(whose="horde"))
        apply(self.state, ev.PhaseBegan(name=self.phase, step=f"horde.{self.phase}", cursor=0))
        self.query: Any = Printed(self.permits)
        self.field = Tabletop(self.state.position, Parameters(), self.query)

    def ruling(self, key: str) -> str:
        return self.rulings.get(key) or SETTINGS.named(key).default

    def add(
        self,
        name: str,
        side: str,
        at: list[tuple[float, float]],
        *,
        mm: float = 32,
        keywords: str = "INFANTRY",
        weapons: list[WeaponFacts] | None = None,
        of: list[tuple[int, ...]] | None = None,
        points: int = 100,
        abilities: tuple[str, ...] = (),
        marks: dict[str, Any] | None = None,
        leader: int | None = None,
        height: float = 2.5,
        **characteristics: int,
    ) -> Any:
        """Stand a unit on the table; `leader` is the number of the model that is its CHARACTER part."""
        printed = {"M": 6, "T": 4, "Sv": 3, "W": 2, "Ld": 6, "OC": 1, **characteristics}
        first = len(self.state.position.models)
        size = mm / MM
        carried = of or [tuple(range(len(weapons or [])))] * len(at)
        models = tuple(
            ModelFacts(
                row=first + i,
                name=f"{name} {i}",
                base=BaseFacts(length=size, width=size),
                height=height,
                characteristics=printed,
                weapons=carried[i],
                part=1 if leader == i else 0,
            )
            for i in range(len(at))
        )
        words = frozenset(keywords.split())
        part = PartFacts(
            datasheet=f"test/{name}",
            name=name,
            keywords=words,
            abilities=abilities,
            starting_models=len(at),
            points=points,
        )
        chief = PartFacts(
            datasheet=f"test/{name}-chief", name="chief", keywords=words | {"CHARACTER"}, starting_models=1
        )
        facts = UnitFacts(
            id=name,
            name=name,
            side=side,  # type: ignore[arg-type]
            player="horde" if side == "horde" else "p1",
            parts=(part,) if leader is None else (part, chief),
            models=models,
            weapons=tuple(weapons or ()),
        )
        return self._placed(facts, at, marks or {})

    def _placed(self, facts: UnitFacts, at: list[tuple[float, float]], marks: dict[str, Any]) -> Any:
        facing = -90.0 if facts.side == "horde" else 90.0
        poses = {model.row: (x, y, 0.0, facing) for model, (x, y) in zip(facts.models, at, strict=True)}
        apply(self.state, ev.Placed(unit=facts.id, facts=facts, poses=poses))
        for key, value in marks.items():
            apply(self.state, ev.Marked(on=f"unit:{facts.id}", key=key, value=value))
        return self.state.position.units[facts.id]

    def horde(self, name: str, at: list[tuple[float, float]], **facts: Any) -> Any:
        return self.add(name, "horde", at, **facts)

    def players(self, name: str, at: list[tuple[float, float]], **facts: Any) -> Any:
        return self.add(name, "players", at, **facts)

    def view(self, seat: str = "horde") -> View:
        return View(self, seat)  # type: ignore[arg-type]

    def move_request(self, unit: str) -> Choose:
        engaged = bool(self.field.engaged_with(self.state.position.units[unit]))
        kinds = ["remain-stationary", *(["fall-back"] if engaged else ["normal-move", "advance"])]
        return choose("move", kinds, unit=unit, rule="CORE.MOVE.1")

    def path_request(
        self, unit: str, kind: str = "normal", limit: float = 6, targets: tuple[str, ...] = ()
    ) -> Move:
        rows = self.state.position.units[unit].rows
        return Move(
            seats=("horde",),
            rule="CORE.MOVE.5",
            decision="path",
            prompt="",
            unit=unit,
            kind=kind,
            limits=dict.fromkeys(rows, float(limit)),
            targets=targets,
        )

    def shoot_request(self, unit: str) -> Split:
        from engine.w40k.attack.eligibility import lines

        return self._split(unit, False, lines(self, self.state.position.units[unit]))  # type: ignore[arg-type]

    def fight_request(self, unit: str) -> Split:
        from engine.w40k.phase.fight import lines

        return self._split(unit, True, lines(self, self.state.position.units[unit]))  # type: ignore[arg-type]

    def _split(self, unit: str, melee: bool, lines: tuple[Line, ...]) -> Split:
        return Split(
            seats=("horde",), rule="", decision="shoot", prompt="", unit=unit, melee=melee, lines=lines
        )

    def ends(self, unit: str, moves: Any) -> list[tuple[float, float]]:
        """Return where each model of the unit ends by an answer."""
        found = []
        for row in self.state.position.units[unit].rows:
            legs = moves.paths.get(row)
            x, y = legs[-1][:2] if legs else self.state.position.table.xy[row]
            found.append((float(x), float(y)))
        return found

    def faults(self, request: Any, answer: Any) -> list[str]:
        from engine.w40k.legality.answer_check import faults

        return faults(self, request, answer, request.seats[0])  # type: ignore[arg-type]


def choose(
    decision: str, ids: list[str], *, unit: str = "", rule: str = "", minimum: int = 1, maximum: int = 1
) -> Choose:
    """Return a request to choose."""
    options = tuple(Option(id=i, label=i) for i in ids)
    return Choose(
        seats=("horde",),
        rule=rule,
        decision=decision,
        prompt="",
        unit=unit,
        options=options,
        minimum=minimum,
        maximum=maximum,
    )


Situation.gun = staticmethod(gun)  # type: ignore[attr-defined]
Situation.blade = staticmethod(blade)  # type: ignore[attr-defined]
Situation.ruin = staticmethod(ruin)  # type: ignore[attr-defined]
Situation.spawn_zone = staticmethod(spawn_zone)  # type: ignore[attr-defined]
Situation.choose = staticmethod(choose)  # type: ignore[attr-defined]


@pytest.fixture
def situation() -> type[Situation]:
    """Return the class of small battlefields."""
    return Situation
