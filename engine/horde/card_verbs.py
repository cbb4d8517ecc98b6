"""The verbs that Horde Mode adds: for cards, secrets, bought units and sacrifices."""

from __future__ import annotations

from datasheets.rule import Rule
from engine.core import event as ev
from engine.core.facts import PLAYERS
from engine.core.marks import ENHANCED
from engine.core.request import Choose, Chosen, Option, Steps
from engine.core.state import Marker, Model, Unit
from engine.horde.steps import card, mission, recruit, secret, set_aside, spawn
from engine.horde.steps import teleport as teleporting
from engine.records.language import Act, verb
from engine.w40k.attack import returning
from engine.w40k.attack.damage import destroy_unit
from engine.w40k.battle import Battle

# the Horde's cards


@verb()
def reveal_misery(battle: Battle, act: Act, count: int) -> Steps[None]:
    """Reveal more misery cards. Rule: MISERY.20, R.A81."""
    yield from card.reveal(battle, int(count), act.cause)


@verb(clause="SEC.9")
def resolve_misery(battle: Battle, act: Act, name: str) -> Steps[None]:
    """Find a misery card in its deck or discards and resolve it at once. Rule: SEC.9."""
    yield from card.resolve_named(battle, name, act.cause)


@verb()
def reveal_mission(battle: Battle, act: Act, count: int = 1) -> Steps[None]:
    """Reveal a secondary mission more."""
    for _ in range(count):
        yield from mission.reveal(battle, act.cause)


@verb(clause="BUY.advanced-tactics")
def replace_mission(battle: Battle, act: Act, card: str) -> Steps[None]:
    """Remove an active secondary mission and reveal a new one. Rule: BUY.advanced-tactics."""
    battle.log(ev.CardDiscarded(deck="secondary", card=card), act.cause)
    yield from mission.reveal(battle, act.cause)


@verb()
def save_card(battle: Battle, act: Act) -> Steps[None]:
    """Let a random surviving player keep this mission card. Rule: SEC.1."""
    yield from mission.save(battle, act.rule.id, act.cause)


@verb()
def draw_secrets(battle: Battle, act: Act, seat: str, count: int, random: bool = False) -> Steps[None]:
    """Let a player draw secret objectives, then keep one of all, or a random one.

    Rule: BUY.change-of-plans, SEC.4
    """
    yield from secret.change(battle, seat, int(count), bool(random), act.cause)


@verb(clause="WIN.3")
def end_battle(battle: Battle, act: Act, reason: str) -> None:
    """End the battle at once. Rule: WIN.3."""
    secret.conclude(battle, reason)


@verb(adds=True)
def reveal_secret(battle: Battle, act: Act, completed: bool = True) -> Steps[None]:
    """Show the secret objective that is this rule."""
    seat = str(act.context["owner"])
    if act.rule.id not in battle.state.players[seat].revealed:
        event = ev.SecretRevealed(player=seat, card=act.rule.id, completed=bool(completed))
        yield from battle.happen(event, act.cause)


# units and players


@verb(clause="BUY.reinforcements")
def reinforce(battle: Battle, act: Act, seat: str) -> Steps[None]:
    """Add a unit of a rolled bracket of the player's own table to the player's reserves.

    Rule: BUY.reinforcements.
    """
    yield from recruit.reinforcements(battle, seat, act.cause)


@verb(clause="BUY.field-promotion")
def promote(battle: Battle, act: Act, unit: Unit) -> Steps[None]:
    """Destroy a unit and, if its player pays, set up another in its place.

    Rule: BUY.field-promotion.
    """
    yield from recruit.promote(battle, unit, act.cause, act.rule.id, _payer(act, unit))


@verb(clause="BUY.patched-up")
def patch_up(battle: Battle, act: Act, unit: Unit) -> Steps[None]:
    """Return a unit to its Starting Strength with its lost leaders, for its bracket's price.

    Rule: BUY.patched-up.
    """
    price = recruit.bracket_price(battle, unit)
    if (yield from recruit.pay(battle, _payer(act, unit), price, act.rule.id)):
        yield from returning.restore(battle, unit, act.cause, leaders=True)


def _payer(act: Act, unit: Unit) -> str:
    """Return the player that pays for what is done to a unit: its own, or the buyer in its name."""
    return str(act.context["payer"] or unit.player)


@verb(clause="BUY.teleporter")
def teleport(battle: Battle, act: Act, unit: Unit, here: Marker) -> Steps[None]:
    """Let a unit that has ended a move beside a Teleporter come out of another.

    Rule: BUY.teleporter.
    """
    yield from teleporting.teleport(battle, unit, here, act.cause)


@verb(clause="MISERY.18")
def sacrifice(battle: Battle, act: Act) -> Steps[None]:
    """Let each player vote in secret for a unit of the team, wherever it is.

    It is destroyed, or a random one of those named where the votes differ. Rule: MISERY.18.
    """
    every = battle.state.position.units.values()
    units = [unit for unit in every if unit.side == PLAYERS and unit.where != "destroyed" and unit.rows]
    if not units:
        return
    votes: list[str] = []
    for seat in battle.state.players_alive():
        answer = yield Choose(
            seats=(seat,),
            rule=act.cause,
            decision="sacrifice",
            prompt="Which unit is given to the Horde? Nobody sees your vote.",
            options=tuple(Option(id=unit.id, label=unit.name) for unit in units),
        )
        assert isinstance(answer, Chosen)
        votes.append(answer.ids[0])
    named = sorted(set(votes))
    chosen = named[0] if len(named) == 1 else named[battle.pick("sacrifice", len(named), cause=act.cause)]
    yield from destroy_unit(battle, battle.state.position.units[chosen], cause=act.cause)


@verb(clause="MISERY.13")
def spawn_into_reserves(battle: Battle, act: Act) -> Steps[None]:
    """Spawn one Horde unit more, which arrives behind the players' lines. Rule: MISERY.13."""
    yield from spawn.spawn_into_reserves(battle)


@verb(clause="FACTION.genestealer-cults")
def return_set_aside(battle: Battle, act: Act) -> Steps[None]:
    """Set up again the Horde's units that were set aside before this round. Rule: R.A90"""
    yield from set_aside.return_set_aside(battle, act.cause)


@verb(adds=True)
def complete_secret(battle: Battle, act: Act, completed: bool = True) -> Steps[None]:
    """Mark this secret objective as completed, whether it was revealed before or not.

    Nothing happens where `completed` is false, or where it was completed before.
    """
    seat = str(act.context["owner"])
    if completed and act.rule.id not in battle.state.players[seat].completed:
        yield from battle.happen(ev.SecretRevealed(player=seat, card=act.rule.id, completed=True), act.cause)


@verb(clause="BUY.name-earned")
def enhance(battle: Battle, act: Act, model: Model, rule: Rule) -> None:
    """Give a model an enhancement, and say so if its effect is not simulated.

    Rule: BUY.name-earned.
    """
    battle.log(ev.Marked(on=f"unit:{model.unit}", key=f"{ENHANCED}{model.row}", value=rule.id), act.cause)
    if rule.reason:
        battle.log(ev.Unmodelled(rule=rule.id, reason=rule.reason, unit=model.unit), rule.clause)


@verb(clause="MISERY.23")
def strip(battle: Battle, act: Act, unit: Unit) -> None:
    """Take all enhancements from a unit's models. Rule: MISERY.23."""
    for key in [key for key in unit.marks.values if key.startswith(ENHANCED)]:
        battle.log(ev.Marked(on=f"unit:{unit.id}", key=key, value=None), act.cause)
