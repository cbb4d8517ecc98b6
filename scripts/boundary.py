"""Comparison of positions of battles with twins: leaks of what a seat must not know.

Owns which battles are played, at which of their questions the twins are compared, and what is compared: the
request, every public answer of the View (its log among them) and the answers of agents with their reasons.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

import msgspec
from hidden_twin import NoTwin, Told, Twins, at, twins
from public_answers import DRAWN, RAISES, Answers, Fitting, Inquiry

from ai.agents import agent
from datasheets.library import Library
from engine.core.apply import digest
from engine.core.facts import HORDE
from engine.core.log import Boundary, LogLine
from engine.core.play import Agent, play
from engine.core.replay import encode
from engine.core.request import AnyAnswer
from engine.systems import begin
from engine.w40k.battle import Battle
from engine.w40k.view import View

FACTIONS = ("death-guard", "tyranids")
LAYOUTS = {"dawn-of-war": "horde-dawn-of-war-1", "hammer-and-anvil": "horde-hammer-and-anvil-1"}
SQUADS: tuple[tuple[dict[str, Any], ...], ...] = (
    (
        {"id": "intercessors", "datasheet": "space-marines/intercessor-squad", "models": 5},
        {"id": "scouts", "datasheet": "space-marines/scout-squad", "models": 5},
    ),
    (
        {"id": "terminators", "datasheet": "space-marines/terminator-squad", "models": 5},
        {"id": "eradicators", "datasheet": "space-marines/eradicator-squad", "models": 3},
    ),
)
SHOWN = 160
"""How many bytes of an answer that differs are shown."""


class Job(NamedTuple):
    """A battle to play."""

    players: int
    seed: int
    faction: str
    agent: str
    whole: bool
    """Whether the armies are the library's, not small ones."""
    rounds: int

    @property
    def key(self) -> str:
        """Return the label of the battle in messages."""
        size = "whole" if self.whole else "small"
        return f"{self.players} {size} {self.agent} {self.faction} seed {self.seed}"


class Moment(NamedTuple):
    """A question of a battle to one of the seats that it asks."""

    answers: int
    seat: str
    kind: str
    decision: str
    phase: str


@dataclass(frozen=True, slots=True)
class Played:
    """A battle played to its end."""

    job: Job
    header: dict[str, Any]
    lines: list[LogLine]
    boundaries: list[Boundary]
    moments: list[Moment]


@dataclass(slots=True)
class Tried:
    """What the comparison of one position with its twin shows."""

    job: Job
    moment: Moment
    swapped: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()
    """The attributes, properties and methods of the View that gave an answer."""
    leaks: list[str] = field(default_factory=list)
    has_twin: bool = True


class Cast(NamedTuple):
    """Through what the seats look, and what answers for them."""

    view: Callable[[Battle, str], View] = View
    agents: Callable[[str], Mapping[str, Agent[View]]] = lambda seat: {
        name: agent(name) for name in ("horde" if seat == HORDE else "steady", "fuzz")
    }


DEFAULT = Cast()


def jobs(players: int, count: int, seed: int, *, whole: bool, rounds: int = 5) -> list[Job]:
    """Return this many battles, factions and agents in turn."""
    return [
        Job(players, seed + i, FACTIONS[i % 2], ("steady", "steady", "fuzz")[i % 3], whole, rounds)
        for i in range(count)
    ]


def played(job: Job, library: Library) -> Played:
    """Return a battle played to its end, and its questions."""
    battle = begin(header_of(job, library), library)
    seats = {HORDE: agent("horde"), **{seat: agent(job.agent) for seat in battle.state.players}}
    moments: list[Moment] = []

    def note(battle: Battle) -> None:
        request = battle.pending
        if request is not None:
            told = (type(request).__name__, request.decision, battle.state.phase)
            moments.extend(Moment(len(battle.answers), seat, *told) for seat in request.seats)

    note(battle)
    play(battle, seats, View, watch=note)
    return Played(job, battle.origin, battle.lines, battle.boundaries, moments)


