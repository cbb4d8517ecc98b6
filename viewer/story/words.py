"""The sentence of each event, or None for an event that needs none.

The log panel and the terminal share it; reasons of decisions are `viewer.story.reasoning`'s. It asks the
state for names only; it draws nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch

from engine.core import event as ev
from engine.core.state import State
from engine.records.choice import DRAWN
from engine.w40k.activation.throw import CHANGED
from engine.w40k.seat_log import is_hidden
from viewer.story.cause import end_words, income_words, loss_words, rule_title
from viewer.story.motion import length, polyline
from viewer.story.name import (
    count,
    inches,
    listed,
    model_name,
    objective_name,
    phase_name,
    plain,
    seat_name,
    thing_name,
    title,
    unit_name,
    unit_names,
)
from viewer.story.roll import roll_sentence, spawn_words

_MOVES = {
    "normal": "moved",
    "normal-move": "moved",
    "advance": "advanced",
    "fall-back": "fell back",
    "charge": "charged",
    "pile-in": "piled in",
    "consolidate": "consolidated",
    "scout": "scouted",
    "scouts": "scouted",
    "surge": "surged",
}
_SILENT = ("next-unit", "allocate", "allocation", "order", "remain", "no-reaction")
_CHOICES = {
    "charge-failed": "failed its charge",
    "no-charge": "did not charge",
    "remain-stationary": "remained stationary",
}
_CARDS = ("MISERY.", "SEC.", "SECRET.")
_TOLD_AS_MOVES = ("normal-move", "advance", "fall-back")


def sentence(event: ev.Event, state: State) -> str | None:
    """Return what happened, in words; None where a person would not miss it.

    `state` is the state before the event or after it; only the length of a move needs the state before.
    """
    return _say(event, state)


@singledispatch
def _say(event: ev.Event, state: State) -> str | None:
    """Events that tell a person nothing new have no sentence."""
    return None


def _on(kind: type[ev.Event]) -> Callable[[Callable[..., str | None]], Callable[..., str | None]]:
    return _say.register(kind)


@_on(ev.Setup)
def _setup(event: ev.Setup, state: State) -> str:
    wide, deep = event.board.size
    horde = listed([title(f) for f in event.factions]) or "The Horde"
    players = listed([p.name or p.id for p in event.players]) or "the players"
    long = "until the players fall" if event.rounds is None else f"for {count(event.rounds, 'round')}"
    deployment = f"{title(event.board.deployment)}, " if event.board.deployment != "none" else ""
    where = f"{deployment}{wide:g}″ × {deep:g}″"
    return f"{horde} against {players}: {where}, {long}"


@_on(ev.Unmodelled)
def _unmodelled(event: ev.Unmodelled, state: State) -> str:
    bearer = f" of {unit_name(state, event.unit)}" if event.unit else ""
    return f"Not simulated: {title(event.rule)}{bearer} ({event.reason.rstrip('.')})"


@_on(ev.RoundBegan)
def _round_began(event: ev.RoundBegan, state: State) -> str:
    return f"Battle round {event.number}"


@_on(ev.TurnBegan)
def _turn_began(event: ev.TurnBegan, state: State) -> str:
    return _capital(f"{seat_name(state, event.whose)}'{'' if event.whose == 'players' else 's'} turn")


@_on(ev.PhaseBegan)
def _phase_began(event: ev.PhaseBegan, state: State) -> str:
    return phase_name(event.name)


@_on(ev.CardRevealed)
def _card_revealed(event: ev.CardRevealed, state: State) -> str:
    if event.player:
        card = "a secret objective" if is_hidden(event.card) else f"the secret objective {title(event.card)}"
        return f"{seat_name(state, event.player)} drew {card}"
    kind = {"misery": "Misery card", "secondary": "Mission"}.get(event.deck, f"{title(event.deck)} card")
    return f"{kind}: {title(event.card)}"


@_on(ev.CardDiscarded)
def _card_discarded(event: ev.CardDiscarded, state: State) -> str:
    if event.to in state.players:
        return f"{title(event.card)} went to {seat_name(state, event.to)}"
    where = {"discard": "was discarded", "deck": "went back into the deck"}
    card = "A secret objective" if is_hidden(event.card) else title(event.card)
    return f"{card} {where.get(event.to, 'left the battle')}"


@_on(ev.MissionResolved)
def _mission_resolved(event: ev.MissionResolved, state: State) -> str:
    tally = f" ({event.tally} counted)" if event.tally else ""
    return f"Mission {title(event.card)}: {'success' if event.success else 'failure'}{tally}"


@_on(ev.SecretRevealed)
def _secret_revealed(event: ev.SecretRevealed, state: State) -> str:
    end = "completed" if event.completed else "not completed"
    return f"{seat_name(state, event.player)} showed the secret objective {title(event.card)}: {end}"


@_on(ev.SpawnRolled)
def _spawn_rolled(event: ev.SpawnRolled, state: State) -> str:
    where = "For the reserves the Horde" if event.zone == "reserves" else f"Spawn zone {event.zone}"
    rolled = f"{where} rolled {spawn_words(state, event)}"
    if not event.bracket:
        return f"{rolled}: nothing came"
    came = unit_names(state, event.units) if event.units else event.entry
    return f"{rolled}: bracket {event.bracket}" + (f", {came}" if came else "")


@_on(ev.Placed)
def _placed(event: ev.Placed, state: State) -> str:
    if event.marker or event.thing:
        what = thing_name(state, event.marker) if event.thing == "objective" else plain(event.thing)
        owner = f"{seat_name(state, event.owner)} set up " if event.owner else "Set up: "
        return f"{owner}{what or plain(event.marker)} at {event.at[0]:.1f}, {event.at[1]:.1f}"
    facts = event.facts or (
        state.position.units[event.unit].facts if event.unit in state.position.units else None
    )
    size = count(len(event.poses), "model")
    spawned = facts is not None and facts.side == "horde" and facts.bracket > 0
    return f"{_newcomer(event, state)} {'spawned' if spawned else 'set up'} ({size})"


def _newcomer(event: ev.Placed | ev.Reserved | ev.Embarked, state: State) -> str:
    """Return the name of a unit that may not have been in the battle before."""
    if event.facts is not None and event.unit not in state.position.units:
        return event.facts.name
    return unit_name(state, event.unit)


@_on(ev.Decided)
def _decided(event: ev.Decided, state: State) -> str | None:
    first = event.choice[0] if event.choice else ""
    if event.decision == DRAWN:
        things = listed([thing_name(state, each) for each in event.choice])
        return f"{rule_title(state, event.cause) or event.cause}: {things}, at random"
    if event.decision in _SILENT or (event.decision == "move" and first in _TOLD_AS_MOVES):
        return None
    who = unit_name(state, event.unit) if event.unit else _capital(seat_name(state, event.seat))
    if first in _CHOICES:
        return f"{who} {_CHOICES[first]}"
    if event.decision == CHANGED:
        why = rule_title(state, event.cause) or event.cause
        return f"{who} had a roll of {first} changed to {event.choice[-1]} ({why})"
    chosen = listed([thing_name(state, c) for c in event.choice if c])
    if event.decision == "stratagem":
        return f"{_capital(seat_name(state, event.seat))} used {chosen} on {who}"
    if event.decision == "charge" and chosen:
        return f"{who} declared a charge against {chosen}"
    return f"{who}: {plain(event.decision)}" + (f", {chosen}" if chosen else "")


@_on(ev.Moved)
def _moved(event: ev.Moved, state: State) -> str:
    kind = event.kind_of_move
    verb = _MOVES.get(kind, f"moved ({plain(kind)})" if kind else "moved")
    far = _farthest(event, state)
    return f"{unit_name(state, event.unit)} {verb}" + (f" {inches(far)}" if far >= 0.05 else "")


def _farthest(event: ev.Moved, state: State) -> float:
    """Return the longest path, 0 where the state already holds the models' new places."""
    longest = 0.0
    for row, legs in event.paths.items():
        if not legs or row >= len(state.position.models):
            continue
        x, y = state.position.table.xy[row]
        start, end = (float(x), float(y)), event.poses.get(row, (0.0, 0.0, 0.0, 0.0))[:2]
        if start != end:
            longest = max(longest, length(polyline(start, legs)))
    return longest


