"""The trial of every ruleset and every agent: a battle, looked at from each decision.

A ruleset passes with any agents that give legal answers; nothing here knows a rule of any game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from datasheets.library import Library
from engine.core.apply import digest, fold
from engine.core.event import Shot
from engine.core.game import Game, IllegalAnswer
from engine.core.log import reasons_of
from engine.core.play import Agent, step
from engine.core.replay import encode
from engine.core.request import (
    AnyAnswer,
    AnyRequest,
    Choose,
    Chosen,
    Line,
    Move,
    Moves,
    Order,
    Ordered,
    Place,
    Places,
    Said,
    Split,
    Splits,
)
from engine.core.save import load, save
from engine.w40k.view import View

MOST_ANSWERS = 3000
"""No battle of this size asks as much: one that does will not end."""
FAR_OFF = (-500.0, -500.0)
Moment = tuple[str, bytes]
"""The state as text, and what is asked."""


@dataclass(frozen=True, slots=True)
class Contest:
    """A ruleset's battle, as often as it is wanted, and the agents that play in it."""

    name: str
    begin: Callable[[int], Game]
    """Returns the battle of a seed at its first question."""
    seats: Callable[[], dict[str, Agent]]
    library: Library


@dataclass(slots=True)
class Trial:
    """A battle played to its end, with its state before each answer and what was refused."""

    game: Game
    moments: list[Moment] = field(default_factory=list)
    refused: list[tuple[AnyRequest, AnyAnswer, tuple[str, ...]]] = field(default_factory=list)
    accepted: list[tuple[AnyRequest, AnyAnswer]] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    """The kinds of request that were provoked."""
    changed: list[AnyAnswer] = field(default_factory=list)
    """Answers that were refused and yet changed something."""
    meddled: list[AnyRequest] = field(default_factory=list)
    """What was asked where the state was another when the agent had answered."""


@dataclass(frozen=True, slots=True)
class Watched:
    """An agent, and whether the state is the same before and after each of its answers."""

    agent: Agent
    game: Game
    meddled: list[AnyRequest]

    @property
    def name(self) -> str:
        """Return the agent's name."""
        return self.agent.name

    def answer(self, view: View, request: AnyRequest) -> AnyAnswer:
        """Return the agent's answer."""
        before = digest(self.game.state)
        answer = self.agent.answer(view, request)
        if digest(self.game.state) != before:
            self.meddled.append(request)
        return answer


def moment(game: Game) -> Moment:
    """Return where a battle stands."""
    return digest(game.state), encode(game.pending)


def played(contest: Contest, seed: int, *, provoke: bool) -> Trial:
    """Return a battle after its last answer; with `provoke` illegal ones are tried before each."""
    game = contest.begin(seed)
    trial = Trial(game, [moment(game)])
    seats = {seat: Watched(agent, game, trial.meddled) for seat, agent in contest.seats().items()}
    views = {seat: View(game, seat) for seat in seats}
    while game.pending is not None and len(game.answers) < MOST_ANSWERS:
        if provoke:
            _provoke(trial)
        step(game, seats, views)
        trial.moments.append(moment(game))
    return trial


def _provoke(trial: Trial) -> None:
    """Give illegal answers to what is pending; none may be taken, nor change anything."""
    game = trial.game
    request = game.pending
    assert request is not None
    trial.asked.add(type(request).__name__)
    before = (trial.moments[-1], len(game.lines), dict(game.dice.draws))
    for answer, seat in illegal(game, request):
        try:
            game.submit(answer, seat)
        except IllegalAnswer as fault:
            trial.refused.append((request, answer, fault.faults))
        else:
            trial.accepted.append((request, answer))
            return
        if (moment(game), len(game.lines), dict(game.dice.draws)) != before:
            trial.changed.append(answer)


