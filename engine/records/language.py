"""The language of rule records: the names that a game system enters for them.

These are of words, verbs, numbers, questions, rolls and moments. Owns how a game system enters names, and
refuses a name that is entered twice. What a word or a verb does to a battle is its function's; the battle is
passed to it as an opaque value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from inspect import CO_VARARGS
from types import MappingProxyType, ModuleType
from typing import Any, TypeVar

import msgspec

from datasheets.errors import HordeError
from datasheets.rule import Pick, Rule
from engine.core.facts import HORDE, PLAYERS, Side
from engine.core.request import Steps
from engine.core.state import Unit
from engine.records.context import VARIABLES, Context
from engine.records.expression import BUILT_IN, SELECTING, Grammar, Takes

F = TypeVar("F", bound=Callable[..., Any])
ENTRY = "__horde_entry__"
"""The attribute under which a function keeps how it is entered into a language."""


class Act(msgspec.Struct, frozen=True):
    """A rule at work: the names in sight, and whose doing it is."""

    rule: Rule
    context: Context

    @property
    def cause(self) -> str:
        """Return the clause that events give as their cause."""
        return self.rule.clause

    @property
    def credit(self) -> str:
        """Return the player credited with destruction: the rule's buyer or owner. Rule: R.A76."""
        for name in ("buyer", "owner"):
            if self.context[name] in self.context.state.players:
                return str(self.context[name])
        return ""

    @property
    def side(self) -> Side:
        """Return the side of the rule's owner."""
        return HORDE if self.context["owner"] == HORDE else PLAYERS

    @property
    def by(self) -> str:
        """Return the unit that bears the rule, where one does."""
        bearer = self.context["bearer"]
        return bearer.id if isinstance(bearer, Unit) else ""


class Word(msgspec.Struct, frozen=True):
    """A function of conditions, which reads a battle and changes nothing.

    The battle is its first argument.
    """

    function: Callable[..., Any]
    looks_up: tuple[str, ...] = ()
    """The names in sight that the function looks up by itself.

    A function with such names gets the context as its last argument.
    """
    filter_at: int = -1
    """The place of the argument that is a filter of units ("horde and FLY"); -1 where none is."""
    looks_around: bool = False
    """Whether the word reads what rules may change without being given a thing of the table."""
    of_sheet: bool = False
    """Whether the word asks of a model only what its datasheet says, which its likes have too."""
    clause: str = ""
    """The clause of the record that it was made for; it may be left out where it serves several."""

    @property
    def takes(self) -> Takes:
        """Return the arguments that a record gives it: neither the battle nor the names in sight."""
        return _takes(self.function, 1, 1 if self.looks_up else 0)


class Verb(msgspec.Struct, frozen=True):
    """A change that a rule can make to a battle.

    The function takes the battle, the act and the verb's arguments.
    """

    function: Callable[..., Steps[None] | None]
    clause: str = ""
    """The clause of the record that it was made for; it may be left out where it serves several."""
    adds: bool = False
    """Whether the verb only adds: however such verbs follow one another, they come to the same."""
    mark_at: int = -1
    """The place of the argument that names the one mark written; -1 where the verb writes more."""
    writes: str = "table"
    """What the verb writes, where it does not only add and does not write only one mark.

    Two verbs that write one thing may interfere.
    """
    span_at: int = -1
    """The place of the argument that says until when something lasts; -1 where there is none."""

    @property
    def takes(self) -> Takes:
        """Return the arguments that a record gives it: neither the battle nor the act."""
        return _takes(self.function, 2, 0)


def word(
    *,
    looks_up: tuple[str, ...] = (),
    filter_at: int = -1,
    looks_around: bool = False,
    of_sheet: bool = False,
    clause: str = "",
) -> Callable[[F], F]:
    """Mark a function as a word of conditions, under its own name."""
    return _entered(lambda function: Word(function, looks_up, filter_at, looks_around, of_sheet, clause))


def verb(
    *,
    adds: bool = False,
    mark_at: int = -1,
    writes: str = "table",
    span_at: int = -1,
    clause: str = "",
) -> Callable[[F], F]:
    """Mark a function as a verb, under its own name."""
    return _entered(lambda function: Verb(function, clause, adds, mark_at, writes, span_at))


def _entered(entry: Callable[[F], Word | Verb]) -> Callable[[F], F]:
    def enter(function: F) -> F:
        setattr(function, ENTRY, entry(function))
        return function

    return enter


class Kind(msgspec.Struct, frozen=True):
    """A kind of thing that selectors name, with its list in a battle and the name of one."""

    name: str
    things: Callable[[Any], Iterable[Any]]
    called: str = ""
    """The name in sight of one of them, where it is not the kind's: a `reserve` is a `unit`."""


