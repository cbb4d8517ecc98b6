"""What a person looks up while a question waits: cards, odds, the secret, the mission.

Owns the words of these talks, the same in terminal and window. Nothing here answers the question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from ai.reckoning.expectation import models_of
from datasheets.errors import UnknownName, unknown
from engine.core.facts import WeaponFacts
from engine.core.marks import BESTOWED, GIVEN_BY
from engine.core.request import AnyRequest, Line
from engine.core.state import Unit
from engine.w40k.view import View
from geometry.measure.distance import within
from viewer.input.odds import wounds_of
from viewer.story.name import Names, count, listed, plain, title, unit_meant, unit_name

CARD, ODDS, SECRET, MISSION = "card", "odds", "secret", "mission"
WORDS = (CARD, ODDS, SECRET, MISSION)
"""The first words of what may be looked up."""
NEAREST = 6
"""The most targets whose odds are told at once."""


def looked_up(view: View, request: AnyRequest, text: str) -> str:
    """Return what a line looks up, "" where it looks up nothing."""
    word, _, name = text.strip().partition(" ")
    found: dict[str, Callable[[], Iterator[str]]] = {
        CARD: lambda: _card(view, _meant(view, request, name)),
        ODDS: lambda: _odds(view, request, name),
        SECRET: lambda: _secret(view),
        MISSION: lambda: _mission(view),
    }
    look = found.get(word.lower())
    if look is None or (name and word.lower() in (SECRET, MISSION)):
        return ""
    try:
        return "".join(f"  {line}\n" for line in look())
    except UnknownName as fault:
        return f"  {fault}\n"


def _units(view: View) -> list[Unit]:
    """Return every unit that the seat knows and that is not destroyed."""
    return [unit for unit in view.field.position.units.values() if unit.rows]


def _names(view: View) -> Names:
    return Names(view.field.position, view.players, view.ruleset)


def _meant(view: View, request: AnyRequest, name: str) -> Unit:
    """Return the unit that a word means, the one asked about for none. Raises UnknownName."""
    known = {unit.id: unit for unit in _units(view)}
    if not name and request.unit in known:
        return known[request.unit]
    meant = unit_meant(_names(view), known, name)
    if meant not in known:
        # The beginning of a name is enough where one unit alone has it.
        begun = [unit.id for unit in known.values() if unit.name.lower().startswith(name.lower())]
        if not name or len(begun) != 1:
            raise unknown(name, [known[each].name for each in begun or known], "unit")
        meant = begun[0]
    return known[meant]


# a unit's card


def _card(view: View, unit: Unit) -> Iterator[str]:
    whose = "the Horde's" if unit.side == "horde" else unit.player
    where = "" if unit.where == "table" else f", {unit.where}"
    size = f"{len(unit.rows)} of {count(len(unit.facts.models), 'model')}"
    name = unit_name(_names(view), unit.id)
    yield f"{name} [{unit.id}], {whose}: {size}, {unit.facts.points} points{where}"
    yield from _profiles(unit)
    yield f"  Wounds left: {', '.join(str(view.wounds(row)) for row in unit.rows)}"
    yield from _weapons(view, unit)
    yield from _abilities(view, unit)
    acting = list(_acting(view, unit))
    yield f"  In force on it: {'; '.join(acting) or 'nothing'}"


def _profiles(unit: Unit) -> Iterator[str]:
    """Yield each profile once, with the number of its models."""
    marks = {"M": '"', "Sv": "+", "Ld": "+", "Inv": "+"}
    found: Counter[tuple[str, str]] = Counter()
    for model in models_of(unit):
        numbers = (f"{key} {value}{marks.get(key, '')}" for key, value in model.characteristics.items())
        found[model.name, ", ".join(numbers)] += 1
    yield from (f"  {number} × {name}: {numbers}" for (name, numbers), number in found.items())


def _weapons(view: View, unit: Unit) -> Iterator[str]:
    for melee in (False, True):
        carried = Counter(place for _, place, _ in view.weapons(unit, melee))
        for place, number in sorted(carried.items()):
            yield f"  {number} × {_weapon(unit.weapon(place))}"


def _weapon(weapon: WeaponFacts) -> str:
    reach = "melee" if weapon.range is None else f'{weapon.range:g}"'
    skill = "hits by itself" if weapon.skill is None else f"{weapon.skill}+"
    words = f" [{', '.join(weapon.keywords)}]" if weapon.keywords else ""
    profile = f"A {weapon.attacks}, {skill}, S {weapon.strength}, AP {weapon.ap}, D {weapon.damage}"
    return f"{weapon.name}: {reach}, {profile}{words}"


def _abilities(view: View, unit: Unit) -> Iterator[str]:
    """Yield each part's abilities: core ones, those simulated with what they do, the others."""
    for part in unit.facts.parts:
        if part.abilities:
            yield f"  {part.name}: {', '.join(part.abilities)}"
        for rule in part.rules:
            yield f"  {title(rule)}: {view.rule_summary(rule) or 'simulated'}"
        if part.unmodelled:
            yield f"  Not simulated of {part.name}: {', '.join(part.unmodelled)}"


