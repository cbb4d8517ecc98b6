"""A unit's card and the cards in play as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.story.goal import Goal
from viewer.story.unit_card import AbilityLine, Effect, Number, UnitCard, WeaponLine

SIGNS = {1: "+", -1: "−", 0: "·"}


def card_lines(card: UnitCard) -> Iterator[str]:
    """Yield all that a unit's card tells, its name first."""
    yield f"{card.name} [{card.id}], {card.subtitle}"
    for profile in card.profiles:
        if profile.alive:
            yield f"  {profile.alive} × {profile.name}: {_numbers(profile.numbers)}"
    yield f"  Wounds left: {', '.join(str(left) for left, _ in card.wounds)}"
    yield from (f"  {_weapon(each)}" for each in card.weapons)
    yield from (f"  {_ability(each)}" for each in card.abilities if not each.missing)
    missing: dict[str, list[str]] = {}
    for each in card.abilities:
        if each.missing:
            missing.setdefault(each.missing, []).append(each.name)
    yield from (f"  {why[:1].upper()}{why[1:]}: {', '.join(names)}" for why, names in missing.items())
    if not card.effects:
        yield "  Acting on it now: nothing"
    yield from (f"  Acting on it now: {_effect(each)}" for each in card.effects)
    yield from (f"  {each}" for each in card.deeds)


def goal_line(goal: Goal) -> str:
    """Return a card in play: its kind, its name, how far it has come, what it asks."""
    kind = {"secret": "Secret", "mission": "Mission", "misery": "Misery"}[goal.kind]
    progress = f" ({goal.progress})" if goal.progress else ""
    return f"{kind}: {goal.name}{progress}: {goal.says}"


def _numbers(numbers: tuple[Number, ...]) -> str:
    return ", ".join(
        f"{each.name} {each.now}" + (f" (printed {each.printed})" if each.now != each.printed else "")
        for each in numbers
    )


def _weapon(line: WeaponLine) -> str:
    words = (*line.keywords, *line.granted)
    keywords = f" [{', '.join(words)}]" if words else ""
    return f"{line.count} × {line.name}: {line.reach}, {_numbers(line.numbers)}{keywords}"


def _ability(line: AbilityLine) -> str:
    acts = " (acts now)" if line.acts else ""
    return f"{line.name}{acts}: {line.says}" if line.says else f"{line.name}{acts}"


def _effect(effect: Effect) -> str:
    until = f" {effect.until}" if effect.until else ""
    return f"{SIGNS[effect.sign]} {effect.name}: {effect.says}{until}"
