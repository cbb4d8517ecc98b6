"""Keeps lists of the names that files, scripts and people outside the program rely on.

    python scripts/contracts.py            # says which names are new and which are gone
    python scripts/contracts.py --write    # adds the names that are new to the lists

Each `tests/contracts/NAME.txt` holds the names of one kind, one a line and sorted. The script never drops a
name that is gone: to break the contract on purpose, take the line out by hand and say so in the changelog.
Exit 1 where a name is gone, or is new and not written.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import msgspec.inspect as kinds
import typer
from typer.main import get_command
from typer.testing import CliRunner

from ai import agents
from ai.reasons import condition
from datasheets import scenario
from datasheets.ability import simulated
from datasheets.library import Library
from datasheets.rule import Rule
from datasheets.spelling import SAME_STATE
from engine.audit.referee.reading import Reading
from engine.core import event, log, request
from engine.horde.all_settings import SETTINGS
from engine.records import hook
from engine.records.expression import FILTER_WORDS
from engine.scenario import ability, decision, frame, judge, own_fact, stage, unit, word
from engine.systems import RULESETS
from viewer.commands.arguments import app
from viewer.commands.quick import Words
from viewer.story.source import Reason

FOLDER = Path(__file__).parent.parent / "tests" / "contracts"
POSITION = FOLDER / "position.toml"
"""A scenario with something of every kind that `--json` prints."""
SHEETS = ("death-guard/chaos-land-raider", "death-guard/plague-marines", "death-guard/typhus")
"""Datasheets that have between them something of every kind that `--json` prints."""
BY_ID = frozenset(
    (
        *("characteristics", "checked", "command", "cp", "deck", "detachments", "library", "objectives"),
        *("readings", "rulings", "sp", "supply", "unmodelled"),
    )
)
"""Keys of `--json` whose values are by id: the ids are no part of the contract."""


# what a scenario file may say


def scenario_keys() -> Iterator[str]:
    """Yield the path of every key of a scenario file, and the values that the format lists.

    A value is given as `PATH = VALUE`.
    """
    schema = scenario.schema()

    def walk(part: dict[str, Any], path: str) -> Iterator[str]:
        part = schema["$defs"][part["$ref"].rpartition("/")[2]] if "$ref" in part else part
        for choice in (*part.get("anyOf", ()), *part.get("oneOf", ())):
            yield from walk(choice, path)
        for value in part.get("enum", [part["const"]] if "const" in part else []):
            yield f"{path} = {value}"
        if isinstance(part.get("items"), dict):
            yield from walk(part["items"], f"{path}[]")
        for key, value in part.get("properties", {}).items():
            below = _joined(path, key)
            yield below
            yield from walk(value, below)

    yield from _all("key", walk(schema, ""))


def scenario_words() -> Iterator[str]:
    """Yield the words that values of a scenario file may be, where the format leaves them open."""
    yield from _all("state", (*unit.STATES, *SAME_STATE))
    yield from _all("ability", (*ability.SPECIAL, *ability.AURAS, *own_fact.ABILITY, *simulated()))
    yield from _all("weapon-ability", ("anti-", *own_fact.PLAIN, *own_fact.NUMBERED))
    yield from _all("characteristic", own_fact.LOWEST)
    yield from _all("decision", decision.KNOWN)
    yield from _all("transform", frame.TRANSFORMS)
    yield from _all("ruleset", RULESETS)
    yield from _all("step", stage.ROUND_STEPS)
    for ruleset in RULESETS.values():
        yield from _all("step", (each for step in ruleset.steps for each in (step.phase, step.name)))
    yield from _all("event-field", (*judge.WHEN, *(f"{kind} {name}".strip() for kind, name in judge.PLAINER)))


def scenario_functions() -> Iterator[str]:
    """Yield the functions of `that`, with their arguments."""
    yield from _all("that", word.BUILT_IN)
    for name in word.FUNCTIONS:
        arguments = [*inspect.signature(getattr(word.Words, name)).parameters][1:]
        yield f"that {name}({', '.join(arguments)})"


def scenarios() -> Iterator[str]:
    """Yield what a scenario file may say."""
    yield from scenario_keys()
    yield from scenario_words()
    yield from scenario_functions()


# what a rule record may say


def grammar() -> Iterator[str]:
    """Yield the keys of a rule record, and all that its texts may name."""
    yield from _all("key", fields(Rule))
    for ruleset in RULESETS.values():
        known = ruleset.language
        yield from _all("word", known.grammar.functions)
        yield from _all("name", known.grammar.variables)
        yield from _all("thing", known.kinds)
        yield from _all("verb", known.verbs)
        yield from _all("number", known.numbers)
        yield from _all("question", known.questions)
        yield from _all("roll", known.rolls)
        yield from _all("moment", (*known.moments, *hook.ASKED))
    yield from _all("hook", hook.HOOKS)
    yield from _all("filter", FILTER_WORDS)


def conditions() -> Iterator[str]:
    """Yield the conditions that a candidate of a decision may fail."""
    yield from (value for name, value in vars(condition).items() if name.isupper())


# what a log, a save and a replay hold


def events() -> Iterator[str]:
    """Yield the events with their fields; the fields that all of them have stand under `event`."""
    yield from _kinds_of(event.Event, "event")


def requests() -> Iterator[str]:
    """Yield the requests, the answers and the log's lines about them, with their fields."""
    yield from _kinds_of(request.Request, "request")
    yield from _kinds_of(request.Answer, "answer")
    yield from _all("answer-line", log.AnswerLine.__struct_fields__)
    yield from _all("because-line", log.BecauseLine.__struct_fields__)


