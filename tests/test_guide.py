"""docs/playing.md and its pictures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from first_battle import MOMENTS
from pictures import LARGEST
from PIL import Image

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "playing.md").read_text(encoding="utf-8")
LINKED = re.findall(r"!\[[^\]]+\]\(pictures/([\w-]+)\.png\)", PAGE)


def test_each_moment_has_its_picture_in_order() -> None:
    assert list(MOMENTS) == LINKED
    assert len(re.findall(r"^## \d+\. ", PAGE, re.MULTILINE)) == len(MOMENTS)


@pytest.mark.parametrize("name", [name for name, moment in MOMENTS.items() if moment.is_there])
def test_a_picture_is_small_and_of_the_window(name: str) -> None:
    path = ROOT / "docs" / "pictures" / f"{name}.png"
    assert path.is_file(), f"python scripts/pictures.py docs/pictures --only {name}"
    assert path.stat().st_size <= LARGEST
    with Image.open(path) as picture:
        assert picture.size == (1600, 900)


def test_each_section_is_one_short_paragraph() -> None:
    sections = re.split(r"^## \d+\. .*$", PAGE.split("## Good to know")[0], flags=re.MULTILINE)[1:]
    for section in sections:
        paragraphs = [each for each in section.strip().split("\n\n") if not each.startswith("![")]
        assert len(paragraphs) == 1
        assert len(paragraphs[0].split()) <= 90


def test_the_commands_of_the_page_are_there() -> None:
    listed = (ROOT / "viewer" / "commands" / "replay_arguments.py").read_text(encoding="utf-8")
    for command in ("film", "picture"):
        assert f"horde replay {command}" in PAGE
        assert f'@replays.command("{command}")' in listed