def _acting(view: View, unit: Unit) -> Iterator[str]:
    """Yield what was put on the unit for a while, with its end."""
    for key, (value, until) in unit.marks.values.items():
        if key.startswith(BESTOWED):
            rule = key.removeprefix(BESTOWED).partition(GIVEN_BY)[0]
            giver = str(value)
            by = f", by {unit_name(_names(view), giver)}" if giver in view.field.position.units else ""
            yield f"{title(rule)} (until the end of the {until}{by}): {view.rule_summary(rule)}"
        elif key in ("battle-shocked", "doctrine"):
            yield plain(key) if value is True else f"{plain(key)} {value}"


# odds


def _odds(view: View, request: AnyRequest, name: str) -> Iterator[str]:
    """Yield what the unit asked about does on average to an enemy, or to the nearest ones."""
    own = next((unit for unit in view.units() if unit.id == request.unit), None)
    if own is None:
        yield "No unit on the battlefield is asked about: odds are told as one attacks or charges."
        return
    if name:
        targets = [_meant(view, request, name)]
    else:
        targets = sorted(view.enemies(own), key=lambda each: (view.gap(own, each), each.id))[:NEAREST]
    melee = view.phase in ("fight", "charge")
    for target in targets:
        if target.where == "table" and target.side != own.side:
            yield from _against(view, own, target, melee)
        else:
            yield f"{target.name} is no enemy on the battlefield."
    if not targets:
        yield "There is no enemy on the battlefield."


def _against(view: View, own: Unit, target: Unit, melee: bool) -> Iterator[str]:
    """Yield the wounds and kills of each weapon on a target, from where both stand."""
    gaps, found = view.gaps(own, target).min(axis=1), dict[str, float]()
    covered = frozenset[int]() if melee else view.covered(own, target)
    seen = melee or bool(view.visible(own, target).any())
    for row, place, weapon in view.weapons(own, melee):
        apart, reach = float(gaps[own.rows.index(row)]), view.reach(own, weapon)
        if melee or (seen and bool(within(apart, reach))):
            line = Line(model=row, weapon=place, targets=(target.id,))
            damage = wounds_of(view, own, line, target.id, melee)
            found[weapon.name] = found.get(weapon.name, 0.0) + damage
    left = sum(view.wounds(row) for row in target.rows)
    each = left / len(target.rows)
    hidden = "" if seen else ", not in sight"
    sheltered = f", cover for {len(covered)}" if covered else ""
    yield (
        f'{unit_name(_names(view), target.id)}: {view.gap(own, target):.1f}" away{hidden}{sheltered}, '
        f"{count(len(target.rows), 'model')}, {count(left, 'wound')} left"
    )
    for weapon_name, damage in found.items():
        wounds = min(damage, left)
        yield f"    {weapon_name}: {wounds:.1f} wounds, {wounds / each:.1f} kills"
    if not found:
        yield "    no weapon reaches it"


# cards


def _secret(view: View) -> Iterator[str]:
    """Yield the seat's own secrets: what each asks, and whether it is met. Rule: PLAY.9"""
    player = view.players.get(view.seat)
    if player is None or not player.secrets:
        yield "You have no secret objective."
        return
    for card in player.secrets:
        done = ", met" if card in player.completed else ", shown" if card in player.revealed else ""
        yield f"{title(card)}{done}: {view.rule_summary(card)}"


def _mission(view: View) -> Iterator[str]:
    """Yield the missions and misery cards in play, and the markers that each side holds."""
    for deck, words in (("secondary", "Mission"), ("misery", "Misery")):
        cards = view.active(deck)
        for card in cards:
            yield f"{words}: {title(card)}: {view.rule_summary(card)}"
        if not cards:
            yield f"{words}: none in play"
    held: dict[str, list[str]] = {"players": [], "horde": [], "": []}
    for name, marker in view.objectives.items():
        held[marker.by].append(name)
    for side, words in (("players", "Yours"), ("horde", "The Horde's"), ("", "Nobody's")):
        if held[side]:
            yield f"{words}: {listed(held[side])}"
    for player in view.players.values():
        saved = f", saved: {listed([title(card) for card in player.saved])}" if player.saved else ""
        yield f"{player.facts.name}: {player.cp} CP, {player.sp} SP{saved}"
