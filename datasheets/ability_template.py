"""Templates of abilities: shapes with parameters that several abilities share.

Owns how a record that is `like` a template becomes a whole one, as plain data, before it is read. What the
clauses mean is the rulebook's. Placeholders stand in braces: "{inches}".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources.abc import Traversable
from typing import Any, Literal

import tomli
from msgspec import UNSET, UnsetType, field

from datasheets.errors import BadData, unknown
from datasheets.fault import meant
from datasheets.parsing import parsed
from datasheets.record import Record, record
from datasheets.spelling import slug

Kind = Literal["number", "numbers", "text", "texts", "condition"]
CLAUSES = ("modify", "grant", "forbid", "permit", "when", "instead", "offer", "call")
"""The keys of a record that hold clauses; a template has these and `aura`."""
FOR = "for"
"""The key of a clause that names a list: the clause stands once for each of its values."""
PLACEHOLDER = re.compile(r"('?)\{([^{}]*)\}('?)")
SAID = {
    "number": "a number",
    "numbers": "a number, or a list of numbers",
    "text": 'a text in "quotes"',
    "texts": 'a text in "quotes", or a list of texts',
    "condition": 'a condition in "quotes"',
}
"""The types of parameters in an author's words."""


class Parameter(Record, frozen=True):
    """What stands in the places of one name. Without a default, each record says it."""

    name: str
    type: Kind
    default: int | float | str | tuple[int | float | str, ...] | UnsetType = UNSET
    among: tuple[int | float | str, ...] = ()
    """The values that it may have; any where there are none."""

    def __post_init__(self) -> None:
        """Refuse a default that is no value of the parameter."""
        if not isinstance(self.default, UnsetType) and (why := self.refusal(self.default)):
            raise ValueError(f"the default of '{self.name}' {why}")

    @property
    def is_list(self) -> bool:
        """Return whether the parameter has several values."""
        return self.type in ("numbers", "texts")

    def refusal(self, value: Any) -> str:
        """Return what is wrong with a value; nothing where it is right."""
        kinds = (int, float) if self.type in ("number", "numbers") else (str,)
        listed = values(value)
        is_wrong = isinstance(value, list | tuple) and not self.is_list
        if is_wrong or not all(isinstance(each, kinds) and not isinstance(each, bool) for each in listed):
            return f"should be {SAID[self.type]}, not {_shown(value)}"
        if self.type == "condition" and not value.strip():
            return "should be a condition that is not empty"
        strange = next((each for each in listed if self.among and each not in self.among), None)
        if strange is not None:
            return f"should be {' or '.join(map(repr, self.among))}, not {strange!r}"
        return ""


class Template(Record, frozen=True):
    """A shape of abilities: clauses with placeholders, and what may be put there."""

    id: str
    summary: str
    parameters: tuple[Parameter, ...] = ()
    clauses: dict[str, Any] = field(default_factory=dict)
    """By key of a record, as the file says them."""

    def clauses_with(self, given: Mapping[str, Any], where: str) -> dict[str, Any]:
        """Return the clauses with these values in their places. Raises BadData for a wrong value."""
        known = {each.name: each for each in self.parameters}
        for name in given:
            if name not in known:
                mend = f"the template '{self.id}' has no such parameter"
                raise BadData(where, f"with.{name}", mend + (meant(name, known) or _has(known)))
        found = {}
        for name, each in known.items():
            value = given.get(name, each.default)
            if isinstance(value, UnsetType):
                mend = f"is missing; the template '{self.id}' needs it, {SAID[each.type]}"
                raise BadData(where, f"with.{name}", mend)
            if why := each.refusal(value):
                raise BadData(where, f"with.{name}", why)
            found[name] = list(values(value)) if each.is_list else value
        return {key: _filled(each, found, known) for key, each in self.clauses.items()}


def load_templates(path: Traversable) -> dict[str, Template]:
    """Return the templates of a file by id, in its order. Raises BadData.

    There are none where there is no file.
    """
    if not path.is_file():
        return {}
    try:
        data = parsed(path.read_text(encoding="utf-8"))
    except tomli.TOMLDecodeError as error:
        raise BadData(path.name, "", f"cannot be read ({error})") from None
    for key in data:
        if key != "template":
            raise BadData(
                path.name, key, "this key is not known here; a file of templates has [[template]] only"
            )
    found: dict[str, Template] = {}
    for number, raw in enumerate(data.get("template", [])):
        where = f"{path.name}, {raw.get('id', f'template {number + 1}')}"
        template = _template(raw, where)
        if template.id in found:
            raise BadData(path.name, template.id, "two templates have this id; give one another")
        found[template.id] = template
    return found


