"""What a person is told: a sentence for an event, and for a reason of a decision.

The log panel and the written report share it. It asks the state for names only; it draws nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import singledispatch

from engine import event as ev
from engine.request import Because
from engine.state import State
from viewer.motion import length, polyline
from viewer.name import (
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
_ROLLS = {
    "advance": "to advance",
    "charge": "to charge",
    "battle-shock": "for battle-shock",
    "battleshock": "for battle-shock",
    "leadership": "for leadership",
    "desperate-escape": "to escape",
    "hazardous": "for a hazardous weapon",
    "deadly-demise": "as it died",
}
_SILENT = ("next-unit", "allocate", "order", "remain", "no-reaction")


def sentence(event: ev.Event, state: State) -> str | None:
    """Return what happened, in words; None where a person would not miss it.

    `state` is the state before the event or after it; only the length of a move needs the state before.
    """
    return _say(event, state)


def reason_sentence(because: Because, state: State) -> str:
    """Return why something was decided, with the name of the target where the reason lacks it."""
    text = _named(because.reason.strip().rstrip("."), state)
    if because.target:
        name = thing_name(state, because.target)
        if name.lower() not in text.lower():
            text = f"{text} → {name}" if text else name
    return _capital(text) if text else because.clause


def _named(text: str, state: State) -> str:
    """Return a sentence with names in place of the ids of units and objectives."""

    def name(found: re.Match[str]) -> str:
        word = found.group()
        return thing_name(state, word) if word in state.units or word in state.objectives else word

    return re.sub(r"[\w/-]+(?:\.[\w/-]+)*", name, text)


def rejected_sentence(because: Because, state: State, most: int = 3) -> str:
    """Return which candidates were passed over and why, "" where none was."""
    failed = [c for c in because.candidates if c.failed]
    parts = [f"{thing_name(state, c.id)} ({plain(c.failed)})" for c in failed[:most]]
    more = f" and {len(failed) - most} more" if len(failed) > most else ""
    return f"Passed over: {', '.join(parts)}{more}" if parts else ""


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
    where = f"{title(event.board.deployment)}, {wide:g}″ × {deep:g}″"
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
        return f"{seat_name(state, event.player)} drew the secret objective {title(event.card)}"
    return f"{title(event.deck)} card: {title(event.card)}"


@_on(ev.CardDiscarded)
def _card_discarded(event: ev.CardDiscarded, state: State) -> str:
    if event.to in state.players:
        return f"{title(event.card)} went to {seat_name(state, event.to)}"
    where = {"discard": "was discarded", "draw": "went back into the deck"}
    return f"{title(event.card)} {where.get(event.to, 'left the battle')}"


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
    dice = "+".join(str(die) for die in event.natural)
    rolled = f"{event.total}" if dice == str(event.total) else f"{dice} → {event.total}"
    if not event.bracket:
        return f"Spawn zone {event.zone} rolled {rolled}: nothing came"
    came = unit_names(state, event.units) if event.units else title(event.entry)
    return f"Spawn zone {event.zone} rolled {rolled}: bracket {event.bracket}" + (f", {came}" if came else "")


@_on(ev.Placed)
def _placed(event: ev.Placed, state: State) -> str:
    if event.marker or event.thing:
        owner = f"{seat_name(state, event.owner)} set up " if event.owner else "Set up: "
        return f"{owner}{plain(event.thing or event.marker)} at {event.at[0]:.1f}, {event.at[1]:.1f}"
    facts = event.facts
    size = count(len(event.poses), "model")
    spawned = facts is not None and facts.side == "horde" and facts.bracket > 0
    return f"{_newcomer(event, state)} {'spawned' if spawned else 'set up'} ({size})"


def _newcomer(event: ev.Placed | ev.Reserved | ev.Embarked, state: State) -> str:
    """Return the name of a unit that may not have been in the battle before."""
    if event.facts is not None and event.unit not in state.units:
        return event.facts.name
    return unit_name(state, event.unit)


@_on(ev.Decided)
def _decided(event: ev.Decided, state: State) -> str | None:
    if event.decision in _SILENT:
        return None
    who = unit_name(state, event.unit) if event.unit else _capital(seat_name(state, event.seat))
    chosen = listed([thing_name(state, c) for c in event.choice if c])
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
        if not legs or row >= len(state.models):
            continue
        x, y = state.table.xy[row]
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
    why = _ROLLS.get(event.roll)
    if why is None or not event.unit:
        return None
    dice = f" ({'+'.join(map(str, event.dice))})" if len(event.dice) > 1 else ""
    target = f" {unit_name(state, event.target)}" if event.roll == "charge" and event.target else ""
    need = f", needed {event.need}" if event.need else ""
    return f"{unit_name(state, event.unit)} rolled {event.total}{dice} {why}{target}{need}"


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
        parts.append(count(event.wounds, "wound"))
    if event.wounds:
        parts.append(f"{event.unsaved} unsaved")
    return f"{event.weapon} on {unit_name(state, event.target)}: {', '.join(parts)}"


@_on(ev.Damaged)
def _damaged(event: ev.Damaged, state: State) -> str:
    kind = "mortal wound" if event.mortal else "wound"
    return f"{unit_name(state, event.unit)} lost {count(event.amount, kind)}"


@_on(ev.Healed)
def _healed(event: ev.Healed, state: State) -> str:
    return f"{unit_name(state, event.unit)} regained {count(event.amount, 'wound')}"


@_on(ev.Returned)
@_on(ev.Destroyed)
def _model(event: ev.Returned | ev.Destroyed, state: State) -> str:
    end = "came back" if isinstance(event, ev.Returned) else "destroyed"
    return f"{model_name(state, event.model)} {end}"


@_on(ev.UnitDestroyed)
def _unit_destroyed(event: ev.UnitDestroyed, state: State) -> str:
    name = unit_name(state, event.unit)
    unit = state.units.get(event.unit)
    if event.part is not None and unit is not None and event.part < len(unit.facts.parts):
        name = f"{unit.facts.parts[event.part].name} of {name}"
    by = f" by {unit_name(state, event.by)}" if event.by else ""
    return f"{name} wiped out{by}"


@_on(ev.Shocked)
def _shocked(event: ev.Shocked, state: State) -> str:
    return f"{unit_name(state, event.unit)} became Battle-shocked"


@_on(ev.Recovered)
def _recovered(event: ev.Recovered, state: State) -> str:
    return f"{unit_name(state, event.unit)} recovered from Battle-shock"


@_on(ev.Controlled)
def _controlled(event: ev.Controlled, state: State) -> str:
    who = seat_name(state, event.by) if event.by else "nobody"
    horde, players = event.levels
    return _capital(f"{objective_name(event.objective)} held by {who} (Horde {horde}, players {players})")


@_on(ev.Gained)
@_on(ev.Spent)
def _paid(event: ev.Gained | ev.Spent, state: State) -> str:
    who, what = _capital(seat_name(state, event.player)), event.what.upper()
    verb, left = ("gained", "") if isinstance(event, ev.Gained) else ("spent", " left")
    return f"{who} {verb} {event.amount} {what} ({event.total}{left})"


@_on(ev.Purchased)
def _purchased(event: ev.Purchased, state: State) -> str:
    return f"{_capital(seat_name(state, event.player))} bought {title(event.rule)} for {event.price} SP"


@_on(ev.ActionBegan)
def _action_began(event: ev.ActionBegan, state: State) -> str:
    return f"{unit_name(state, event.unit)} began an action: {title(event.rule)}"


@_on(ev.ActionEnded)
def _action_ended(event: ev.ActionEnded, state: State) -> str:
    end = "completed" if event.completed else "failed"
    return f"{unit_name(state, event.unit)} {end} its action: {title(event.rule)}"


@_on(ev.Removed)
def _removed(event: ev.Removed, state: State) -> str:
    return f"{_capital(thing_name(state, event.what))} removed from the battlefield"


@_on(ev.BattleEnded)
def _battle_ended(event: ev.BattleEnded, state: State) -> str:
    winners = listed([seat_name(state, w) for w in event.winners]) or "nobody"
    return f"The battle is over, won by {winners}: {event.reason.rstrip('.')}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
