"""All that a player may know of a unit: profiles, weapons, abilities, effects, its deeds.

It is the same for every seat: what a unit has is open to all. Drawn by the window, printed by the terminal.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from datasheets.schema import Status
from engine.core.facts import ModelFacts, WeaponFacts
from engine.core.state import State, Unit
from engine.records.question import changed
from engine.w40k.acting import Acting, Shift
from engine.w40k.numbers import NUMBERS
from viewer.story.knowledge import Knowledge
from viewer.story.name import count, inches, plain, seat_name, title, unit_name
from viewer.story.role import role_of
from viewer.story.tally import Deeds

CHARACTERISTICS = ("M", "T", "Sv", "Inv", "FNP", "W", "Ld", "OC")
_NUMBERS = {
    "M": "unit.move",
    "T": "model.toughness",
    "Sv": "model.save",
    "Inv": "model.invulnerable",
    "FNP": "model.feel-no-pain",
    "Ld": "unit.leadership",
    "OC": "model.oc",
}
_UNITS = {"M": "″", "Sv": "+", "Inv": "+", "FNP": "+", "Ld": "+"}
_STATUSES: dict[Status, str] = {
    "unmodelled": "not simulated",
    "waiting": "waits for its army rule",
    "no effect": "no effect in battle",
}
CAP = 1.0
_SAID = {
    "attack.hit-modifier": "to hit",
    "attack.wound-modifier": "to wound",
    "roll.advance-modifier": "to Advance",
    "roll.charge-modifier": "to charge",
    "unit.battle-shock-modifier": "to Battle-shock tests",
    "roll.armour-modifier": "to armour saves",
    "weapon.attacks-modifier": "Attacks",
    "weapon.strength": "Strength",
    "weapon.ap": "AP",
    "weapon.damage-modifier": "Damage",
    "weapon.damage": "Damage",
    "weapon.range": "range",
    "weapon.skill": "skill",
    "unit.move": "Move",
    "model.toughness": "Toughness",
    "model.save": "Save",
    "model.invulnerable": "invulnerable save",
    "model.feel-no-pain": "Feel No Pain",
    "model.last-attack": "attacks before it is removed on",
    "model.last-shots": "shoots before it is removed on",
    "model.oc": "OC",
    "unit.leadership": "Leadership",
}


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is now, and whether that is better (1) or worse (-1) than printed."""

    name: str
    now: str
    printed: str
    better: int = 0


@dataclass(frozen=True, slots=True)
class Profile:
    """Models of one kind: how many live, and their characteristics."""

    name: str
    alive: int
    numbers: tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class WeaponLine:
    """A weapon profile that living models carry."""

    count: int
    name: str
    melee: bool
    reach: str
    numbers: tuple[Number, ...]
    """A, skill, S, AP and D."""
    keywords: tuple[str, ...]
    granted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Effect:
    """What acts on the unit now: good (1), bad (-1) or neither (0), its name, and what it does."""

    sign: int
    name: str
    says: str
    until: str = ""


@dataclass(frozen=True, slots=True)
class AbilityLine:
    """An ability of its datasheet: name, what it does, whether it acts now, why it never does."""

    name: str
    says: str
    acts: bool
    missing: str = ""


@dataclass(frozen=True, slots=True)
class UnitCard:
    """A unit's card."""

    id: str
    name: str
    side: str
    role: str
    subtitle: str
    keywords: str
    profiles: tuple[Profile, ...]
    wounds: tuple[tuple[int, int], ...]
    """Of each living model, the wounds left and the wounds at first."""
    lost: int
    """How many models are destroyed."""
    weapons: tuple[WeaponLine, ...]
    effects: tuple[Effect, ...]
    abilities: tuple[AbilityLine, ...]
    deeds: tuple[str, ...]


def unit_card(
    state: State, unit: Unit, knowledge: Knowledge, deeds: Deeds | None = None, *, now: bool = False
) -> UnitCard:
    """Return a unit's card; `now`: the state is the battle's latest, whose rules are known."""
    acting = knowledge.acting(unit.id) if now else ()
    own = [part.name for part in unit.facts.parts]
    owner = "Horde" if unit.side == "horde" else seat_name(state, unit.player)
    owner = "" if unit.side == "players" and len(state.players) == 1 else owner
    points = f"{unit.facts.points} points" if unit.facts.points else ""
    bracket = f"bracket {unit.facts.bracket}" if unit.facts.bracket else ""
    where = "" if unit.where == "table" else unit.where
    words = sorted({k for part in unit.facts.parts for k in part.keywords})
    return UnitCard(
        id=unit.id,
        name=unit_name(state, unit.id) if unit.id in state.position.units else unit.name,
        side=unit.side,
        role=role_of(unit.facts),
        subtitle=" · ".join(filter(None, (owner, _size(state, unit), points, bracket, where))),
        keywords=", ".join(_capital(word) for word in words),
        profiles=tuple(_profiles(unit, knowledge, now=now, several=len(own) > 1)),
        wounds=_wounds(state, unit),
        lost=len(unit.facts.models) - len(unit.rows),
        weapons=tuple(_weapons(unit, knowledge, acting, now=now)),
        effects=tuple(_effects(unit, acting)),
        abilities=tuple(_abilities(unit, knowledge, acting)),
        deeds=deeds.sentences(state, unit.id) if deeds is not None else (),
    )