def illegal(game: Game, request: AnyRequest) -> Iterator[tuple[AnyAnswer, str]]:
    """Yield answers to a request that no rule of any game allows, each with its sender."""
    seat = request.seats[0]
    wrong: AnyAnswer = Said(yes=True) if isinstance(request, Choose | Order) else Ordered(ids=("nothing",))
    yield wrong, seat
    yield wrong, "a stranger"
    if isinstance(request, Choose):
        yield from ((Chosen(ids=ids), seat) for ids in _ids(request))
    elif isinstance(request, Order):
        ids = tuple(item.id for item in request.items)
        yield from ((Ordered(ids=each), seat) for each in (ids[1:], (*ids, ids[0]), ("nothing", *ids[1:])))
    elif isinstance(request, Split):
        yield from ((Splits(shots=shots), seat) for shots in _shots(request))
    elif isinstance(request, Move):
        yield from ((Moves(paths=paths), seat) for paths in _paths(game, request))
    elif isinstance(request, Place):
        yield from ((Places(poses=poses), seat) for poses in _poses(request))


def _ids(request: Choose) -> Iterator[tuple[str, ...]]:
    known = tuple(option.id for option in request.options)
    yield ("no such option",)
    if len(known) > request.maximum:
        yield known[: request.maximum + 1]
    if known and request.maximum > 1:
        yield (known[0], known[0])
    if request.minimum:
        yield ()


def _shots(request: Split) -> Iterator[tuple[Shot, ...]]:
    yield (Shot(model=9999, weapon=0, target="nobody"),)
    for line in request.lines[:1]:
        yield (_shot(line, "nobody"),)
        often = 1 + sum((each.model, each.weapon) == (line.model, line.weapon) for each in request.lines)
        yield (_shot(line, line.targets[0]),) * often


def _shot(line: Line, target: str) -> Shot:
    return Shot(model=line.model, weapon=line.weapon, target=target)


def _paths(game: Game, request: Move) -> Iterator[dict[int, tuple[tuple[float, ...], ...]]]:
    yield {9999: ((1.0, 1.0),)}
    row = next(iter(request.limits))
    x, y = (float(each) for each in game.state.position.table.xy[row])
    yield {row: (FAR_OFF,)}
    # Farther than it may go, but on the table.
    width = game.state.position.board.size[0]
    beyond = request.limits[row] + 1.0
    if beyond <= width / 2 - 2:
        yield {row: ((x + (beyond if x < width / 2 else -beyond), y),)}


def _poses(request: Place) -> Iterator[dict[int, Any]]:
    row = request.rows[0] if request.rows else -1
    yield {row: (*FAR_OFF, 0.0, 0.0)}
    yield {9999: (30.0, 22.0, 0.0, 0.0)}
    if len(request.rows) > 1:
        yield dict.fromkeys(request.rows, (30.0, 22.0, 0.0, 0.0))
    if not (request.optional or request.partly):
        yield {}


def lines(game: Game) -> list[bytes]:
    """Return the log as a file keeps it."""
    return [encode(line) for line in game.lines]


def refolded(game: Game) -> str:
    """Return the state that the log alone gives."""
    return digest(fold(game.events))


def taken_back(contest: Contest, trial: Trial, folder: Path) -> list[str]:
    """Return what differs where the battle is undone to each decision, saved and loaded.

    From each decision it must go on to where it stood one answer later. The battle is played to its end
    again.
    """
    game, found = trial.game, []
    given = list(game.answers)
    reasons = reasons_of(game.lines)
    for at in reversed(range(len(given))):
        game.undo(at)
        file = folder / "battle.save"
        save(game, file)
        loaded = load(
            file, contest.library, begin=lambda header, library, source: contest.begin(header["seed"])
        )
        for name, each in (("undone", game), ("loaded", loaded)):
            if moment(each) != trial.moments[at]:
                found.append(f"{name} at decision {at} it stands otherwise")
            each.resubmit(given[at], reasons.get(at))
            if moment(each) != trial.moments[at + 1]:
                found.append(f"{name} at decision {at} it goes on otherwise")
        game.undo(at)
    for line in given:
        game.resubmit(line, reasons.get(line.answer))
    return found
