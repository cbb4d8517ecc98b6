"""A battle that is over: its title, secrets, damage by unit, losses by round.

Plain words and numbers; the window draws them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core import event as ev
from engine.core.state import State, Unit
from viewer.story.goal import Goal
from viewer.story.name import count, listed, seat_name, short_name, title, unit_name
from viewer.story.report import BattleReport, report
from viewer.story.role import role_of
from viewer.story.source import Entry
from viewer.story.tally import Deeds
from viewer.story.turning_points import TurningPoint, turning_points

MOST_OF_HORDE = 6
"""At most this many units of the Horde have a line of their own."""


@dataclass(frozen=True, slots=True)
class UnitLine:
    """A unit's line in the table of damage; several units where `unit` is ""."""

    unit: str
    name: str
    note: str
    role: str
    dealt: int
    taken: int
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Ending:
    """All that the last screen says."""

    caption: str
    title: str
    sentence: str
    missions: tuple[tuple[int, str, str], ...]
    """By round: the mission and how it ended."""
    lost: int
    killed: int
    by_round: tuple[tuple[int, int, int], ...]
    """By round: the models of the players and of the Horde that were lost."""
    moments: tuple[TurningPoint, ...]
    own: tuple[UnitLine, ...]
    horde: tuple[UnitLine, ...]
    supply: tuple[int, int, int]
    """SP gained and spent, and CP spent, by all players."""
    unmodelled: int
    rounds: int

    @property
    def missions_met(self) -> int:
        """Return how many missions were met."""
        return sum(outcome == "met" for _, _, outcome in self.missions)

    @property
    def turned(self) -> int:
        """Return the round of the moment that cost the players most, the first where none did."""
        worst = min(self.moments, key=lambda moment: moment.worth, default=None)
        return max(worst.round, 1) if worst is not None else 1


def ending(entries: Sequence[Entry], state: State, goals: Sequence[Goal] = ()) -> Ending:
    """Return what is said of a battle that is over, with the secrets that may be shown."""
    events = [entry for entry in entries if isinstance(entry, ev.Event)]
    told = report(events)
    deeds = Deeds().until(entries, len(entries))
    lost_in = {e.unit: e.round for e in events if isinstance(e, ev.UnitDestroyed) and e.part is None}
    own = [_line(state, unit, deeds, lost_in) for unit in _units(state, "players")]
    horde = [_line(state, unit, deeds, lost_in) for unit in _units(state, "horde")]
    for lines in (own, horde):
        lines.sort(key=lambda line: (-line.dealt, -line.taken, line.name))
    flows = [flow for each in told.rounds for flow in each.flows]
    gained = sum(f.amount for f in flows if f.what == "sp" and f.amount > 0)
    spent = -sum(f.amount for f in flows if f.what == "sp" and f.amount < 0)
    points = -sum(f.amount for f in flows if f.what == "cp" and f.amount < 0)
    return Ending(
        caption=f"Battle over · round {state.round}{f' of {state.rounds}' if state.rounds else ''}",
        title=_title(state),
        sentence=_sentence(state, told, goals),
        missions=_missions(events),
        lost=sum(each.models_lost["players"] for each in told.rounds),
        killed=sum(each.models_lost["horde"] for each in told.rounds),
        by_round=tuple((r.number, r.models_lost["players"], r.models_lost["horde"]) for r in told.rounds),
        moments=turning_points(entries),
        own=tuple(own),
        horde=_shortened(horde),
        supply=(gained, spent, points),
        unmodelled=len(told.unmodelled),
        rounds=len(told.rounds),
    )


def _title(state: State) -> str:
    alive = state.players_alive()
    if not alive:
        return "The Horde holds the table"
    names = [seat_name(state, seat) for seat in state.players if seat in alive]
    return f"{listed(names)} {'holds' if len(names) == 1 else 'hold'} the table"


def _sentence(state: State, told: BattleReport, goals: Sequence[Goal]) -> str:
    """Return whether the battle is won, why it ended, and what became of the secrets."""
    reason = told.ended[:1].upper() + told.ended[1:].rstrip(".")
    if told.winners:
        winners = listed([seat_name(state, seat) for seat in told.winners])
        head = f"Won by {winners}: {reason}" if len(state.players) > 1 else f"Won: {reason}"
    else:
        head = f"Not won: {reason}"
    return ". ".join([head, *_secrets(state, told, goals)]) + "."


def _secrets(state: State, told: BattleReport, goals: Sequence[Goal]) -> list[str]:
    """Return each secret that was shown, or that may be, with its outcome."""
    found, several = [], len(state.players) > 1
    for player in told.players.values():
        whose = f" of {player.name}" if several else ""
        found += [
            f"Secret objective{whose}: {title(each['card'])}, "
            f"{'met' if each['outcome'] == 'completed' else 'not met'}"
            for each in player.secrets
        ]
    if not found:
        found = [
            f"Secret objective: {goal.name}, {goal.progress or 'not met'}"
            for goal in goals
            if goal.kind == "secret" and not goal.hidden
        ]
    return found or ["No secret objective was shown"]


def _missions(events: Sequence[ev.Event]) -> tuple[tuple[int, str, str], ...]:
    return tuple(
        (event.round, title(event.card), "met" if event.success else "failed")
        for event in events
        if isinstance(event, ev.MissionResolved)
    )


def _units(state: State, side: str) -> list[Unit]:
    return [unit for unit in state.position.units.values() if unit.side == side]


def _line(state: State, unit: Unit, deeds: Deeds, lost_in: dict[str, int]) -> UnitLine:
    dealt = sum(each[0] for each in deeds.dealt[unit.id].values())
    taken = sum(each[0] for each in deeds.taken[unit.id].values())
    models = state.position.alive(unit)
    is_lost = not unit.rows
    if is_lost:
        note = f"lost in round {lost_in[unit.id]}" if unit.id in lost_in else "removed"
    elif len(unit.facts.models) == 1 and models:
        note = f"{models[0].wounds} of {models[0].facts.characteristics.get('W', 1)} wounds left"
    else:
        note = f"{len(unit.rows)} of {count(len(unit.facts.models), 'model')} left"
    name = short_name(unit_name(state, unit.id))
    return UnitLine(unit.id, name, note, role_of(unit.facts), dealt, taken, is_lost)


def _shortened(lines: list[UnitLine]) -> tuple[UnitLine, ...]:
    """Return the lines of the Horde, those that did least as one."""
    if len(lines) <= MOST_OF_HORDE:
        return tuple(lines)
    kept, rest = lines[: MOST_OF_HORDE - 1], lines[MOST_OF_HORDE - 1 :]
    names = ", ".join(dict.fromkeys(line.name for line in rest))
    dealt, taken = sum(line.dealt for line in rest), sum(line.taken for line in rest)
    return (*kept, UnitLine("", f"{len(rest)} others", names, "line", dealt, taken))