def _size(state: State, unit: Unit) -> str:
    """Return how many models a unit has left; of one model its wounds."""
    if len(unit.facts.models) > 1 or not unit.rows:
        return f"{len(unit.rows)} of {count(len(unit.facts.models), 'model')}"
    (left, full) = _wounds(state, unit)[0]
    return f"{left} of {count(full, 'wound')}"


def _wounds(state: State, unit: Unit) -> tuple[tuple[int, int], ...]:
    """Return of each living model the wounds left and at first; of a unit still to come, all."""
    full = {model.row: model.characteristics.get("W", 1) for model in unit.facts.models}
    if unit.id not in state.position.units:
        return tuple((full[row], full[row]) for row in unit.rows)
    return tuple((state.position.models[row].wounds, full[row]) for row in unit.rows)


def _capital(keyword: str) -> str:
    return " ".join(word.capitalize() for word in keyword.split())


# profiles


def _profiles(unit: Unit, knowledge: Knowledge, *, now: bool, several: bool) -> list[Profile]:
    """Return the kinds of model with their characteristics, those with the same as one."""
    groups: dict[tuple[object, ...], list[ModelFacts]] = {}
    for model in unit.facts.models:
        key = (model.part if several else 0, tuple(sorted(model.characteristics.items())))
        groups.setdefault(key, []).append(model)
    found = []
    for models in groups.values():
        alive = [model.row for model in models if model.row in unit.rows]
        acting = knowledge.acting(unit.id, alive[0]) if now and alive else ()
        shifts = [shift for each in acting for shift in each.changes]
        names = Counter(model.name for model in models)
        part = models[0].part
        abilities = unit.facts.parts[part].abilities if part < len(unit.facts.parts) else ()
        numbers = _numbers(models[0].characteristics, abilities, shifts)
        found.append(Profile(names.most_common(1)[0][0], len(alive), numbers))
    return found


def _numbers(printed: dict[str, int], abilities: tuple[str, ...], shifts: list[Shift]) -> tuple[Number, ...]:
    values: dict[str, int] = dict(printed)
    for ability in abilities:
        if ability.startswith("feel no pain "):
            values["FNP"] = int(ability.rsplit(" ", 1)[1].rstrip("+"))
    found = []
    for name in CHARACTERISTICS:
        number = _NUMBERS.get(name, "")
        of_it = [(shift.how, shift.by) for shift in shifts if shift.number == number]
        if name not in values and not of_it:
            continue
        base = values.get(name, 7)
        after = changed(NUMBERS[number], base, of_it, CAP) if of_it and number else float(base)
        unit = _UNITS.get(name, "")
        better = (after > base) - (after < base)
        better *= -1 if number and NUMBERS[number].lower_is_better else 1
        shown = f"{base}{unit}" if name in values else "–"
        found.append(Number(name, f"{after:g}{unit}", shown, better))
    return tuple(found)


# weapons


def _weapons(unit: Unit, knowledge: Knowledge, acting: tuple[Acting, ...], *, now: bool) -> list[WeaponLine]:
    carried: Counter[int] = Counter()
    bearer: dict[int, int] = {}
    for model in unit.facts.models:
        if model.row in unit.rows:
            for index in model.weapons:
                carried[index] += 1
                bearer.setdefault(index, model.row)
    shifts = [shift for each in acting for shift in each.changes]
    found = []
    for index in sorted(carried, key=lambda i: (unit.weapon(i).is_melee, i)):
        weapon = unit.weapon(index)
        known = knowledge.keywords(unit.id, bearer[index], index) if now else None
        granted = tuple(k for k in known or () if k not in weapon.keywords)
        own = [shift for shift in shifts if shift.melee in (None, weapon.is_melee)]
        reach = "melee" if weapon.range is None else inches(weapon.range)
        numbers = _weapon_numbers(weapon, own)
        found.append(
            WeaponLine(carried[index], weapon.name, weapon.is_melee, reach, numbers, weapon.keywords, granted)
        )
    return found


