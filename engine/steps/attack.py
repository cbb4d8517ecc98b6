"""The attack sequence: hit, wound, allocate, save, damage. One for shooting, fighting and every other attack.

Attacks that are alike are rolled together; the outcome equals rolling them one by one (CORE.ATK.8).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine import event as ev
from engine.event import Shot
from engine.facts import WeaponFacts
from engine.ruleset import Steps
from engine.state import Model, Unit
from engine.steps.amount import parts, roll_amount
from engine.steps.cover import cover
from engine.steps.damage import (
    allocation_order,
    is_character,
    lose_wounds,
    mortal_wounds,
    next_to_suffer,
    remember_allocation,
)
from geometry.gap import within

if TYPE_CHECKING:
    from engine.game import Game


@dataclass(frozen=True, slots=True)
class Volley:
    """Attacks that are alike: one profile of some models of a unit against one target."""

    attacker: Unit
    target: Unit
    weapon: WeaponFacts
    keywords: tuple[str, ...]
    models: tuple[int, ...]
    melee: bool
    near: bool
    """Within half the weapon's range."""
    unseen: bool
    """Indirect fire at a unit that none of the attackers sees."""
    size: int
    """How many models the target had when the attacks were declared."""
    toughness: int
    """The target's Toughness as it was declared: a bodyguard's counts until all attacks are made."""
    chosen: tuple[int, ...] = ()
    """CHARACTER models on which Precision puts the wounds."""

    def value(self, ability: str) -> int | None:
        """Return the number of a weapon ability, 0 if it has none, None without the ability."""
        for keyword in self.keywords:
            if keyword == ability:
                return 0
            if keyword.startswith(ability + " "):
                tail = keyword.removeprefix(ability + " ").rstrip("+")
                return int(tail) if tail.isdigit() else 0
        return None

    def extra(self, game: Game, ability: str) -> int:
        """Return the number of an ability, rolled where it is one ("sustained hits d3")."""
        for keyword in self.keywords:
            if keyword.startswith(ability + " "):
                text = keyword.removeprefix(ability + " ").upper()
                return roll_amount(game, text, ability.replace(" ", "-"), unit=self.attacker.id)
        return 0

    @property
    def context(self) -> dict[str, object]:
        """Return what rules may ask of the attack."""
        return {
            "attacker": self.attacker,
            "target": self.target,
            "weapon": self.weapon,
            "melee": self.melee,
        }


@dataclass(slots=True)
class Tally:
    """What came of a volley so far."""

    attacks: int = 0
    hits: int = 0
    critical_hits: int = 0
    lethal: int = 0
    wounds: int = 0
    critical_wounds: int = 0
    devastating: int = 0
    unsaved: int = 0
    trails: list[ev.Trail] = field(default_factory=list)


def resolve(game: Game, attacker: Unit, shots: tuple[Shot, ...], melee: bool) -> Steps[None]:
    """Carry out all declared attacks of a unit, target by target. Rule: CORE.SHOOT.2, CORE.SHOOT.3."""
    volleys = group(game, attacker, shots, melee)
    devastating: list[tuple[Volley, int]] = []
    for volley in volleys:
        if not volley.target.rows or volley.target.where != "table":
            continue
        devastating.append((volley, (yield from _volley(game, volley))))
    for volley, count in devastating:
        yield from _devastate(game, volley, count)
    yield from _hazardous(game, attacker, volleys)


def group(game: Game, attacker: Unit, shots: tuple[Shot, ...], melee: bool) -> list[Volley]:
    """Return the declared shots as volleys of like attacks, in the order of their declaration."""
    found: dict[tuple[str, WeaponFacts, tuple[str, ...], bool, tuple[int, ...]], list[int]] = {}
    for shot in shots:
        target = game.state.units[shot.target]
        weapon = attacker.weapon(shot.weapon)
        keywords = game.query.weapon_keywords(attacker, shot.model, shot.weapon, target)
        near = not melee and _near(game, attacker, shot.model, target, weapon)
        chosen = _chosen(game, attacker, shot.model, target) if "precision" in keywords else ()
        found.setdefault((shot.target, weapon, keywords, near, chosen), []).append(shot.model)
    volleys = []
    for (target_id, weapon, keywords, near, chosen), models in found.items():
        target = game.state.units[target_id]
        unseen = not melee and "indirect fire" in keywords and not game.field.visible(attacker, target).any()
        size, toughness = len(target.rows), _toughness(game, target)
        shared = (tuple(models), melee, near, unseen, size, toughness, chosen)
        volleys.append(Volley(attacker, target, weapon, keywords, *shared))
    return volleys


def _near(game: Game, attacker: Unit, row: int, target: Unit, weapon: WeaponFacts) -> bool:
    half = (weapon.range or 0.0) / 2
    gaps = game.field.gaps(attacker, target)
    return bool(within(float(gaps[attacker.rows.index(row)].min()), half))


