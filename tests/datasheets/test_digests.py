"""The committed digests are those of the data files: a file that changes is noticed here."""

from __future__ import annotations

import pytest
from digests import digests

from datasheets.dependency import differences
from datasheets.files import committed, digest
from datasheets.library import Library


def test_the_committed_digests_are_those_of_the_files() -> None:
    changed = differences(committed(), digests())
    assert not changed, f"{', '.join(changed)}: run python scripts/digests.py --write"


@pytest.mark.parametrize("folder", ["datasheets/w40k-10", "factions", "rules", "decks", "deployments"])
def test_each_folder_of_data_has_digests(folder: str, library: Library) -> None:
    named = {name for name in committed() if name.rpartition("/")[0] == folder}
    assert named
    assert named == set(library.files.of(folder, (".json", ".toml")))


def test_a_digest_is_that_of_what_a_file_says() -> None:
    # By another program: printf '{"a":[1,2.5],"b":"é"}' | sha256sum
    said = {"b": "é", "a": [1, 2.5]}
    assert digest(said) == "2071e5952e3110d79f01f374bf90abe7fc01cf116fd0a40af0ab60d3f9a99f8d"
