"""Plays battles in which every pair of settings occurs; each must end and tell no secret.

    python scripts/settings_battles.py --games 100 --referee --workers 2 --out out/settings.jsonl

Settings are the number of players, the size, the deployment, five rounds or none, one or three Horde
factions, and a handicap. The first battles hold every pair of them, the rest are drawn. Infinite battles go
on until the players have fallen, or for MOST_ROUNDS. Each log is read as every seat, and as everyone, may
read it: before a secret objective is shown, no other seat reads its name. Each replay is sealed, and its
file read: it names neither the seed nor a secret that was not shown, and has an end. `--out` gets one JSON
line a battle; run again, it goes on from there. For each card, purchase, action and faction rule that has
not acted by then, `--more` times a battle is added in which it may: with the faction as the Horde, or with
players that save up for the purchase. At the end stands what no battle showed. Exit 1 where a battle fails.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from hashlib import sha256
from io import StringIO
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from rich.console import Console
from series import play_all, row_of, told, with_faults
from shopper import Shopper

if TYPE_CHECKING:
    from datasheets.library import Library
    from datasheets.rule import Rule
    from engine.core.log import LogLine
    from engine.w40k.battle import Battle

FAULTS = ("error", "stalled", "faults", "disagreements", "told", "sealed")
"""What a row of a battle holds where something is wrong."""
SETTINGS: dict[str, tuple[Any, ...]] = {
    "players": (1, 2, 4, 8),
    "points": (1000, 2000),
    "deployment": (
        "crucible-of-battle",
        "dawn-of-war",
        "hammer-and-anvil",
        "search-and-destroy",
        "sweeping-engagement",
        "tipping-point",
    ),
    "rounds": (5, 0),
    "hordes": (1, 3),
    "handicap": (0, 150),
}
"""The values of each setting; 0 rounds: until the players have fallen."""
MOST_ROUNDS = 30
MOST_ANSWERS = 60_000
"""A battle that is not over by then has stalled."""
SECRET = re.compile(rb"secret/[0-9]+[a-z0-9-]*")
FAMILIES = ("misery", "secondary", "secret", "buy", "faction")


class Job(NamedTuple):
    """One battle to play."""

    seed: int
    players: int
    points: int
    deployment: str
    rounds: int
    hordes: int
    handicap: int
    referee: bool
    horde: str = ""
    """The Horde's faction; "" for those whose turn it is with the seed."""
    wish: str = ""
    """The purchase for which the players save up."""

    @property
    def key(self) -> str:
        """Return the name under which the battle is found again."""
        return "/".join(str(each) for each in self if each != "")


def jobs(games: int, first: int, referee: bool) -> list[Job]:
    """Return this many battles: those that hold every pair of settings, then others."""
    found = [Job(first + i, *row, referee) for i, row in enumerate(_pairwise())]
    while len(found) < games:
        seed = first + len(found)
        drawn = [_draw(values, f"{seed}/{name}") for name, values in SETTINGS.items()]
        found.append(Job(seed, *drawn, referee))
    return found[:games]


def _pairwise() -> Iterator[tuple[Any, ...]]:
    """Yield rows of settings until every pair of values has occurred, each with many new ones."""
    names = list(SETTINGS)
    left = {
        (a, x, b, y)
        for a, b in combinations(range(len(names)), 2)
        for x in SETTINGS[names[a]]
        for y in SETTINGS[names[b]]
    }
    while left:
        row: dict[int, Any] = {}
        a, x, b, y = min(left, key=repr)
        row |= {a: x, b: y}
        for place in range(len(names)):
            if place not in row:
                row[place] = max(
                    SETTINGS[names[place]], key=lambda value, at=place: _gain(left, {**row, at: value})
                )
        full = tuple(row[place] for place in range(len(names)))
        left -= {(a, full[a], b, full[b]) for a, b in combinations(range(len(names)), 2)}
        yield full


def _gain(left: set[tuple[int, Any, int, Any]], row: dict[int, Any]) -> int:
    return sum((a, row[a], b, row[b]) in left for a, b in combinations(sorted(row), 2))


def _draw(values: Sequence[Any], salt: str) -> Any:
    return values[int.from_bytes(sha256(salt.encode()).digest()[:4], "big") % len(values)]


def played(job: Job) -> dict[str, Any]:
    """Return what one battle shows; one that fails to be played says so under "error"."""
    return row_of(job, {"key": job.key, **job._asdict()}, _shown)