def _chosen(game: Game, attacker: Unit, row: int, target: Unit) -> tuple[int, ...]:
    """Return the visible CHARACTERs of an Attached unit, the weakest first. Rule: CORE.WPN.PREC, R.A46."""
    if not target.is_attached:
        return ()
    seen = game.field.visible(attacker, target)[attacker.rows.index(row)]
    models = [
        game.state.models[r]
        for r, is_seen in zip(target.rows, seen, strict=True)
        if is_seen and is_character(target, game.state.models[r])
    ]
    return tuple(m.row for m in sorted(models, key=lambda m: (m.wounds, m.row)))


def _volley(game: Game, volley: Volley) -> Steps[int]:
    """Carry out a volley up to its damage; return how many of its wounds are devastating."""
    tally = Tally()
    tally.attacks = _attacks(game, volley)
    _hit(game, volley, tally)
    _wound(game, volley, tally)
    if tally.wounds:
        yield from _save_and_damage(game, volley, tally)
    game.log(
        ev.Attacked(
            unit=volley.attacker.id,
            target=volley.target.id,
            weapon=volley.weapon.name,
            models=volley.models,
            attacks=tally.attacks,
            hits=tally.hits,
            critical_hits=tally.critical_hits,
            wounds=tally.wounds,
            critical_wounds=tally.critical_wounds,
            unsaved=tally.unsaved,
            trails=tuple(tally.trails),
        ),
        "CORE.ATK.1",
    )
    return tally.devastating


def _attacks(game: Game, volley: Volley) -> int:
    """Return how many attacks are made. Rule: CORE.SHOOT.8, CORE.WPN.RF, CORE.WPN.BLAST."""
    count, sides, added = parts(volley.weapon.attacks)
    models = len(volley.models)
    total = added * models
    if count:
        total += sum(game.roll("attacks", count * models, sides, unit=volley.attacker.id))
    each = 0
    if volley.near:
        each += volley.extra(game, "rapid fire")
    if volley.value("blast") is not None:
        each += volley.size // 5
    number = game.query.number("weapon.attacks-modifier", 0, **volley.context)
    return max(total + models * (each + int(number.value)), models)


def _hit(game: Game, volley: Volley, tally: Tally) -> None:
    """Roll to hit.

    Rule: CORE.ATK.1, CORE.DICE.3, CORE.DICE.4, CORE.WPN.TORR, CORE.WPN.SUST, CORE.WPN.CRIT.
    """
    if volley.weapon.skill is None or volley.value("torrent") is not None:
        tally.hits = tally.attacks
        return
    need, trail = _hit_roll(game, volley)
    critical = int(game.query.number("attack.critical-hit", 6, **volley.context).value)
    least = int(game.query.number("attack.minimum-hit", 4 if volley.unseen else 0, **volley.context).value)
    again = int(game.query.number("attack.reroll-hit", 0, **volley.context).value)
    dice = game.roll(
        "hit",
        tally.attacks,
        unit=volley.attacker.id,
        target=volley.target.id,
        need=need,
        cause="CORE.ATK.1",
        trail=trail,
    )
    dice = _rerolled(game, volley, "hit", dice, again, lambda d: _succeeds(d, need, critical, least), need)
    tally.critical_hits = sum(d >= critical for d in dice)
    tally.hits = sum(_succeeds(d, need, critical, least) for d in dice)
    if tally.critical_hits and volley.value("sustained hits") is not None:
        tally.hits += sum(volley.extra(game, "sustained hits") for _ in range(tally.critical_hits))
    if volley.value("lethal hits") is not None:
        tally.lethal = tally.critical_hits
    tally.trails.append(trail)


def _succeeds(die: int, need: int, critical: int, least: int = 0) -> bool:
    if die < max(least, 2):
        return False
    return die >= critical or die == 6 or die >= need


def _hit_roll(game: Game, volley: Volley) -> tuple[int, ev.Trail]:
    """Return the natural roll needed to hit, and its trail."""
    skill = game.query.number("weapon.skill", volley.weapon.skill or 6, **volley.context)
    own: list[tuple[str, int]] = []
    # A unit that was not selected to move has remained stationary. Rule: CORE.MOVE.11.
    still = volley.attacker.marks.get("moved", "remain-stationary") == "remain-stationary"
    if volley.value("heavy") is not None and still:
        own.append(("CORE.WPN.HEAVY", 1))
    if not volley.melee:
        own += _shooting_penalties(game, volley)
    change = game.query.number("attack.hit-modifier", sum(amount for _, amount in own), **volley.context)
    need = int(skill.value) - int(change.value)
    steps = (*skill.trail.steps, *((rule, float(amount)) for rule, amount in own), *change.trail.steps)
    return need, ev.Trail(number="hit", base=float(volley.weapon.skill or 6), value=float(need), steps=steps)


