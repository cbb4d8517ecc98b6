"""What a unit of a scenario may say of itself: its characteristics, weapons and abilities.

Owns the refusal of a word or number that the engine would take for something else, or for nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from datasheets.ability import simulated
from datasheets.scenario import ScenarioWeapon, Unit
from engine.scenario.ability import AURAS, SPECIAL

Fault = tuple[str, str]
LOWEST = {"M": 0, "T": 1, "Sv": 1, "W": 1, "Ld": 1, "OC": 0, "Inv": 1}
"""The characteristics of a model, and how low each may be."""
HIGHEST = 999
AMOUNT = r"(\d{1,3}|\d{0,2}d[1-9]\d?(\+\d{1,3})?)"
PLAIN = (
    *("assault", "blast", "devastating wounds", "extra attacks", "hazardous", "heavy", "ignores cover"),
    *("indirect fire", "lance", "lethal hits", "one shot", "pistol", "precision", "psychic", "torrent"),
    "twin-linked",
)
NUMBERED = ("melta", "rapid fire", "sustained hits")
WEAPON_ABILITY = re.compile(
    rf"({'|'.join(PLAIN)}|({'|'.join(NUMBERED)}) {AMOUNT}|anti-[a-z][a-z '-]* [2-6]\+)", re.IGNORECASE
)
ABILITY = {
    "feel no pain": r" [2-6]\+?",
    "invulnerable": r"( save)? [2-6]\+?",
    "scouts": r' \d{1,2}"?',
    "firing deck": r" \d{1,2}",
    "deadly demise": f" {AMOUNT}",
}
"""What follows an ability that has a number; nothing follows the others."""
EXAMPLE = {
    "feel no pain": "5+",
    "invulnerable": "4+",
    "scouts": "6",
    "firing deck": "2",
    "deadly demise": "D3",
}
SMALLEST, LARGEST = 0.05, 60.0
"""The shortest and the longest a base may be, in inches."""


def own_faults(unit: Unit) -> Iterator[Fault]:
    """Yield what is wrong with what a unit says of itself, by its key, with what to do about it."""
    for name, value in unit.characteristics.items():
        if name not in LOWEST:
            yield (
                f"characteristics.{name}",
                f"there is no characteristic '{name}'; there is {', '.join(LOWEST)}",
            )
        elif not LOWEST[name] <= value <= HIGHEST:
            yield f"characteristics.{name}", f"{name} is {LOWEST[name]} to {HIGHEST}, not {value}"
    for i, weapon in enumerate(unit.weapons or ()):
        for key, mend in _weapon_faults(weapon):
            yield f"weapons.{i}.{key}", mend
    if unit.weapons_of and unit.weapons is None and not unit.datasheet:
        yield "weapons_of", "says which of the unit's own weapons each model has; say weapons too"
    for word in unit.abilities or ():
        if mend := _ability_fault(word):
            yield "abilities", mend
    if unit.base is not None and not all(SMALLEST <= length <= LARGEST for length in unit.base.size):
        yield (
            "base",
            f"a base is {SMALLEST:g} to {LARGEST:g} inches long; check whether it is in mm or in inches",
        )


def _weapon_faults(weapon: ScenarioWeapon) -> Iterator[Fault]:
    for key, amount in (("A", weapon.attacks), ("D", weapon.damage)):
        if not re.fullmatch(AMOUNT, str(amount).replace(" ", ""), re.IGNORECASE):
            yield key, f"'{amount}' is no amount; write 3, D6 or 2D3+1"
    if weapon.range != "melee" and weapon.range < 0:
        yield "range", f'a range is a number of inches, or "melee", not {weapon.range:g}'
    for key, skill in (("BS", weapon.ballistic), ("WS", weapon.skill)):
        if skill is not None and not 1 <= skill <= 7:
            yield key, f"say the roll that hits, as 3 for 3+, not {skill}"
    if isinstance(weapon.strength, str) and not re.fullmatch(AMOUNT, weapon.strength, re.IGNORECASE):
        yield "S", f"'{weapon.strength}' is no Strength; write 8 or D6+6"
    if isinstance(weapon.strength, int) and not 1 <= weapon.strength <= HIGHEST:
        yield "S", f"a Strength is 1 to {HIGHEST}, not {weapon.strength}"
    for word in weapon.keywords:
        if not WEAPON_ABILITY.fullmatch(word):
            yield "keywords", _no_weapon_ability(word)


def _no_weapon_ability(word: str) -> str:
    """Return what to write instead of a weapon's word."""
    plain = word.lower()
    if plain.startswith("anti-"):
        return f"'{word}' needs a keyword and a roll, as in 'anti-infantry 4+'"
    for name in NUMBERED:
        if plain.startswith(name):
            return f"'{word}' needs a number, as in '{name} 2'"
    known = ", ".join(sorted((*PLAIN, *NUMBERED, "anti-")))
    return f"'{word}' is not simulated yet; there is {known}"


def _ability_fault(word: str) -> str:
    """Return what to write instead of a word of a unit's abilities, "" where it is one."""
    if word in (*SPECIAL, *AURAS):
        return ""
    plain = word.replace("-", " ").lower()
    known = (*simulated(), "invulnerable")
    name = next((each for each in known if plain == each or plain.startswith(f"{each} ")), "")
    if not name:
        listed = ", ".join((*(each.replace(" ", "-") for each in known), *SPECIAL, *AURAS))
        return f"'{word}' is not simulated yet; there is {listed}"
    if re.fullmatch(ABILITY.get(name, ""), plain.removeprefix(name)):
        return ""
    wanted = f"{name.replace(' ', '-')} {EXAMPLE[name]}" if name in EXAMPLE else name.replace(" ", "-")
    return f"'{word}' is written '{wanted}'"