def header_of(job: Job, library: Library) -> dict[str, Any]:
    """Return what a battle is made from."""
    deployment = list(LAYOUTS)[job.seed // 2 % len(LAYOUTS)]
    armies = whole_armies(job.players, library) if job.whole else small_armies(job.players)
    setup = {"points": 1000, "factions": [job.faction], "deployment": deployment, "rounds": job.rounds}
    setup |= {"layout": LAYOUTS[deployment], "armies": armies}
    return {"ruleset": "horde-1.1", "seed": job.seed, "setup": setup, "rulings": {}}


def small_armies(players: int) -> list[dict[str, Any]]:
    """Return armies of a few squads, of all for a single player."""
    shares = [[*SQUADS[0], *SQUADS[1]]] if players == 1 else [list(SQUADS[i % 2]) for i in range(players)]
    return [_army(i, units, players) for i, units in enumerate(shares)]


def whole_armies(players: int, library: Library) -> list[dict[str, Any]]:
    """Return the library's army dealt to the players, as the data of one army for each.

    A leader goes with the unit that it leads.
    """
    army = library.army("space-marines-1000")
    units = [_plain_unit(unit) for unit in army.units]
    led = {unit["id"]: unit.get("attached_to") or unit.get("embarked_in") or unit["id"] for unit in units}
    firsts = [unit["id"] for unit in units if led[unit["id"]] == unit["id"]]
    owner = {name: i % players for i, name in enumerate(firsts)}
    shares = [[unit for unit in units if owner[led[unit["id"]]] == i] for i in range(players)]
    return [_army(i, share, players) for i, share in enumerate(shares)]


def _plain_unit(unit: Any) -> dict[str, Any]:
    return {key: value for key, value in msgspec.to_builtins(unit).items() if value is not None}


def _army(number: int, units: Sequence[dict[str, Any]], players: int) -> dict[str, Any]:
    army = {"name": f"Company {number + 1}", "faction": "space-marines", "detachment": "Gladius Task Force"}
    return {**army, "points": 1000 // players, "unit": list(units)}


def chosen(battles: Sequence[Played], count: int, seed: int) -> list[tuple[Played, Moment]]:
    """Return this many questions of battles, drawn in turn from each sort of question.

    Each comes with its battle. A sort is a side, a kind, a decision and a phase; where the questions run
    out, all are returned. Each kind of question to each side comes first.
    """
    chance = Random(f"{seed}/positions")
    kinds: dict[tuple[str, ...], list[tuple[Played, Moment]]] = {}
    for battle in battles:
        for moment in battle.moments:
            side = moment.seat if moment.seat == HORDE else "players"
            kinds.setdefault((side, *moment[2:]), []).append((battle, moment))
    for each in kinds.values():
        chance.shuffle(each)
    keys = sorted(kinds)
    chance.shuffle(keys)
    firsts = {key[:2]: key for key in reversed(keys)}.values()
    left = [kinds[key] for key in sorted(keys, key=lambda key: key not in firsts)]
    found: list[tuple[Played, Moment]] = []
    while left and len(found) < count:
        found += [each.pop() for each in left][: count - len(found)]
        left = [each for each in left if each]
    return found


def tried(
    battle: Played, moment: Moment, library: Library, seed: int, cast: Cast = DEFAULT, often: int = DRAWN
) -> Tried:
    """Return what the comparison of a position with its twin shows."""
    found = Tried(battle.job, moment)
    name = f"{seed}/{battle.job.key}/{moment.answers}/{moment.seat}"
    try:
        pair = twins(restored(battle, moment.answers, library), moment.seat, library, name)
    except NoTwin:
        found.has_twin = False
    except Told as fault:
        found.leaks.append(f"the way to the question: {fault}")
    else:
        found.swapped = pair.swapped
        found.leaks += compared(pair, name, cast, often, found)
    return found


def restored(battle: Played, answers: int, library: Library) -> Battle:
    """Return a battle after this many answers."""
    back = [each for each in battle.boundaries if each.answers <= answers][-1]
    return at(battle.header, library, battle.lines, back, answers)


def compared(pair: Twins, seed: str, cast: Cast, often: int = DRAWN, note: Tried | None = None) -> list[str]:
    """Return what a seat is shown otherwise in the twin, and what an answer changed."""
    inquiry = Inquiry(seed, often)
    one, changed = shown(pair.one, pair.seat, inquiry, cast)
    other, changed_there = shown(pair.other, pair.seat, inquiry, cast)
    if note is not None:
        note.asked = frozenset(
            name.split("(")[0].split(".")[1]
            for name, answer in one.items()
            if name.startswith("view.") and not answer.startswith(RAISES)
        )
    return [*differences(one, other), *changed, *changed_there]


def shown(battle: Battle, seat: str, inquiry: Inquiry, cast: Cast) -> tuple[Answers, list[str]]:
    """Return all that a seat is shown at a question, by name, and what asking for it changed."""
    assert battle.pending is not None
    found: Answers = {"request": encode(battle.pending)}
    changed: list[str] = []
    answers: list[AnyAnswer] = []
    before = _stands(battle)
    for name, each in cast.agents(seat).items():
        view = cast.view(battle, seat)
        answers.append(each.answer(view, battle.pending))
        found[f"agent {name}"] = encode(answers[-1]) + encode(view.broken_off)
        changed += [f"the answer of agent {name} changed {what}" for what in _since(before, battle)]
    view = cast.view(battle, seat)
    found |= inquiry.answers(view, Fitting(battle, view, tuple(answers)))
    changed += [f"the questions to the View changed {what}" for what in _since(before, battle)]
    return found, changed


def _stands(battle: Battle) -> dict[str, object]:
    """Return where a battle stands."""
    return {
        "the state": digest(battle.state),
        "the dice": dict(battle.dice.draws),
        "the log": len(battle.lines),
    }


def _since(before: dict[str, object], battle: Battle) -> Iterator[str]:
    return (what for what, now in _stands(battle).items() if now != before[what])


def differences(one: Answers, other: Answers) -> list[str]:
    """Return the answers that are not equal bytes, with where they first differ."""
    found = []
    for name in sorted({*one, *other}):
        here, there = one.get(name, b"nothing"), other.get(name, b"nothing")
        if here != there:
            first = next((i for i, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), 0)
            part = slice(max(0, first - SHOWN // 4), first + SHOWN)
            found.append(f"{name}: {here[part].decode()!r} / {there[part].decode()!r}")
    return found