def expanded(raw: Mapping[str, Any], templates: Mapping[str, Template], where: str) -> dict[str, Any]:
    """Return a record with the clauses of the template that it is like, before its own.

    An ability of datasheets gets its id, clause, source and tag from its name and datasheets where it says
    none. `where` names the record in faults. Raises BadData.
    """
    whole = _with_head(raw)
    if "like" not in raw:
        if "with" in raw:
            mend = "only a record that is `like` a template has parameters; name the template in `like`"
            raise BadData(where, "with", mend)
        return whole
    name, given = raw["like"], raw.get("with", {})
    if not isinstance(name, str):
        raise BadData(where, "like", f"should be the id of a template, not {_shown(name)}")
    if name not in templates:
        raise BadData(where, "like", str(unknown(name, templates, "template")))
    if not isinstance(given, Mapping):
        raise BadData(where, "with", f"should be parameters with their values, not {_shown(given)}")
    for key, clauses in templates[name].clauses_with(given, where).items():
        if key in raw and not isinstance(clauses, list):
            raise BadData(where, key, f"the template '{name}' says it already; take it out here")
        whole[key] = [*clauses, *raw.get(key, [])] if isinstance(clauses, list) else clauses
    return whole


def values(value: Any) -> tuple[Any, ...]:
    """Return the values of a parameter: one that is no list is the only one."""
    return tuple(value) if isinstance(value, list | tuple) else (value,)


def _with_head(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record; that of an ability with the head that follows from its name."""
    name, sheets = raw.get("name"), raw.get("datasheets")
    if isinstance(name, str) and raw.get("tags") == ["state"]:
        of = {"id": f"state/{slug(name)}", "clause": f"DATASHEET.{slug(name)}", "source": name}
        return of | dict(raw)
    if not isinstance(name, str) or not isinstance(sheets, list):
        return dict(raw)
    head = {
        "id": f"datasheet/{slug(name)}",
        "clause": f"DATASHEET.{slug(name)}",
        "source": ", ".join(map(str, sheets)),
        "tags": ["datasheet"],
    }
    return head | dict(raw)


def _template(raw: Mapping[str, Any], where: str) -> Template:
    """Return a template from what its file says. Raises BadData."""
    clauses = {key: each for key, each in raw.items() if key in (*CLAUSES, "aura")}
    head = {key: each for key, each in raw.items() if key not in clauses}
    if "clauses" in head:
        raise BadData(where, "clauses", f"a template says its clauses by their kind: {', '.join(CLAUSES)}")
    template = record(Template, head | {"clauses": clauses}, where)
    if not clauses:
        raise BadData(where, "", f"a template has clauses: {', '.join(CLAUSES)}")
    known = {each.name: each for each in template.parameters}
    used = dict.fromkeys(_places(clauses))
    for name in used:
        if name not in known:
            raise BadData(where, f"{{{name}}}", "no parameter has this name; add it to `parameters`")
    for each in _repeated(clauses):
        if not known[each].is_list:
            raise BadData(
                where, FOR, f"the parameter '{each}' is no list; its type should be numbers or texts"
            )
    for name in known:
        if name not in used:
            raise BadData(where, f"parameters.{name}", "no clause has a place for it; take it out")
    return template


def _places(value: Any) -> Iterator[str]:
    """Yield the names in the placeholders of clauses, and those in `for`."""
    if isinstance(value, str):
        yield from (name for _, name, _ in PLACEHOLDER.findall(value))
    elif isinstance(value, list):
        for each in value:
            yield from _places(each)
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from _places(f"{{{each}}}" if key == FOR else [key, each])


def _repeated(clauses: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of the parameters for each value of which a clause stands."""
    for each in clauses.values():
        if isinstance(each, list):
            yield from (clause[FOR] for clause in each if FOR in clause)


def _filled(value: Any, given: Mapping[str, Any], known: Mapping[str, Parameter]) -> Any:
    """Return a part of a template with values in the places of its placeholders."""
    if isinstance(value, str):
        whole = PLACEHOLDER.fullmatch(value)
        return given[whole[2]] if whole and not whole[1] else _text(value, given, known)
    if isinstance(value, list):
        return [part for each in value for part in _parts(each, given, known)]
    if isinstance(value, Mapping):
        return {_text(key, given, known): _filled(each, given, known) for key, each in value.items()}
    return value


def _parts(value: Any, given: Mapping[str, Any], known: Mapping[str, Parameter]) -> Iterator[Any]:
    """Yield an entry of a list, filled: a clause that is repeated once for each value."""
    if not isinstance(value, Mapping) or FOR not in value:
        yield _filled(value, given, known)
        return
    rest = {key: each for key, each in value.items() if key != FOR}
    for each in given[value[FOR]]:
        yield _filled(rest, {**given, value[FOR]: each}, known)


def _text(text: str, given: Mapping[str, Any], known: Mapping[str, Parameter]) -> str:
    """Return a text with values in it.

    A condition comes in parentheses, a list as quoted texts with commas.
    """

    def put(place: re.Match[str]) -> str:
        before, name, after = place.groups()
        value = given[name]
        if isinstance(value, list):
            return before + ", ".join(map(repr, value)) + after
        if known[name].type == "condition":
            return f"{before}({value}){after}"
        if isinstance(value, str):
            return repr(value) if before and after else before + value + after
        return f"{before}{value:g}{after}"

    return PLACEHOLDER.sub(put, text)


def _has(known: Iterable[str]) -> str:
    names = ", ".join(map(repr, known))
    return f"; it has {names}" if names else "; it has none"


def _shown(value: Any) -> str:
    """Return a value as a fault names it."""
    if isinstance(value, str | int | float):
        return repr(value)
    return "a list" if isinstance(value, list | tuple) else "keys"
