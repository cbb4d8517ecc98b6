"""`horde scenario record`: a decision of the Horde in a replay as a scenario that holds.

Owns which lines of the log are the decision's, what is expected of it, and the trial of what was cut: the
file is written only if it holds. `viewer.commands.cutting` owns the words for a state.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from textwrap import shorten
from typing import Any

from datasheets.errors import BadData, HordeError, unknown
from datasheets.library import Library
from datasheets.scenario import parse_scenario
from engine.core import event as ev
from engine.core.apply import fold
from engine.core.facts import HORDE
from engine.core.log import AnswerLine, BecauseLine, LogLine
from engine.core.replay import Replay, read_replay
from engine.core.request import Because, Chosen, Moves, Splits
from engine.core.state import State
from engine.horde.all_settings import SETTINGS
from engine.records.rulebook import Rulebook
from engine.scenario.decision import MOVING
from engine.scenario.trial import Report, try_scenario
from engine.systems import rulebook_of
from viewer.commands.cast import CAST
from viewer.commands.cutting import scene, toml
from viewer.commands.scenario_command import lines
from viewer.commands.template import write_new
from viewer.story.name import unit_meant

KINDS = ("move", "charge", "shoot", "fight", "pile-in", "consolidate")
"""The decisions of the Horde that can be cut out."""
SEEDS = 9
"""The number of seeds that are tried where something was drawn between equals."""
REJECTED = 6
"""The most candidates that an expectation names."""
Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Moment:
    """A decision in a log: the lines that bound its unit's activation, and its answer."""

    start: int
    end: int
    answer: AnswerLine
    unit: str
    because: tuple[Because, ...]


def record(file: Path, out: Path, decision: int | None, unit: str, round_number: int | None) -> None:
    """Write a decision of a replay as a scenario that holds. Raises HordeError where none does."""
    replay = read_replay(file)
    if out.exists():
        write_new(out, "")
    library = Library()
    moment = moment_of(replay, str(file), decision, unit, round_number)
    text, left_out = cut(replay, moment, library, file.name)
    write_new(out, text)
    state = fold(_events(replay.lines[: moment.start]))
    what = f"{moment.unit} in round {state.round}, {state.phase}"
    sys.stdout.write(f"{out}: decision {moment.answer.answer} of {what}, as a scenario that holds.\n")
    sys.stdout.writelines(f"  left out, since it comes out otherwise there: {each}\n" for each in left_out)


# which decision


def moment_of(replay: Replay, path: str, decision: int | None, unit: str, round_number: int | None) -> Moment:
    """Return a decision by its number, or a unit's first one of a round. Raises HordeError."""
    found = list(_decisions(replay.lines))
    if decision is not None:
        place = next((i for i, line in enumerate(replay.lines) if _is_answer(line, decision)), None)
        if place is None:
            last = max((line.answer for line in replay.answers), default=-1)
            raise BadData(path, f"decision {decision}", f"there is none; the replay has 0 to {last}")
        chosen = _begun(replay.lines, place)
        for i, line, whose, _ in found:
            if i >= place and (i == place or whose == chosen):
                return _moment(replay.lines, i, line, whose)
            if i > place and not chosen:
                break
        answer = replay.lines[place]
        assert isinstance(answer, AnswerLine)
        mend = f"it is {answer.seat}'s {answer.decision}; name one of the Horde's ({', '.join(KINDS)})"
        raise BadData(path, f"decision {decision}", mend)
    if not unit or round_number is None:
        raise HordeError("Say which decision: --decision N, or --unit ID and --round N.")
    units = dict.fromkeys(whose for _, _, whose, _ in found)
    unit = unit_meant(fold(_events(replay.lines)), units, unit)
    if unit not in units:
        raise unknown(unit, units, "Horde unit with a decision")
    for i, line, whose, number in found:
        if (whose, number) == (unit, round_number):
            return _moment(replay.lines, i, line, whose)
    rounds = sorted({number for _, _, whose, number in found if whose == unit})
    told = ", ".join(map(str, rounds))
    raise BadData(path, f"round {round_number}", f"{unit} decides nothing in it; it does in {told}")


def _decisions(log: Sequence[LogLine]) -> Iterator[tuple[int, AnswerLine, str, int]]:
    """Yield the Horde's decisions that can be cut out: line, answer, unit and round."""
    number = 0
    for i, line in enumerate(log):
        if isinstance(line, ev.RoundBegan):
            number = line.number
        if isinstance(line, AnswerLine) and line.seat == HORDE and line.decision in KINDS:
            reasons = log[i + 1] if i + 1 < len(log) else None
            if isinstance(reasons, BecauseLine) and reasons.because == line.answer and reasons.unit:
                yield i, line, reasons.unit, number


def _is_answer(line: LogLine, number: int) -> bool:
    return isinstance(line, AnswerLine) and line.answer == number


