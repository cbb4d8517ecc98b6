"""The small battles in which an ability is tried, as its record's own conditions ask.

Owns which units stand where, in which phase of whose turn. What a condition names, a keyword, a phase,
a leader or a transport, is there; what it does not name is tried both ways.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ability_bearer import bearers, radius_of, size_with, wargear_of
from msgspec import to_builtins

from datasheets.form import filled
from datasheets.library import Library
from datasheets.rule import Rule
from datasheets.scenario import Scenario
from datasheets.schema import Datasheet
from engine.core.facts import HORDE
from engine.scenario.own_fact import NUMBERED
from engine.scenario.unit import packed

PHASES = ("shooting", "fight", "command", "movement", "charge")
"""The phases in which an ability is tried, those first in which most act."""
EDGES = ("end-of-turn", "end-of-round")
"""The phases in which it is tried where it names them."""
HAPPENS_IN = {
    "targeted": "shooting",
    "shot": "shooting",
    "selected-to-shoot": "shooting",
    "struck": "fight",
    "selected-to-fight": "fight",
    "fought": "fight",
}
"""The phase of a moment that comes in one phase alone."""
BOARD = (60.0, 44.0)
MIDDLE = (30.0, 20.0)
NEAR, ENGAGED, FAR = 3.0, 0.5, 24.0
"""The gaps in inches to an enemy out of engagement, to one in it, and to one far off."""
MM = 25.4
SEEDS, RARE_SEEDS = 2, 8
"""The number of seeds with which a situation is tried, and that where a roll is rarely made."""
RARE = 6
"""A roll that needs as much is rarely made."""
KEYWORDS = re.compile(r"'((?:not )?[A-Z][A-Z' -]*(?: and (?:not )?[A-Z' -]+)*)'")
DENIED = re.compile(r"not (?:has|is_a)\(\w+, '([A-Z' -]+)'\)")
PHASE = re.compile(r"phase == '([a-z-]+)'|'(?:horde|players)\.([a-z]+)")
ARRIVING = ("arriving", "arrived", "in_reserves(", "reserve where", "unit.arrival-round")
"""Words of a record that is about what comes from reserves."""
WEAPON = re.compile(r"weapon_has\(weapon, '([^']+)'\)")
NAMED = re.compile(r"(?:is_weapon|was_hit_by_own|equipped)\(\w+, '([^']+)'\)")
"""The weapons of the bearer that conditions name."""
NO_ENEMY = "none('unit where horde(unit) != horde(bearer)"
CONTAINED = re.compile(r"(?:contains\(bearer|is_called\(model), '([^']+)'")
HAS = re.compile(r"has_ability\(\w+, '([^']+)'\)")
"""The core abilities that conditions ask for."""
ARMS = "melee_arms("
"""The word of a record that counts melee weapons."""
MORTAL = re.compile(r"\bmortal\b")
GUN: dict[str, Any] = {"name": "gun", "range": 48, "A": 2, "BS": 3, "S": 5, "AP": 1, "D": 1}
CRUEL = {"A": 12, "keywords": ["devastating wounds"]}
"""The attacks of a gun that inflicts mortal wounds."""
BLADE: dict[str, Any] = {"name": "blade", "range": "melee", "A": 3, "WS": 3, "S": 5, "AP": 1, "D": 1}
FLIGHT = 20
"""The inches of a flight, over an enemy that stands near; AIRCRAFT fly no fewer."""
RUBBLE = {"kind": "debris", "footprint": [(56, 40), (59, 40), (59, 43), (56, 43)], "height": 2}
"""Low terrain, out of everybody's way."""
TOUGH = {"M": 6, "T": 4, "Sv": 4, "W": 8, "Ld": 7, "OC": 2}
DEADLY: dict[str, Any] = {"A": 6, "S": 20, "AP": 6, "D": 6}
"""What makes weapons so strong that they destroy a bearer."""
FALLS = ("destroyed", "damaged", "unit-destroyed")
"""The moments of models and units that are destroyed."""
OF_THE_FALLEN = ("model.last-attack", "model.last-shots")
"""The numbers that are asked of models that are destroyed."""
AFRAID = 11
"""The Leadership of enemies that are to fail their tests."""
MANY = 10
"""The number of models at most of a unit that is to have some left."""
LOSSES = ("models_lost(", "wounds_taken(")
"""The words of records that count what attacks have cost a unit."""
FRAIL = {"M": 6, "T": 1, "Sv": 7, "W": 1, "Ld": 7, "OC": 2}