@_on(ev.Reserved)
def _reserved(event: ev.Reserved, state: State) -> str | None:
    if event.how == "muster":
        return None
    return f"{_newcomer(event, state)} went into reserves ({plain(event.how)})"


@_on(ev.Arrived)
def _arrived(event: ev.Arrived, state: State) -> str:
    return f"{unit_name(state, event.unit)} arrived from reserves ({plain(event.how)})"


@_on(ev.Embarked)
def _embarked(event: ev.Embarked, state: State) -> str:
    return f"{_newcomer(event, state)} embarked in {unit_name(state, event.transport)}"


@_on(ev.Disembarked)
def _disembarked(event: ev.Disembarked, state: State) -> str:
    return f"{unit_name(state, event.unit)} disembarked from {unit_name(state, event.transport)}"


@_on(ev.Rolled)
def _rolled(event: ev.Rolled, state: State) -> str | None:
    return roll_sentence(event, state)


@_on(ev.Targeted)
def _targeted(event: ev.Targeted, state: State) -> str | None:
    if not event.shots:
        return None
    targets = unit_names(state, tuple(shot.target for shot in event.shots))
    verb = "struck at" if event.melee else "shot at"
    return f"{unit_name(state, event.unit)} {verb} {targets}"


@_on(ev.Attacked)
def _attacked(event: ev.Attacked, state: State) -> str:
    critical = f" ({event.critical_hits} critical)" if event.critical_hits else ""
    parts = [count(event.attacks, "attack"), count(event.hits, "hit") + critical]
    if event.hits:
        apart = f" and {event.critical_wounds} devastating" if _devastates(event, state) else ""
        parts.append(count(event.wounds, "wound") + apart)
    if event.wounds:
        parts.append(f"{event.unsaved} unsaved")
    return f"{event.weapon} on {unit_name(state, event.target)}: {', '.join(parts)}"


