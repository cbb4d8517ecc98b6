"""Whether an answer is legal: every fault of it, as the rules see it.

Checks choices, orders and attacks; moves are `engine.w40k.legality.move_check`'s and set-ups
`engine.w40k.legality.place_check`'s.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from engine.core.request import (
    AnyAnswer,
    AnyRequest,
    Choose,
    Chosen,
    Move,
    Moves,
    Order,
    Ordered,
    Place,
    Places,
    Said,
    Split,
    Splits,
    YesNo,
)
from engine.w40k.legality.move_check import MoveCheck
from engine.w40k.legality.place_check import PlaceCheck

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


def faults(battle: Battle, request: AnyRequest, answer: AnyAnswer, seat: str) -> list[str]:
    """Return every reason for which the answer may not be given; none if it is legal."""
    if seat not in request.seats:
        return [f"{seat} is not asked; {' or '.join(request.seats)} is"]
    if isinstance(request, Choose) and isinstance(answer, Chosen):
        return _chosen(battle, request, answer, seat)
    if isinstance(request, Order) and isinstance(answer, Ordered):
        wanted = Counter(item.id for item in request.items)
        return [] if Counter(answer.ids) == wanted else ["every item must be named once"]
    if isinstance(request, Split) and isinstance(answer, Splits):
        return _splits(request, answer)
    if isinstance(request, Move) and isinstance(answer, Moves):
        return MoveCheck(battle, request, answer).faults()
    if isinstance(request, Place) and isinstance(answer, Places):
        return PlaceCheck(battle, request, answer).faults()
    if isinstance(request, YesNo) and isinstance(answer, Said):
        return []
    return [f"a {type(answer).__name__} is no answer to a {type(request).__name__}"]


def _chosen(battle: Battle, request: Choose, answer: Chosen, seat: str) -> list[str]:
    found = []
    known = {option.id for option in request.options}
    found += [f"'{one}' is not among the options" for one in answer.ids if one not in known]
    if len(set(answer.ids)) != len(answer.ids):
        found.append("an option is named twice")
    if not request.minimum <= len(answer.ids) <= request.maximum:
        found.append(f"{request.minimum} to {request.maximum} options must be chosen, not {len(answer.ids)}")
    if request.decision == "next-unit":
        units = [battle.state.position.units[one] for one in answer.ids if one in battle.state.position.units]
        found += [f"{unit.name} belongs to {unit.player}" for unit in units if unit.player != seat]
    return found


def _splits(request: Split, answer: Splits) -> list[str]:
    """Check the declared attacks. Rule: CORE.SHOOT.2, CORE.SHOOT.7, CORE.FGT.6."""
    found = []
    offered: dict[tuple[int, int], list[tuple[str, str, tuple[str, ...]]]] = {}
    for line in request.lines:
        offered.setdefault((line.model, line.weapon), []).append((line.group, line.set, line.targets))
    used: Counter[tuple[int, int]] = Counter()
    groups: Counter[str] = Counter()
    sets: dict[int, set[str]] = {}
    for shot in answer.shots:
        key = (shot.model, shot.weapon)
        lines = offered.get(key, [])
        if used[key] >= len(lines):
            found.append(f"model {shot.model} may not use its weapon {shot.weapon} (again)")
            continue
        group, kind, targets = lines[used[key]]
        used[key] += 1
        groups[group] += 1
        if shot.target not in targets:
            found.append(f"{shot.target} is no legal target of weapon {shot.weapon} of model {shot.model}")
        if kind:
            sets.setdefault(shot.model, set()).add(kind)
    found += [f"{group} is used {count} times" for group, count in groups.items() if count > 1]
    found += [f"model {row} uses {' and '.join(sorted(s))} together" for row, s in sets.items() if len(s) > 1]
    return found