def _shooting_penalties(game: Game, volley: Volley) -> list[tuple[str, int]]:
    """Return what worsens a shot. Rule: CORE.ABL.STEALTH, CORE.SHOOT.4, CORE.SHOOT.5, CORE.WPN.IND."""
    found = []
    if game.query.has_ability(volley.target, "stealth"):
        found.append(("CORE.ABL.STEALTH", -1))
    if volley.unseen:
        found.append(("CORE.WPN.IND", -1))
    engaged = bool(game.field.engaged_with(volley.attacker))
    if engaged and volley.value("pistol") is None:
        found.append(("CORE.SHOOT.5", -1))
    elif not engaged and game.field.engaged_with(volley.target):
        found.append(("CORE.SHOOT.4", -1))
    return found


def _wound(game: Game, volley: Volley, tally: Tally) -> None:
    """Roll to wound. Rule: CORE.ATK.1, CORE.WPN.LETHAL, CORE.WPN.ANTI, CORE.WPN.TWIN."""
    rolled = tally.hits - tally.lethal
    need, trail = _wound_roll(game, volley)
    critical = _critical_wound(game, volley)
    again = int(game.query.number("attack.reroll-wound", 0, **volley.context).value)
    if volley.value("twin-linked") is not None:
        again = 2
    dice: tuple[int, ...] = ()
    if rolled > 0:
        dice = game.roll(
            "wound",
            rolled,
            unit=volley.attacker.id,
            target=volley.target.id,
            need=need,
            cause="CORE.ATK.1",
            trail=trail,
        )
        dice = _rerolled(game, volley, "wound", dice, again, lambda d: _succeeds(d, need, critical), need)
    tally.critical_wounds = sum(d >= critical for d in dice)
    tally.wounds = tally.lethal + sum(_succeeds(d, need, critical) for d in dice)
    if volley.value("devastating wounds") is not None:
        tally.devastating = tally.critical_wounds
        tally.wounds -= tally.devastating
    tally.trails.append(trail)


def _wound_roll(game: Game, volley: Volley) -> tuple[int, ev.Trail]:
    strength = game.query.number("weapon.strength", volley.weapon.strength, **volley.context)
    toughness = game.query.number("model.toughness", volley.toughness, **_about(volley.target))
    base = wound_need(int(strength.value), int(toughness.value))
    own = []
    if volley.value("lance") is not None and "charged" in volley.attacker.marks:
        own.append(("CORE.WPN.LANCE", 1))
    change = game.query.number("attack.wound-modifier", sum(a for _, a in own), **volley.context)
    need = base - int(change.value)
    steps = (
        *strength.trail.steps,
        *toughness.trail.steps,
        *((rule, float(amount)) for rule, amount in own),
        *change.trail.steps,
    )
    return need, ev.Trail(number="wound", base=float(base), value=float(need), steps=steps)


def wound_need(strength: int, toughness: int) -> int:
    """Return the roll that wounds. Rule: CORE.ATK.1."""
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5


def _toughness(game: Game, unit: Unit) -> int:
    """Return the highest Toughness of the bodyguard, or of what is left. Rule: CORE.ATK.3."""
    models = game.state.alive(unit)
    guards = [m for m in models if m.facts.part == 0] or models
    return max(m.facts.characteristics.get("T", 1) for m in guards)


def _about(unit: Unit) -> dict[str, object]:
    return {"unit": unit, "target": unit}


def _critical_wound(game: Game, volley: Volley) -> int:
    critical = int(game.query.number("attack.critical-wound", 6, **volley.context).value)
    for keyword in volley.keywords:
        if keyword.startswith("anti-"):
            against, _, roll = keyword.removeprefix("anti-").rpartition(" ")
            word = against.upper()
            if volley.target.has(word) or game.query.granted_keyword(volley.target, word):
                critical = min(critical, int(roll.rstrip("+")))
    return critical


def _rerolled(
    game: Game, volley: Volley, roll: str, dice: tuple[int, ...], level: int, passed: object, need: int
) -> tuple[int, ...]:
    """Return the dice with failures re-rolled once: ones (level 1) or all (level 2). Rule: CORE.DICE.1."""
    if not level:
        return dice
    assert callable(passed)
    failed = [i for i, die in enumerate(dice) if (die == 1 if level == 1 else not passed(die))]
    if not failed:
        return dice
    fresh = game.roll(
        f"{roll}-reroll", len(failed), unit=volley.attacker.id, target=volley.target.id, need=need
    )
    result = list(dice)
    for i, die in zip(failed, fresh, strict=True):
        result[i] = die
    return tuple(result)