@dataclass(frozen=True, slots=True)
class Needs:
    """What the conditions of a record, and of those that go with it, name."""

    keywords: tuple[str, ...]
    phases: tuple[str, ...]
    weapon: tuple[str, ...]
    led: bool
    rides: bool
    damaged: bool
    clears: bool
    charged: bool
    apart: bool
    """Whether it matters that no friend is near."""
    strong: bool
    mortal: bool
    """Whether mortal wounds are asked for, which a gun then inflicts."""
    falls: bool
    """Whether it matters that the bearer, or a friend, is destroyed."""
    rare: bool
    army: str
    """The detachment of an army whose rule the records need, and so of the bearer's player."""
    picks: str
    """The clause of that army rule, where it picks a unit."""
    items: tuple[str, ...]
    """The wargear that bears the ability, or that it names."""
    denied: frozenset[str] = frozenset()
    arrives: bool = False
    """Whether it matters that the bearer, or a friend, comes from reserves."""
    deployed: bool = False
    """Whether something happens once the armies are set up."""
    set_up: bool = False
    """Whether something happens as the bearer spawns or gets out of a transport."""
    armed: bool = False
    """Whether the melee weapons of a model are counted."""
    states: tuple[str, ...] = ()
    """What else the bearer is."""
    afraid: bool = False
    """Whether it matters that enemies fail Battle-shock tests."""
    whole: bool = False
    """Whether a model of a certain name, or with an item, is asked for, which lives then."""
    names: tuple[str, ...] = ()
    """The names of models that are asked for."""
    abilities: tuple[str, ...] = ()
    """What the bearer has besides…"""
    gifts: tuple[str, ...] = ()
    """…and what those around it have."""
    loses: bool = False
    """Whether it matters that attacks cost the bearer's unit models, of which others are left."""
    afar: bool = False
    """Whether it matters that no enemy is near."""
    few: bool = False
    """Whether it matters that the bearer's unit is Below Half-strength."""

    @property
    def others(self) -> list[str]:
        """Return the keywords of those around the bearer, of whom something is asked."""
        return [*(["BEAST"] if "INFANTRY" in self.denied else ["INFANTRY"]), *self.keywords]


def needs(rules: Sequence[Rule], library: Library) -> Needs:
    """Return what is named by the conditions of some records that go together."""
    # A keyword within a quoted selector stands in the other kind of quotes.
    text = "\n".join(texts([to_builtins(rule) for rule in rules])).replace('"', "'")
    asked = [word for found in KEYWORDS.findall(DENIED.sub("", text)) for word in found.split(" and ")]
    words = [word for word in asked if not word.startswith("not ")]
    denied = {*DENIED.findall(text), *(word[4:] for word in asked if word.startswith("not "))} - {*words}
    words += [
        word
        for rule in rules
        for when in rule.when
        for pick in when.pick
        for word in pick.among
        if word.isupper()
    ]
    moments = [HAPPENS_IN[when.moment] for rule in rules for when in rule.when if when.moment in HAPPENS_IN]
    named = [one or other for one, other in PHASE.findall(text)]
    if "kind == 'charge'" in text:
        named.append("charge")
    return Needs(
        keywords=tuple(dict.fromkeys(word for word in words if word not in denied)),
        phases=tuple(dict.fromkeys(each for each in (*named, *moments) if each in PHASES + EDGES)),
        weapon=tuple(dict.fromkeys(WEAPON.findall(text))),
        led="is_led(" in text,
        rides="disembark" in text,
        damaged="is_damaged(" in text,
        clears="clear(" in text,
        charged="'charged'" in text,
        apart="any_friend_within(" in text or "any_friendly_model_within(" in text,
        strong="attack_strength(" in text,
        mortal=bool(MORTAL.search(text)),
        falls=any(when.moment in FALLS for rule in rules for when in rule.when)
        or any(change.number in OF_THE_FALLEN for rule in rules for change in rule.modify)
        or any(word in text for word in LOSSES),
        rare=any(when.need >= RARE for rule in rules for when in rule.when),
        army=next(filter(None, (_detachment(rule, library) for rule in rules if _asks_army(rule, text))), ""),
        picks=next((_picks(rule, library) for rule in rules if rule.needs == "army rule"), ""),
        items=(*(rule.wargear[0] for rule in rules if rule.wargear), *NAMED.findall(text)),
        denied=frozenset(denied),
        arrives=any(word in text for word in ARRIVING),
        deployed=any(when.moment == "deployed" for rule in rules for when in rule.when),
        set_up=any(when.moment in ("placed", "disembarked") for rule in rules for when in rule.when),
        armed=ARMS in text,
        states=("warlord",) if "is_warlord(bearer)" in text else (),
        afraid="leadership_test(" in text
        or any(when.moment == "shock-failed" for rule in rules for when in rule.when),
        loses=any(word in text for word in LOSSES),
        names=tuple(dict.fromkeys(CONTAINED.findall(text))),
        gifts=tuple(dict.fromkeys(HAS.findall(text))),
        afar=NO_ENEMY in text,
        few="below_half(bearer" in text,
        whole=bool(CONTAINED.search(text)) or any(rule.wargear for rule in rules),
    )