def _begun(log: Sequence[LogLine], place: int) -> str:
    """Return the unit whose activation an answer of the Horde begins, or "" for none."""
    line = log[place]
    if isinstance(line, AnswerLine) and line.seat == HORDE and line.decision == "next-unit":
        return line.value.ids[0] if isinstance(line.value, Chosen) and line.value.ids else ""
    return ""


def _moment(log: Sequence[LogLine], place: int, answer: AnswerLine, unit: str) -> Moment:
    start = place
    for i in range(place, -1, -1):
        if isinstance(log[i], ev.PhaseBegan):
            break
        if _begun(log, i):
            start = i if _begun(log, i) == unit else start
            break
    end = next((i for i in range(place + 1, len(log)) if _ends(log[i])), len(log))
    reasons = [b for line in log[start:end] for b in _reasons(line, unit, answer)]
    return Moment(start, end, answer, unit, tuple(dict.fromkeys(reasons)))


def _ends(line: LogLine) -> bool:
    return isinstance(line, ev.PhaseEnded) or (isinstance(line, AnswerLine) and line.decision == "next-unit")


def _reasons(line: LogLine, unit: str, answer: AnswerLine) -> tuple[Because, ...]:
    """Return the reasons of the decision itself, and of the path that carries it out."""
    if not isinstance(line, BecauseLine) or line.unit != unit or line.seat != HORDE:
        return ()
    own = line.because == answer.answer
    return line.reasons if own or (line.decision == "path" and answer.decision in ("move", "charge")) else ()


# what is cut out


def cut(replay: Replay, moment: Moment, library: Library, name: str) -> tuple[str, tuple[str, ...]]:
    """Return a scenario that holds, and what of the replay is left out of it. Raises HordeError."""
    state = fold(_events(replay.lines[: moment.start]))
    expect, places = expected(moment, state), _places(moment, replay, state)
    report: Report | None = None
    for luck, dice, where, players in _ways(moment, places):
        plain = _head(replay, moment, state, library, name)
        plain |= {"players": players, "dice": _dice(replay, moment, dice), "seed": plain["seed"] + luck}
        text, report = _tried(plain, state, [*expect, *where], library, name)
        if report.holds:
            kept = {"all": "", "own": "dice after the decision", "": "the dice that followed"}[dice]
            missing = "where its models end" if places and not where else ""
            drawn = "the battle's seed, by which equals were drawn" if luck else ""
            return text, tuple(each for each in (kept, missing, drawn) if each)
    assert report is not None
    told = shorten(" ".join(line.strip() for line in lines(report)[1:3]), 240, placeholder=" …")
    raise HordeError(
        f"{name}: decision {moment.answer.answer} cannot be cut out: played from what a scenario can say of "
        f"its moment, it comes out otherwise ({told})."
    )


def _ways(moment: Moment, places: list[Plain]) -> Iterator[tuple[int, str, list[Plain], str]]:
    """Yield the ways to cut it out, the most faithful first: seed, dice, ends, players.

    What was drawn between equals hangs on the seed and the answers before: other seeds may draw it again.
    """
    for way in product(("all", "own", ""), (places, []), ("autopilot", "decline")):
        yield 0, *way
    if any(each.failed == "tie-lost" for because in moment.because for each in because.candidates):
        for luck in range(1, SEEDS):
            yield luck, "own", places, "autopilot"
            yield luck, "", [], "autopilot"


def _tried(
    plain: Plain, state: State, expect: list[Plain], library: Library, name: str
) -> tuple[str, Report]:
    """Return the file and its outcome, without what the format cannot say. Raises HordeError."""
    skip: list[str] = []
    for _ in range(4 * len(state.position.units) + 20):
        tables = scene(state, skip)
        text = HEAD + toml({**plain, **tables, "expect": expect})
        try:
            return text, try_scenario(parse_scenario(text, name), library, name, CAST)
        except BadData as fault:
            key, _, rest = fault.key.partition(".")
            if key == "unit":
                unit = tables["unit"][int(rest.split(".")[0])]["id"]
                if unit in skip:
                    raise
                skip.append(unit)
            elif key == "active" and rest:
                plain["active"].pop(int(rest))
            elif key == "detachments":
                plain.pop("detachments")
            elif not fault.key and any("datasheet" in each for each in tables["unit"]):
                skip = [each["id"] for each in tables["unit"]]
            else:
                raise
    raise HordeError(f"{name}: the moment cannot be told as a scenario.")


HEAD = "# Cut out of a replay by `horde scenario record`.\n"


