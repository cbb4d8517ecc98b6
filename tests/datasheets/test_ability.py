"""What is simulated of an ability is asked of clauses and records, never of the data."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import msgspec
import pytest

from datasheets.ability import NO_CLAUSE, NO_RECORD, Abilities, core_abilities, simulated
from datasheets.checklist import Line
from datasheets.library import EDITION, Library
from datasheets.rule import Grant, Rule
from datasheets.schema import Ability, AbilityKind

CLAUSES = (
    Line(id="CORE.A", says="Scouts", by=("engine.a",), abilities=("scouts",)),
    Line(id="CORE.B", says="Hover", unmodelled="no aircraft yet", abilities=("hover",)),
)


def rule(name: str, *, reason: str = "", tags: tuple[str, ...] = (), sheets: tuple[str, ...] = ()) -> Rule:
    """Return a record of a rule that grants something, or is not simulated for a reason."""
    grant = () if reason else (Grant(keyword="FLY"),)
    return Rule(
        id=f"x/{name}",
        clause=f"X.{name}",
        name=name,
        source="",
        summary="",
        reason=reason,
        tags=tags,
        datasheets=sheets,
        grant=grant,
    )


def told(library: Library, kind: AbilityKind, name: str, *rules: Rule, of: str = "lictor") -> Ability:
    """Return an ability of a sheet whose data calls it modelled, as clauses and records say."""
    lictor = library.datasheet("tyranids/lictor")
    printed = Ability(name=name, kind=kind, status="modelled", reason="because", clause="X.1")
    sheet = msgspec.structs.replace(lictor, id=f"tyranids/{of}", abilities=(printed,))
    (found,) = Abilities(CLAUSES, rules).told(sheet).abilities
    return found


def test_a_core_ability_is_what_its_clause_is(library: Library) -> None:
    scouts = told(library, "core", "scouts 6")
    assert (scouts.status, scouts.reason, scouts.clause) == ("modelled", None, "CORE.A")
    hover = told(library, "core", "hover")
    assert (hover.status, hover.reason, hover.clause) == ("unmodelled", "no aircraft yet", "CORE.B")


@pytest.mark.parametrize("name", ["scoutsmanship", "super-heavy walker", "moves as scouts"])
def test_a_core_ability_without_a_clause_is_unmodelled(library: Library, name: str) -> None:
    found = told(library, "core", name)
    assert (found.status, found.reason, found.clause) == ("unmodelled", NO_CLAUSE, "")


def test_what_the_data_says_of_a_status_is_not_believed(library: Library) -> None:
    found = told(library, "datasheet", "Feeder Tendrils")
    assert (found.status, found.reason, found.clause) == ("unmodelled", NO_RECORD, "")


def test_an_army_rule_is_its_record_whatever_the_datasheet(library: Library) -> None:
    synapse = rule("Synapse", tags=("army",))
    assert told(library, "faction", "Synapse", synapse).clause == "X.Synapse"
    assert told(library, "faction", "Synapse", rule("Synapse", tags=("detachment",))).status == "unmodelled"
    assert told(library, "datasheet", "Synapse", synapse).status == "unmodelled"


def test_a_record_of_a_datasheet_serves_that_datasheet_alone(library: Library) -> None:
    swift = rule("Swift", sheets=("tyranids/lictor",))
    assert told(library, "datasheet", "Swift", swift).status == "modelled"
    assert told(library, "datasheet", "Swift", swift, of="broodlord").status == "unmodelled"


def test_a_record_without_clauses_gives_its_reason(library: Library) -> None:
    found = told(library, "wargear", "Lash", rule("Lash", reason="too wild", sheets=("tyranids/lictor",)))
    assert (found.status, found.reason) == ("unmodelled", "too wild")


def test_one_unmodelled_record_of_two_makes_the_ability_unmodelled(library: Library) -> None:
    one = rule("Lash", sheets=("tyranids/lictor",))
    other = rule("Lash", reason="too wild", sheets=("tyranids/lictor",))
    assert told(library, "datasheet", "Lash", one, other).reason == "too wild"


@pytest.mark.parametrize(
    ("printed", "kept"),
    [
        ((("Walker", "faction"), ("Walker", "datasheet")), (("Walker", "datasheet"),)),
        ((("scouts 6", "core"), ("Scouts 6", "datasheet")), (("scouts 6", "core"),)),
        ((("Lash", "datasheet"), ("LASH", "datasheet"), ("Lash", "wargear")), (("Lash", "datasheet"),)),
        ((("Synapse", "faction"), ("Swift", "wargear")), (("Synapse", "faction"), ("Swift", "wargear"))),
    ],
)
def test_an_ability_under_two_headings_counts_once(
    library: Library, printed: tuple[tuple[str, AbilityKind], ...], kept: tuple[tuple[str, str], ...]
) -> None:
    abilities = tuple(Ability(name=name, kind=kind) for name, kind in printed)
    sheet = msgspec.structs.replace(library.datasheet("tyranids/lictor"), abilities=abilities)
    told = Abilities(CLAUSES, ()).told(sheet).abilities
    assert tuple((each.name, each.kind) for each in told) == kept


def test_every_core_ability_of_the_clauses_is_one_once() -> None:
    lines = core_abilities(files("assets").joinpath("clauses"))
    names = [name for line in lines for name in line.abilities]
    assert len(names) == len(set(names))
    assert {"deep strike", "feel no pain", "firing deck", "fights last"} <= set(simulated()) <= set(names)


def test_a_folder_without_clauses_has_no_core_abilities(tmp_path: Path) -> None:
    assert core_abilities(tmp_path) == ()


def test_no_data_file_says_what_is_simulated() -> None:
    for path in files("datasheets").joinpath("data", EDITION).iterdir():
        sheets = msgspec.json.decode(path.read_bytes())["datasheets"]
        said = {key for sheet in sheets for each in sheet.get("abilities", []) for key in each}
        assert not said & {"status", "reason", "clause"}, path.name


def test_wargear_that_is_only_numbers_is_simulated(library: Library) -> None:
    def status(datasheet: str, name: str) -> str:
        abilities = library.datasheet(datasheet).abilities
        return next(each.status for each in abilities if each.name == name)

    assert status("space-marines/captain", "Relic Shield") == "modelled"
    assert status("aeldari/wraithknight", "Scattershield") == "unmodelled"