def _kinds_of(parent: type[Any], name: str) -> Iterator[str]:
    """Yield the kinds of an event, a request or an answer, each with the fields of its own."""
    common = set(fields(parent))
    yield from _all(name, (f"*.{field}" for field in common))
    for kind in parent.__subclasses__():
        tag = kind.__struct_config__.tag
        yield f"{name} {tag}"
        yield from _all(name, (f"{tag}.{field}" for field in fields(kind) if field not in common))


def fields(of: type[Any]) -> Iterator[str]:
    """Yield the path of every field of a type, and its values where the type lists them.

    The paths are spelled as in files.
    """
    yield from _below(kinds.type_info(of), "")


def _below(found: kinds.Type, path: str) -> Iterator[str]:
    if isinstance(found, kinds.StructType | kinds.DataclassType):
        for each in found.fields:
            below = _joined(path, each.encode_name)
            yield below
            yield from _below(each.type, below)
    elif isinstance(found, kinds.UnionType):
        for kind in found.types:
            yield from _below(kind, path)
    elif isinstance(found, kinds.DictType):
        yield from _below(found.value_type, _joined(path, "*"))
    elif isinstance(found, kinds.VarTupleType | kinds.ListType | kinds.FrozenSetType | kinds.SetType):
        yield from _below(found.item_type, f"{path}[]")
    elif isinstance(found, kinds.LiteralType):
        yield from (f"{path} = {value}" for value in found.values if value != "")


# the rules


def clauses() -> Iterator[str]:
    """Yield the ids of the clauses."""
    yield from (line.id for line in Library().checklist())


def settings() -> Iterator[str]:
    """Yield the key of every setting with its ruling, and each value that the setting takes."""
    for each in SETTINGS:
        yield f"{each.key} ({each.ruling})"
        yield from (f"{each.key} = {value}" for value in each.values)
        if each.takes_any_number:
            yield f"{each.key} = any number from 0 on"


# the command line


def commands() -> Iterator[str]:
    """Yield the commands with their arguments and options, and the names of the agents."""
    yield from _parameters(get_command(app), "horde")
    yield from _all("horde battle (quick)", (f"--{name}" for name in Words.__struct_fields__))
    yield from _all("agent", agents.NAMES)


def _parameters(command: Any, path: str) -> Iterator[str]:
    yield path
    for each in command.params:
        named = each.param_type_name == "option"
        yield from _all(path, (*each.opts, *each.secondary_opts) if named else (f"<{each.name}>",))
    for name, below in getattr(command, "commands", {}).items():
        yield from _parameters(below, f"{path} {name}")


