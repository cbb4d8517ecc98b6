"""A battle played at the window by mouse and keys alone: what is asked, what is done.

    python scripts/person.py --seed 1 --json
    python scripts/person.py --seeds 1-5 --work out/person

The battle is the one that `horde play --seed N` begins, with the settings that nobody has changed. The
person has a plain way of playing (`one_person.py`) and its hands give events alone (`hands.py`). For each
seed it tells what stopped the game, the actions, the milliseconds from an input to the frame that shows what
came of it, the share of moves, shots and charges that its own mouse made, and what was answered unasked.
Agents think in a process beside the window, as in `horde play`; then a person may see things later, and play
on otherwise. With `--here` they think in the window's own process, and a seed is always played alike.
With `--work` each finished battle is kept there, and a further run goes on with the others. Exit 1 where a
battle of the default size is over a limit.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

from questions import seeds_of, shown

if TYPE_CHECKING:
    from hands import Timed
    from one_person import OnePerson

MOST_QUESTIONS, MOST_ACTIONS, MOST_RESTS = 60, 400, 5
LEAST_SHARE = 0.8
SLOWEST = 5
"""The number of slowest inputs that are printed."""


def seated(
    seed: int, points: str, rounds: str, size: tuple[int, int], text: int = 100, *, beside: bool = False
) -> OnePerson:
    """Return a person at the window of a battle, as `horde play` opens it."""
    import msgspec
    import pygame
    from one_person import OnePerson

    from datasheets.library import Library
    from engine.systems import new_game
    from viewer.commands.options import battle_options
    from viewer.commands.quick import Words
    from viewer.commands.seating import seat_agents
    from viewer.input.beside import Beside
    from viewer.input.gate import Gate
    from viewer.input.seat import Seated, think_here
    from viewer.input.settings import Rules
    from viewer.window.look import Look
    from viewer.window.window import Window

    library, words = Library(), msgspec.structs.asdict(Words(points=points, rounds=rounds, seed=str(seed)))
    for other in ("autopilot", "replay", "json"):
        words.pop(other)
    game = new_game(battle_options(library, game_master=False, **words), library)
    seats = tuple(game.state.players)
    seat = Seated(
        game, seat_agents(seats, "steady"), seats, gate=Gate(Rules()), think=Beside if beside else think_here
    )
    pygame.display.init()
    window = Window(pygame.display.set_mode(size), seat, Look(text=text))
    window.playback.playing = True
    return OnePerson(window, seat)


def played(person: OnePerson, seed: int) -> dict[str, Any]:
    """Return what a battle asked of a person."""
    try:
        person.play()
        return told(seed, person)
    finally:
        person.seat.stop()


def told(seed: int, person: OnePerson) -> dict[str, Any]:
    """Return the counts and times of a person as plain data."""
    counts, hands = shown(person.seat.gate.counts), person.hands
    own = [deed for deed in person.deeds if deed.own]
    kinds: Counter[str] = Counter(deed.kind for deed in person.deeds)
    times = [each for each in hands.times if each.what != "hover"]
    words = [each.what for each in hands.times]
    return {
        "seed": seed,
        "rounds": person.seat.game.state.round,
        "questions": counts["stops"] + hands.summaries,
        "questions_by_kind": {**counts["stops_by_kind"], "summary": hands.summaries},
        "called_up": counts["called_up"],
        "actions": hands.actions.total(),
        "actions_by_kind": dict(Counter(word.partition(":")[2] or word for word in words if ":" in word)),
        "rests": sum(word == "key:rest" for word in words),
        "deeds": len(person.deeds),
        "deeds_by_kind": dict(kinds),
        "own": len(own),
        "own_by_kind": dict(Counter(deed.kind for deed in own)),
        "share": len(own) / max(len(person.deeds), 1),
        "unasked": counts["settled"],
        "unasked_by_kind": counts["settled_by_kind"],
        "unasked_by_reason": counts["settled_by_reason"],
        "drawn_ms_median": statistics.median(each.ms for each in times),
        "drawn_ms_worst": max(each.ms for each in times),
        "drawn_busy_ms_median": statistics.median(each.busy for each in times),
        "drawn_busy_ms_worst": max(each.busy for each in times),
        "slowest": [(each.what, round(each.ms), round(each.busy)) for each in _slowest(hands.times)],
        "next_question_ms_median": statistics.median(each.ms for each in hands.waits),
        "next_question_ms_worst": max(each.ms for each in hands.waits),
    }


def _slowest(times: list[Timed]) -> list[Timed]:
    """Return what took most of the processor: a busy machine does not count."""
    return sorted(times, key=lambda each: -each.busy)[:SLOWEST]


def misses(row: dict[str, Any]) -> list[str]:
    """Return which limits a battle is over, in words."""
    found = []
    if row["questions"] > MOST_QUESTIONS:
        found.append(f"{row['questions']} questions, {MOST_QUESTIONS} at most")
    if row["actions"] > MOST_ACTIONS:
        found.append(f"{row['actions']} actions, {MOST_ACTIONS} at most")
    if row["share"] < LEAST_SHARE:
        found.append(
            f"{100 * row['share']:.0f}% of deeds by its own mouse, {100 * LEAST_SHARE:.0f}% at least"
        )
    if row["rests"] > MOST_RESTS:
        found.append(f"{row['rests']} times the rest of a phase, {MOST_RESTS} at most")
    return found


def in_words(row: dict[str, Any]) -> str:
    """Return a battle in two lines."""
    clock, busy = ((row[f"{key}_median"], row[f"{key}_worst"]) for key in ("drawn_ms", "drawn_busy_ms"))
    return (
        f"seed {row['seed']}: {row['questions']} questions, {row['actions']} actions, "
        f"{100 * row['share']:.0f}% of {row['deeds']} deeds by its own mouse, {row['unasked']} unasked\n"
        f"  from an input to its frame: {clock[0]:.0f} ms, {clock[1]:.0f} at worst; "
        f"of the processor {busy[0]:.0f}, {busy[1]:.0f} at worst"
    )


def main(
    seed: Annotated[int | None, typer.Option(help="One battle.")] = None,
    seeds: Annotated[str, typer.Option(help="Which battles: 1-5, or 1,3,9.")] = "1-5",
    points: Annotated[str, typer.Option(help="1000 or 2000.")] = "1000",
    rounds: Annotated[str, typer.Option(help="How many rounds are played.")] = "5",
    size: Annotated[str, typer.Option(help="The window's size.")] = "1600x900",
    text: Annotated[int, typer.Option(help="The size of words, in percent.")] = 100,
    here: Annotated[bool, typer.Option("--here", help="Let agents think in the window's process.")] = False,
    work: Annotated[Path | None, typer.Option(help="A folder that keeps finished battles.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print for a machine to read.")] = False,
) -> None:
    """Play the battles, and print what they asked of a person."""
    from viewer.cli import seldom_collect

    seldom_collect()
    wide, _, high = size.partition("x")
    if not (wide.isdigit() and high.isdigit()):
        raise typer.BadParameter(f"'{size}' is no size of a window; write 1600x900.")
    rows = []
    for each in [seed] if seed is not None else seeds_of(seeds):
        kept = work / f"person-{points}-{rounds}-{size}-{text}-{each}.json" if work is not None else None
        if kept is not None and kept.is_file():
            rows.append(json.loads(kept.read_text()))
            continue
        person = seated(each, points, rounds, (int(wide), int(high)), text, beside=not here)
        row = played(person, each)
        rows.append(row)
        if kept is not None:
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps(row, indent=1) + "\n")
    if as_json:
        print(json.dumps(rows, indent=1))
    else:
        for row in rows:
            print(in_words(row))
    over = [f"seed {row['seed']}: {words}" for row in rows for words in misses(row)]
    for words in over:
        print(words, file=sys.stderr)
    sys.exit(1 if over and points == "1000" else 0)


if __name__ == "__main__":
    typer.run(main)