def situations(rules: Sequence[Rule], sheet: Datasheet, library: Library) -> Iterator[Scenario]:
    """Yield the situations for records of a datasheet that go together, the likeliest first."""
    wanted = needs(rules, library)
    yield from _situations(wanted, sheet, library)
    if wanted.whole or wanted.few:
        yield from _situations(replace(wanted, whole=False, few=False), sheet, library)
    if wanted.whole and not wanted.led:
        yield from _situations(replace(wanted, led=True), sheet, library)


def _situations(wanted: Needs, sheet: Datasheet, library: Library) -> Iterator[Scenario]:
    """Yield the situations of what is needed."""
    phases = [*wanted.phases, *(each for each in PHASES if each not in wanted.phases)]
    if wanted.rides:
        yield from (_ride(wanted, sheet, library, seed) for seed in range(1, 1 + SEEDS))
    if wanted.arrives or wanted.deployed:
        yield from _reserves(wanted, sheet, library)
    if wanted.set_up:
        spawning = Table(wanted, sheet, library, HORDE, NEAR, TOUGH, waiting="own", spawns=True)
        # In the first round what has Deep Strike is set up in its zone, too.
        yield spawning.scenario(("spawn",), HORDE, 1, number=1)
        leaving = Table(wanted, sheet, library, "p1", NEAR, TOUGH, aboard=True)
        answers = [{"unit": "own", "decision": "disembark"}]
        yield from (
            leaving.scenario(("movement", phase), "players", 1, answers) for phase in ("shooting", "fight")
        )
    if wanted.army:
        for phase in phases:
            for foe in (TOUGH, FRAIL):
                table = Table(wanted, sheet, library, "p1", NEAR, foe)
                picked = {"player": "p1", "rule": wanted.picks, "choose": {"unit": "foe"}}
                answers = [picked] if wanted.picks else []
                yield table.scenario(("command", phase), "players", 1, answers)
    if sheet.leads and not wanted.led:
        # What a leader's weapons are printed with its bodyguard's have not.
        joined = replace(wanted, led=True)
        yield from (
            Table(joined, sheet, library, HORDE, ENGAGED if phase == "fight" else NEAR, TOUGH).scenario(
                (phase,), HORDE, 1
            )
            for phase in phases
        )
        # What a charge brings is seen in the Fight phase after it.
        yield Table(joined, sheet, library, "p1", NEAR, TOUGH).scenario(("charge", "fight"), "players", 1)
    if wanted.apart:
        for phase in phases:
            table = Table(wanted, sheet, library, HORDE, NEAR, TOUGH, apart=True)
            yield table.scenario((phase,), HORDE, 1)
    if wanted.afar:
        for phase in phases:
            for side, turn in ((HORDE, HORDE), (HORDE, "players"), ("p1", "players"), ("p1", HORDE)):
                yield Table(wanted, sheet, library, side, 3 * NEAR, TOUGH).scenario((phase,), turn, 1)
    if wanted.falls:
        yield from _falling(wanted, sheet, library)
    if wanted.clears:
        yield from _twice(wanted, phases, sheet, library)
    for phase in phases:
        for gap in (ENGAGED, NEAR) if phase == "fight" else (NEAR, ENGAGED):
            for foe in (TOUGH, FRAIL):
                for side, turn in ((HORDE, HORDE), (HORDE, "players"), ("p1", "players"), ("p1", HORDE)):
                    for seed in range(1, 1 + (RARE_SEEDS if wanted.rare else SEEDS)):
                        table = Table(wanted, sheet, library, side, gap, foe)
                        yield table.scenario((phase,), turn, seed)
    if not wanted.clears:
        yield from _twice(wanted, phases, sheet, library)


