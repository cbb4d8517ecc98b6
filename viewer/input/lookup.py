"""What a person looks up while a question waits: cards, odds, the secret, the mission.

Owns the words of these talks, the same in terminal and window. Nothing here answers the question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from datasheets.errors import UnknownName, unknown
from engine.core.request import AnyRequest, Line
from engine.core.state import Unit
from engine.w40k.view import View
from geometry.measure.distance import within
from viewer.input.odds import wounds_of
from viewer.story.card_lines import card_lines, goal_line
from viewer.story.goal import Sight, goals
from viewer.story.knowledge import Knowledge
from viewer.story.live import summaries
from viewer.story.name import Names, count, listed, title, unit_meant, unit_name
from viewer.story.unit_card import unit_card

CARD, ODDS, SECRET, MISSION = "card", "odds", "secret", "mission"
WORDS = (CARD, ODDS, SECRET, MISSION)
"""The first words of what may be looked up."""
NEAREST = 6
"""The most targets whose odds are shown at once."""


def looked_up(view: View, request: AnyRequest, text: str, knowledge: Knowledge) -> str:
    """Return what a line looks up, "" where it looks up nothing."""
    word, _, name = text.strip().partition(" ")
    found: dict[str, Callable[[], Iterator[str]]] = {
        CARD: lambda: _card(knowledge, _meant(view, request, name, _coming(view, knowledge))),
        ODDS: lambda: _odds(view, request, name),
        SECRET: lambda: _secret(view, knowledge),
        MISSION: lambda: _mission(view, knowledge),
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


def _coming(view: View, knowledge: Knowledge) -> list[Unit]:
    """Return the units of the armies that are not set up yet."""
    units = view.field.position.units
    found = (knowledge.coming(facts.id) for facts in knowledge.mustered if facts.id not in units)
    return [unit for unit in found if unit is not None]


def _meant(view: View, request: AnyRequest, name: str, coming: Sequence[Unit] = ()) -> Unit:
    """Return the unit that a word means, the one asked about for none. Raises UnknownName."""
    known = {unit.id: unit for unit in (*_units(view), *coming)}
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


def _card(knowledge: Knowledge, unit: Unit) -> Iterator[str]:
    if knowledge.game is not None:
        yield from card_lines(unit_card(knowledge.game.state, unit, knowledge, now=True))


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


def _goals(view: View, knowledge: Knowledge, *kinds: str) -> Iterator[str]:
    """Yield the cards in play of some kinds, as the seat may know them. Rule: PLAY.9"""
    if knowledge.game is None:
        return
    state, sight = knowledge.game.state, Sight((view.seat,), view.seat, peeks=True)
    says = summaries(knowledge.game.rulebook.rules)
    found = [goal for goal in goals(state, says, knowledge, sight, now=True) if goal.kind in kinds]
    yield from map(goal_line, found)


def _secret(view: View, knowledge: Knowledge) -> Iterator[str]:
    """Yield the seat's own secrets: what each asks, and how far it has come. Rule: PLAY.9"""
    found = list(_goals(view, knowledge, "secret"))
    yield from found or ["You have no secret objective."]


def _mission(view: View, knowledge: Knowledge) -> Iterator[str]:
    """Yield the missions and misery cards in play, and the markers that each side holds."""
    for deck, kind, words in (("secondary", "mission", "Mission"), ("misery", "misery", "Misery")):
        yield from _goals(view, knowledge, kind) if view.active(deck) else [f"{words}: none in play"]
    held: dict[str, list[str]] = {"players": [], "horde": [], "": []}
    for name, marker in view.objectives.items():
        held[marker.by].append(name)
    for side, words in (("players", "Yours"), ("horde", "The Horde's"), ("", "Nobody's")):
        if held[side]:
            yield f"{words}: {listed(held[side])}"
    for player in view.players.values():
        saved = f", saved: {listed([title(card) for card in player.saved])}" if player.saved else ""
        yield f"{player.facts.name}: {player.cp} CP, {player.sp} SP{saved}"
