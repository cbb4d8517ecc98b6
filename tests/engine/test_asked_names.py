"""Each name that a rule record may use is one that code asks for.

Others are refused as records are read: they would be silently without effect.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

import pytest

from datasheets.errors import BadData
from datasheets.library import Library
from datasheets.rule import Ask, Occasion, Rule, When
from engine.core import event as ev
from engine.core.facts import PLAYERS
from engine.core.game import Game
from engine.core.request import Choose, Chosen
from engine.core.ruleset import Step
from engine.horde.language import LANGUAGE
from engine.horde.steps.resupply import offered
from engine.records.compiled import Compiled
from engine.records.rulebook import Rulebook, compiled_rules
from engine.scenario.situation import Stand
from engine.w40k.activation.objective import control
from engine.w40k.phase.movement import movement

ROOT = Path(__file__).parent.parent.parent
TAGS = {kind.__name__: kind.__struct_config__.tag for kind in ev.Event.__subclasses__()}  # type: ignore[misc]
READS = ("marked", "mark_of", "mark_for", "is_marked", "is_marked_model", "listed", "is_listed")
"""Words that read a mark of a thing."""
KEEPS = ("named", "kept", "names", "tally", "own_tally")
"""Words that read what is kept for the battle or a player."""
WRITES = (
    "mark",
    "name_gun",
    "list_up",
    "remember",
    "tally",
    "count_up",
    "carry",
    "clear",
    "leadership_test",
    "may_better",
)
QUOTED = re.compile(r"(\w+)\((?:[^()']*,\s*)?'([^']+)'")
"""A word or verb with its first text."""


NOT_ASKING = ("numbers.py", "language.py")
"""Files that enter names and ask for none."""


@lru_cache(maxsize=1)
def modules() -> tuple[ast.Module, ...]:
    """Return every module of the engine, the AI and the factions' hooks that may ask."""
    files = [path for folder in ("engine", "ai", "factions") for path in (ROOT / folder).rglob("*.py")]
    return tuple(ast.parse(path.read_text()) for path in files if path.name not in NOT_ASKING)


@lru_cache(maxsize=1)
def functions() -> tuple[ast.FunctionDef, ...]:
    """Return every function of those modules."""
    return tuple(n for tree in modules() for n in ast.walk(tree) if isinstance(n, ast.FunctionDef))


@lru_cache(maxsize=1)
def texts() -> frozenset[str]:
    """Return every text that those modules say."""
    nodes = (node for tree in modules() for node in ast.walk(tree))
    return frozenset(n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str))


def asked(*methods: str) -> set[str]:
    """Return the texts with which code calls these methods, as their first text."""
    found: set[str] = set()
    for function in functions():
        for node in ast.walk(function):
            called = node.func if isinstance(node, ast.Call) else None
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if isinstance(node, ast.Call) and name in methods:
                said = (each.value for each in node.args if isinstance(each, ast.Constant))
                found |= {each for each in said if isinstance(each, str)}
    return found


def _events(node: ast.AST) -> Iterator[str]:
    """Yield the kinds of the events that are made in a part of the code."""
    for each in ast.walk(node):
        called = each.func if isinstance(each, ast.Call) else None
        if isinstance(called, ast.Attribute) and getattr(called.value, "id", "") == "ev":
            yield TAGS.get(called.attr, "")


def happening() -> set[str]:
    """Return the kinds of events that are moments of rules."""
    found: set[str] = set()
    for function in functions():
        made: dict[str, set[str]] = {}
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                made.setdefault(node.targets[0].id, set()).update(_events(node.value))
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(node, ast.Call) and isinstance(called, ast.Attribute) and called.attr == "happen":
                named = made.get(getattr(node.args[0], "id", ""), set())
                found |= {*_events(node.args[0]), *named}
    return found


def test_each_question_is_asked() -> None:
    """A permission that nobody asks for would change nothing; some are asked for a number."""
    for_numbers = {limits.ignored_by for limits in LANGUAGE.numbers.values()}
    assert set(LANGUAGE.questions) <= asked("may") | for_numbers


def test_each_number_is_asked() -> None:
    """So would a number."""
    assert set(LANGUAGE.numbers) <= asked("number", "value") | {"unit.move"}


def test_each_kind_of_roll_is_rolled() -> None:
    """And a roll in whose place something else is put."""
    assert set(LANGUAGE.rolls) <= asked("roll", "roll_against", "instead")


