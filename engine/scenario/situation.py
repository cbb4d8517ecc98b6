"""A position on the table from which some steps are played, for scenarios and tests.

Units state their own facts; nothing is drawn, dealt or mustered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from msgspec.structs import replace

from datasheets.library import Library
from engine.core import event as ev
from engine.core.facts import (
    HORDE,
    BaseFacts,
    BoardFacts,
    ModelFacts,
    PartFacts,
    PlayerFacts,
    Point,
    Side,
    TransportFacts,
    UnitFacts,
    WeaponFacts,
)
from engine.core.request import Steps
from engine.core.ruleset import Step
from engine.core.state import MarkValue
from engine.records.rulebook import Rulebook
from engine.w40k.battle import Battle
from engine.w40k.edition import Edition

ORDINARY = {"M": 6, "T": 4, "Sv": 3, "W": 1, "Ld": 7, "OC": 1}
"""The characteristics of a model that states none."""


@dataclass(frozen=True, slots=True)
class Stand:
    """A unit of a situation: its own facts and where its models stand."""

    id: str
    side: Side
    at: Sequence[Point]
    player: str = ""
    mm: float = 32.0
    base: BaseFacts | None = None
    """The base of every model; a round one of `mm` millimetres where it is not said."""
    height: float = 2.5
    keywords: tuple[str, ...] = ("INFANTRY",)
    characteristics: tuple[tuple[str, int], ...] = ()
    weapons: tuple[WeaponFacts, ...] = ()
    weapons_of: tuple[tuple[int, ...], ...] = ()
    """The weapons of each model; all of them where it is not said."""
    abilities: tuple[str, ...] = ()
    points: int = 100
    bracket: int = 0
    starting_models: int = 0
    leaders: int = 0
    """How many of its last models are attached leaders, with the keyword CHARACTER."""
    damaged: tuple[int, int, int] = (0, 0, 0)
    """With how many wounds a model is damaged; what its hit rolls and its OC lose then."""
    marks: tuple[tuple[str, MarkValue], ...] = ()
    rules: tuple[str, ...] = ()
    leader_rules: tuple[str, ...] = ()
    """The rules that each of its leaders bears."""
    where: str = "table"
    transport: TransportFacts | None = None
    embarked_in: str = ""

    def facts(self, first_row: int) -> UnitFacts:
        """Return the unit's facts, its models in the table's rows from `first_row` on."""
        size = self.mm / 25.4
        base = self.base or BaseFacts(shape="round", length=size, width=size)
        values = {**ORDINARY, **dict(self.characteristics)}
        guards = len(self.at) - self.leaders
        models = tuple(
            ModelFacts(
                row=first_row + i,
                name="model" if i < guards else "leader",
                base=base,
                height=self.height,
                characteristics=values,
                weapons=self.weapons_of[i] if self.weapons_of else tuple(range(len(self.weapons))),
                part=0 if i < guards else i - guards + 1,
                damaged=self.damaged[0],
                damaged_hit=self.damaged[1],
                damaged_oc=self.damaged[2],
            )
            for i in range(len(self.at))
        )
        return UnitFacts(
            id=self.id,
            name=self.id,
            side=self.side,
            player=self.player or (HORDE if self.side == HORDE else "p1"),
            parts=self._parts(guards),
            models=models,
            weapons=self.weapons,
            bracket=self.bracket,
        )

    def _parts(self, guards: int) -> tuple[PartFacts, ...]:
        body = PartFacts(
            datasheet=f"situation/{self.id}",
            name=self.id,
            keywords=frozenset(self.keywords),
            abilities=self.abilities,
            starting_models=self.starting_models or guards,
            points=self.points,
            rules=self.rules,
            transport=self.transport,
        )
        leader = PartFacts(
            datasheet=f"situation/{self.id}-leader",
            name=f"{self.id} leader",
            keywords=frozenset((*self.keywords, "CHARACTER")),
            abilities=self.abilities,
            rules=self.leader_rules,
        )
        return (body, *(leader for _ in range(self.leaders)))


def situation(
    stands: Sequence[Stand],
    steps: Sequence[Step[Battle]],
    ruleset: Edition[Battle],
    *,
    library: Library | None = None,
    rulebook: Rulebook | None = None,
    board: BoardFacts | None = None,
    round_number: int = 2,
    seed: int = 1,
    dice: dict[str, list[int]] | None = None,
    active: Sequence[str] = (),
    decks: dict[str, tuple[str, ...]] | None = None,
    factions: tuple[str, ...] = (),
    shares: dict[str, int] | None = None,
    collection: dict[str, int] | None = None,
    players: tuple[str, ...] = ("p1",),
    player_faction: str = "",
    detachment: str = "",
    rulings: dict[str, str] | None = None,
    cp: int = 0,
) -> Battle:
    """Return a game that plays these steps from this position, once, and then is over.

    `active` names cards and other rules in force. Players without `cp` are offered no Stratagems.
    """
    known = library or _packaged()
    rulebook = rulebook or Rulebook.load(known, ruleset.language, factions)
    trimmed = replace(ruleset, steps=(*steps, END))
    setup = ev.Setup(
        ruleset=ruleset.id,
        board=board or BoardFacts(),
        players=tuple(
            PlayerFacts(
                id=p,
                name=p,
                faction=player_faction,
                detachment=detachment,
                rules=rulebook.of_army(player_faction, detachment) if detachment else (),
                cp=cp,
            )
            for p in players
        ),
        decks=decks or {},
        rules=(*rulebook.standing, *active),
        factions=factions,
        shares=shares or {},
        collection=collection,
    )
    opening = [*_opening(stands), ev.RoundBegan(number=round_number)]
    return Battle(
        trimmed,
        known,
        seed,
        setup,
        rulebook=rulebook,
        opening=tuple(opening),
        script=dice or {},
        rulings=rulings or {},
    )


@lru_cache(maxsize=1)
def _packaged() -> Library:
    return Library()


def _opening(stands: Sequence[Stand]) -> list[ev.Event]:
    events: list[ev.Event] = []
    row = 0
    for stand in stands:
        facts = stand.facts(row)
        poses = {row + i: (float(x), float(y), 0.0, 0.0) for i, (x, y) in enumerate(stand.at)}
        row += len(stand.at)
        if stand.embarked_in:
            events.append(ev.Embarked(unit=stand.id, facts=facts, transport=stand.embarked_in))
        elif stand.where == "table":
            events.append(ev.Placed(unit=stand.id, facts=facts, poses=poses))
        else:
            events.append(ev.Reserved(unit=stand.id, facts=facts))
        for key, value in stand.marks:
            events.append(ev.Marked(on=f"unit:{stand.id}", key=key, value=value, until="battle"))
    return events


def _end(game: Battle) -> Steps[bool]:
    game.log(ev.BattleEnded(winners=(), reason="the situation is played"))
    return False
    yield


END = Step("situation.end", "end", _end)
"""The step after the last: the situation is over."""