def _head(replay: Replay, moment: Moment, state: State, library: Library, name: str) -> Plain:
    """Return the keys of the file that are no tables."""
    header = replay.header
    _, book = rulebook_of(header, library)
    clauses = [b.clause for b in moment.because]
    known = {line.id for line in library.checklist()}
    detachments = {seat: p.facts.detachment for seat, p in state.players.items() if p.facts.detachment}
    told: Plain = {
        "title": f"{moment.unit}, round {state.round}: decision {moment.answer.answer} of {name}",
        "rules": [each for each in dict.fromkeys(clauses) if each in known],
        "ruleset": header["ruleset"],
        "board": _board(state),
        "round": state.round,
        "step": state.step,
        "side": HORDE if state.turn == HORDE else "players",
        "act": moment.unit,
        "seed": header["seed"],
        "factions": list(state.factions),
        "shares": state.shares,
        "collection": {} if state.collection is None else state.collection,
        "active": list(_cards(state, book)),
        "rulings": {k: v for k, v in header.get("rulings", {}).items() if v != SETTINGS.named(k).default},
        "detachments": detachments,
        "cp": {seat: player.cp for seat, player in state.players.items()},
        "sp": {seat: player.sp for seat, player in state.players.items()},
    }
    return {key: each for key, each in told.items() if each not in ([], {})}


def _board(state: State) -> Plain:
    zones = sum(zone.kind == "spawn" for zone in state.position.zones.values())
    return {"deployment": state.position.board.deployment, "spawn_zones": zones}


def _cards(state: State, book: Rulebook) -> Iterator[str]:
    """Yield the cards that lie open and are simulated, by their clauses."""
    for deck in ("misery", "secondary"):
        for card in state.decks[deck].active if deck in state.decks else ():
            if card in book and not book.rule(card).reason:
                yield book.rule(card).clause


def _dice(replay: Replay, moment: Moment, which: str) -> dict[str, list[int]]:
    """Return the dice by kind: all of the activation, those up to the decision, or none."""
    found: dict[str, list[int]] = {}
    for line in replay.lines[moment.start : moment.end]:
        if not (isinstance(line, ev.Rolled) and line.stream == "dice" and line.dice):
            continue
        if which == "all" or (which == "own" and line.roll in ("advance", "charge")):
            found.setdefault(line.roll, []).extend(line.dice)
    return found


# what is expected


def expected(moment: Moment, state: State) -> list[Plain]:
    """Return what was decided, as expectations."""
    told: Plain = {"decision": _name(moment.answer), "unit": moment.unit}
    because = [b.clause for b in moment.because]
    there = {*state.position.units, *state.position.objectives}
    failed = {c.id: c.failed for b in moment.because for c in b.candidates if c.failed and c.id in there}
    more: Plain = {"because": list(dict.fromkeys(because))}
    if failed:
        more["rejected"] = dict(list(failed.items())[:REJECTED])
    value = moment.answer.value
    if moment.answer.decision in ("pile-in", "consolidate") and not _moves(moment.answer):
        return [{**told, "count": 0}]
    if isinstance(value, Splits) and value.shots:
        unit = state.position.units[moment.unit]
        shots = {(shot.target, unit.weapon(shot.weapon).name): None for shot in value.shots}
        first, *rest = [{**told, "target": target, "weapon": weapon} for target, weapon in shots]
        return [{**first, **more}, *rest]
    toward = _toward(moment, there)
    return [{**told, **({"toward": toward} if toward else {}), **more}]


def _moves(answer: AnswerLine) -> bool:
    return isinstance(answer.value, Moves) and any(answer.value.paths.values())


def _name(answer: AnswerLine) -> str:
    value = answer.value
    if answer.decision == "charge" and isinstance(value, Chosen):
        return "charge" if value.ids else "no-charge"
    if answer.decision == "move" and isinstance(value, Chosen) and value.ids:
        return value.ids[0]
    if isinstance(value, Splits) and not value.shots:
        return "no-shot" if answer.decision == "shoot" else "no-fight"
    return answer.decision


def _toward(moment: Moment, there: set[str]) -> str:
    value = moment.answer.value
    if moment.answer.decision == "charge" and isinstance(value, Chosen):
        return value.ids[0] if value.ids else ""
    named = [b for b in moment.because if b.target in {*there, "defender-edge"} - {moment.unit}]
    moving = [b.target for b in named if b.clause.startswith("AI.MOVE")]
    return (moving or [b.target for b in named] or [""])[0]


def _places(moment: Moment, replay: Replay, state: State) -> list[Plain]:
    """Return the ends of the unit's models as an expectation, where it moves and none falls."""
    if _name(moment.answer) not in (*MOVING, "pile-in", "consolidate"):
        return []
    before = state.position.units[moment.unit].rows
    after = fold(_events(replay.lines[: moment.end]))
    unit = after.position.units[moment.unit]
    if unit.rows != before or unit.where != "table":
        return []
    x, y = (float(each) for each in after.position.table.xy[list(unit.rows)].mean(axis=0))
    return [{"that": _near(moment.unit, len(unit.rows), x, y)}]


def _near(unit: str, count: int, x: float, y: float) -> str:
    """Return the claim that the middle of a unit's models is where it was in the replay."""
    found = []
    for axis, value in enumerate((x, y)):
        total = " + ".join(f"position('{unit}', {i})[{axis}]" for i in range(count))
        found.append(f"abs(({total}) / {count} - {value:.4f}) < 0.01")
    return " and ".join(found)


def _events(log: Sequence[LogLine]) -> list[ev.Event]:
    return [line for line in log if isinstance(line, ev.Event)]