def _falling(wanted: Needs, sheet: Datasheet, library: Library) -> Iterator[Scenario]:
    """Yield situations in which enemies destroy the bearer, or the friends around it."""
    for led in (False, True):
        needed = replace(wanted, led=led or wanted.led)
        for phases, gap in ((("fight",), ENGAGED), (("shooting",), NEAR), (("shooting", "fight"), ENGAGED)):
            for side, turn in ((HORDE, "players"), ("p1", HORDE)):
                for foe in (FRAIL, TOUGH):
                    for seed in range(1, 1 + SEEDS):
                        table = Table(needed, sheet, library, side, gap, foe, deadly=True)
                        yield table.scenario(phases, turn, seed)


def _twice(wanted: Needs, phases: Sequence[str], sheet: Datasheet, library: Library) -> Iterator[Scenario]:
    """Yield situations of the same phase in two rounds, for what ends as the next one begins."""
    for side, turn in ((HORDE, HORDE), ("p1", "players")):
        for phase in phases:
            for gap in (NEAR, ENGAGED):
                yield Table(wanted, sheet, library, side, gap, TOUGH).scenario((phase, phase), turn, 1)


def _reserves(wanted: Needs, sheet: Datasheet, library: Library) -> Iterator[Scenario]:
    """Yield situations in which the bearer, a friend or an enemy begins in reserves."""
    first = ("deployed",) if wanted.deployed else ()
    for waiting in ("own", "rider", "", "foe"):
        for side, turn in ((HORDE, HORDE), ("p1", "players"), ("p1", HORDE)):
            for phases in (("movement",), ("movement", "charge"), ("charge",), ("scouts",)):
                for number in (2, 1):
                    table = Table(wanted, sheet, library, side, 3 * NEAR, TOUGH, waiting=waiting)
                    yield table.scenario((*first, *phases), turn, 1, number=number)


def _ride(wanted: Needs, sheet: Datasheet, library: Library, seed: int) -> Scenario:
    """Return a situation in which a friend leaves the bearer, which then shoots."""
    table = Table(wanted, sheet, library, "p1", 2 * NEAR, TOUGH, rides=True)
    leaves = {"unit": "rider", "decision": "disembark"}
    stays = {"unit": "own", "decision": "remain-stationary"}
    # What rides in AIRCRAFT gets out once these have flown.
    flies = {"unit": "own", "decision": "normal-move", "to": [(MIDDLE[0], MIDDLE[1] + FLIGHT)]}
    answers = [
        *((flies, leaves) if "AIRCRAFT" in sheet.keywords else (leaves, stays)),
        {"unit": "own", "decision": "shoot", "targets": "foe"},
    ]
    return table.scenario(("movement", "shooting"), "players", seed, answers)