def outputs() -> Iterator[str]:
    """Yield the keys that `--json` prints, by command.

    Keys of reasons and of the referee's findings are taken from their types: which of them a battle shows
    depends on the battle.
    """
    with TemporaryDirectory() as folder:
        for command, printed in _printed(Path(folder)):
            yield from _all(command, keys(printed, ""))
    for command in ("replay explain", "scenario explain"):
        yield from _all(command, (f"[].{field}" for field in fields(Reason)))
    yield from _all("replay verify", (f"referee.{field}" for field in fields(Reading)))


def _printed(folder: Path) -> Iterator[tuple[str, Any]]:
    """Yield what commands print with `--json`, each with the command's name."""
    replay, bad = str(folder / "a.replay"), folder / "bad.toml"
    bad.write_text("")
    runs: dict[str, list[tuple[str, ...]]] = {
        "battle": [("--seed", "7", "--rounds", "1", "--replay", replay)],
        "replay verify": [(replay, "--referee")],
        "replay info": [(replay,)],
        "replay explain": [(replay,), (replay, "--why-not", "A")],
        "scenario run": [(str(POSITION), str(bad))],
        "scenario explain": [(str(POSITION),), (str(POSITION), "--why-not", "marines")],
        "scenario show": [(str(POSITION),)],
        "rules rulings": [()],
        "rules coverage": [("--tests", str(FOLDER))],
        "factions": [()],
        "datasheets list": [("--faction", "death-guard")],
        "datasheets show": [(each,) for each in SHEETS],
    }
    for command, given in runs.items():
        for arguments in given:
            words = [*command.split(), *arguments, "--json"]
            done = CliRunner().invoke(app, words, catch_exceptions=False)
            yield command, json.loads(done.stdout)


def keys(printed: Any, path: str) -> Iterator[str]:
    """Yield the paths of the keys of plain data, but for what is in reasons."""
    if isinstance(printed, list):
        for each in printed:
            yield from keys(each, f"{path}[]")
    elif isinstance(printed, dict):
        by_id = path.rpartition(".")[2] in BY_ID
        for key, value in printed.items():
            below = _joined(path, "*" if by_id else key)
            if not by_id:
                yield below
            if key not in ("because", "passed"):
                yield from keys(value, below)


def _joined(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _all(kind: str, names: Iterable[str]) -> Iterator[str]:
    """Yield names with what they are names of."""
    yield from (f"{kind} {name}" for name in names)


# the lists

COLLECTORS: dict[str, Callable[[], Iterator[str]]] = {
    "scenarios": scenarios,
    "grammar": grammar,
    "conditions": conditions,
    "events": events,
    "requests": requests,
    "clauses": clauses,
    "settings": settings,
    "commands": commands,
    "outputs": outputs,
}
"""The kinds of names, by the lists that hold them."""


def kept(name: str, folder: Path = FOLDER) -> list[str]:
    """Return the names of a list; none where it is not written yet."""
    path = folder / f"{name}.txt"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def faults(name: str, before: Iterable[str], now: Iterable[str]) -> list[str]:
    """Return a sentence for each name that is gone from a list or missing in the list."""
    before, now = set(before), set(now)
    gone = [
        f"{name}: '{each}' is gone, but what was written for it may still be in use; give the name back."
        for each in sorted(before - now)
    ]
    return gone + [
        f"{name}: '{each}' is new; where it is to stay, add it by `python scripts/contracts.py --write`."
        for each in sorted(now - before)
    ]


def main(
    write: Annotated[bool, typer.Option("--write", help="Add the names that are new.")] = False,
    folder: Annotated[Path, typer.Option(help="Where the lists are.")] = FOLDER,
) -> None:
    """Collect the names of every kind again and compare."""
    told: list[str] = []
    for name, collect in COLLECTORS.items():
        before, now = kept(name, folder), set(collect())
        if write:
            before = sorted({*before, *now})
            (folder / f"{name}.txt").write_text("".join(f"{each}\n" for each in before), encoding="utf-8")
        told += faults(name, before, now)
    sys.stdout.writelines(f"{each}\n" for each in told)
    if told:
        sys.exit(1)


if __name__ == "__main__":
    typer.run(main)