class NumberLimits(msgspec.Struct, frozen=True):
    """How modifiers may change a number. Rule: CORE.DICE.3, CORE.DICE.5."""

    floor: float | None = None
    """No modifier brings the number below it."""
    ceiling: float | None = None
    """No modifier brings the number above it."""
    lower_is_better: bool = False
    """Whether an improvement makes the number smaller."""
    capped: bool = False
    """Whether the edition caps all modifiers together, either way."""
    ignored_by: str = ""
    """The question whose permission leaves out the modifiers that worsen the number."""

    def worsens(self, how: str, by: float) -> bool:
        """Return whether a modifier that adds, improves or worsens makes the number worse."""
        if how == "add":
            return by > 0 if self.lower_is_better else by < 0
        return (how == "worsen" and by > 0) or (how == "improve" and by < 0)


AskSpot = Callable[[Any, Pick, Context, str, Rule], Steps[tuple[float, ...] | None]]
"""The steps by which a battle asks a seat for the spot of a marker or of terrain.

The spot of terrain has a facing. They return None where the seat declines.
"""


@dataclass(frozen=True, eq=False)
class Language:
    """What the rule records of a game system may say."""

    words: Mapping[str, Word] = field(default_factory=dict)
    verbs: Mapping[str, Verb] = field(default_factory=dict)
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    numbers: Mapping[str, NumberLimits] = field(default_factory=dict)
    questions: Mapping[str, bool] = field(default_factory=dict)
    """Every question of permission, with the answer where no rule speaks."""
    abilities: tuple[str, ...] = ()
    """The core abilities that steps ask of units, which rules may grant, without their numbers."""
    rolls: tuple[str, ...] = ()
    moments: tuple[str, ...] = ()
    """The moments that steps carry out: events that happen, and others."""
    spans: tuple[str, ...] = ()
    """Until when a mark or a bestowed rule may last."""
    ask_spot: AskSpot | None = None

    @classmethod
    def of(
        cls,
        *,
        words: Sequence[ModuleType] = (),
        verbs: Sequence[ModuleType] = (),
        kinds: Iterable[Kind] = (),
        numbers: Sequence[Mapping[str, NumberLimits]] = (),
        questions: Sequence[Mapping[str, bool]] = (),
        abilities: tuple[str, ...] = (),
        rolls: tuple[str, ...] = (),
        moments: tuple[str, ...] = (),
        spans: tuple[str, ...] = (),
        ask_spot: AskSpot | None = None,
    ) -> Language:
        """Return the language of modules and lists. Raises HordeError for a name given twice."""
        return cls(
            words=_united("word", [_entries(module, Word) for module in words]),
            verbs=_united("verb", [_entries(module, Verb) for module in verbs]),
            kinds=_united("kind", [{kind.name: kind} for kind in kinds]),
            numbers=_united("number", numbers),
            questions=_united("question", questions),
            abilities=abilities,
            rolls=tuple(_united("roll", [{name: None} for name in rolls])),
            moments=tuple(_united("moment", [{name: None} for name in moments])),
            spans=spans,
            ask_spot=ask_spot,
        )

    @cached_property
    def grammar(self) -> Grammar:
        """Return the grammar by which records are checked as they are made ready."""
        return self._grammar(Grammar)

    @cached_property
    def trusted(self) -> Grammar:
        """Return the grammar for selectors inside expressions that have been checked."""
        return self._grammar(_Trusting)

    def _grammar(self, of: type[Grammar]) -> Grammar:
        return of(
            (*self.words, *SELECTING, *BUILT_IN),
            VARIABLES,
            self.kinds,
            self.verbs,
            looking_up={name: each.looks_up for name, each in self.words.items() if each.looks_up},
            filtering={name: each.filter_at for name, each in self.words.items() if each.filter_at >= 0},
            of_sheet=[name for name, each in self.words.items() if each.of_sheet],
            taking={name: each.takes for part in (self.words, self.verbs) for name, each in part.items()},
        )


class _Trusting(Grammar):
    """The grammar for texts inside checked rules: their rule's own names are not known here."""

    def _check_name(self, name: str, own: frozenset[str]) -> None:
        """Take the name as it is."""


def _takes(function: Callable[..., Any], first: int, last: int) -> Takes:
    """Return the arguments of a function without those, first and last, that it gets itself."""
    code, defaults = function.__code__, len(function.__defaults__ or ())
    names, many = code.co_varnames, bool(code.co_flags & CO_VARARGS)
    # What comes after any number of texts is among them.
    plain = names[first : code.co_argcount - (0 if many else last)]
    needed = len(plain) - defaults
    rest = names[code.co_argcount + code.co_kwonlyargcount] if many else ""
    return Takes(plain[:needed], plain[needed:], rest)


def _entries(module: ModuleType, kind: type[Any]) -> dict[str, Any]:
    """Return the words or the verbs of a module by name, in the order of the file."""
    own = ((name, each) for name, each in vars(module).items() if callable(each))
    marked = ((name, each, getattr(each, ENTRY, None)) for name, each in own)
    return {
        name: entry
        for name, each, entry in marked
        if isinstance(entry, kind) and each.__module__ == module.__name__
    }


def _united(kind: str, parts: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
    found: dict[str, Any] = {}
    for part in parts:
        for name, each in part.items():
            if name in found:
                raise HordeError(f"The {kind} '{name}' is entered twice; rename one of the two.")
            found[name] = each
    return MappingProxyType(found)