@dataclass(frozen=True, slots=True)
class Table:
    """The units about a bearer of one datasheet."""

    wanted: Needs
    sheet: Datasheet
    library: Library
    side: str
    gap: float
    foe: dict[str, int]
    rides: bool = False
    apart: bool = False
    waiting: str = ""
    """Which unit waits in reserves…"""
    spawns: bool = False
    """…from which it spawns in a zone."""
    aboard: bool = False
    """Whether the bearer rides in a friend."""
    screened: bool = False
    """Whether a friend stands nearer to the enemies than the bearer."""
    deadly: bool = False
    """Whether the enemies destroy whom they attack, and strike first."""

    def scenario(
        self,
        phases: tuple[str, ...],
        turn: str,
        seed: int,
        answers: Sequence[dict[str, Any]] = (),
        number: int = 2,
        players: str = "autopilot",
    ) -> Scenario:
        """Return the situation in these phases of a side's turn."""
        data = {
            "title": f"{self.sheet.name} in {' and '.join(phases)} of the {turn}, {self.gap:g} inches away",
            "board": {"deployment": "dawn-of-war"}
            if self.wanted.deployed or self.spawns
            else {"deployment": "none", "size": BOARD},
            "side": turn,
            "step": phases,
            "round": number,
            "seed": seed,
            "players": players,
            "cp": {"p1": 3},
            "objective": [{"id": "marker", "at": MIDDLE}],
            "terrain": [] if self.wanted.deployed or self.spawns else [RUBBLE],
            "detachments": {"p1": self.wanted.army} if self.wanted.army else {},
            "spawn": [{"unit": "own", "zone": "S1"}] if self.spawns else [],
            "unit": [self._standing(each) for each in self._units()],
            "answer": list(answers),
            "expect": [{"event": "rolled"}],
        }
        return filled(Scenario, data, "a situation")

    def _standing(self, unit: dict[str, Any]) -> dict[str, Any]:
        """Return a unit as it stands, or as it waits in reserves with those that ride in it."""
        if self.aboard and unit["id"] == "friend":
            # Where the bearer rides there is a transport in its place.
            return {**unit, "at": [MIDDLE], "keywords": ["VEHICLE"], "transport": {"capacity": 20}}
        if self.spawns and "at" in unit and unit["id"] != "own":
            # Far from the Horde's zone, on the players' side.
            unit = {**unit, "at": [(x, BOARD[1] - y) for x, y in unit["at"]]}
        waits = self.waiting and self.waiting in (unit["id"], unit.get("attached_to"))
        if "at" not in unit or not (
            waits or (self.aboard and "own" in (unit["id"], unit.get("attached_to")))
        ):
            return unit
        left = {key: each for key, each in unit.items() if key not in ("at", "starting_models")}
        models = {"models": unit.get("starting_models", len(unit["at"]))}
        if self.aboard:
            return {**left, **models, "embarked_in": "friend"}
        return {**left, **models, **({} if self.spawns else {"state": ["in-reserves"]})}

    def _units(self) -> list[dict[str, Any]]:
        called = (*self.wanted.keywords, *(name.upper() for name in self.wanted.names))
        body, *leaders = bearers(self.sheet, self.library, called, led=self.wanted.led)
        radius = max(radius_of(each) for each in (body, *leaders))
        least = size_with(body, self.wanted.names)
        size = max((n for n in body.sizes if n <= MANY), default=least) if self.wanted.loses else least
        left = size if self.wanted.whole else max((size - 1) // 2 if self.wanted.few else size - 1, 1)
        counts = [leader.sizes[0] for leader in leaders]
        places = packed(MIDDLE, left + sum(counts), radius, BOARD)
        own = self._printed("own", body, places[:left])
        if size > 1:
            own["starting_models"] = size
        units = [own]
        for i, leader in enumerate(leaders):
            first = left + sum(counts[:i])
            one = self._printed(f"leader-{i}", leader, places[first : first + counts[i]])
            units.append({**one, "attached_to": "own"})
        return [*units, *self._others(places, radius)]

    def _printed(self, name: str, sheet: Datasheet, places: Sequence[tuple[float, ...]]) -> dict[str, Any]:
        unit: dict[str, Any] = {"id": name, "side": self.side, "datasheet": sheet.id, "at": list(places)}
        unit["state"] = [*(["charged"] if self.wanted.charged else ()), *self.wanted.states]
        if self.wanted.abilities:
            unit["abilities"] = list(self.wanted.abilities)
        if sheet.id == self.sheet.id:
            unit["wargear"] = wargear_of(sheet, self.wanted.items, armed=self.wanted.armed)
        wounds = max((profile.characteristics.get("W", 1) for profile in sheet.profiles), default=1)
        lost = wounds - 1 if self.wanted.damaged or self.deadly else 1
        return {**unit, "wounds_lost": lost} if wounds > 1 else unit

    def _others(self, places: Sequence[tuple[float, ...]], radius: float) -> Iterator[dict[str, Any]]:
        """Yield the enemies and friends around the bearer, with all the keywords that are asked for.

        One of each side is Battle-shocked, and one enemy without those keywords is far off.
        """
        enemy = "p1" if self.side == HORDE else HORDE
        own = 32 / MM / 2
        x, top = max(places, key=lambda at: at[1])[:2]
        low_x, low = min(places, key=lambda at: at[1])[:2]
        reach = radius + own
        row = 1 if self.foe is FRAIL else 3
        foe = self._plain("foe", enemy, [(x + i * 1.5, top + reach + self.gap) for i in range(row)])
        more = {"starting_models": 8} if row > 1 else {}
        more |= {"state": ["charged"]} if self.deadly else {}
        profile = self.foe | ({"Ld": AFRAID} if self.wanted.afraid else {})
        yield {**foe, "keywords": self.wanted.others, "characteristics": profile, **more}
        shaken = self._plain("shaken", enemy, [(x - 2 - i * 1.5, top + reach + self.gap) for i in range(2)])
        yield {**shaken, "keywords": self.wanted.others, "state": ["battle-shocked"]}
        yield self._plain("far", enemy, [(x + 10 + i * 1.5, min(top + FAR, BOARD[1] - 1)) for i in range(3)])
        faction = [word.upper() for word in self.sheet.faction_keywords]
        words = [*self.wanted.others, *faction]
        below = [(low_x + i * 1.5, low - reach - 1) for i in range(2)]
        if not self.apart:
            friend = self._plain("friend", self.side, below)
            # One of its models has been destroyed.
            yield {**friend, "keywords": words, "state": ["battle-shocked"], "starting_models": 3}
        if self.apart:
            return
        beside = (x + 5.5, top + reach + self.gap) if self.screened else (low_x + 6, low - reach - 1)
        rider = self._plain("rider", self.side, [(beside[0] + i * 1.5, beside[1]) for i in range(2)])
        if self.rides or (self.waiting == "own" and self.sheet.transport is not None):
            rider = {**rider, "embarked_in": "own", "models": 2}
            del rider["at"]
        yield {**rider, "keywords": words}

    def _plain(self, name: str, side: str, places: list[tuple[float, float]]) -> dict[str, Any]:
        guns = {**GUN, "keywords": [f"{word} 2" if word in NUMBERED else word for word in self.wanted.weapon]}
        force = DEADLY if self.deadly and side != self.side else {}
        return {
            "id": name,
            "side": side,
            "at": places,
            "keywords": ["INFANTRY"],
            "abilities": list(self.wanted.gifts),
            "characteristics": TOUGH,
            # A weapon without the abilities that are asked for stands beside the one that has them.
            "weapons": [
                {**GUN, **force},
                *([{**guns, "name": "other gun"}] if self.wanted.weapon else []),
                *([{**GUN, "name": "strong gun", "S": 20}] if self.wanted.strong else []),
                *([{**GUN, "name": "cruel gun", **CRUEL}] if self.wanted.mortal else []),
                {**BLADE, **force},
            ],
        }


def _asks_army(rule: Rule, text: str) -> bool:
    """Return whether a record needs an army's rule: all of it, or for what that marks."""
    return rule.needs == "army rule" or "is_marked(" in text


def _detachment(rule: Rule, library: Library) -> str:
    """Return a detachment with rules of the faction of a record's datasheets, "" for none."""
    factions = {sheet.partition("/")[0] for sheet in rule.datasheets}
    fielded = (each for each in library.rules() if each.detachment and factions & {*each.factions})
    return next((each.detachment for each in fielded), "")


def _picks(rule: Rule, library: Library) -> str:
    """Return the clause of the army rule that picks a unit for these datasheets, "" for none."""
    factions = {sheet.partition("/")[0] for sheet in rule.datasheets}
    of_army = (each for each in library.rules() if "army" in each.tags and factions & {*each.factions})
    return next((each.clause for each in of_army if any(when.pick for when in each.when)), "")


def texts(part: Any) -> Iterator[str]:
    """Yield every text in plain data."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        yield from (text for each in part.values() for text in texts(each))
    elif isinstance(part, (list, tuple)):
        yield from (text for each in part for text in texts(each))
