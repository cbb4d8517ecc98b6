"""A battle round by round, from its log: spawned and lost units, points, markers held."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from engine.core import event as ev
from engine.core.apply import apply
from engine.core.header import UNDONE
from engine.core.log import BecauseLine, LogLine
from engine.core.request import BROKEN_OFF
from engine.core.state import State
from viewer.story.name import thing_name, title
from viewer.story.turning_points import TurningPoint, moment_lines, turning_points

SIDES = {"horde": "the Horde", "players": "the players", "": "nobody"}


@dataclass(frozen=True, slots=True)
class Flow:
    """SP or CP that a player gained, or paid or lost, and the rule that did it."""

    player: str
    what: str
    amount: int
    rule: str


@dataclass(slots=True)
class PlayerReport:
    """What became of a player."""

    id: str
    name: str
    faction: str
    secrets: list[dict[str, str]] = field(default_factory=list)
    """The secret objectives that it revealed, each with its outcome: completed or failed."""
    horde_units_destroyed: int = 0
    survived: bool = True
    won: bool = False
    why: str = ""


@dataclass(slots=True)
class RoundReport:
    """What happened in one battle round."""

    number: int
    misery: list[str] = field(default_factory=list)
    missions: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    spawns: list[str] = field(default_factory=list)
    horde_lost: list[str] = field(default_factory=list)
    players_lost: list[str] = field(default_factory=list)
    models_lost: dict[str, int] = field(default_factory=lambda: {"horde": 0, "players": 0})
    purchases: list[str] = field(default_factory=list)
    objectives: dict[str, str] = field(default_factory=dict)
    flows: list[Flow] = field(default_factory=list)
    supply: dict[str, int] = field(default_factory=dict)
    command: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class BattleReport:
    """A whole battle: its rounds and its result."""

    rounds: list[RoundReport] = field(default_factory=list)
    unmodelled: dict[str, int] = field(default_factory=dict)
    winners: tuple[str, ...] = ()
    ended: str = ""
    players: dict[str, PlayerReport] = field(default_factory=dict)
    secrets: list[str] = field(default_factory=list)
    broken_off: int = 0
    """For how many answers a search for a move was broken off. Rule: R.BUDGET"""
    moments: tuple[TurningPoint, ...] = ()
    """The moments that decided it."""

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        told = {**asdict(self), "players": [asdict(player) for player in self.players.values()]}
        del told["moments"]
        return told


def report(log: Iterable[LogLine]) -> BattleReport:
    """Return the report of a log, whose reasons tell which searches were broken off."""
    state = State()
    found = BattleReport()
    log = list(log)
    for event in log:
        if isinstance(event, BecauseLine):
            found.broken_off += any(reason.ruling == BROKEN_OFF for reason in event.reasons)
        if not isinstance(event, ev.Event):
            continue
        _tell(found, state, event)
        apply(state, event)
        if isinstance(event, ev.RoundEnded | ev.BattleEnded) and found.rounds:
            _close(found.rounds[-1], state)
    _judge(found, state)
    found.moments = turning_points(log)
    return found


def _judge(found: BattleReport, state: State) -> None:
    """Say of each player whether it survived and won, and why. Rule: WIN.1"""
    alive = state.players_alive()
    for seat, player in found.players.items():
        player.survived, player.won = seat in alive, seat in found.winners
        completed = [title(card) for card in state.players[seat].completed]
        if player.won:
            player.why = f"{' and '.join(completed)} completed"
        elif completed:
            player.why = f"{' and '.join(completed)} completed, but it had to survive"
        elif player.secrets:
            player.why = f"{' and '.join(title(each['card']) for each in player.secrets)} failed"
        else:
            player.why = "no secret objective was revealed"


def _tell(found: BattleReport, state: State, event: ev.Event) -> None:
    if isinstance(event, ev.Setup):
        found.players = {each.id: PlayerReport(each.id, each.name, each.faction) for each in event.players}
    elif isinstance(event, ev.RoundBegan):
        found.rounds.append(RoundReport(event.number))
    elif isinstance(event, ev.BattleEnded):
        found.winners, found.ended = event.winners, event.reason
    elif isinstance(event, ev.SecretRevealed):
        outcome = "completed" if event.completed else "failed"
        found.secrets.append(f"{event.player}: {title(event.card)}, {outcome}")
        found.players[event.player].secrets.append({"card": event.card, "outcome": outcome})
    elif isinstance(event, ev.Unmodelled):
        found.unmodelled[event.rule] = found.unmodelled.get(event.rule, 0) + 1
    elif found.rounds:
        if isinstance(event, ev.UnitDestroyed) and event.part is not None and event.credit in found.players:
            found.players[event.credit].horde_units_destroyed += 1
        _tell_round(found.rounds[-1], state, event)


def _tell_round(now: RoundReport, state: State, event: ev.Event) -> None:
    if isinstance(event, ev.CardRevealed) and not event.player:
        (now.misery if event.deck == "misery" else now.missions).append(title(event.card))
    elif isinstance(event, ev.MissionResolved):
        now.results.append(f"{title(event.card)}: {'success' if event.success else 'failure'}")
    elif isinstance(event, ev.SpawnRolled):
        now.spawns.append(f"{event.zone}: {event.entry or 'nothing'} ({_roll(event)})")
    elif isinstance(event, ev.Destroyed):
        now.models_lost[state.position.units[event.unit].side] += 1
    elif isinstance(event, ev.UnitDestroyed) and event.part is None:
        unit = state.position.units[event.unit]
        lost = now.horde_lost if unit.side == "horde" else now.players_lost
        by = f" by {thing_name(state, event.by)}" if event.by else f" ({event.cause})"
        lost.append(thing_name(state, event.unit) + by)
    elif isinstance(event, ev.Gained | ev.Spent):
        amount = event.amount if isinstance(event, ev.Gained) else -event.amount
        now.flows.append(Flow(event.player, event.what, amount, event.cause))
    elif isinstance(event, ev.Purchased):
        now.purchases.append(f"{event.player}: {title(event.rule)} for {event.price} SP")


def _roll(event: ev.SpawnRolled) -> str:
    dice = "+".join(map(str, event.natural))
    change = int(event.trail.value)
    return f"roll {dice}{f' {change:+d}' if change else ''}, bracket {event.bracket or 'none'}"


def _close(now: RoundReport, state: State) -> None:
    now.objectives = {o.facts.id: o.by for o in state.position.objectives.values()}
    now.supply = {p.facts.id: p.sp for p in state.players.values()}
    now.command = {p.facts.id: p.cp for p in state.players.values()}


def lines(found: BattleReport) -> list[str]:
    """Return the report as lines of text."""
    text: list[str] = []
    for now in found.rounds:
        text += _round_lines(now)
    text.append("")
    text += ["What decided it", *moment_lines(found.moments), ""] if found.moments else []
    text += [f"Secret objective of {secret}." for secret in found.secrets]
    who = ", ".join(found.winners) or "nobody"
    text.append(f"The battle is over ({found.ended}). It is won by {who}.")
    if found.unmodelled:
        rules, times = len(found.unmodelled), sum(found.unmodelled.values())
        text.append(f"{rules} rules are not simulated yet; they came up {times} times (named in the log).")
    if found.broken_off:
        text.append(f"A search for a move was broken off for {found.broken_off} answers (named in the log).")
    return text


def _round_lines(now: RoundReport) -> list[str]:
    rows = [
        ("misery", now.misery),
        ("mission", now.missions),
        ("spawned", now.spawns),
        ("bought", now.purchases),
        ("Horde lost", now.horde_lost),
        ("players lost", now.players_lost),
        ("mission result", now.results),
    ]
    lost = now.models_lost
    held = [f"{name} {SIDES[by]}" for name, by in now.objectives.items()]
    supply = ", ".join(f"{p} {sp} SP {now.command.get(p, 0)} CP" for p, sp in now.supply.items())
    return [
        "",
        f"Round {now.number}",
        *(f"  {name}: {'; '.join(told)}" for name, told in rows if told),
        f"  models destroyed: {lost['horde']} of the Horde, {lost['players']} of the players",
        f"  objectives: {', '.join(held)}",
        f"  supply: {supply}",
    ]


def undone_lines(header: Mapping[str, object]) -> list[str]:
    """Return what is to be said of a battle in which answers were taken back past a roll."""
    times = header.get(UNDONE, 0)
    if not isinstance(times, int) or not times:
        return []
    return [f"Undone past a roll: {'once' if times == 1 else f'{times} times'}."]
