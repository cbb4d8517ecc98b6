"""Reading files of rule records: TOML with a list of `[[rule]]`, with templates put in."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources.abc import Traversable
from types import MappingProxyType

import tomli

from datasheets.ability_template import Template, expanded
from datasheets.errors import BadData
from datasheets.parsing import parsed
from datasheets.record import record
from datasheets.rule import Rule


def load_rules(
    path: Traversable, name: str = "", templates: Mapping[str, Template] = MappingProxyType({})
) -> tuple[Rule, ...]:
    """Return the rules of a file in its order. Raises BadData with the rule and the key.

    Faults call the file by `name`, or as it is called in its folder.
    """
    name = name or path.name
    try:
        data = parsed(path.read_text(encoding="utf-8"))
    except tomli.TOMLDecodeError as error:
        raise BadData(name, "", f"cannot be read ({error})") from None
    strangers = sorted(set(data) - {"rule"})
    if strangers:
        raise BadData(name, strangers[0], "this key is not known here; a file of rules has [[rule]] only")
    found: dict[str, Rule] = {}
    for number, each in enumerate(data.get("rule", [])):
        where = f"{name}, {each.get('id') or each.get('name') or f'rule {number + 1}'}"
        like = f" (like {each['like']})" if "like" in each else ""
        rule = record(Rule, expanded(each, templates, where), where + like)
        if rule.id in found:
            raise BadData(name, rule.id, "two rules have this id; give one another")
        found[rule.id] = rule
    return tuple(found.values())