def _devastates(event: ev.Attacked, state: State) -> bool:
    """Return whether critical wounds count apart: the weapon has Devastating Wounds."""
    unit = state.position.units.get(event.unit)
    weapons = (*unit.facts.weapons, *unit.borrowed) if unit is not None else ()
    printed = any(w.name == event.weapon and w.has("devastating wounds") for w in weapons)
    return printed and event.critical_wounds > 0


@_on(ev.Damaged)
def _damaged(event: ev.Damaged, state: State) -> str:
    kind = "mortal wound" if event.mortal else "wound"
    how = loss_words(state, event.cause)
    return f"{unit_name(state, event.unit)} lost {count(event.amount, kind)}" + (f" {how}" if how else "")


@_on(ev.Healed)
def _healed(event: ev.Healed, state: State) -> str:
    return f"{unit_name(state, event.unit)} regained {count(event.amount, 'wound')}"


@_on(ev.Returned)
def _returned(event: ev.Returned, state: State) -> str:
    return f"{model_name(state, event.model)} came back"


@_on(ev.Destroyed)
def _destroyed(event: ev.Destroyed, state: State) -> str:
    how = loss_words(state, event.cause)
    return f"{model_name(state, event.model)} destroyed" + (f" {how}" if how else "")


@_on(ev.UnitDestroyed)
def _unit_destroyed(event: ev.UnitDestroyed, state: State) -> str | None:
    how = end_words(state, event)
    end = f" {how}" if how else ""
    unit = state.position.units.get(event.unit)
    if event.part is None or unit is None or event.part >= len(unit.facts.parts):
        return f"{unit_name(state, event.unit)} wiped out{end}"
    if len(unit.facts.parts) == 1:
        return None
    part = unit.facts.parts[event.part]
    alone = sum(model.part == event.part for model in unit.facts.models) == 1
    return f"{part.name} of {unit_name(state, event.unit)} {'slain' if alone else 'wiped out'}{end}"


@_on(ev.Shocked)
def _shocked(event: ev.Shocked, state: State) -> str:
    return f"{unit_name(state, event.unit)} became Battle-shocked"


@_on(ev.Recovered)
def _recovered(event: ev.Recovered, state: State) -> str:
    return f"{unit_name(state, event.unit)} recovered from Battle-shock"


@_on(ev.Controlled)
def _controlled(event: ev.Controlled, state: State) -> str:
    horde, players = event.levels
    what = objective_name(event.objective)
    if not event.by:
        how = f"contested, {horde} to {players}" if horde else "nobody there can hold it"
        return f"Nobody holds {what} any more ({how})"
    level, other = (horde, players) if event.by == "horde" else (players, horde)
    return _capital(f"{seat_name(state, event.by)} took {what} ({level} to {other})")


@_on(ev.Gained)
def _gained(event: ev.Gained, state: State) -> str:
    why = income_words(state, event.cause)
    who, what = _capital(seat_name(state, event.player)), event.what.upper()
    return f"{who} gained {event.amount} {what}{f' {why}' if why else ''} (now {event.total})"


@_on(ev.Spent)
def _spent(event: ev.Spent, state: State) -> str | None:
    if event.cause.startswith("BUY."):
        return None
    why = income_words(state, event.cause)
    who, what = _capital(seat_name(state, event.player)), event.what.upper()
    if event.cause.startswith(_CARDS):
        # What a card takes is no price.
        name = rule_title(state, event.cause) or event.cause
        return f"{who} lost {event.amount} {what} to {name} ({event.total} left)"
    return f"{who} spent {event.amount} {what}{f' {why}' if why else ''} ({event.total} left)"


@_on(ev.Purchased)
def _purchased(event: ev.Purchased, state: State) -> str:
    player = state.players.get(event.player)
    left = f" ({player.sp} SP left)" if player else ""
    price = f"for {event.price} SP" if event.price else "for nothing"
    return f"{_capital(seat_name(state, event.player))} bought {title(event.rule)} {price}{left}"


@_on(ev.ActionBegan)
def _action_began(event: ev.ActionBegan, state: State) -> str:
    return f"{unit_name(state, event.unit)} began an action: {title(event.rule)}"


@_on(ev.ActionEnded)
def _action_ended(event: ev.ActionEnded, state: State) -> str:
    end = "completed" if event.completed else "failed"
    return f"{unit_name(state, event.unit)} {end} its action: {title(event.rule)}"


@_on(ev.Removed)
def _removed(event: ev.Removed, state: State) -> str:
    name = rule_title(state, event.cause)
    by = f" by {name}" if name else ""
    return f"{_capital(thing_name(state, event.what))} removed from the battlefield{by}"


@_on(ev.BattleEnded)
def _battle_ended(event: ev.BattleEnded, state: State) -> str:
    winners = listed([seat_name(state, w) for w in event.winners]) or "nobody"
    return f"The battle is over, won by {winners}: {event.reason.rstrip('.')}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