def _shown(job: Job) -> dict[str, Any]:
    from holding import heard

    from ai.agents import agent
    from datasheets.library import Library
    from datasheets.share import share
    from engine.audit.inspection import inspect
    from engine.audit.referee.reading import read as reading_of
    from engine.core.play import play
    from engine.horde.setup import Options
    from engine.systems import new_game
    from engine.w40k.view import View

    library = Library()
    points = share(job.points, job.players, job.handicap)
    army = library.army(library.army_within("space-marines", points))
    options = Options(
        (army,) * job.players,
        _factions(job, library),
        job.points,
        deployment=job.deployment,
        rounds=job.rounds or None,
        seed=job.seed,
        handicap=job.handicap,
    )
    game = new_game(options, library)
    seats = {"horde": agent("horde")}
    for seat in game.state.players:
        seats[seat] = Shopper([job.wish]) if job.wish else agent("steady")
    with heard() as holding:
        play(
            game,
            seats,
            View,
            until=lambda game: game.state.round > MOST_ROUNDS or len(game.answers) >= MOST_ANSWERS,
        )
    found = inspect(game.events, game.ruleset.parameters)
    reading = reading_of(game.lines, game.ruleset, game.rulebook, game.rulings) if job.referee else None
    return {
        "stalled": game.pending is not None and game.state.round <= MOST_ROUNDS,
        "rounds_played": game.state.round,
        "winners": game.state.winners,
        "answers": len(game.answers),
        "faults": [f"event {fault.n}: {fault.check}: {fault.text}" for fault in found.faults],
        "disagreements": [str(each) for each in reading.disagreements] if reading else [],
        "told": list(secrets_told(game.lines, tuple(game.state.players))),
        "sealed": list(sealed_faults(game)),
        "acted": sorted(acted(game.lines) | holding),
    }


def _factions(job: Job, library: Library) -> tuple[str, ...]:
    """Return the factions of the Horde in a battle."""
    if job.horde:
        return (job.horde,)
    known = library.hordes()
    found = dict.fromkeys(known[(job.seed * 7 + 5 * place) % len(known)] for place in range(job.hordes))
    return tuple(found)


def secrets_told(lines: Sequence[LogLine], seats: Sequence[str]) -> Iterator[str]:
    """Yield each secret objective that a seat, or everyone, reads too early. Rule: PLAY.9

    What one answer leads to is read at once: an action that reveals a secret begins just before.
    """
    from engine.core.replay import encode
    from engine.w40k.seat_log import SeatLog

    for seat in ("", *seats):
        known: set[bytes] = set()
        for together in _by_answer(SeatLog(*([seat] if seat else [])).of(lines)):
            known |= {card for line in together if (card := _shown_card(line, seat))}
            for name in SECRET.findall(b"".join(map(encode, together))):
                if name not in known:
                    yield f"{seat or 'everyone'} reads {name.decode()}"
                    known.add(name)


def sealed_faults(game: Battle) -> Iterator[str]:
    """Yield what the sealed replay of a battle tells too much, or too little. Rule: PLAY.9"""
    from engine.core import event as ev
    from engine.core.replay import read_replay, write_replay
    from viewer.commands.replay_command import export

    with TemporaryDirectory() as folder:
        whole, sealed = Path(folder) / "whole.replay", Path(folder) / "sealed.replay"
        write_replay(whole, game.header, game.lines)
        with redirect_stdout(StringIO()):
            export(whole, sealed, "", sealed=True)
        head, *rest = sealed.read_bytes().splitlines()
        read = read_replay(sealed)
    if b'"seed"' in head:
        yield "the sealed replay names the seed"
    shown = {line.card for line in game.lines if isinstance(line, ev.SecretRevealed)}
    # The set-up lists the whole deck, in the order of its names.
    for name in sorted({each.decode() for each in SECRET.findall(b"".join(rest[1:]))} - shown):
        yield f"the sealed replay names {name}"
    ends = (line for line in read.lines if isinstance(line, ev.BattleEnded))
    if game.pending is None and next(ends, None) is None:
        yield "the sealed replay has no end"