def _save_and_damage(game: Game, volley: Volley, tally: Tally) -> Steps[None]:
    """Allocate each wound, save and damage. Rule: CORE.ATK.2, CORE.ATK.4, CORE.ATK.5."""
    target = volley.target
    order = yield from allocation_order(game, target)
    sheltered = _sheltered(game, volley)
    ap = game.query.number("weapon.ap", volley.weapon.ap, **volley.context)
    tally.trails.append(ap.trail)
    credit = volley.attacker.player if volley.attacker.side == "players" else ""
    model: Model | None = None
    for _ in range(tally.wounds):
        model = next_to_suffer(game, target, order, volley.chosen)
        if model is None:
            return
        need = save_need(game, target, model, int(ap.value), model.row in sheltered, volley)
        die = game.roll("save", unit=target.id, target=volley.attacker.id, need=need, cause="CORE.ATK.4")[0]
        if die != 1 and die >= need:
            continue
        tally.unsaved += 1
        amount = damage(game, volley)
        yield from lose_wounds(
            game,
            target,
            model,
            amount,
            by=volley.attacker.id,
            credit=credit,
            cause="CORE.ATK.5",
            melee=volley.melee,
        )
    if model is not None and model.alive and not volley.chosen:
        remember_allocation(game, target, model)


def _sheltered(game: Game, volley: Volley) -> frozenset[int]:
    """Return the target's rows that have the Benefit of Cover. Rule: CORE.COV.1, CORE.WPN.IGN."""
    if volley.melee or volley.value("ignores cover") is not None:
        return frozenset()
    if volley.unseen:
        return frozenset(volley.target.rows)
    covered = cover(game, volley.attacker, volley.target)
    return frozenset(row for row, has in zip(volley.target.rows, covered, strict=True) if has)


def save_need(game: Game, unit: Unit, model: Model, ap: int, sheltered: bool, volley: Volley) -> int:
    """Return the roll that saves: the better of armour and invulnerable. Rule: CORE.ATK.4, CORE.COV.1."""
    printed = model.facts.characteristics
    about = {"unit": unit, "target": unit, "model": model, "attacker": volley.attacker, "melee": volley.melee}
    armour = int(game.query.number("model.save", printed.get("Sv", 7), **about).value)
    if sheltered and not (printed.get("Sv", 7) <= 3 and ap == 0):
        armour -= 1
    base = printed.get("Inv", 7)
    kind = printed.get("InvOnly", 0)
    if kind and (kind == 1) == volley.melee:
        base = 7
    invulnerable = int(game.query.number("model.invulnerable", base, **about).value)
    return max(2, min(armour - ap, invulnerable))


def damage(game: Game, volley: Volley) -> int:
    """Return the damage of one attack. Rule: CORE.ATK.5, CORE.WPN.MELTA."""
    amount = roll_amount(
        game, volley.weapon.damage, "damage", unit=volley.attacker.id, target=volley.target.id
    )
    if volley.near:
        amount += volley.value("melta") or 0
    change = game.query.number("weapon.damage-modifier", 0, **volley.context)
    return max(1, amount + int(change.value))


def _devastate(game: Game, volley: Volley, count: int) -> Steps[None]:
    """Inflict the mortal wounds of critical wounds after all normal damage; they do not spill over.

    Rule: CORE.WPN.DEV, CORE.ATK.6, CORE.WPN.PREC.
    """
    credit = volley.attacker.player if volley.attacker.side == "players" else ""
    for _ in range(count):
        if volley.target.where != "table":
            return
        yield from mortal_wounds(
            game,
            volley.target,
            damage(game, volley),
            by=volley.attacker.id,
            credit=credit,
            spill=False,
            cause="CORE.WPN.DEV",
            chosen=volley.chosen,
        )


def _hazardous(game: Game, attacker: Unit, volleys: list[Volley]) -> Steps[None]:
    """Test the bearers of hazardous weapons after the attacks. Rule: CORE.WPN.HAZ."""
    for volley in volleys:
        if volley.value("hazardous") is None:
            continue
        dice = game.roll("hazardous", len(volley.models), unit=attacker.id, need=2, cause="CORE.WPN.HAZ")
        for _ in range(sum(die == 1 for die in dice)):
            model = _bearer(game, attacker, volley)
            if model is None:
                break
            for _ in range(3):
                if model.alive:
                    yield from lose_wounds(
                        game, attacker, model, 1, by="", credit="", cause="CORE.WPN.HAZ", mortal=True
                    )


def _bearer(game: Game, attacker: Unit, volley: Volley) -> Model | None:
    """Return who suffers: a wounded bearer, else no CHARACTER, else a CHARACTER. Rule: CORE.WPN.HAZ."""
    living = [game.state.models[row] for row in volley.models if game.state.models[row].alive]
    living.sort(
        key=lambda m: (
            m.wounds >= m.facts.characteristics.get("W", 1),
            is_character(attacker, m),
            m.row,
        )
    )
    return living[0] if living else None