def _weapon_numbers(weapon: WeaponFacts, shifts: list[Shift]) -> tuple[Number, ...]:
    skill = "WS" if weapon.is_melee else "BS"
    shown = "auto" if weapon.skill is None else f"{weapon.skill}+"
    return (
        _added("A", weapon.attacks, "weapon.attacks-modifier", shifts),
        _shifted(skill, weapon.skill, shown, "weapon.skill", shifts, "+"),
        _shifted("S", weapon.strength, str(weapon.strength), "weapon.strength", shifts),
        _shifted("AP", weapon.ap, _minus(weapon.ap), "weapon.ap", shifts),
        _added("D", weapon.damage, "weapon.damage-modifier", shifts),
    )


def _shifted(
    name: str, base: int | str | None, printed: str, number: str, shifts: list[Shift], after: str = ""
) -> Number:
    of_it = [(shift.how, shift.by) for shift in shifts if shift.number == number]
    if not of_it or not isinstance(base, int):
        return Number(name, printed, printed)
    value = changed(NUMBERS[number], base, of_it, CAP)
    better = (value > base) - (value < base)
    better *= -1 if NUMBERS[number].lower_is_better else 1
    return Number(name, f"{_minus(round(value))}{after}", printed, better)


def _added(name: str, printed: str, number: str, shifts: list[Shift]) -> Number:
    """Return a number that may be dice, with what is added to it."""
    more = round(sum(shift.by for shift in shifts if shift.number == number and shift.how == "add"))
    if not more:
        return Number(name, printed, printed)
    whole = int(printed) + more if printed.isdigit() else None
    shown = f"{whole}" if whole is not None else f"{printed}{more:+d}".replace("-", "−")
    return Number(name, shown, printed, 1 if more > 0 else -1)


def _minus(value: int) -> str:
    return f"{value}".replace("-", "−")


# effects and abilities


def _effects(unit: Unit, acting: tuple[Acting, ...]) -> list[Effect]:
    found = []
    if "battle-shocked" in unit.marks:
        found.append(
            Effect(-1, "Battle-shocked", "OC 0, no Stratagems on it", "until its next Command phase")
        )
    for each in acting:
        words = ", ".join([*(_shift_words(shift) for shift in each.changes), *map(_gift_words, each.gives)])
        found.append(Effect(each.sign, each.name, words or each.summary, _until(each.until)))
    return found


def _shift_words(shift: Shift) -> str:
    said = _SAID.get(shift.number, plain(shift.number.replace(".", " ")))
    when = "" if shift.melee is None else " in melee" if shift.melee else " when shooting"
    if "reroll" in shift.number:
        what = shift.number.rpartition("reroll-")[2]
        which = "1s" if shift.by == 1 else "rolls"
        return f"re-roll {what} {which}{when}"
    if shift.how in ("add", "improve", "worsen"):
        by = -shift.by if shift.how == "worsen" else shift.by
        return f"{by:+g} {said}{when}".replace("-", "−")
    if shift.how in ("set", "at_most") and NUMBERS[shift.number].lower_is_better:
        return f"{said} {shift.by:g}+{when}"
    if shift.how == "set":
        return f"{said} {shift.by:g}{when}"
    if shift.how == "multiply":
        return f"{said} × {shift.by:g}{when}"
    return f"{said} {plain(shift.how)} {shift.by:g}{when}"


def _gift_words(given: str) -> str:
    return plain(given) if not given.startswith("no ") else f"no {plain(given.removeprefix('no '))}"


def _until(moment: str) -> str:
    if not moment or moment == "battle":
        return ""
    return f"until the end of the {moment}" if moment in ("phase", "turn", "round") else f"until {moment}"


def _abilities(unit: Unit, knowledge: Knowledge, acting: tuple[Acting, ...]) -> list[AbilityLine]:
    acts = {each.rule for each in acting}
    found: dict[str, AbilityLine] = {}
    for part in unit.facts.parts:
        known = knowledge.abilities(part)
        for each in known:
            rules = [rule for rule in map(knowledge.rule, each.rules) if rule is not None]
            says = " ".join(rule.summary for rule in rules) or knowledge.clause(each.clause)
            missing = _STATUSES.get(each.status, "")
            line = AbilityLine(
                each.name[:1].upper() + each.name[1:], says, bool(acts & set(each.rules)), missing
            )
            found.setdefault(each.name, line)
        if not known:
            for name in part.abilities:
                found.setdefault(name, AbilityLine(title(name), "", acts=False))
            for name in part.unmodelled:
                found.setdefault(name, AbilityLine(name, "", acts=False, missing="not simulated"))
    return sorted(found.values(), key=lambda line: (not line.acts, bool(line.missing)))