def _by_answer(lines: Sequence[LogLine]) -> Iterator[list[LogLine]]:
    """Yield the lines that each answer leads to, it first, without the set-up."""
    from engine.core import event as ev
    from engine.core.log import AnswerLine

    together: list[LogLine] = []
    for line in lines:
        if isinstance(line, AnswerLine):
            yield together
            together = []
        if not isinstance(line, ev.Setup):
            together.append(line)
    yield together


def _shown_card(line: LogLine, seat: str) -> bytes:
    """Return the card that a line shows to everyone, or that this seat draws."""
    from engine.core import event as ev

    drawn = isinstance(line, ev.CardRevealed) and line.player == seat != ""
    return line.card.encode() if drawn or isinstance(line, ev.SecretRevealed) else b""


def acted(lines: Sequence[LogLine]) -> set[str]:
    """Return what a battle showed: cards, purchases, actions and rules that acted."""
    from engine.core import event as ev

    found: set[str] = set()
    for line in lines:
        if isinstance(line, ev.CardRevealed | ev.SecretRevealed):
            found.add(line.card)
        elif isinstance(line, ev.Purchased):
            found.add(line.rule)
        elif isinstance(line, ev.ActionEnded) and line.completed:
            found.add(f"action:{line.rule}")
        if isinstance(line, ev.Event):
            found.add(line.cause)
            for trail in _trails(line):
                found |= {clause for clause, _ in trail.steps}
    return found - {""}


def _trails(event: Any) -> Iterator[Any]:
    one = getattr(event, "trail", None)
    yield from [one] if one is not None else []
    yield from getattr(event, "trails", ())


def never(rows: Sequence[dict[str, Any]]) -> list[tuple[str, Rule]]:
    """Return what acted in no battle, by name: cards, purchases, actions, faction rules."""
    from datasheets.library import Library

    met = {each for row in rows for each in row.get("acted", ())}
    found = []
    for rule in Library().rules():
        if rule.tags[:1] and rule.tags[0] in FAMILIES and rule.status != "unmodelled":
            if rule.id not in met and rule.clause not in met:
                found.append((rule.id, rule))
            if any(offer.at == "shooting" for offer in rule.offer) and f"action:{rule.id}" not in met:
                found.append((f"action of {rule.id}", rule))
    return found


def jobs_for(missing: Sequence[tuple[str, Rule]], first: int, referee: bool) -> list[Job]:
    """Return a battle for each thing that never acted, in which it may."""
    found = []
    for i, (name, rule) in enumerate(missing):
        plain = Job(first + i, 2, 1000, SETTINGS["deployment"][i % 6], 5, 1, 0, referee)
        if rule.tags[0] == "faction":
            found.append(plain._replace(horde=rule.factions[0]))
        elif rule.tags[0] == "buy" and name == rule.id:
            found.append(plain._replace(wish=rule.id))
        else:
            # A card is most likely to be in the hands of one of many, and what needs time of a large army.
            found.append(plain._replace(players=8, points=1000 + 1000 * (i % 2)))
    return found


def main(
    games: Annotated[int, typer.Option(min=1, help="How many battles.")] = 100,
    workers: Annotated[int, typer.Option(min=1, help="How many processes.")] = 2,
    out: Annotated[Path, typer.Option(help="Where the rows go.")] = Path("out/settings.jsonl"),
    first: Annotated[int, typer.Option(help="The first seed.")] = 1,
    referee: Annotated[bool, typer.Option("--referee", help="Have the referee read each log.")] = False,
    more: Annotated[int, typer.Option(min=0, help="How often battles are added for what never acted.")] = 0,
) -> None:
    """Play the battles that are missing, and tell what failed and what never acted."""
    console = Console(width=150)
    wanted = jobs(games, first, referee)
    rows = play_all(played, wanted, workers, out, told(console))
    for _ in range(more):
        if not (missing := never(rows)):
            break
        console.print(f"not yet: {', '.join(name for name, _ in missing)}", highlight=False)
        wanted += jobs_for(missing, first + len(wanted), referee)
        rows = play_all(played, wanted, workers, out, told(console))
    bad = with_faults(rows, FAULTS, console)
    over = Counter(
        "by itself" if row.get("rounds_played", 0) <= MOST_ROUNDS else "after 30 rounds" for row in rows
    )
    console.print(f"{len(rows)} battles: {dict(over)}; {len(bad)} with faults", highlight=False)
    idle = ", ".join(name for name, _ in never(rows))
    console.print(f"never acted: {idle or 'nothing'}", highlight=False)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    typer.run(main)
