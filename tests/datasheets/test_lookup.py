"""Names that people type, and the datasheets, factions and keywords that they mean."""

from __future__ import annotations

import pytest

from datasheets.errors import HordeError, UnknownName
from datasheets.library import Library
from datasheets.lookup import find_datasheet, find_faction, find_keyword, plain_words


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("T’au Empire", "tau empire"),
        ("  Faolchú--NOD ", "faolchu nod"),
        ("Go-rilla! (x2)", "go rilla x2"),
        ("Straße", "strasse"),
        ("''", ""),
    ],
)
def test_words_are_letters_and_figures(typed: str, plain: str) -> None:
    assert plain_words(typed) == plain


@pytest.mark.parametrize(
    ("typed", "faction", "found"),
    [
        ("death-guard/plague-marines", "", "death-guard/plague-marines"),
        ("Plague Marines", "Death Guard", "death-guard/plague-marines"),
        ("PLAGUEMARINES", "deathguard", "death-guard/plague-marines"),
        ("Death Guard / Plague Marines", "", "death-guard/plague-marines"),
        ("trýgon", "", "tyranids/trygon"),
        ("korsarro khan", "", "space-marines/kor-sarro-khan"),
        ("Kor’sarro Khan", "", "space-marines/kor-sarro-khan"),
        ("Da Red Gobbo", "", "orks/da-red-gobbo-legends"),
    ],
)
def test_a_datasheet_is_found_by_any_spelling(library: Library, typed: str, faction: str, found: str) -> None:
    assert find_datasheet(library, typed, faction).id == found


def test_a_name_of_several_factions_asks_which(library: Library) -> None:
    with pytest.raises(HordeError) as caught:
        find_datasheet(library, "plague marines")
    assert str(caught.value) == (
        "There are 2 datasheets 'plague marines'; say which by its id: "
        "'chaos-space-marines/plague-marines', 'death-guard/plague-marines'."
    )


def test_the_current_datasheet_comes_before_the_legends_one_of_its_name(library: Library) -> None:
    assert find_datasheet(library, "prince yriel").id == "aeldari/prince-yriel"
    assert find_datasheet(library, "prince yriel legends").id == "aeldari/prince-yriel-legends"


@pytest.mark.parametrize(
    ("typed", "near"),
    [
        ("lieutenent", "space-marines/lieutenant"),
        ("big mek shock atack", "orks/big-mek-with-shokk-attack-gun"),
        ("intercesors", "space-marines/intercessor-squad"),
        ("tyranids/hormagaunt", "tyranids/hormagaunts"),
    ],
)
def test_a_name_that_nothing_has_comes_with_near_ones(library: Library, typed: str, near: str) -> None:
    with pytest.raises(UnknownName) as caught:
        find_datasheet(library, typed)
    assert near in caught.value.near
    assert len(caught.value.near) <= 5


@pytest.mark.parametrize("typed", ["", "xyzzy", "/", "???"])
def test_what_is_near_nothing_comes_alone(library: Library, typed: str) -> None:
    with pytest.raises(UnknownName, match="There is no datasheet"):
        find_datasheet(library, typed)


def test_a_faction_is_found_by_its_name_or_id(library: Library) -> None:
    assert find_faction(library, "t'au empire") == find_faction(library, "TAU-EMPIRE") == "tau-empire"
    with pytest.raises(UnknownName, match="no faction 'tyranid'; did you mean 'tyranids'"):
        find_faction(library, "tyranid")


def test_a_keyword_is_found_as_it_is_printed(library: Library) -> None:
    sheets = library.datasheets("tau-empire")
    assert find_keyword(sheets, "Tau Empire") in sheets[0].faction_keywords
    with pytest.raises(UnknownName, match="did you mean 'BATTLELINE'"):
        find_keyword(sheets, "batleline")
