"""`horde rules words`: what rule records may say, with arguments, meaning and examples.

Gathers the language of the ruleset: words, verbs, moments, numbers, questions, and the names in sight.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from inspect import cleandoc, getdoc
from textwrap import wrap

from msgspec import Struct, to_builtins

from datasheets.errors import unknown
from datasheets.library import Library
from engine.core import event as ev
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.records.context import names_of
from engine.records.language import NumberLimits
from viewer.commands.grammar_words import GIVES, MOMENTS, NAMES, NUMBERS, QUESTIONS

WIDTH = 100
EXAMPLES = 6
"""The number of records that are named as examples."""
EVENTS = {str(kind.__struct_config__.tag): kind for kind in ev.Event.__subclasses__()}
LANGUAGE = HORDE_1_1.language


class Entry(Struct, frozen=True):
    """One name of the language: its kind, how it is written, what it means."""

    kind: str
    name: str
    written: str
    says: str
    more: str = ""


def words(name: str, as_json: bool) -> None:
    """Print the names of the language, or one with all that is known. Raises UnknownName."""
    found = list(entries())
    kinds = dict.fromkeys(each.kind for each in found)
    if name:
        found = [each for each in found if name in (each.name, each.kind, f"{each.kind}s")]
    if not found:
        raise unknown(
            name, [*kinds, *(each.name for each in entries())], "word, verb, moment, number or question"
        )
    alone = bool(name) and name not in kinds and name.removesuffix("s") not in kinds
    if as_json:
        told = [to_builtins(each) | ({"said_by": said_by(each)} if alone else {}) for each in found]
        sys.stdout.write(json.dumps(told, indent=1) + "\n")
        return
    for kind in dict.fromkeys(each.kind for each in found):
        sys.stdout.write(f"{kind}s\n".capitalize() if not alone else "")
        for each in (one for one in found if one.kind == kind):
            sys.stdout.write("\n".join(_lines(each, alone)) + "\n")


def entries() -> Iterator[Entry]:
    """Yield every name of the language, kind by kind."""
    for name, about in sorted(LANGUAGE.words.items()):
        yield Entry("word", name, f"{name}({about.takes})", *_documented(about.function))
    for name, does in sorted(LANGUAGE.verbs.items()):
        yield Entry("verb", name, f"{name}({does.takes})", *_documented(does.function))
    for name in sorted(LANGUAGE.moments):
        gives = ", ".join(names_at(name))
        says = MOMENTS.get(name) or _documented(EVENTS[name])[0]
        yield Entry("moment", name, name, says, f"It gives: {gives}." if gives else "")
    for name, limits in sorted(LANGUAGE.numbers.items()):
        yield Entry("number", name, name, NUMBERS.get(name, ""), _limits(limits))
    for name, default in sorted(LANGUAGE.questions.items()):
        told = "yes, unless a record forbids it" if default else "no, unless a record permits it"
        yield Entry("question", name, name, QUESTIONS.get(name, ""), f"Without a record: {told}.")
    for name, says in NAMES.items():
        yield Entry("name", name, name, says)


def names_at(moment: str) -> tuple[str, ...]:
    """Return the names that a moment gives beside those that every record has, in order."""
    event = EVENTS.get(moment)
    own = names_of(event) - {"cause"} if event is not None else frozenset()
    return tuple(sorted({*own, *GIVES.get(moment, ())}))


GIVEN_BY_MOMENTS = frozenset(
    ("attacker", "target", "weapon", "model", "victim", "dealer", "by", "kind", "melee", "targets", "throw")
)
"""The names that only moments and questions give; conditions are judged by them."""


def said_by(entry: Entry) -> list[str]:
    """Return the clauses of the records that say a name."""
    quoted = entry.kind in ("moment", "number", "question")
    call = re.compile(rf"\b{re.escape(entry.name)}{'' if entry.kind == 'name' else '[(]'}")
    found = []
    for rule in Library().rules():
        told = json.dumps(to_builtins(rule))
        if f'"{entry.name}"' in told if quoted else call.search(told):
            found.append(rule.clause)
    return list(dict.fromkeys(found))


def _lines(entry: Entry, alone: bool) -> Iterator[str]:
    says = f"{entry.written}: {entry.says.rstrip('.')}." if entry.says else entry.written
    yield from wrap(says, WIDTH, initial_indent="  ", subsequent_indent="      ", break_on_hyphens=False)
    if not alone and entry.kind not in ("moment",):
        return
    for text in filter(None, (entry.more, _examples(entry) if alone else "")):
        yield from wrap(
            text, WIDTH, initial_indent="      ", subsequent_indent="      ", break_on_hyphens=False
        )


def _examples(entry: Entry) -> str:
    found = sorted(said_by(entry), key=lambda clause: not clause.startswith("DATASHEET."))
    if not found:
        return "No record says it yet."
    more = f" and {len(found) - EXAMPLES} more" if len(found) > EXAMPLES else ""
    return f"Said by {', '.join(found[:EXAMPLES])}{more}."


def _documented(function: object) -> tuple[str, str]:
    """Return the first line of a docstring, without a "Return whether", and its rest."""
    first, _, rest = cleandoc(getdoc(function) or "").partition("\n")
    return re.sub(r"^Return (?:whether |(?=the |how ))", "", first).rstrip("."), " ".join(rest.split())


def _limits(limits: NumberLimits) -> str:
    told = ["Lower is better." if limits.lower_is_better else ""]
    told.append(f"At least {limits.floor:g}." if limits.floor is not None else "")
    told.append(f"At most {limits.ceiling:g}." if limits.ceiling is not None else "")
    told.append("All modifiers together come to 1 either way at most." if limits.capped else "")
    return " ".join(filter(None, told))
