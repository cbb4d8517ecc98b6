"""What a person lets one unit do in an open phase: as suggested, stay, advance, attack.

Owns the words of such an order and the answers that follow from it. How long it stands is
`viewer.input.orders`'.
"""

from __future__ import annotations

import msgspec

from engine.core.request import AnyAnswer, AnyRequest, Choose, Chosen, Move, Option, Split, Splits
from engine.w40k.phase.shooting import SHOOT_INSTEAD
from engine.w40k.view import View
from viewer.input.reading import Misread, picked
from viewer.input.stops import offered
from viewer.input.thinking import Advice, advised
from viewer.input.weapon_talk import WeaponTalk

UNIT, STAY, ADVANCE, AT = "unit", "stay", "advance", "at"
"""As suggested; nothing; an Advance, whose way is asked for then; attacks at a target."""
ALONE = (UNIT, STAY, ADVANCE)
"""The words that stand at the end of a line, perhaps after a unit."""
ATTACKS = ("shooting", "charge", "fight")
"""The phases in which units attack a target, or charge it."""
_KINDS = {STAY: "remain-stationary", ADVANCE: "advance"}


class UnitOrder(msgspec.Struct, frozen=True):
    """An order to one unit: its word, the unit, and the enemy unit that it is about."""

    word: str
    unit: str
    target: str = ""


def is_open(request: AnyRequest | None) -> bool:
    """Return whether a question lets any ready unit act: a phase stands open."""
    return isinstance(request, Choose) and request.decision == "next-unit"


def ready(request: AnyRequest) -> tuple[str, ...]:
    """Return the units that may act in an open phase."""
    return tuple(option.id for option in offered(request)) if is_open(request) else ()


def next_one(request: AnyRequest, advice: AnyAnswer | None) -> str:
    """Return the unit that acts next where nobody says which: the suggested one, else the first."""
    units = ready(request)
    advised = advice.ids[0] if isinstance(advice, Chosen) and advice.ids else ""
    return advised if advised in units else next(iter(units), "")


def unit_order(view: View, request: AnyRequest, advice: Advice, text: str) -> UnitOrder | None:
    """Return the order that a line gives, None where it is none. Raises Misread."""
    if not is_open(request) or not ready(request):
        return None
    words = text.split()
    said = [word.lower() for word in words]
    if said and said[-1] in ALONE:
        unit = _unit(request, advice, " ".join(words[:-1]))
        return UnitOrder(said[-1], unit) if unit else None
    if AT not in said or said[-1] == AT:
        return None
    place = said.index(AT)
    unit = _unit(request, advice, " ".join(words[:place]))
    if not unit:
        return None
    if view.phase not in ATTACKS:
        raise Misread(f"Nobody attacks in the {view.phase}.")
    shown = targets_of(view.foreseen(view.unit(unit)))
    others = (each.id for each in view.enemies(view.unit(unit)) if each.id not in shown)
    enemies = [Option(id=each, label=view.unit(each).name) for each in (*shown, *others)]
    return UnitOrder(AT, unit, picked(enemies, " ".join(words[place + 1 :]), several=False)[0])


def targets_of(request: AnyRequest | None) -> tuple[str, ...]:
    """Return the enemy units at which a unit may shoot, charge or strike, as it is asked."""
    if isinstance(request, Split):
        return tuple(dict.fromkeys(target for line in request.lines for target in line.targets))
    if isinstance(request, Choose) and request.decision == "charge":
        return tuple(option.id for option in request.options)
    return ()


def _unit(request: AnyRequest, advice: Advice, name: str) -> str:
    """Return the unit that a name means, the next one without any; "" for no ready unit."""
    if not name:
        return next_one(request, advised(advice))
    options = request.options if isinstance(request, Choose) else ()
    try:
        [unit] = picked(options, name, several=False)
    except Misread:
        return ""
    return unit if unit in ready(request) else ""


def answer_to(order: UnitOrder, view: View, request: AnyRequest, advice: Advice) -> AnyAnswer | None:
    """Return what an order answers to a question, None where it says nothing about it.

    Raises StillThinking.
    """
    if is_open(request):
        return Chosen(ids=(order.unit,)) if order.unit in ready(request) else None
    if order.word == UNIT:
        return advised(advice)
    if request.unit != order.unit:
        return None
    if isinstance(request, Choose):
        return _choice(order, request)
    if isinstance(request, Split):
        return _attacks(order, view, request)
    is_charge = isinstance(request, Move) and request.kind == "charge" and order.word == AT
    return advised(advice) if is_charge else None


def _choice(order: UnitOrder, request: Choose) -> Chosen | None:
    """Return what is chosen: the kind of move, no action, the target; None for other choices."""
    wanted = {
        "move": _KINDS.get(order.word, ""),
        "action": "" if order.word == ADVANCE else SHOOT_INSTEAD,
        "charge": order.target,
        "sole-target": order.target,
    }.get(request.decision)
    if wanted is None:
        return None
    if not wanted:
        return Chosen(ids=()) if order.word == STAY and not request.minimum else None
    return Chosen(ids=(wanted,)) if any(option.id == wanted for option in request.options) else None


def _attacks(order: UnitOrder, view: View, request: Split) -> Splits | None:
    """Return the attacks at the target, none where the unit stays; None where none may be made."""
    if order.word == STAY:
        return Splits()
    if not any(order.target in line.targets for line in request.lines):
        return None
    return WeaponTalk(view, request, Splits()).all_at(order.target)