def test_each_moment_comes() -> None:
    """A moment is an event that happens, is carried out by its name, or is a mission's own."""
    own = {"success", "failure"}
    assert set(LANGUAGE.moments) <= happening() | asked("fire", "fire_own") | own
    assert own <= texts()


def test_each_occasion_of_a_stratagem_is_offered() -> None:
    """An occasion at which nothing is offered would never come."""
    assert set(get_args(Occasion)) <= asked("offer", "offer_at_phase_end", "offers") | texts()


def calls(rule: Compiled) -> Iterator[tuple[str, str]]:
    """Yield the words and verbs that a record says, each with its first text."""
    for clause in (*rule.rule.when, *rule.rule.offer, *rule.rule.modify, *rule.rule.grant):
        said: list[Any] = [clause.condition, *getattr(clause, "do", ()), getattr(clause, "each", "")]
        said += [getattr(clause, "on", ""), *(f"{p.of} {p.where}" for p in getattr(clause, "pick", ()))]
        for text in filter(None, said):
            yield from QUOTED.findall(str(text))


def test_each_mark_that_is_read_is_set() -> None:
    """By a record's verb, or by code; a mark that nobody sets is never there.

    Each purchase is counted under its own id as it is paid for.
    """
    said = [call for rule in compiled_rules(Library(), LANGUAGE) for call in calls(rule)]
    read = {text for name, text in said if name in (*READS, *KEEPS)}
    written = {text for name, text in said if name in WRITES}
    assert read
    counted = {rule.id for rule in Library().rules() if "buy" in rule.tags}
    assert read - written - counted - texts() == set()


def ruled(**clauses: Any) -> Compiled:
    """Return a rule of the battle's own with these clauses."""
    rule = Rule(id="own", clause="OWN.1", name="Own", source="own", summary="Own.", tags=("core",), **clauses)
    return Compiled(rule, LANGUAGE).checked()


@pytest.mark.parametrize("moment", ["rolled", "attacked", "decided", "gained"])
def test_a_moment_that_never_comes_is_refused(moment: str) -> None:
    """What is only logged is no moment, and a record that waits for it is a fault of its file."""
    with pytest.raises(BadData, match="moment"):
        ruled(when=(When(moment=moment, do=("end_battle('over')",)),))


def forbidding(question: str) -> Rulebook:
    """Return a rulebook of one rule that forbids something."""
    return Rulebook((ruled(forbid=(Ask(question=question),)),))


@pytest.mark.rule("CORE.OBJ.2")
def test_who_may_not_control_has_no_control(play: Callable[..., Game], marines: Callable[..., Stand]) -> None:
    """The question is asked of each unit in range."""
    for rules, expected in (({}, 2), ({"rulebook": forbidding("control")}, 0)):
        game = play([marines(characteristics=(("OC", 2),))], **rules)
        position = game.state.position
        assert control(game, position.units["marines"], position.models[0]) == expected


@pytest.mark.rule("CORE.MOVE.7")
@pytest.mark.parametrize("barred", [False, True])
def test_who_may_not_fall_back_is_not_offered_it(
    play: Callable[..., Game], marines: Callable[..., Stand], foes: Callable[..., Stand], barred: bool
) -> None:
    """A unit in combat may only remain stationary then."""
    seen: list[list[str]] = []

    def answer(game: Game) -> Chosen:
        assert isinstance(game.pending, Choose)
        seen.append([option.id for option in game.pending.options])
        return Chosen(ids=("remain-stationary",))

    rules = {"rulebook": forbidding("fall-back")} if barred else {}
    stands = [marines(at=[(30, 22)]), foes(at=[(31.3, 22)])]
    step = Step("players.movement", "movement", movement, PLAYERS)
    play(stands, step, answers={"next-unit": "marines", "move": answer}, **rules)
    assert seen == [["remain-stationary"] if barred else ["remain-stationary", "fall-back"]]


@pytest.mark.rule("SP.4")
@pytest.mark.parametrize("barred", [False, True])
def test_who_may_spend_no_sp_is_offered_no_purchase(
    play: Callable[..., Game], marines: Callable[..., Stand], barred: bool
) -> None:
    """Whatever is paid for with SP is not on offer."""
    basic = compiled_rules(Library(), LANGUAGE)
    bought = tuple(each for each in basic if each.rule.clause == "BUY.basic-tactics")
    rules = (*bought, ruled(forbid=(Ask(question="spend-sp"),))) if barred else bought
    game = play([marines()], rulebook=Rulebook(rules))
    game.log(ev.Gained(player="p1", what="sp", amount=5, total=5))
    assert len(offered(game, "p1")) == (0 if barred else 1)
